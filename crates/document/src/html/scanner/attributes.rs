//! The attributes of a tag (HTML Standard sections 13.2.5.32 to 13.2.5.40), and which of them are of
//! interest.

use std::borrow::Cow;
use std::sync::LazyLock;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};

use super::attribute_table::{AttributeTable, RowMatcher, TAG_NUMBERS};
use super::lanes;
use super::names::{self, ATTRIBUTE_NAME_END, NameTable, SPACE, SourceName, VALUE_END};
use super::tags::{BREAKOUT_ATTRIBUTES, TAGS};
use crate::html::attributes::{URL_ATTRIBUTES, rows_named};
use crate::html::characters;
use crate::html::element::Quote;
use crate::html::further::FurtherAttributes;
use crate::metadata;
use rehref_url::Span;

/// Attributes without URLs that are of interest: they decide what other attributes or the element
/// mean.
#[rustfmt::skip]
const FURTHER: &[&str] = &[
    "attributename", "charset", "content", "hreflang", "http-equiv", "id", "itemprop", "name", "property", "rel", "type",
    "valuetype", metadata::ATTRIBUTE,
];

impl AttributeTable {
    /// Returns the table with the attributes of a run.
    pub(in crate::html) fn with(further: FurtherAttributes) -> AttributeTable {
        let of_rows = URL_ATTRIBUTES.iter().map(|row| row.attribute);
        let others = [FURTHER, BREAKOUT_ATTRIBUTES].into_iter().flatten();
        let names =
            of_rows.chain(others.copied()).chain(further.rows().iter().map(|row| row.attribute));
        let names = names.chain(further.ignore_marks().iter().copied());
        let names = NameTable::new(names);
        let rows_of = |name: &&str| {
            let rows = rows_named(name).iter().copied();
            let rows = rows.chain(further.rows_named(name));
            rows.map(RowMatcher::new).collect()
        };
        let rows = names.all().iter().map(rows_of).collect();
        let is_known =
            |name: &&str| TAGS.names.number(name).is_some_and(|number| number < TAG_NUMBERS);
        AttributeTable {
            id: names.number("id"),
            name: names.number("name"),
            ignore_marks: [metadata::ATTRIBUTE]
                .iter()
                .chain(further.ignore_marks())
                .filter_map(|name| names.number(name))
                .collect(),
            knows_elements: further.rows().iter().flat_map(|row| row.elements).all(is_known),
            names,
            rows,
        }
    }

    /// Returns the table for a run.
    pub(super) fn of(further: FurtherAttributes) -> &'static AttributeTable {
        further.scanner_table(AttributeTable::with).unwrap_or_else(|| &ATTRIBUTES)
    }
}

static ATTRIBUTES: LazyLock<AttributeTable> =
    LazyLock::new(|| AttributeTable::with(FurtherAttributes::default()));

/// An attribute of interest in a tag.
#[derive(Clone, Copy)]
pub(super) struct TagAttribute {
    /// The number of the name in [`AttributeTable`].
    pub(super) number: usize,
    /// The value, without quotes; an empty span after the name if the attribute has no value.
    pub(super) span: Span,
    pub(super) quote: Quote,
}

/// The end of a tag.
#[derive(Clone, Copy)]
pub(super) struct TagEnd {
    /// One past its last byte.
    pub(super) end: usize,
    pub(super) is_self_closing: bool,
    /// True if the tag has any attribute.
    pub(super) has_attributes: bool,
}

/// Reads the attributes of a tag, whose name ends at `at`, and puts the first of each of interest
/// into `found`. Returns `None` where the source ends within the tag, which then is not a tag.
#[inline]
pub(super) fn read(
    source: &[u8],
    at: usize,
    attributes: &AttributeTable,
    found: &mut Vec<TagAttribute>,
) -> Option<TagEnd> {
    found.clear();
    if *source.get(at)? == b'>' {
        return Some(TagEnd { end: at + 1, is_self_closing: false, has_attributes: false });
    }
    read_all(source, at, attributes, found)
}

fn read_all(
    source: &[u8],
    mut at: usize,
    attributes: &AttributeTable,
    found: &mut Vec<TagAttribute>,
) -> Option<TagEnd> {
    let mut has_attributes = false;
    loop {
        match next_part(source, at)? {
            TagPart::Attribute(name, value) => {
                has_attributes = true;
                at = value.after;
                if let Some(number) = attributes.names.find(source, name)
                    && !found.iter().any(|earlier| earlier.number == number)
                {
                    found.push(TagAttribute { number, span: value.span, quote: value.quote });
                }
            }
            TagPart::End { end, is_self_closing } => {
                return Some(TagEnd { end, is_self_closing, has_attributes });
            }
        }
    }
}

/// A part of a tag after its name.
pub(crate) enum TagPart {
    Attribute(SourceName, Value),
    /// `end`: one past the last byte of the tag.
    End {
        end: usize,
        is_self_closing: bool,
    },
}

/// Returns the next part of a tag from `at` on; `None` where the source ends within the tag. A call for each attribute
/// of a page would take half as long again as reading it.
#[inline(always)]
pub(crate) fn next_part(source: &[u8], mut at: usize) -> Option<TagPart> {
    loop {
        at = skip_space(source, at)?;
        match *source.get(at)? {
            b'>' => return Some(TagPart::End { end: at + 1, is_self_closing: false }),
            b'/' if *source.get(at + 1)? == b'>' => {
                return Some(TagPart::End { end: at + 2, is_self_closing: true });
            }
            b'/' => at += 1,
            _ => break,
        }
    }
    let name = names::scan(source, at, ATTRIBUTE_NAME_END)?;
    let value = match source.get(name.end..)?.first_chunk() {
        Some(b"=\"") => quoted(source, name.end + 2, b'"', Quote::Double)?,
        Some(b"='") => quoted(source, name.end + 2, b'\'', Quote::Single)?,
        _ => value(source, name.end)?,
    };
    Some(TagPart::Attribute(name, value))
}

/// Returns the byte of the quote that never ends in the start tag at `start`, in which the source ends.
pub(in crate::html) fn unclosed_quote(source: &[u8], start: usize) -> Option<usize> {
    let mut at = names::scan_tag(source, start).filter(|tag| !tag.is_end)?.name.end;
    while let Some(part) = next_part(source, at) {
        match part {
            TagPart::Attribute(_, value) => at = value.after,
            TagPart::End { .. } => return None,
        }
    }
    let rest = source.get(at..)?;
    let quote = memchr::memchr2(b'"', b'\'', rest)?;
    let is_value = rest.get(..quote)?.trim_ascii_end().ends_with(b"=");
    is_value.then_some(at + quote)
}

/// Returns the attributes of the tag in `source` whose name ends at `at`: names and values.
pub(crate) fn attributes_from(
    source: &[u8],
    mut at: usize,
) -> impl Iterator<Item = (&[u8], Value)> {
    std::iter::from_fn(move || match next_part(source, at)? {
        TagPart::Attribute(name, value) => {
            at = value.after;
            Some((name.span().of(source), value))
        }
        TagPart::End { .. } => None,
    })
}

/// The value of an attribute.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    /// The bytes, without quotes; empty and after the name where the attribute has no value.
    pub(crate) span: Span,
    pub(crate) quote: Quote,
    /// One past its last byte, or past its quote.
    pub(crate) after: usize,
}

impl Value {
    pub(crate) fn is_quoted(&self) -> bool {
        matches!(self.quote, Quote::Double | Quote::Single)
    }
}

/// Reads what follows the name of an attribute, which ends at `name_end`.
pub(in crate::html) fn value(source: &[u8], name_end: usize) -> Option<Value> {
    let at = skip_space(source, name_end)?;
    if *source.get(at)? != b'=' {
        return Some(Value { span: Span::at(name_end), quote: Quote::NoValue, after: at });
    }
    let start = skip_space(source, at + 1)?;
    match *source.get(start)? {
        b'"' => quoted(source, start + 1, b'"', Quote::Double),
        b'\'' => quoted(source, start + 1, b'\'', Quote::Single),
        _ => {
            let rest = source.get(start..)?;
            let length = rest.iter().position(|&byte| names::is(byte, VALUE_END))?;
            let span = Span::from(start..start + length);
            Some(Value { span, quote: Quote::Unquoted, after: span.end })
        }
    }
}

/// Reads the quoted value that starts at `start`.
#[inline]
fn quoted(source: &[u8], start: usize, mark: u8, quote: Quote) -> Option<Value> {
    let end = lanes::find(source, start, mark)?;
    Some(Value { span: Span { start, end }, quote, after: end + 1 })
}

/// The next byte from `at` on that is no white space, if there is one.
#[inline]
fn skip_space(source: &[u8], mut at: usize) -> Option<usize> {
    while names::is(*source.get(at)?, SPACE) {
        at += 1;
    }
    Some(at)
}

/// Decodes a value to the text that the tree of the authority has.
pub(crate) fn decoded(raw: &[u8], quote: Quote) -> Cow<'_, str> {
    if memchr::memchr3(b'&', 0, b'\r', raw).is_none() {
        return characters(raw);
    }
    let quote: &[u8] = match quote {
        Quote::Double => b"\"",
        Quote::Single => b"'",
        Quote::Unquoted | Quote::NoValue => b"",
    };
    let tag = [b"<a b=", quote, raw, quote, b">"].concat();
    let mut decoded = Vec::new();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: html5gum::Span<()>| {
        if let CallbackEvent::AttributeValue { value } = event {
            decoded = value.to_vec();
        }
        None::<std::convert::Infallible>
    });
    let Ok(()) = html5gum::Tokenizer::new_with_emitter(&tag, emitter).finish();
    Cow::Owned(characters(&decoded).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_elements_fit_into_the_sets() {
        for row in URL_ATTRIBUTES {
            for element in row.elements {
                let number = TAGS.names.number(&element.to_ascii_lowercase());
                assert!(number.is_some_and(|number| number < TAG_NUMBERS), "{element}");
            }
        }
    }

    #[test]
    fn a_tag_ends_after_its_attributes() {
        for (tag, end, is_self_closing, expected) in [
            ("<a>", 3, false, &[][..]),
            ("<a/>", 4, true, &[]),
            ("<a / >", 6, false, &[]),
            ("<a HREF=x/>", 11, false, &["href=x/"]),
            ("<a href=\"x\"/>", 13, true, &["href=x"]),
            ("<a href=x href=y id>", 20, false, &["href=x", "id="]),
            ("<a href = '>' b=c>", 18, false, &["href=>"]),
            ("<a href=>x>", 9, false, &["href="]),
            ("<a/href=x\t/id=y>", 16, false, &["href=x", "id=y"]),
            ("<a =href=x>", 11, false, &[]),
            ("<a href='x'id=y>", 16, false, &["href=x", "id=y"]),
            ("<a href/=x>", 11, false, &["href="]),
        ] {
            let mut found = Vec::new();
            let read = read(tag.as_bytes(), 2, &ATTRIBUTES, &mut found).unwrap();
            assert_eq!((read.end, read.is_self_closing), (end, is_self_closing), "{tag}");
            let found: Vec<String> = found
                .iter()
                .map(|found| {
                    let name = ATTRIBUTES.names.name(found.number).unwrap();
                    format!("{name}={}", &tag[found.span.start..found.span.end])
                })
                .collect();
            assert_eq!(found, expected, "{tag}");
        }
        for tag in ["<a", "<a ", "<a/", "<a b", "<a b=", "<a b='>", "<a b=c"] {
            assert!(read(tag.as_bytes(), 2, &ATTRIBUTES, &mut Vec::new()).is_none());
        }
    }

    #[test]
    fn a_value_is_decoded_as_in_the_tree() {
        for (raw, expected) in [
            (&b"a b"[..], "a b"),
            (b"a&amp;b\r\n\0", "a&b\n\u{FFFD}"),
            (b"a\0", "a\u{FFFD}"),
            (b"\xE9", "é"),
        ] {
            assert_eq!(decoded(raw, Quote::Double), expected);
        }
    }
}
