//! Containers: pieces of text that hold references, and pieces within pieces.
//!
//! An attribute value is one, so are a `style` element, a quoted URL in it, a `srcdoc` document, an
//! attribute value in that. Each is decoded from a range of its parent (the bytes of the document
//! at the top) and knows how characters are written there, so that a change to a reference finds
//! its way up to the bytes through any nesting.

use std::ops::Range;

use encoding_rs::Encoding;

use super::css::{self, CssForm};
use super::html::{Element, Quote};
use super::json::{self, JsonRole, JsonUrl};
use super::message::transfer::TransferEncoding;
use super::reference::ValueTraits;
use super::text::Text;
use super::xml::{self, XmlName, XmlPlace};
use super::{Edit, Span};

/// A piece of text that holds references or further pieces.
#[derive(Clone, Debug)]
pub struct Container {
    /// The container it stands in; `None` for the document itself.
    pub parent: Option<usize>,
    /// Where its raw text stands: bytes of the document, or of the parent's decoded text.
    pub span: Span,
    /// The decoded text.
    pub text: Text,
    /// How the text is written in the parent.
    pub form: Form,
    /// What it is.
    pub holder: Holder,
    /// The encoding that queries of its references are encoded in.
    pub query_encoding: &'static Encoding,
    /// Whether it could be decoded; where not, its text is empty.
    pub is_readable: bool,
}

/// How a container's text is written where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is: the content of a `style` element, a comment, a whole file.
    Verbatim,
    /// An HTML attribute value.
    Attribute(Quote),
    /// A URL in CSS.
    Css(CssForm),
    /// A string in JSON.
    Json,
    /// An attribute or text in XML.
    Xml(XmlPlace),
    /// The value of a header of a message.
    Header,
    /// The body of a part of a message, in a transfer encoding.
    Transfer(TransferEncoding),
}

/// What a container is, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// An attribute value of HTML.
    Attribute {
        /// The element.
        element: Element,
        /// The attribute's name as tokenized.
        name: String,
        /// How URLs stand in it.
        traits: ValueTraits,
    },
    /// The content of an element of HTML.
    Content(Element),
    /// An attribute value, or the text, of an element of XML.
    Xml {
        /// The element.
        element: XmlName,
        /// The attribute's name as written; `None` for the text.
        attribute: Option<String>,
        /// How URLs stand in it, if it holds any itself.
        traits: Option<ValueTraits>,
    },
    /// The value of a header of a message.
    Header {
        /// The number of the part; empty for the message itself.
        part: String,
        /// Its name.
        name: String,
        /// How URLs stand in it; `None` where as in a `Link` (RFC 8288).
        traits: Option<ValueTraits>,
    },
    /// The body of a part of a message, by the part's number; of the message itself where that is
    /// empty.
    Part(String),
    /// A conditional comment.
    Comment,
    /// A piece of what its parent is: a URL in CSS.
    Piece,
    /// A whole file.
    File,
}

impl Holder {
    /// How URLs stand in it, for values that hold URLs themselves.
    pub fn traits(&self) -> Option<ValueTraits> {
        match self {
            Holder::Attribute { traits, .. } => Some(*traits),
            Holder::Xml { traits, .. } | Holder::Header { traits, .. } => *traits,
            _ => None,
        }
    }
}

/// Where a range of a container's text stands in the bytes of the document.
pub fn span_in(containers: &[Container], index: usize, range: Range<usize>) -> Span {
    let mut range = range;
    let mut at = Some(index);
    while let Some(container) = at.and_then(|at| containers.get(at)) {
        let inner = container.text.source_range(range);
        let start = container.span.start;
        range = start + inner.start..start + inner.end;
        at = container.parent;
    }
    Span {
        start: range.start,
        end: range.end,
    }
}

/// What the container at `index` is, from the outermost in: `iframe srcdoc > img src`.
pub fn place_of(containers: &[Container], index: usize) -> String {
    let mut names = Vec::new();
    let mut at = Some(index);
    while let Some(container) = at.and_then(|at| containers.get(at)) {
        match &container.holder {
            Holder::Attribute { element, name, .. } => names.push(format!("{element} {name}")),
            Holder::Content(element) => names.push(element.to_string()),
            Holder::Xml {
                element, attribute, ..
            } => names.push(match attribute {
                Some(attribute) => format!("{element} {attribute}"),
                None => element.to_string(),
            }),
            Holder::Header { part, name, .. } if part.is_empty() => names.push(name.clone()),
            Holder::Header { part, name, .. } => names.push(format!("part {part} > {name}")),
            Holder::Part(part) if part.is_empty() => {}
            Holder::Part(part) => names.push(format!("part {part}")),
            Holder::Comment => names.push("conditional comment".to_owned()),
            Holder::Piece if matches!(container.form, Form::Css(_)) => {
                names.push("url()".to_owned());
            }
            Holder::Piece if container.form == Form::Json => names.push("URL".to_owned()),
            Holder::Piece | Holder::File => {}
        }
        at = container.parent;
    }
    names.reverse();
    names.join(" > ")
}

/// A change to the text of a container: a byte range, and the characters that replace it, which are
/// ASCII.
pub type Change = (Range<usize>, String);

/// The edits of the document's bytes that make `changes` (one list for each container, in order) to
/// the texts of `containers`, in which parents come before what they hold.
///
/// All that is not in a changed range keeps its bytes. What comes in is escaped for where it
/// stands; an unquoted attribute value that now needs quotes gets them.
pub fn edits(working: &[u8], containers: &[Container], mut changes: Vec<Vec<Change>>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, container) in containers.iter().enumerate().rev() {
        let own = changes
            .get_mut(index)
            .map(std::mem::take)
            .unwrap_or_default();
        if own.is_empty() {
            continue;
        }
        let parent = container.parent.and_then(|at| containers.get(at));
        let source = parent.map_or(working, |parent| parent.text.as_str().as_bytes());
        let outer = container.raise(source, own);
        match container.parent {
            None => edits.extend(outer.into_iter().map(|(range, with)| Edit {
                span: Span {
                    start: range.start,
                    end: range.end,
                },
                replacement: with.into_bytes().into(),
            })),
            Some(at) => {
                if let Some(parent_changes) = changes.get_mut(at) {
                    parent_changes.extend(outer);
                }
            }
        }
    }
    edits.sort_by_key(|edit| edit.span);
    edits
}

impl Container {
    /// The same changes one level up: ranges of `source`, the parent's text, and escaped.
    fn raise(&self, source: &[u8], mut changes: Vec<Change>) -> Vec<Change> {
        changes.sort_by_key(|(range, _)| range.start);
        let raw = source
            .get(self.span.start..self.span.end)
            .unwrap_or_default();
        let needs_quotes = match self.form {
            Form::Attribute(Quote::NoValue) => true,
            Form::Attribute(Quote::Unquoted) => {
                let gone: usize = changes.iter().map(|(range, _)| range.len()).sum();
                let kept = self.text.as_str().len().saturating_sub(gone);
                // Without a value, what comes next in the tag would be it.
                let is_empty = kept == 0 && changes.iter().all(|(_, with)| with.is_empty());
                let is_forbidden = |b: u8| UNQUOTED_FORBIDDEN.contains(&b);
                is_empty
                    || changes
                        .iter()
                        .any(|(_, with)| with.bytes().any(is_forbidden))
            }
            _ => false,
        };
        if self.form == Form::Json {
            return self.raise_in_json(raw, changes);
        }
        if let Form::Transfer(encoding) = self.form {
            return self.raise_in_transfer(encoding, raw, changes);
        }
        let places = match self.form {
            Form::Xml(place) => xml::Places::of(raw, place),
            _ => xml::Places::default(),
        };
        let raised: Vec<Change> = changes
            .into_iter()
            .map(|(range, with)| {
                let mut with = self.escape(&with, &self.text.source_range(range.clone()), &places);
                if self.text.is_after_open_escape(raw, range.start) {
                    // A character reference without its semicolon, or a CSS escape without its
                    // space, would swallow what comes now.
                    with.insert(0, self.form.closer());
                }
                let place = self.text.source_range(range);
                let start = self.span.start;
                (start + place.start..start + place.end, with)
            })
            .collect();
        if needs_quotes {
            self.with_quotes(source, raised)
        } else {
            raised
        }
    }

    /// In JSON what is kept may combine with what comes (surrogates, `<!` and `--`), which its own
    /// editing knows about. `raw` is the string without its quotes.
    fn raise_in_json(&self, raw: &[u8], changes: Vec<Change>) -> Vec<Change> {
        let json = std::str::from_utf8(raw).unwrap_or("");
        let url = JsonUrl {
            range: 0..json.len(),
            text: self.text.clone(),
            role: JsonRole::Plain,
        };
        let start = self.span.start;
        let raise = |(range, with): Change| {
            let (range, with) = url.edit(json, range, &with);
            (start + range.start..start + range.end, with)
        };
        changes.into_iter().map(raise).collect()
    }

    /// In a transfer encoding whole lines change. `raw` is the body.
    fn raise_in_transfer(
        &self,
        encoding: TransferEncoding,
        raw: &[u8],
        changes: Vec<Change>,
    ) -> Vec<Change> {
        let carried = |(range, with): Change| (self.text.carried_range(range), with);
        let changes = changes.into_iter().map(carried).collect();
        let start = self.span.start;
        let outer = |(range, with): Change| (start + range.start..start + range.end, with);
        let made = encoding.change(raw, changes).into_iter();
        made.map(outer).collect()
    }

    /// `with` as it has to be written in place of the bytes `range` of the raw text, whose places in
    /// XML are `places`.
    fn escape(&self, with: &str, range: &Range<usize>, places: &xml::Places) -> String {
        match self.form {
            Form::Verbatim | Form::Header | Form::Transfer(_) => with.to_owned(),
            Form::Attribute(quote) => {
                let mut escaped = String::with_capacity(with.len());
                for c in with.chars() {
                    match c {
                        '&' => escaped.push_str("&amp;"),
                        c => push_in_quotes(c, quote, &mut escaped),
                    }
                }
                escaped
            }
            Form::Css(form) => css::escape(with, form),
            Form::Json => json::escape(with),
            Form::Xml(XmlPlace::Mixed) => escape_mixed(with, range, places),
            Form::Xml(place) => xml::escape(with, place),
        }
    }

    /// `changes` to an attribute value without quotes, and those that put it in quotes.
    fn with_quotes(&self, source: &[u8], changes: Vec<Change>) -> Vec<Change> {
        let Span { start, end } = self.span;
        let opener = if self.form == Form::Attribute(Quote::NoValue) {
            "=\""
        } else {
            "\""
        };
        let mut quoted = vec![(start..start, opener.to_owned())];
        let mut kept_from = start;
        let mut keep = |until: usize, quoted: &mut Vec<Change>| {
            let kept = source.get(kept_from..until).unwrap_or_default();
            for at in memchr::memchr_iter(b'"', kept) {
                let at = kept_from + at;
                quoted.push((at..at + 1, "&quot;".to_owned()));
            }
            kept_from = until;
        };
        for (range, with) in changes {
            keep(range.start, &mut quoted);
            keep(range.end, &mut Vec::new());
            quoted.push((range, with));
        }
        keep(end, &mut quoted);
        quoted.push((end..end, "\"".to_owned()));
        quoted
    }
}

/// As [`xml::escape`] in text that is partly in CDATA sections. What runs over the edge of one
/// takes the edge away, which has to be made good.
fn escape_mixed(with: &str, range: &Range<usize>, places: &xml::Places) -> String {
    if let Some(place) = places.at(range) {
        return xml::escape(with, place);
    }
    let place_at = |at: usize| places.at(&(at..at)).unwrap_or(XmlPlace::Text);
    let (first, last) = (place_at(range.start), place_at(range.end));
    let edge = match (first, last) {
        (XmlPlace::CData, XmlPlace::Text) => "]]>",
        (XmlPlace::Text, XmlPlace::CData) => "<![CDATA[",
        _ => "",
    };
    xml::escape(with, first) + edge
}

impl Form {
    /// What ends an open escape.
    fn closer(self) -> char {
        match self {
            Form::Css(_) => ' ',
            _ => ';',
        }
    }
}

/// What an unquoted attribute value must not hold (HTML Standard section 13.1.2.3).
const UNQUOTED_FORBIDDEN: &[u8] = b"\t\n\x0C\r \"'=<>`";

fn push_in_quotes(c: char, quote: Quote, escaped: &mut String) {
    match c {
        '"' if quote != Quote::Single => escaped.push_str("&quot;"),
        '\'' if quote == Quote::Single => escaped.push_str("&#39;"),
        c => escaped.push(c),
    }
}
