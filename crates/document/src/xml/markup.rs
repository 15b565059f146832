//! Reads the markup of a document with its spans, and checks that the document is well-formed.
//!
//! `quick-xml` finds where markup starts and ends. It reads UTF-8 only, so it gets a document with every
//! byte outside ASCII masked: spans stay the same, and names are compared in the source. This module checks
//! the rules of XML that `quick-xml` does not check.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memmem;
use quick_xml::Reader;
use quick_xml::events::Event;
use quick_xml::events::attributes::{AttrError, Attributes};

use super::NotWellFormed;
use super::entities::{self, Entities, is_name};
use super::names::Name;
use super::state::{Attribute, Checked, Finder, ill};
use crate::encoding::byte_order_mark;
use rehref_url::Span;

/// `source` in a form that `quick-xml` can read, with all markup at the same bytes: ASCII, which it
/// validates several times as fast as other UTF-8.
fn readable(source: &[u8]) -> Cow<'_, str> {
    if source.is_ascii()
        && let Ok(text) = std::str::from_utf8(source)
    {
        return Cow::Borrowed(text);
    }
    let masked = source.iter().map(|&b| if b.is_ascii() { b } else { b'_' });
    Cow::Owned(String::from_utf8(masked.collect()).unwrap_or_default())
}

/// Hands all markup of the source of `finder` from byte `start` on to it.
pub(super) fn read(finder: &mut Finder<'_>, start: usize) -> Checked<()> {
    let document = finder.source.get(start..).unwrap_or_default();
    if byte_order_mark(document) > 0 {
        return Err(ill(start, "text before the root element"));
    }
    let readable = readable(document);
    if let Some(at) = control_character(readable.as_bytes()) {
        return Err(ill(start + at, "a control character"));
    }
    let mut reader = Reader::from_str(&readable);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let mut position = start;
    loop {
        let event = reader.read_event().map_err(|error| {
            let offset = usize::try_from(reader.error_position()).unwrap_or(0);
            ill(start + offset, error)
        })?;
        let end = start + usize::try_from(reader.buffer_position()).unwrap_or(0);
        let span = Span::from(position..end);
        position = end;
        match event {
            Event::Eof => return finder.end(),
            Event::Decl(_) if span.start != start => {
                return Err(ill(span.start, "an XML declaration after the start"));
            }
            event => finder.markup(&event, span)?,
        }
        if finder.findings.values.len() > finder.most_values {
            finder.findings.has_more = true;
            return Ok(());
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

/// Returns a name as text. Nearly all are UTF-8, which is validated faster than `from_utf8_lossy` does it.
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

impl<'s> Finder<'s> {
    fn end(&self) -> Checked<()> {
        match self.open.last() {
            Some(element) => {
                Err(ill(element.start, format!("<{}> is not closed", lossy(element.tag))))
            }
            None if !self.has_root() => Err(ill(self.source.len(), "no root element")),
            None => Ok(()),
        }
    }

    fn markup(&mut self, event: &Event<'_>, span: Span) -> Checked<()> {
        let raw = self.bytes(span);
        // The span of `content`, which is `before` bytes after the start of the markup.
        let part = |before: usize, content: &str| {
            Span::from(0..content.len()).shifted(span.start + before)
        };
        match event {
            Event::Start(tag) => self.start_tag(tag, span, false)?,
            Event::Empty(tag) => self.start_tag(tag, span, true)?,
            Event::End(_) => self.end_tag(span)?,
            Event::Text(_) => self.text(raw, span)?,
            Event::GeneralRef(_) => {
                if self.open.is_empty() || entities::reference(raw).is_none() {
                    return Err(ill(span.start, "a malformed reference"));
                }
            }
            Event::CData(_) if self.open.is_empty() => {
                return Err(ill(span.start, "CDATA outside the root element"));
            }
            Event::CData(_) | Event::Decl(_) | Event::Eof => {}
            Event::Comment(_) => {
                let content = raw.get(4..raw.len().saturating_sub(2)).unwrap_or_default();
                if let Some(at) = memmem::find(content, b"--") {
                    return Err(ill(span.start + 4 + at, "-- in a comment"));
                }
            }
            Event::PI(content) => {
                let target = part(2, content.target());
                let name = self.bytes(target);
                if !is_name(name) {
                    return Err(unnamed(span.start, "a processing instruction", name));
                }
                if name == b"xml-stylesheet" && !self.has_root() {
                    self.style_sheet(Span::from(target.end..span.end - 2));
                }
            }
            Event::DocType(_) => {
                if self.has_root() || self.has_doctype || !raw.starts_with(b"<!DOCTYPE") {
                    return Err(ill(span.start, "a misplaced DOCTYPE"));
                }
                self.has_doctype = true;
                self.findings.entities = Entities::of_doctype(raw);
            }
        }
        Ok(())
    }

    fn start_tag(&mut self, tag: &str, span: Span, is_empty: bool) -> Checked<()> {
        if self.has_root() && self.open.is_empty() {
            return Err(ill(span.start, "a second root element"));
        }
        let start = span.start + 1;
        let length = tag.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(tag.len());
        let name = self.bytes(Span::from(start..start + length));
        if !is_qualified_name(name) {
            return Err(unnamed(span.start, "a tag", name));
        }
        let attributes = self.attributes(tag, length, start)?;
        self.element(name, attributes, span, is_empty)
    }

    /// The attributes of `tag`, which begins at the byte `tag_start` with its name.
    fn attributes(
        &self,
        tag: &str,
        name_length: usize,
        tag_start: usize,
    ) -> Checked<Vec<Attribute<'s>>> {
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
            attributes.push(Attribute { written: name, name: Name::default(), span, quote });
        }
        Ok(attributes)
    }

    fn attribute_value(&self, span: Span) -> Checked<()> {
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

    fn end_tag(&mut self, span: Span) -> Checked<()> {
        let name = self.bytes(span).strip_prefix(b"</").and_then(|rest| rest.strip_suffix(b">"));
        let name = name.unwrap_or_default().trim_ascii_end();
        let message = match self.open.pop() {
            Some(element) if element.tag == name => {
                self.close(element, span.start);
                return Ok(());
            }
            Some(element) => {
                format!("expected </{}>, found </{}>", lossy(element.tag), lossy(name))
            }
            None => format!("</{}> closes nothing", lossy(name)),
        };
        Err(ill(span.start, message))
    }

    fn text(&self, raw: &[u8], span: Span) -> Checked<()> {
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
