//! The markup of a document with its spans; checks that the document is well-formed.
//!
//! `quick-xml` finds where markup starts and ends. It reads UTF-8 only, so it gets a document with every
//! byte outside ASCII masked: spans stay the same, and names are compared in the source. This module checks the rules of XML that `quick-xml` does not check.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memmem;
use quick_xml::Reader;
use quick_xml::events::Event;
use quick_xml::events::attributes::{AttrError, Attributes};

use super::entities::{self, is_name};
use super::{NotWellFormed, Span};
use crate::encoding::byte_order_mark;

/// A piece of markup.
pub(super) enum Token<'s> {
    /// A start tag.
    Start(Tag<'s>),
    /// An end tag. It closes the innermost open element.
    End(Span),
    /// A processing instruction: the spans of its target and its data.
    Instruction { target: Span, data: Span },
    /// The content of the XML declaration, after `<?`.
    Declaration(Span),
    /// The document type declaration.
    Doctype(Span),
}

/// A start tag or the tag of an empty element.
pub(super) struct Tag<'s> {
    pub(super) span: Span,
    pub(super) name: &'s [u8],
    pub(super) attributes: Vec<Attribute<'s>>,
    pub(super) is_empty: bool,
}

/// An attribute in the source.
pub(super) struct Attribute<'s> {
    pub(super) name: &'s [u8],
    /// The value, without the quotes.
    pub(super) span: Span,
    pub(super) quote: u8,
}

/// `source` in a form that `quick-xml` can read, with all markup at the same bytes: ASCII, which it
/// validates several times as fast as other UTF-8.
pub(super) fn readable(source: &[u8]) -> Cow<'_, str> {
    if source.is_ascii()
        && let Ok(text) = std::str::from_utf8(source)
    {
        return Cow::Borrowed(text);
    }
    let masked = source.iter().map(|&b| if b.is_ascii() { b } else { b'_' });
    Cow::Owned(String::from_utf8(masked.collect()).unwrap_or_default())
}

/// Calls `each` with all markup of `source` from byte `start` on. `readable` is [`readable`] of that
/// part.
pub(super) fn read<'s>(
    source: &'s [u8],
    start: usize,
    readable: &str,
    mut each: impl FnMut(Token<'s>) -> Result<(), NotWellFormed>,
) -> Result<(), NotWellFormed> {
    if byte_order_mark(source.get(start..).unwrap_or_default()) > 0 {
        return Err(ill(start, "text before the root element"));
    }
    if let Some(at) = control_character(readable.as_bytes()) {
        return Err(ill(start + at, "a control character"));
    }
    let mut reader = Reader::from_str(readable);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let mut check =
        Checker { source, start, open: Vec::new(), has_root: false, has_doctype: false };
    let mut position = start;
    loop {
        let event = reader.read_event().map_err(|error| {
            let offset = usize::try_from(reader.error_position()).unwrap_or(0);
            ill(start + offset, error)
        })?;
        let end = start + usize::try_from(reader.buffer_position()).unwrap_or(0);
        let span = Span::from(position..end);
        position = end;
        if matches!(event, Event::Eof) {
            return check.at_end();
        }
        if let Some(token) = check.token(&event, span)? {
            each(token)?;
        }
    }
}

/// The first control character in `text` that XML forbids.
fn control_character(text: &[u8]) -> Option<usize> {
    const CHUNK: usize = 64;
    let is_forbidden = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r');
    // Without an early exit, the compiler tests many bytes of a chunk at once.
    let is_clean = |chunk: &&[u8]| !chunk.iter().fold(false, |any, b| any | is_forbidden(b));
    let before = text.chunks(CHUNK).take_while(is_clean).count() * CHUNK;
    let at = text.get(before..)?.iter().position(is_forbidden)?;
    Some(before + at)
}

/// A name as text. Nearly all are UTF-8, which is validated faster than `from_utf8_lossy` does it.
pub(super) fn lossy(name: &[u8]) -> Cow<'_, str> {
    let text = std::str::from_utf8(name).map(Cow::Borrowed);
    text.unwrap_or_else(|_| String::from_utf8_lossy(name))
}

/// The error that `item` has no name, or one that XML does not allow.
fn unnamed(offset: usize, item: &str, name: &[u8]) -> NotWellFormed {
    match name {
        [] => ill(offset, format!("{item} without a name")),
        _ => ill(offset, format!("{item} with a malformed name: {}", lossy(name))),
    }
}

fn ill(offset: usize, message: impl ToString) -> NotWellFormed {
    NotWellFormed { offset, message: message.to_string() }
}

struct Checker<'s> {
    source: &'s [u8],
    start: usize,
    /// The names of the open elements, and the bytes at which their tags start.
    open: Vec<(&'s [u8], usize)>,
    has_root: bool,
    has_doctype: bool,
}

impl<'s> Checker<'s> {
    fn bytes(&self, span: Span) -> &'s [u8] {
        span.of(self.source)
    }

    fn at_end(&self) -> Result<(), NotWellFormed> {
        match self.open.last() {
            Some((name, at)) => Err(ill(*at, format!("<{}> is not closed", lossy(name)))),
            None if !self.has_root => Err(ill(self.source.len(), "no root element")),
            None => Ok(()),
        }
    }

    fn token(&mut self, event: &Event<'_>, span: Span) -> Result<Option<Token<'s>>, NotWellFormed> {
        let raw = self.bytes(span);
        // The span of `content`, which is `before` bytes after the start of the markup.
        let part = |before: usize, content: &str| {
            Span::from(0..content.len()).shifted(span.start + before)
        };
        Ok(match event {
            Event::Start(tag) => Some(self.start_tag(tag, span, false)?),
            Event::Empty(tag) => Some(self.start_tag(tag, span, true)?),
            Event::End(_) => {
                self.end_tag(raw, span)?;
                Some(Token::End(span))
            }
            Event::Text(_) => {
                self.text(raw, span)?;
                None
            }
            Event::GeneralRef(_) => {
                if self.open.is_empty() || entities::reference(raw).is_none() {
                    return Err(ill(span.start, "a malformed reference"));
                }
                None
            }
            Event::CData(_) if self.open.is_empty() => {
                return Err(ill(span.start, "CDATA outside the root element"));
            }
            Event::CData(_) | Event::Eof => None,
            Event::Comment(_) => {
                let content = raw.get(4..raw.len().saturating_sub(2)).unwrap_or_default();
                if let Some(at) = memmem::find(content, b"--") {
                    return Err(ill(span.start + 4 + at, "-- in a comment"));
                }
                None
            }
            Event::Decl(content) => {
                if span.start != self.start {
                    return Err(ill(span.start, "an XML declaration after the start"));
                }
                Some(Token::Declaration(part(2, content)))
            }
            Event::PI(content) => {
                let target = part(2, content.target());
                let name = self.bytes(target);
                if !is_name(name) {
                    return Err(unnamed(span.start, "a processing instruction", name));
                }
                let data = Span::from(target.end..span.end - 2);
                Some(Token::Instruction { target, data })
            }
            Event::DocType(_) => {
                if self.has_root || self.has_doctype || !raw.starts_with(b"<!DOCTYPE") {
                    return Err(ill(span.start, "a misplaced DOCTYPE"));
                }
                self.has_doctype = true;
                Some(Token::Doctype(span))
            }
        })
    }

    fn start_tag(
        &mut self,
        tag: &str,
        span: Span,
        is_empty: bool,
    ) -> Result<Token<'s>, NotWellFormed> {
        if self.has_root && self.open.is_empty() {
            return Err(ill(span.start, "a second root element"));
        }
        self.has_root = true;
        let content_start = span.start + 1;
        let name_length = tag.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(tag.len());
        let name = self.bytes(Span::from(content_start..content_start + name_length));
        if !is_qualified_name(name) {
            return Err(unnamed(span.start, "a tag", name));
        }
        if !is_empty {
            self.open.push((name, span.start));
        }
        Ok(Token::Start(Tag {
            span,
            name,
            attributes: self.attributes(tag, name_length, content_start)?,
            is_empty,
        }))
    }

    /// The attributes of `tag`, which begins at the byte `tag_start` with its name.
    fn attributes(
        &self,
        tag: &str,
        name_length: usize,
        tag_start: usize,
    ) -> Result<Vec<Attribute<'s>>, NotWellFormed> {
        let mut attributes: Vec<Attribute<'s>> = Vec::new();
        let mut names = HashSet::new();
        let mut raw_attributes = Attributes::new(tag, name_length);
        // Names may differ only in masked bytes, so duplicates are found below, in the source.
        for attribute in raw_attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| match error {
                AttrError::ExpectedEq(at)
                | AttrError::ExpectedValue(at)
                | AttrError::UnquotedValue(at)
                | AttrError::ExpectedQuote(at, _)
                | AttrError::Duplicated(at, _) => {
                    ill(tag_start + at, "an attribute without a quoted value")
                }
            })?;
            let key = Span::within(tag, attribute.key.into_inner());
            let value = match attribute.value {
                Cow::Borrowed(value) => Span::within(tag, value),
                Cow::Owned(_) => None,
            };
            let Some((key, value)) = key.zip(value) else {
                return Err(ill(tag_start, "an attribute that the parser cannot locate"));
            };
            let before = key.start.checked_sub(1);
            let before = before.and_then(|at| tag.as_bytes().get(at));
            let quote = tag.as_bytes().get(value.end).copied().unwrap_or(b'"');
            let (key, span) = (key.shifted(tag_start), value.shifted(tag_start));
            let name = self.bytes(key);
            if !is_qualified_name(name) {
                return Err(unnamed(key.start, "an attribute", name));
            }
            if !before.is_some_and(u8::is_ascii_whitespace) {
                let message = format!("no white space before the attribute {}", lossy(name));
                return Err(ill(key.start, message));
            }
            if !names.insert(name) {
                let message = format!("a second attribute {}", lossy(name));
                return Err(ill(key.start, message));
            }
            self.attribute_value(span)?;
            attributes.push(Attribute { name, span, quote });
        }
        Ok(attributes)
    }

    fn attribute_value(&self, span: Span) -> Result<(), NotWellFormed> {
        let value = self.bytes(span);
        for at in memchr::memchr2_iter(b'<', b'&', value) {
            let rest = value.get(at..).unwrap_or_default();
            let message = match rest.first() {
                Some(b'<') => "an unescaped < in an attribute value",
                _ if entities::reference(rest).is_none() => {
                    "a & that does not start an entity; write &amp;"
                }
                _ => continue,
            };
            return Err(ill(span.start + at, message));
        }
        Ok(())
    }

    fn end_tag(&mut self, raw: &[u8], span: Span) -> Result<(), NotWellFormed> {
        let name = raw
            .strip_prefix(b"</")
            .and_then(|rest| rest.strip_suffix(b">"))
            .unwrap_or_default()
            .trim_ascii_end();
        let message = match self.open.pop() {
            Some((open, _)) if open == name => return Ok(()),
            Some((open, _)) => format!("expected </{}>, found </{}>", lossy(open), lossy(name)),
            None => format!("</{}> closes nothing", lossy(name)),
        };
        Err(ill(span.start, message))
    }

    fn text(&self, raw: &[u8], span: Span) -> Result<(), NotWellFormed> {
        if self.open.is_empty()
            && let Some(at) = raw.iter().position(|b| !b.is_ascii_whitespace())
        {
            return Err(ill(span.start + at, "text outside the root element"));
        }
        // Most texts are short and have no bracket, which a search for one byte finds out sooner.
        let bracket = memchr::memchr(b']', raw);
        match bracket.and_then(|_| memmem::find(raw, b"]]>")) {
            Some(at) => Err(ill(span.start + at, "]]> outside CDATA")),
            None => Ok(()),
        }
    }
}

/// A name with at most one colon, inside it (Namespaces in XML 1.0, section 4).
fn is_qualified_name(name: &[u8]) -> bool {
    is_name(name)
        && !name.starts_with(b":")
        && !name.ends_with(b":")
        && memchr::memchr_iter(b':', name).count() <= 1
}

#[cfg(test)]
mod tests {
    use crate::html::raw::Wanted;
    use crate::xml::find;

    #[test]
    fn errors_of_names_say_whether_there_is_a_name() {
        for (source, message) in [
            ("<a>< b</a>", "a tag without a name"),
            ("<a><1b/></a>", "a tag with a malformed name: 1b"),
            ("<a:b:c/>", "a tag with a malformed name: a:b:c"),
            ("<a 1b='2'/>", "an attribute with a malformed name: 1b"),
            ("<a b='1'c='2'/>", "no white space before the attribute c"),
            ("<a><? p?></a>", "a processing instruction without a name"),
            ("<a><?1?></a>", "a processing instruction with a malformed name: 1"),
            ("<a xmlns:p=''/>", "the namespace of the prefix p is empty"),
            ("<p:a/>", "the prefix p is not declared"),
        ] {
            let error = find(source.as_bytes(), 0, Wanted::VALUES).unwrap_err();
            assert_eq!(error.message, message, "{source}");
        }
    }
}
