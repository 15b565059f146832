//! The scanner: what the authority finds, in one pass over the bytes and without a tree.
//!
//! Tree construction makes an element of nearly every start tag, wherever that ends up in the tree;
//! which ones it drops and which are SVG or MathML depends on little: how far the head is, the
//! tables, templates, `select`, SVG and MathML that are open, and whether a form is. That much is
//! kept here, by the rules of html5ever's tree builder; all other elements leave no trace. Where
//! more of the tree would have a say the scanner declines, for one of the [`DECLINE_REASONS`]: it never
//! guesses, and its answer is that of the [authority](super::authority) or none.
//!
//! It answers too where the authority gives up for the size of its tree.

mod attributes;
mod foreign;
mod modes;
mod names;
mod reasons;
mod record;
mod tables;
mod tags;
mod text;
mod words;

use encoding_rs::Encoding;
use memchr::memmem;

use self::attributes::{ATTRIBUTES, Attributes, Found, TagEnd};
use self::modes::{Made, Mode, Open};
use self::names::TAG_NAME_END;
pub use self::reasons::{DECLINE_REASONS, DeclineReason, DeclineReasonRow};
use self::tags::{Kind, Known, TAGS, Tags};
use self::text::Content;
use super::attributes::Namespace;
use super::raw::RawDocument;
use crate::document::{Span, facts};

/// What [`authority::find_values`](super::authority::find_values) finds, given the same.
///
/// # Errors
/// The reason for which only the authority can tell.
pub fn find_values(source: &[u8], start: usize, facts: bool) -> Result<RawDocument, DeclineReason> {
    let mut scanner = Scanner::new(source, start, facts);
    scanner.run()?;
    Ok(scanner.raw)
}

/// How many bytes of a document there are for each value, about: what is made room for at first.
const BYTES_OF_A_VALUE: usize = 256;

struct Scanner<'s> {
    source: &'s [u8],
    start: usize,
    facts: bool,
    tags: &'static Tags,
    attributes: &'static Attributes,
    /// The next byte.
    at: usize,
    /// The attributes of interest of the latest tag.
    found: Vec<Found>,
    raw: RawDocument,

    /// Whether nothing came yet that the head would be made for.
    is_before_head: bool,
    mode: Mode,
    /// The mode outside of all templates and tables: in the head, after it, or in the body.
    root: Mode,
    /// The open elements that matter, the latest last.
    stack: Vec<Open>,
    /// How many of them are SVG, MathML or HTML in that.
    foreign: usize,
    /// The mode for what is directly in each open template.
    templates: Vec<Mode>,
    has_form: bool,
    /// A `noscript` has started in the body.
    seen_noscript: bool,
    /// Outside of the head, where a table may put them elsewhere: the `base` that counts, the first
    /// encoding, how many generators.
    base_in_body: bool,
    encoding_may_be_moved: bool,
    generators_moved: usize,
    /// The index in `raw.contents` of what ends where the next end tag starts.
    content_of: Option<usize>,
}

/// A tag in the source.
#[derive(Clone, Copy)]
struct Tag<'k> {
    known: &'k Known,
    /// Its number among the known names.
    number: Option<usize>,
    name: Span,
    end: TagEnd,
}

impl<'s> Scanner<'s> {
    fn new(source: &'s [u8], start: usize, facts: bool) -> Scanner<'s> {
        Scanner {
            source,
            start,
            facts,
            tags: &TAGS,
            attributes: &ATTRIBUTES,
            at: start,
            found: Vec::new(),
            raw: RawDocument {
                values: Vec::with_capacity(source.len() / BYTES_OF_A_VALUE),
                head_start: start,
                ..RawDocument::default()
            },
            is_before_head: true,
            mode: Mode::BeforeHtml,
            root: Mode::InHead,
            stack: Vec::new(),
            foreign: 0,
            templates: Vec::new(),
            has_form: false,
            seen_noscript: false,
            base_in_body: false,
            encoding_may_be_moved: false,
            generators_moved: 0,
            content_of: None,
        }
    }

    fn run(&mut self) -> Result<(), DeclineReason> {
        let mut text_start = self.at;
        while let Some(at) = words::find(self.source, self.at, b'<')
            && let Some(&next) = self.source.get(at + 1)
        {
            let is_markup = match next {
                b'!' | b'?' => true,
                b'/' => self.source.get(at + 2).is_some(),
                _ => next.is_ascii_alphabetic(),
            };
            if !is_markup {
                self.at = at + 1;
                continue;
            }
            if self.is_before_head || !self.mode.is_in_body() {
                self.text(text_start, at)?;
            }
            let is_complete = match next {
                b'!' => self.declaration(at)?,
                b'?' => self.bogus_comment(at, at + 1)?,
                b'/' => self.end_tag(at)?,
                _ => self.start_tag(at)?,
            };
            if !is_complete {
                break;
            }
            text_start = self.at;
        }
        Ok(())
    }

    /// A `<!` at `at`.
    fn declaration(&mut self, at: usize) -> Result<bool, DeclineReason> {
        let rest = self.source.get(at + 2..).unwrap_or_default();
        let starts_with = |word: &[u8]| {
            let start = rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        if rest.starts_with(b"--") {
            self.comment(at, text::comment_end(self.source, at))
        } else if starts_with(b"doctype") {
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

    fn bogus_comment(&mut self, at: usize, from: usize) -> Result<bool, DeclineReason> {
        self.comment(at, text::bogus_end(self.source, from))
    }

    fn comment(&mut self, start: usize, end: usize) -> Result<bool, DeclineReason> {
        let comment = self.source.get(start..end).unwrap_or_default();
        if self.facts && memmem::find(comment, facts::MARK.as_bytes()).is_some() {
            return Err(DeclineReason::IgnoreMark);
        }
        self.raw.comments.push(Span { start, end });
        self.at = end;
        Ok(true)
    }

    /// Reads the tag whose name starts at `start`; `None` where it is none, or the source ends
    /// within it.
    fn tag(&mut self, start: usize) -> Option<Tag<'static>> {
        let name = names::scan(self.source, start, TAG_NAME_END)?;
        let number = self.tags.names.find(self.source, start, name);
        let known = self.tags.known(number);
        let end = self.read_attributes(name.end)?;
        Some(Tag {
            known,
            number,
            name: Span {
                start,
                end: name.end,
            },
            end,
        })
    }

    /// Reads the attributes of a tag whose name ends at `at`, and where it ends.
    fn read_attributes(&mut self, at: usize) -> Option<TagEnd> {
        attributes::read(self.source, at, self.attributes, &mut self.found)
    }

    /// The start tag at `at`. Whether it is one, and does not end the source.
    fn start_tag(&mut self, at: usize) -> Result<bool, DeclineReason> {
        let Some(tag) = self.tag(at + 1) else {
            return Ok(false);
        };
        self.at = tag.end.end;
        if self.is_before_head {
            self.is_before_head = tag.known.kind == Kind::Html;
            if matches!(tag.known.kind, Kind::Html | Kind::Head) {
                self.raw.head_start = tag.end.end;
            }
        }
        let in_document = self.templates.is_empty();
        let is_plain = matches!(tag.known.kind, Kind::Other | Kind::Void | Kind::Block)
            || matches!(tag.known.kind, Kind::Formatting | Kind::Closing | Kind::P);
        let made = if is_plain && self.foreign == 0 && self.mode.is_settled() {
            Made::Html
        } else if self.foreign > 0 {
            self.foreign_start(&tag)?
        } else {
            self.html_start(&tag)?
        };
        if tag.known.has_content {
            self.content_of = None;
        }
        if self.facts {
            self.look_for_marks()?;
        }
        let namespace = match made {
            Made::Nothing => return Ok(true),
            Made::Html => Namespace::Html,
            Made::Foreign(namespace) => namespace,
        };
        if !self.found.is_empty() || tag.known.has_content {
            self.record(&tag, namespace, in_document)?;
        }
        match Scanner::content_after(&tag, namespace) {
            None => Ok(true),
            Some(content) => Ok(self.skip_content(&tag, content)),
        }
    }

    fn content_after(tag: &Tag<'_>, namespace: Namespace) -> Option<Content> {
        if namespace != Namespace::Html {
            return None;
        }
        match tag.known.kind {
            Kind::Title | Kind::HeadRawText | Kind::RawText => Some(Content::RawText),
            Kind::Script => Some(Content::Script),
            Kind::Plaintext => Some(Content::Plaintext),
            _ => None,
        }
    }

    /// Skips the content of an element without markup, and its end tag. Whether that comes.
    fn skip_content(&mut self, tag: &Tag<'_>, content: Content) -> bool {
        let end = match content {
            Content::RawText => text::raw_text_end(self.source, self.at, tag.known.html.as_bytes()),
            Content::Script => text::script_end(self.source, self.at),
            Content::Plaintext => None,
        };
        let Some(end) = end else {
            return false;
        };
        let name_end = end + b"</".len() + tag.known.html.len();
        let Some(tag) = self.read_attributes(name_end) else {
            return false;
        };
        self.end_content(end);
        self.at = tag.end;
        true
    }

    /// The end tag, or what looks like one, at `at`.
    fn end_tag(&mut self, at: usize) -> Result<bool, DeclineReason> {
        let start = at + b"</".len();
        match self.source.get(start) {
            Some(b'>') => {
                self.at = start + 1;
                return Ok(true);
            }
            Some(byte) if byte.is_ascii_alphabetic() => {}
            _ => return self.bogus_comment(at, start),
        }
        let Some(name) = names::scan(self.source, start, TAG_NAME_END) else {
            return Ok(false);
        };
        let Some(end) = self.read_attributes(name.end) else {
            return Ok(false);
        };
        self.at = end.end;
        self.end_content(at);
        let number = self.tags.names.find(self.source, start, name);
        let tag = Tag {
            known: self.tags.known(number),
            number,
            name: Span {
                start,
                end: name.end,
            },
            end,
        };
        if self.foreign > 0 {
            self.foreign_end(&tag)?;
        } else {
            self.html_end(tag.known.kind, &tag);
        }
        Ok(true)
    }

    /// The content that is read as markup and is a carrier ends here.
    fn end_content(&mut self, at: usize) {
        let content = self.content_of.take();
        if let Some(content) = content.and_then(|at| self.raw.contents.get_mut(at)) {
            content.span.end = at;
        }
    }

    /// The bytes of a tag's name.
    fn name(&self, name: Span) -> &'s [u8] {
        name.of(self.source)
    }
}

/// Whether two encodings are the same one.
fn is_same(a: Option<&'static Encoding>, b: &'static Encoding) -> bool {
    a == Some(b)
}
