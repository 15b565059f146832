//! Reads a document tag by tag: the tokenizer (HTML Standard section 13.2.5), which calls tree
//! construction for each tag.

use memchr::memmem;

use super::attributes::{self, TagEnd};
use super::lanes;
use super::names::{self, SourceName, SourceTag};
use super::reasons::{DeclineReason, Scan};
use super::state::{Action, Scanner, Tag};
use super::tags::TagKind;
use super::text::{self, ContentModel};
use crate::ascii::starts_with_ignore_case;
use crate::html::element::Namespace;
use crate::metadata;
use rehref_url::Span;

/// The result of [`Scanner::settled_tag`].
enum Settled {
    /// The parser read the tag.
    Read,
    /// The source ends within the tag.
    Unfinished,
    /// The parser left the tag to tree construction.
    Unknown,
}

impl Scanner<'_> {
    /// Scans the whole source.
    pub(super) fn run(&mut self) -> Scan<()> {
        let mut text_start = self.at;
        let mut is_settled = self.is_settled();
        while let Some(at) = lanes::find(self.source, self.at, b'<') {
            let tag = names::scan_tag(self.source, at);
            if is_settled && let Some(tag) = tag {
                match self.settled_tag(tag)? {
                    Settled::Read => continue,
                    Settled::Unfinished => {
                        self.keep_unclosed_quote(at);
                        break;
                    }
                    Settled::Unknown => {}
                }
            }
            let Some(&next) = self.source.get(at + 1) else { break };
            let is_markup = match next {
                b'!' | b'?' => true,
                b'/' => self.source.get(at + 2).is_some(),
                _ => next.is_ascii_alphabetic(),
            };
            if !is_markup {
                self.at = at + 1;
                continue;
            }
            if self.is_before_head || !self.mode.is_past_head() {
                self.text(text_start, at)?;
            }
            let is_complete = match (tag, next) {
                (Some(SourceTag { name, is_end }), _) => {
                    if is_end {
                        self.end_tag(at, name)?
                    } else {
                        self.start_tag(name)?
                    }
                }
                (None, b'!') => self.declaration(at)?,
                (None, b'?') => self.bogus_comment(at, at + 1)?,
                (None, b'/') => self.nameless_end_tag(at)?,
                (None, _) => false,
            };
            if !is_complete {
                self.keep_unclosed_quote(at);
                break;
            }
            text_start = self.at;
            is_settled = self.is_settled();
        }
        Ok(())
    }

    /// Keeps the quote that never ends in the start tag at `at`, if the source ends within it.
    fn keep_unclosed_quote(&mut self, at: usize) {
        if self.metadata {
            self.raw.metadata.unclosed_quote = attributes::unclosed_quote(self.source, at);
        }
    }

    /// Reads a tag, where tags that are [always inserted](TagKind::is_always_inserted) change no state, if it is
    /// one of these.
    #[inline]
    fn settled_tag(&mut self, tag: SourceTag) -> Scan<Settled> {
        let SourceTag { name, is_end } = tag;
        if !self.tag_table.is_always_inserted(name) {
            return Ok(Settled::Unknown);
        }
        if self.source.get(name.end) == Some(&b'>') {
            self.at = name.end + 1;
            if !is_end && self.templates.is_empty() {
                self.collect_without_url(name.span());
            }
            return Ok(Settled::Read);
        }
        if is_end {
            return Ok(Settled::Unknown);
        }
        let Some(end) = self.read_attributes(name.end) else { return Ok(Settled::Unfinished) };
        self.at = end.end;
        if self.templates.is_empty() {
            self.collect_without_url(name.span());
        }
        if !self.tag_attributes.is_empty() {
            if self.metadata {
                self.decline_ignore_mark()?;
            }
            let tag = self.tag(name, end);
            self.collect(&tag, Namespace::Html, self.templates.is_empty())?;
        }
        Ok(Settled::Read)
    }

    /// Reads the `<!` at `at`: a comment, a doctype or a CDATA section. This method and the others
    /// for markup return whether the markup ends before the source does; where it does not, nothing
    /// follows it.
    fn declaration(&mut self, at: usize) -> Scan<bool> {
        let rest = self.source.get(at + 2..).unwrap_or_default();
        if rest.starts_with(b"--") {
            self.comment(at, text::comment_end(self.source, at))
        } else if starts_with_ignore_case(rest, b"doctype") {
            self.at = text::bogus_end(self.source, at);
            if self.is_before_head && self.raw.head_start == self.start {
                self.raw.head_start = self.at;
            }
            Ok(true)
        } else if rest.starts_with(b"[CDATA[") && self.is_foreign() {
            self.at = text::cdata_end(self.source, at + b"<![CDATA[".len());
            Ok(true)
        } else {
            self.bogus_comment(at, at + 2)
        }
    }

    /// Reads the comment at `at` that ends at the first `>` from `from` on.
    fn bogus_comment(&mut self, at: usize, from: usize) -> Scan<bool> {
        self.comment(at, text::bogus_end(self.source, from))
    }

    fn comment(&mut self, start: usize, end: usize) -> Scan<bool> {
        let comment = self.source.get(start..end).unwrap_or_default();
        if self.metadata && memmem::find(comment, metadata::MARK.as_bytes()).is_some() {
            return Err(DeclineReason::IgnoreMark);
        }
        self.raw.comments.push(Span { start, end });
        self.at = end;
        Ok(true)
    }

    /// Returns true if tags that are [always inserted](TagKind::is_always_inserted) change no state.
    #[inline]
    fn is_settled(&self) -> bool {
        self.foreign == 0
            && self.mode.inserts_any_tag()
            && self.content_of.is_none()
            && !self.is_before_head
    }

    /// The tag of this name and with this end.
    #[inline]
    fn tag(&self, name: SourceName, end: TagEnd) -> Tag<'static> {
        let number = self.tag_table.names.find(self.source, name);
        Tag { info: self.tag_table.info(number), number, name: name.span(), end }
    }

    /// Reads the attributes of a tag, from the end of its name at `at` to the end of the tag.
    fn read_attributes(&mut self, at: usize) -> Option<TagEnd> {
        attributes::read(self.source, at, self.attribute_table, &mut self.tag_attributes)
    }

    /// Reads the start tag of this name.
    fn start_tag(&mut self, name: SourceName) -> Scan<bool> {
        let Some(end) = self.read_attributes(name.end) else { return Ok(false) };
        self.at = end.end;
        let tag = self.tag(name, end);
        if self.is_before_head {
            self.is_before_head = tag.info.kind == TagKind::Html;
            if matches!(tag.info.kind, TagKind::Html | TagKind::Head) {
                self.raw.head_start = tag.end.end;
            }
        }
        let in_document = self.templates.is_empty();
        let is_always_inserted = tag.info.kind.is_always_inserted();
        let action = if is_always_inserted && self.foreign == 0 && self.mode.inserts_any_tag() {
            Action::INSERT_HTML
        } else {
            self.start_by_mode(&tag)?
        };
        if tag.info.has_content {
            self.content_of = None;
        }
        if self.metadata {
            self.decline_ignore_mark()?;
        }
        let Action::Insert(namespace) = action else { return Ok(true) };
        if in_document && namespace == Namespace::Html {
            self.collect_without_url(tag.name);
        }
        if !self.tag_attributes.is_empty() || tag.info.has_content {
            self.collect(&tag, namespace, in_document)?;
        }
        Ok(match content_model(&tag, namespace) {
            None => true,
            Some(model) => self.skip_content(&tag, model),
        })
    }

    /// The action for a start tag that the insertion mode decides on.
    fn start_by_mode(&mut self, tag: &Tag<'_>) -> Scan<Action> {
        let action = match self.foreign {
            0 => self.html_start(tag)?,
            _ => self.foreign_start(tag)?,
        };
        if tag.info.kind == TagKind::Noscript
            && matches!(action, Action::Insert(Namespace::Html))
            && !self.in_noscript(tag)
        {
            let end = text::raw_text_end(self.source, self.at, b"noscript");
            self.noscript = Span::from(self.at..end.unwrap_or(self.source.len()));
        }
        Ok(action)
    }

    /// Returns true if a tag stands in a `noscript`; see
    /// [`RawValue::in_noscript`](crate::html::raw::RawValue::in_noscript).
    pub(super) fn in_noscript(&self, tag: &Tag<'_>) -> bool {
        self.noscript.start <= tag.name.start && tag.name.start < self.noscript.end
    }

    /// Skips the content of an element, in which nothing is markup, and its end tag. Returns whether
    /// the end tag exists.
    fn skip_content(&mut self, tag: &Tag<'_>, model: ContentModel) -> bool {
        let end = match model {
            ContentModel::RawText => {
                text::raw_text_end(self.source, self.at, tag.info.html_name.as_bytes())
            }
            ContentModel::Script => text::script_end(self.source, self.at),
            ContentModel::Plaintext => None,
        };
        let Some(end) = end else { return false };
        let name_end = end + b"</".len() + tag.info.html_name.len();
        let Some(tag) = self.read_attributes(name_end) else { return false };
        self.end_content(end);
        self.at = tag.end;
        true
    }

    /// Reads the `</` at `at` that no whole name follows: a comment, nothing, or the start of a tag in which the source
    /// ends.
    fn nameless_end_tag(&mut self, at: usize) -> Scan<bool> {
        let start = at + b"</".len();
        match self.source.get(start) {
            Some(b'>') => {
                self.at = start + 1;
                Ok(true)
            }
            Some(byte) if byte.is_ascii_alphabetic() => Ok(false),
            _ => self.bogus_comment(at, start),
        }
    }

    /// Reads the end tag at `at`, of this name.
    fn end_tag(&mut self, at: usize, name: SourceName) -> Scan<bool> {
        let Some(end) = self.read_attributes(name.end) else { return Ok(false) };
        self.at = end.end;
        let tag = self.tag(name, end);
        self.end_content(at);
        if self.foreign > 0 {
            self.foreign_end(&tag)?;
        } else {
            self.html_end(tag.info.kind, &tag);
        }
        Ok(true)
    }

    /// Ends the content of the latest `style` or `script` at `at`.
    fn end_content(&mut self, at: usize) {
        let content = self.content_of.take();
        if let Some(content) = content.and_then(|at| self.raw.contents.get_mut(at)) {
            content.span.end = at;
        }
    }
}

/// The kind of the content of the element that a start tag inserts; `None` for markup.
fn content_model(tag: &Tag<'_>, namespace: Namespace) -> Option<ContentModel> {
    if namespace != Namespace::Html {
        return None;
    }
    match tag.info.kind {
        TagKind::Title | TagKind::HeadRawText | TagKind::RawText => Some(ContentModel::RawText),
        TagKind::Script => Some(ContentModel::Script),
        TagKind::Plaintext => Some(ContentModel::Plaintext),
        _ => None,
    }
}
