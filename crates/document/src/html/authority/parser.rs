//! Runs html5gum's tokenizer and html5ever's tree builder together.

use std::convert::Infallible;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, ns};
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, State, Tokenizer};
use markup5ever_rcdom::Handle;

use super::dom::SourceDom;
use super::ignore_marks;
use super::tags::{self, SourceAttribute, SourceTag, TagBuilder};
use crate::html::further::FurtherAttributes;
use crate::html::raw::Wanted;
use crate::html::scanner::{self, raw_text_end};
use crate::html::{attributes, characters, content};
use crate::metadata;
use rehref_url::Span;

/// Parses `source` from byte `start` on.
pub(super) fn parse(source: &[u8], start: usize, wanted: Wanted) -> Parser<'_> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let mut parser = Parser {
        source,
        start,
        builder: TreeBuilder::new(SourceDom::new(source.len()), options),
        tag: None,
        tags: Vec::new(),
        content_of: None,
        comments: Vec::new(),
        next_state: None,
        fed: 0,
        head_start: start,
        is_before_head: true,
        metadata: wanted.metadata,
        further: wanted.further,
        pending_mark: None,
        has_marks: false,
        noscript_end: 0,
        unclosed_quote: None,
    };
    let emitter = FeedbackEmitter { inner: CallbackEmitter::new(&mut parser) };
    let Ok(()) =
        Tokenizer::new_with_emitter(source.get(start..).unwrap_or_default(), emitter).finish();
    let unfinished = parser.tag.take().filter(|_| parser.metadata);
    parser.unclosed_quote = unfinished.and_then(|tag| scanner::unclosed_quote(source, tag.start));
    parser
}

/// Passes the tokens to the tree builder, and keeps what the tree does not: the places of the tags
/// and comments in the source.
pub(super) struct Parser<'s> {
    pub(super) source: &'s [u8],
    start: usize,
    builder: TreeBuilder<Handle, SourceDom>,
    /// The start tag that is being tokenized.
    tag: Option<TagBuilder>,
    /// The start tags of interest; a tag's number is its index.
    pub(super) tags: Vec<SourceTag>,
    /// The number of the tag whose content is being tokenized.
    content_of: Option<usize>,
    pub(super) comments: Vec<Span>,
    /// The tokenizer's next state, if the tree builder changes it.
    next_state: Option<State>,
    /// The number of tokens so far.
    fed: usize,
    /// See [`RawDocument::head_start`](crate::html::raw::RawDocument::head_start).
    pub(super) head_start: usize,
    /// Whether everything so far stands before the head, even where the head has no tag.
    is_before_head: bool,
    pub(super) metadata: bool,
    further: FurtherAttributes,
    /// The list of an ignore mark in a comment, which the next element gets.
    pending_mark: Option<StrTendril>,
    /// True if the document has any ignore mark.
    pub(super) has_marks: bool,
    /// The end of the latest `noscript` in browsers that run scripts, which read its content as raw
    /// text.
    noscript_end: usize,
    /// See [`RawMetadata::unclosed_quote`](crate::html::raw::RawMetadata::unclosed_quote).
    pub(super) unclosed_quote: Option<usize>,
}

/// The number of tokens from one check of the tree's depth to the next.
const DEPTH_INTERVAL: usize = 1024;

fn tendril(bytes: &[u8]) -> StrTendril {
    StrTendril::from_slice(&characters(bytes))
}

/// The elements whose `content` html5ever reads as that of `meta`.
pub(super) const LIKE_META: [&str; 5] = ["base", "basefont", "bgsound", "link", "meta"];

impl Parser<'_> {
    /// Returns the tree so far.
    pub(super) fn dom(&self) -> &SourceDom {
        &self.builder.sink
    }

    /// Passes a token to the tree builder.
    fn feed(&mut self, token: Token) {
        if self.dom().budget().is_exceeded() {
            return;
        }
        self.fed += 1;
        if self.fed.is_multiple_of(DEPTH_INTERVAL) {
            self.dom().check_depth();
        }
        self.next_state = match self.builder.process_token(token, 1) {
            TokenSinkResult::Continue | TokenSinkResult::EncodingIndicator(_) => None,
            TokenSinkResult::Script(_) => Some(State::Data),
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => {
                Some(State::ScriptData)
            }
        };
    }

    /// Passes text to the tree builder, shortened to what tree construction distinguishes: white
    /// space, NUL, anything else.
    fn feed_text(&mut self, text: &[u8]) {
        for (number, part) in text.split(|&b| b == 0).enumerate() {
            if number > 0 {
                // It is dropped, but begins the body.
                self.is_before_head = false;
                self.feed(Token::NullCharacterToken);
            }
            let leading_space = part.first().is_some_and(u8::is_ascii_whitespace);
            let all_space = part.iter().all(u8::is_ascii_whitespace);
            self.is_before_head &= all_space;
            let summary = match (leading_space, all_space) {
                (_, true) if part.is_empty() => continue,
                (_, true) => " ",
                (true, false) => " x",
                (false, false) => "x",
            };
            self.feed(Token::CharacterTokens(StrTendril::from_slice(summary)));
        }
    }

    /// Passes a start tag to the tree builder; `end` is one past its last byte.
    fn feed_start_tag(&mut self, mut tag: TagBuilder, self_closing: bool, end: usize) {
        if self.is_before_head {
            self.is_before_head = tag.name == "html";
            if matches!(&*tag.name, "html" | "head") {
                self.head_start = end;
            }
        }
        let number = self.tags.len();
        let is_meta = tag.name == "meta";
        let is_like_meta = LIKE_META.contains(&tag.name.as_str());
        let in_noscript = tag.start < self.noscript_end;
        let is_noscript = tag.name == "noscript" && !in_noscript;
        let has_content = content::NAMES.contains(&tag.name.as_str());
        let is_of_interest = tag.is_of_interest
            || is_meta
            || is_noscript
            || has_content
            || self.pending_mark.is_some()
            || self.metadata && attributes::needs_url(tag.name.as_bytes());
        let count = tag.attributes.len();
        tag.attributes.retain(|attribute| !attribute.is_duplicate);
        let had_duplicate_attributes = tag.attributes.len() < count;
        let mut attrs: Vec<Attribute> = tag
            .attributes
            .iter()
            .map(|attribute| Attribute {
                name: QualName::new(None, ns!(), LocalName::from(attribute.name.as_str())),
                // html5ever 0.39 panics on a content that ends with "charset"; it needs none.
                value: if is_like_meta && attribute.name == "content" {
                    StrTendril::new()
                } else {
                    attribute.value.clone()
                },
            })
            .collect();
        if let Some(list) = &self.pending_mark {
            attrs.push(ignore_marks::of_comment(list.clone()));
        }
        if is_of_interest {
            self.dom().begin_tag(number, &tag.name, attrs.len());
        }
        self.feed(Token::TagToken(Tag {
            kind: TagKind::StartTag,
            name: LocalName::from(tag.name.as_str()),
            self_closing,
            attrs,
            had_duplicate_attributes,
        }));
        if is_of_interest {
            if self.dom().end_tag() {
                self.pending_mark = None;
                if is_noscript && !self.is_in_foreign() {
                    let end = raw_text_end(self.source, end, b"noscript");
                    self.noscript_end = end.unwrap_or(self.source.len());
                }
            }
            if has_content {
                self.content_of = Some(number);
            }
            self.tags.push(SourceTag {
                start: tag.start,
                in_noscript,
                attributes: tag.attributes,
                content: has_content.then(|| Span::from(end..self.source.len())),
            });
        }
    }

    /// Returns true if the current node is an element of SVG or MathML.
    fn is_in_foreign(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// Keeps the ignore mark if `comment` is one. Returns the text of the comment in the tree: its
    /// number, by which the collector finds its place.
    fn comment_text(&mut self, comment: &[u8]) -> StrTendril {
        let comment = str::from_utf8(comment).ok();
        if let Some(list) = comment.and_then(metadata::ids_of_comment) {
            self.pending_mark = Some(StrTendril::from_slice(list));
            self.has_marks = true;
        }
        StrTendril::from(self.comments.len().to_string())
    }

    /// Ends the content of the latest `style` or `script` at `at`.
    fn end_content(&mut self, at: usize) {
        let tag = self.content_of.take().and_then(|at| self.tags.get_mut(at));
        if let Some(content) = tag.and_then(|tag| tag.content.as_mut()) {
            content.end = at;
        }
    }
}

impl Callback<Infallible, usize> for &mut Parser<'_> {
    fn handle_event(
        &mut self,
        event: CallbackEvent<'_>,
        span: html5gum::Span<usize>,
    ) -> Option<Infallible> {
        let span = Span::from(span.start..span.end).shifted(self.start);
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = Some(TagBuilder {
                    name: characters(name).into_owned(),
                    start: span.start,
                    ..TagBuilder::default()
                });
            }
            CallbackEvent::AttributeName { name } => {
                if let Some(tag) = &mut self.tag {
                    let name = characters(name).into_owned();
                    tag.is_of_interest |= !attributes::rows_named(&name).is_empty()
                        || self.further.rows_named(&name).next().is_some();
                    if self.metadata {
                        let is_mark = ignore_marks::is_mark(&name, self.further);
                        tag.is_of_interest |= is_mark || tags::is_of_interest(&tag.name, &name);
                        self.has_marks |= is_mark;
                    }
                    let is_duplicate = tag.has(&name);
                    tag.attributes.push(SourceAttribute {
                        name,
                        name_end: span.end,
                        value: StrTendril::new(),
                        is_duplicate,
                    });
                }
            }
            CallbackEvent::AttributeValue { value } => {
                let tag = self.tag.as_mut();
                if let Some(attribute) = tag.and_then(|tag| tag.attributes.last_mut()) {
                    attribute.value = tendril(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(tag) = self.tag.take() {
                    self.feed_start_tag(tag, self_closing, span.end);
                }
            }
            CallbackEvent::EndTag { name } => {
                self.end_content(span.start);
                // These end the head, even where it has not begun.
                self.is_before_head &= !matches!(name, b"head" | b"body" | b"html" | b"br");
                self.feed(Token::TagToken(Tag {
                    kind: TagKind::EndTag,
                    name: LocalName::from(&*characters(name)),
                    self_closing: false,
                    attrs: Vec::new(),
                    had_duplicate_attributes: false,
                }));
            }
            CallbackEvent::String { value } => self.feed_text(value),
            CallbackEvent::Comment { value } => {
                let text = if self.metadata { self.comment_text(value) } else { StrTendril::new() };
                self.comments.push(span);
                self.feed(Token::CommentToken(text));
            }
            CallbackEvent::Doctype { name, public_identifier, system_identifier, force_quirks } => {
                if self.is_before_head && self.head_start == self.start {
                    self.head_start = span.end;
                }
                self.feed(Token::DoctypeToken(Doctype {
                    name: (!name.is_empty()).then(|| tendril(name)),
                    public_id: public_identifier.map(tendril),
                    system_id: system_identifier.map(tendril),
                    force_quirks,
                }));
            }
            CallbackEvent::Error(_) => {}
        }
        None
    }
}

/// Sets the tokenizer's state to the tree builder's answers: raw text, plain text, CDATA sections in
/// foreign content.
struct FeedbackEmitter<'e, 's> {
    inner: CallbackEmitter<&'e mut Parser<'s>, Infallible, usize>,
}

impl ForwardingEmitter for FeedbackEmitter<'_, '_> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.inner
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_eof(&mut self) {
        self.inner.emit_eof();
        let parser = self.inner.callback_mut();
        parser.feed(Token::EOFToken);
        parser.builder.end();
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = self.inner.emit_current_tag();
        self.inner.callback_mut().next_state.take()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.inner.callback_mut().is_in_foreign()
    }
}
