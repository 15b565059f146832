//! Decodes and escapes values.

use encoding_rs::Encoding;
use memchr::memmem;

use super::XmlPlace;
use super::entities::{Entities, Reference, reference};
use rehref_generators::{Escape, Text, line_end_length};
use rehref_url::Span;

/// The error of a value that uses an unknown entity, so that its URLs are unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown entity &{name};")]
pub struct UnknownEntity {
    pub name: String,
}

/// Decodes the bytes of a value: charset, references (XML 1.0 section 4.1), line ends (section
/// 2.11), and in attributes white space as spaces (section 3.3.3).
///
/// # Errors
/// Returns an error if it refers to an entity that is neither predefined nor one of `entities`.
pub fn decode(
    raw: &[u8],
    place: XmlPlace,
    encoding: &'static Encoding,
    entities: &Entities,
) -> Result<Text, UnknownEntity> {
    let mut text = Text::default();
    let append = |text: &mut Text, span, place| append(text, raw, span, place, encoding, entities);
    if place != XmlPlace::Mixed {
        append(&mut text, Span::from(0..raw.len()), place)?;
        return Ok(text);
    }
    let mut end = 0;
    for (piece, place) in pieces(raw) {
        if piece.start > end {
            text.push_exception("", end..piece.start);
        }
        end = piece.end;
        append(&mut text, piece, place)?;
    }
    // The text ends with the last piece, and so does whatever is written at its end: markup may follow.
    Ok(text)
}

/// The spans of the text runs and CDATA sections of a value.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<(Span, XmlPlace)>);

impl Places {
    /// Returns the places within `raw`, the bytes of a value in [`XmlPlace::Mixed`].
    pub fn of(raw: &[u8]) -> Places {
        Places(pieces(raw).collect())
    }

    /// Returns the place of a span of the bytes; `None` if it crosses the edge of a CDATA section or a comment, so
    /// that a single escaping cannot replace it.
    pub fn at(&self, range: Span) -> Option<XmlPlace> {
        let next = self.0.partition_point(|(piece, _)| piece.start <= range.start);
        let (piece, place) = self.0.get(next.checked_sub(1)?)?;
        (range.end <= piece.end).then_some(*place)
    }
}

/// Escapes characters for a place.
///
/// In a CDATA section nothing can be escaped, and need not be: only `]]>` ends one, and `>` is
/// percent-encoded wherever a URL is written.
pub fn escape(with: &str, place: XmlPlace) -> String {
    let in_attribute = matches!(place, XmlPlace::Attribute(_));
    let mut escaped = String::with_capacity(with.len());
    let mut buffer = [0; 4];
    for c in with.chars() {
        escaped.push_str(match c {
            '&' if place != XmlPlace::CData => "&amp;",
            '<' if place != XmlPlace::CData => "&lt;",
            '>' if matches!(place, XmlPlace::Text | XmlPlace::Mixed) => "&gt;",
            '\r' if place != XmlPlace::CData => "&#13;",
            '\t' if in_attribute => "&#9;",
            '\n' if in_attribute => "&#10;",
            '"' if place == XmlPlace::Attribute(b'"') => "&quot;",
            // Known to readers of HTML 4 too, unlike `&apos;`.
            '\'' if place == XmlPlace::Attribute(b'\'') => "&#39;",
            c => c.encode_utf8(&mut buffer),
        });
    }
    escaped
}

/// Returns the runs of text and the contents of the CDATA sections in the content of an element without child
/// elements, without empty ones.
pub(super) fn pieces(raw: &[u8]) -> impl Iterator<Item = (Span, XmlPlace)> {
    const MARKUP: &[(&[u8], &[u8], bool)] =
        &[(b"<![CDATA[", b"]]>", true), (b"<!--", b"-->", false), (b"<?", b"?>", false)];
    let mut position = 0;
    let mut section = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(section) = section.take() {
                return Some((section, XmlPlace::CData));
            }
            let rest = raw.get(position..).filter(|rest| !rest.is_empty())?;
            let start = position;
            // In SVG in HTML, this character is text before what begins no tag.
            let is_markup = |at: &usize| {
                let next = rest.get(at + 1);
                next.is_some_and(|next| next.is_ascii_alphabetic() || b"/!?".contains(next))
            };
            let length = memchr::memchr_iter(b'<', rest).find(is_markup);
            let length = length.unwrap_or(rest.len());
            position += length;
            let rest = rest.get(length..).unwrap_or_default();
            let known = MARKUP.iter().find(|(open, ..)| rest.starts_with(open));
            if let Some((open, close, is_section)) = known {
                let content = position + open.len();
                let inside = rest.get(open.len()..).unwrap_or_default();
                let end = content + memmem::find(inside, close).unwrap_or(inside.len());
                position = (end + close.len()).min(raw.len());
                section = (*is_section && end > content).then_some(Span::from(content..end));
            } else if !rest.is_empty() {
                // Well-formed content never gets here.
                position = raw.len();
            }
            if length > 0 {
                return Some((Span::from(start..start + length), XmlPlace::Text));
            }
        }
    })
}

/// Appends the bytes `span` of `raw` to `text`, decoded as in `place`.
fn append(
    text: &mut Text,
    raw: &[u8],
    span: Span,
    place: XmlPlace,
    encoding: &'static Encoding,
    entities: &Entities,
) -> Result<(), UnknownEntity> {
    let escape = |rest: &[u8]| escape_at(rest, place, encoding, entities);
    match place {
        XmlPlace::Attribute(_) => {
            let is_special = |b| matches!(b, b'&' | b'\r' | b'\n' | b'\t');
            text.append(raw, span, encoding, is_special, escape)
        }
        XmlPlace::CData => text.append(raw, span, encoding, |b| b == b'\r', escape),
        XmlPlace::Text | XmlPlace::Mixed => {
            text.append(raw, span, encoding, |b| matches!(b, b'&' | b'\r'), escape)
        }
    }
}

/// Decodes the reference, line end or white space at the start of `rest`; see [`Text::append`].
fn escape_at(
    rest: &[u8],
    place: XmlPlace,
    encoding: &'static Encoding,
    entities: &Entities,
) -> Result<Option<Escape>, UnknownEntity> {
    let space = match place {
        XmlPlace::Attribute(_) => " ",
        _ => "\n",
    };
    match rest.first() {
        Some(b'\r') => return Ok(Some((space.into(), line_end_length(rest)))),
        Some(b'\n' | b'\t') => return Ok(Some((space.into(), 1))),
        _ => {}
    }
    match reference(rest) {
        None => Ok(None),
        Some(Reference::Character(character, length)) => {
            Ok(Some((character.to_string().into(), length)))
        }
        Some(Reference::Entity(name, length)) => match entities.text(name, encoding) {
            Some(text) => Ok(Some((text.into(), length))),
            None => Err(UnknownEntity { name: String::from_utf8_lossy(name).into_owned() }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{SHIFT_JIS, UTF_8, WINDOWS_1252};
    use proptest::prelude::*;

    const DOUBLE: XmlPlace = XmlPlace::Attribute(b'"');
    const SINGLE: XmlPlace = XmlPlace::Attribute(b'\'');

    #[test]
    fn a_less_than_sign_is_text_where_it_begins_no_markup() {
        for (raw, expected) in [
            ("x<5.png", "x<5.png"),
            ("x<", "x<"),
            ("x<y", "x"),
            ("x</y", "x"),
            ("x<!--y-->z", "xz"),
        ] {
            let text = decode(raw.as_bytes(), XmlPlace::Mixed, UTF_8, &Entities::default());
            assert_eq!(text.map(Text::into_string).ok().as_deref(), Some(expected), "{raw}");
        }
    }

    #[test]
    fn decoding_table() {
        use XmlPlace::{CData, Mixed, Text};
        for (raw, place, encoding, expected) in [
            (&b"plain"[..], DOUBLE, UTF_8, Some("plain")),
            (b"a&amp;b&lt;&gt;&quot;&apos;", DOUBLE, UTF_8, Some("a&b<>\"'")),
            (b"&#65;&#x42;&#xe4;", Text, UTF_8, Some("ABä")),
            (b"a\tb\nc\r\nd\re", DOUBLE, UTF_8, Some("a b c d e")),
            (b"&#10;&#9;", DOUBLE, UTF_8, Some("\n\t")),
            (b"a\tb\nc\r\nd\re", Text, UTF_8, Some("a\tb\nc\nd\ne")),
            (b"a\tb\nc\r\nd&amp;", CData, UTF_8, Some("a\tb\nc\nd&amp;")),
            (b"gr\xFC\xDFe", DOUBLE, WINDOWS_1252, Some("grüße")),
            (b"\x83\\&#x83;", Text, SHIFT_JIS, Some("ソ\u{83}")),
            (b"a&nbsp;", DOUBLE, UTF_8, None),
            (b"a&nbsp;", CData, UTF_8, Some("a&nbsp;")),
            (b"&amp", DOUBLE, UTF_8, Some("&amp")),
            (
                b"/*<![CDATA[*/ a&amp;\r\nb /*]]>*/<!-- x -->&lt;<?p i?>c",
                Mixed,
                UTF_8,
                Some("/**/ a&amp;\nb /**/<c"),
            ),
            (b"<![CDATA[]]>a<![CDATA[]]]]><![CDATA[>]]>", Mixed, UTF_8, Some("a]]>")),
            (b"<!-- a", Mixed, UTF_8, Some("")),
            (b"a<b>", Mixed, UTF_8, Some("a")),
        ] {
            let text = decode(raw, place, encoding, &Entities::default());
            let text = text.as_ref().map(rehref_generators::Text::as_str);
            assert_eq!(text.ok(), expected, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn ranges_lead_to_what_can_be_replaced() {
        let raw = b"u(<![CDATA[a&b]]>&amp;<!-- -->c)";
        let text = decode(raw, XmlPlace::Mixed, UTF_8, &Entities::default()).unwrap();
        assert_eq!(text.as_str(), "u(a&b&c)");
        let places = Places::of(raw);
        for (range, source, place) in [
            (0..2, 0..2, Some(XmlPlace::Text)),
            (2..5, 11..14, Some(XmlPlace::CData)),
            (5..6, 17..22, Some(XmlPlace::Text)),
            (6..7, 30..31, Some(XmlPlace::Text)),
            (5..7, 17..31, None),
            (1..3, 1..12, None),
        ] {
            let found = text.source_span(range.clone().into());
            assert_eq!(found, Span::from(source), "{range:?}");
            assert_eq!(places.at(found), place, "{range:?}");
        }
    }

    #[test]
    fn escaping_table() {
        for (place, expected) in [
            (DOUBLE, "a&amp;b&lt;>'&quot;]"),
            (SINGLE, "a&amp;b&lt;>&#39;\"]"),
            (XmlPlace::Text, "a&amp;b&lt;&gt;'\"]"),
            (XmlPlace::CData, "a&b<>'\"]"),
        ] {
            assert_eq!(escape("a&b<>'\"]", place), expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_escaped_decodes_to_itself(
            text in "[ -~\t\n\r]{0,30}",
            place in prop_oneof![Just(DOUBLE), Just(SINGLE), Just(XmlPlace::Text)],
        ) {
            let decoded = decode(escape(&text, place).as_bytes(), place, UTF_8, &Entities::default()).unwrap();
            prop_assert_eq!(decoded.as_str(), text);
        }

        #[test]
        fn nothing_panics(
            raw in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..40),
                "(<!\\[CDATA\\[|\\]\\]>|<!--|-->|<\\?|\\?>|&amp;|[a&;#x\r\n]){0,12}"
                    .prop_map(String::into_bytes),
            ],
            place in prop_oneof![
                Just(DOUBLE), Just(XmlPlace::Text), Just(XmlPlace::CData), Just(XmlPlace::Mixed)
            ],
        ) {
            for encoding in [UTF_8, SHIFT_JIS, WINDOWS_1252] {
                if let Ok(text) = decode(&raw, place, encoding, &Entities::default()) {
                    let length = text.as_str().len();
                    let whole = text.source_span(Span::from(0..length));
                    prop_assert!(whole.end <= raw.len());
                    let _ = Places::of(&raw).at(whole);
                }
            }
        }
    }
}
