//! The text of a container: its decoded value, with a map back to its source bytes.
//!
//! Decoding joins the work of the character decoder and of the HTML tokenizer: bytes become characters
//! in the document's charset, newlines are normalised, NUL is replaced, character references resolved.

use std::borrow::Cow;
use std::convert::Infallible;

use encoding_rs::Encoding;
use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

use rehref_url::{Span, TextEdit};

/// A decoded text, with a map to its source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Text {
    decoded: String,
    /// `None` if the text is its source. Nearly every text is, and a document has very many.
    map: Option<Box<TextMap>>,
}

/// The map from a text to its source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct TextMap {
    /// The pieces in which text and source differ, in order. Between them both are the same byte for
    /// byte.
    exceptions: Offsets,
    /// The map from the source to the bytes that it was decoded from in turn: the body of a part of a
    /// message in a transfer encoding.
    carrier: Offsets,
}

/// A piece of text that differs from its source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Exception {
    text: Span,
    source: Span,
}

/// The map from a decoded text to its source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Offsets(Vec<Exception>);

impl Offsets {
    /// Adds an exception to the map: the text was decoded from the bytes `source`, which differ. Between the
    /// previous piece and this one, text and source are equal.
    pub fn push(&mut self, text: impl Into<Span>, source: impl Into<Span>) {
        self.0.push(Exception { text: text.into(), source: source.into() });
    }

    /// Returns the span of the source for a span of the decoded text. An end inside a piece moves outward to
    /// the end of the piece.
    pub fn source_span(&self, range: Span) -> Span {
        // Source that decodes to nothing is outside the span.
        let before_start = |e: &Exception| {
            e.text.start < range.start || (e.text.is_empty() && e.text.start == range.start)
        };
        let before_end = |e: &Exception| e.text.start < range.end;
        let start = self.source_offset(range.start, before_start, |e| e.source.start);
        let end = self.source_offset(range.end, before_end, |e| e.source.end);
        Span::from(start..end.max(start))
    }

    fn source_offset(
        &self,
        offset: usize,
        is_before: impl Fn(&Exception) -> bool,
        inside: impl Fn(&Exception) -> usize,
    ) -> usize {
        let next = self.0.partition_point(is_before);
        match next.checked_sub(1).and_then(|at| self.0.get(at)) {
            None => offset,
            Some(exception) if offset < exception.text.end => inside(exception),
            Some(exception) => exception.source.end + (offset - exception.text.end),
        }
    }
}

impl Text {
    /// Decodes `source`, an HTML attribute value's bytes without its quotes.
    pub fn decode(source: &[u8], encoding: &'static Encoding) -> Text {
        let mut text = Text::default();
        let is_special = |byte| matches!(byte, b'&' | b'\r' | 0);
        let Ok(()) = text.append(source, 0..source.len(), encoding, is_special, html_escape);
        text
    }

    /// Decodes only the charset of `source`, for text without escapes (the content of `style`).
    pub fn decode_verbatim(source: &[u8], encoding: &'static Encoding) -> Text {
        let mut text = Text::default();
        let none = |_: &[u8]| Ok::<_, Infallible>(None);
        let Ok(()) = text.append(source, 0..source.len(), encoding, |_| false, none);
        text
    }

    /// Decodes the bytes `range` of `source` and appends them; `range` starts where the last one ended.
    ///
    /// `is_special`: whether an (ASCII) byte may start an escape, bytes with another meaning than in
    /// the charset. `escape` decodes the escape at the start of bytes of which the first is special;
    /// `None` if it starts no escape.
    ///
    /// # Errors
    /// Returns an error if `escape` fails.
    pub fn append<E>(
        &mut self,
        source: &[u8],
        range: impl Into<Span>,
        encoding: &'static Encoding,
        is_special: impl Fn(u8) -> bool,
        escape: impl Fn(&[u8]) -> Result<Option<Escape>, E>,
    ) -> Result<(), E> {
        let range = range.into();
        let mut position = range.start;
        let rest_at = |at| source.get(at..range.end).filter(|rest| !rest.is_empty());
        while let Some(rest) = rest_at(position) {
            let plain = plain_prefix(rest, encoding, &is_special);
            let (same, rest) = rest.split_at_checked(plain).unwrap_or_default();
            // `plain_prefix` counts only valid UTF-8.
            self.push_plain(std::str::from_utf8(same).unwrap_or(""));
            position += plain;
            let Some(&first) = rest.first() else { break };
            position += if !is_special(first) {
                self.decode_characters(rest, position, encoding)
            } else if let Some((characters, length)) = escape(rest)? {
                self.push_exception(&characters, position..position + length);
                length
            } else {
                self.push_plain(char::from(first).encode_utf8(&mut [0; 4]));
                1
            };
        }
        Ok(())
    }

    /// Returns the decoded text.
    pub fn as_str(&self) -> &str {
        &self.decoded
    }

    /// Returns the decoded value, without the map.
    pub fn into_string(self) -> String {
        self.decoded
    }

    /// Maps a span of the text to a span of the source. An end inside an indivisible piece (a
    /// character reference for two characters) moves outward.
    pub fn source_span(&self, range: Span) -> Span {
        match &self.map {
            Some(map) => map.carrier.source_span(map.exceptions.source_span(range)),
            None => range,
        }
    }

    /// As [`Text::source_span`], but returns a span in the decoded body if the source is in a transfer
    /// encoding.
    pub fn carried_span(&self, range: Span) -> Span {
        match &self.map {
            Some(map) => map.exceptions.source_span(range),
            None => range,
        }
    }

    /// The pieces in which text and source differ.
    fn exceptions(&self) -> &[Exception] {
        self.map.as_deref().map_or(&[], |map| &map.exceptions.0)
    }

    /// Returns this text, after its source was itself decoded from other bytes. `carrier` is the map of that
    /// decoding.
    pub fn carried(mut self, carrier: Offsets) -> Text {
        self.map.get_or_insert_default().carrier = carrier;
        self
    }

    /// Extends `changes`, which are in order and do not overlap, to whole pieces (such as an entity that
    /// represents several characters). The changes then also write the other characters of such a piece.
    pub fn over_whole_pieces(&self, changes: Vec<TextEdit>) -> Vec<TextEdit> {
        let exceptions = self.exceptions();
        if exceptions.is_empty() {
            return changes;
        }
        let divided = |offset: usize| {
            let next = exceptions.partition_point(|exception| exception.text.start < offset);
            let piece = exceptions.get(next.checked_sub(1)?)?.text;
            (offset < piece.end).then_some(piece)
        };
        let kept = |from: usize, to: usize| self.decoded.get(from..to).unwrap_or_default();
        let mut extended: Vec<TextEdit> = Vec::with_capacity(changes.len());
        for change in changes {
            let Span { start, end } = change.span;
            let until = divided(end).map_or(end, |piece| piece.end);
            let after = kept(end, until);
            match extended.last_mut() {
                // Both divide the same piece.
                Some(last) if start < last.span.end => {
                    let again = kept(start, last.span.end).len();
                    let length = last.replacement.len() - again;
                    last.replacement.truncate(length);
                    last.replacement += &change.replacement;
                    last.replacement += after;
                    last.span.end = until.max(last.span.end);
                }
                _ => {
                    let from = divided(start).map_or(start, |piece| piece.start);
                    let replacement = [kept(from, start), &change.replacement, after].concat();
                    extended.push(TextEdit::new(from..until, replacement));
                }
            }
        }
        extended
    }

    /// Returns the edits of the source that make `changes` of the text, see [`Text::over_whole_pieces`], each as
    /// `escape` writes its replacement.
    pub(crate) fn source_edits(
        &self,
        changes: Vec<TextEdit>,
        escape: impl Fn(&str) -> String,
    ) -> Vec<TextEdit> {
        let changes = self.over_whole_pieces(changes).into_iter();
        let edit = |change: TextEdit| TextEdit {
            span: self.source_span(change.span),
            replacement: escape(&change.replacement),
        };
        changes.map(edit).collect()
    }

    /// Returns true if the character before `offset` is an escape that would absorb letters or digits
    /// inserted at `offset`: a character reference without its semicolon, a hexadecimal escape of CSS
    /// without its space. `source`: the bytes that this text was decoded from.
    pub fn is_after_open_escape(&self, source: &[u8], offset: usize) -> bool {
        let exceptions = self.exceptions();
        exceptions
            .binary_search_by_key(&offset, |exception| exception.text.end)
            .ok()
            .and_then(|at| source.get(exceptions.get(at)?.source.range()))
            .is_some_and(|bytes| match bytes {
                [b'&', .., last] => *last != b';',
                [b'\\', digits @ ..] => {
                    digits.len() < 6 && digits.iter().all(u8::is_ascii_hexdigit)
                }
                _ => false,
            })
    }

    /// Appends characters that are the same in the source.
    pub fn push_plain(&mut self, characters: &str) {
        self.decoded.push_str(characters);
    }

    /// Appends characters that were decoded from the bytes `source`, which start where the source of
    /// the previous characters ended.
    pub fn push_exception(&mut self, characters: &str, source: impl Into<Span>) {
        let start = self.decoded.len();
        self.decoded.push_str(characters);
        let piece = Span::from(start..self.decoded.len());
        let map = self.map.get_or_insert_default();
        map.exceptions.push(piece, source);
    }

    /// Decodes the bytes of one character (or of one malformed sequence and the characters that the
    /// decoder returns with it), feeding the decoder byte by byte, because it reports no positions.
    fn decode_characters(&mut self, rest: &[u8], at: usize, encoding: &'static Encoding) -> usize {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut characters = String::with_capacity(16);
        let mut length = 0;
        while characters.is_empty() {
            let (byte, last) = match rest.get(length..=length) {
                Some(byte) => (byte, false),
                None => (&[][..], true),
            };
            // With room for the worst case, one call reads the whole input.
            characters.reserve(decoder.max_utf8_buffer_length(1).unwrap_or(16));
            let _ = decoder.decode_to_string(byte, &mut characters, last);
            if last {
                break;
            }
            length += 1;
        }
        // The decoder returns ASCII bytes after a malformed sequence as characters; markup among them
        // must keep its own place.
        let source = rest.get(..length).unwrap_or_default();
        let ends = characters.bytes().rev().zip(source.iter().rev());
        let same = ends.take_while(|&(character, &byte)| character.is_ascii() && character == byte);
        let own = same.count().min(length - 1);
        characters.truncate(characters.len() - own);
        self.push_exception(&characters, at..at + length - own);
        length - own
    }
}

/// A decoded escape: its characters, and its length in bytes, at least one.
pub type Escape = (Cow<'static, str>, usize);

/// Returns the length of the line end at the start of `bytes`, which begins with CR.
pub fn line_end_length(bytes: &[u8]) -> usize {
    if bytes.get(1) == Some(&b'\n') { 2 } else { 1 }
}

/// Decodes the special byte of an HTML attribute value at the start of `rest`; see [`Text::append`].
fn html_escape(rest: &[u8]) -> Result<Option<Escape>, Infallible> {
    Ok(match rest.first() {
        Some(b'\r') => Some(("\n".into(), line_end_length(rest))),
        Some(0) => Some(("\u{FFFD}".into(), 1)),
        _ => character_reference(rest).map(|(characters, length)| (characters.into(), length)),
    })
}

/// The number of bytes at the start that are the same in text and source.
fn plain_prefix(
    bytes: &[u8],
    encoding: &'static Encoding,
    is_special: impl Fn(u8) -> bool,
) -> usize {
    if encoding != encoding_rs::UTF_8 {
        let end = bytes.iter().position(|&b| is_special(b) || !b.is_ascii());
        return end.unwrap_or(bytes.len());
    }
    let end = bytes.iter().position(|&b| is_special(b));
    let plain = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
    match std::str::from_utf8(plain) {
        Ok(_) => plain.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// The character reference at the start of `bytes` (which begins with `&`) as in an attribute value
/// (HTML Standard section 13.2.5.72): the characters it stands for and its length in bytes.
fn character_reference(bytes: &[u8]) -> Option<(String, usize)> {
    if bytes.get(1) == Some(&b'#') {
        return numeric_reference(bytes);
    }
    // The longest name in the table; the table also holds the prefixes of all names, as (0, 0).
    let mut found = None;
    let mut length = 1;
    while let Some(next) = bytes.get(length) {
        if !next.is_ascii_alphanumeric() && *next != b';' {
            break;
        }
        length += 1;
        let name = bytes.get(1..length).unwrap_or_default();
        let name = std::str::from_utf8(name).unwrap_or_default();
        match NAMED_ENTITIES.get(name) {
            None => break,
            Some((0, _)) => {}
            Some(&code_points) => found = Some((code_points, length)),
        }
    }
    let ((first, second), length) = found?;
    let is_part_of_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'=';
    if bytes.get(length - 1) != Some(&b';') && bytes.get(length).is_some_and(is_part_of_word) {
        return None;
    }
    let code_points = [first, second].into_iter().filter(|&code| code != 0);
    Some((code_points.filter_map(char::from_u32).collect(), length))
}

fn numeric_reference(bytes: &[u8]) -> Option<(String, usize)> {
    let (radix, digits_start) = match bytes.get(2) {
        Some(b'x' | b'X') => (16, 3),
        _ => (10, 2),
    };
    let mut code_point: u32 = 0;
    let mut length = digits_start;
    let digit_at = |at| bytes.get(at).and_then(|&b| char::from(b).to_digit(radix));
    while let Some(digit) = digit_at(length) {
        code_point = code_point.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    if length == digits_start {
        return None;
    }
    if bytes.get(length) == Some(&b';') {
        length += 1;
    }
    let character = match code_point {
        0 => '\u{FFFD}',
        0x80..=0x9F => C1_REPLACEMENTS
            .get(code_point as usize - 0x80)
            .copied()
            .flatten()
            .or(char::from_u32(code_point))
            .unwrap_or('\u{FFFD}'),
        _ => char::from_u32(code_point).unwrap_or('\u{FFFD}'),
    };
    Some((character.into(), length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{GB18030, SHIFT_JIS, UTF_8, WINDOWS_1252};

    #[test]
    fn values_are_decoded_as_by_the_tokenizer() {
        for (source, encoding, expected) in [
            (&b"plain"[..], UTF_8, "plain"),
            ("grüße".as_bytes(), UTF_8, "grüße"),
            (b"gr\xFC\xDFe", WINDOWS_1252, "grüße"),
            (b"gr\xFC\xDFe", UTF_8, "gr\u{FFFD}\u{FFFD}e"),
            (b"\xC3\xA4", WINDOWS_1252, "\u{C3}\u{A4}"),
            (b"\xE2\x82", UTF_8, "\u{FFFD}"),
            (b"\xE2\x82a", UTF_8, "\u{FFFD}a"),
            (b"?a&amp;b&ampc&amp=d&copy", UTF_8, "?a&b&ampc&amp=d©"),
            (b"&#65;&#x42&#x;&#;&", UTF_8, "AB&#x;&#;&"),
            (b"&#0;&#x80;&#xD800;&#99999999999;", UTF_8, "\u{FFFD}€\u{FFFD}\u{FFFD}"),
            (b"&notit;&notin;&nvlt;&not", UTF_8, "&notit;∉<\u{20d2}¬"),
            (b"a\r\nb\rc\nd\0e", UTF_8, "a\nb\nc\nd\u{FFFD}e"),
            (b"\x83\\\x83\x7C", SHIFT_JIS, "ソポ"),
            (b"\x81 x", SHIFT_JIS, "\u{FFFD} x"),
            (b"\x81", SHIFT_JIS, "\u{FFFD}"),
            (b"\x81\x30\x81\x30", GB18030, "\u{80}"),
            (b"\x81\x30\x81,x", GB18030, "\u{FFFD}0\u{FFFD},x"),
        ] {
            let text = Text::decode(source, encoding);
            assert_eq!(text.as_str(), expected, "{}", source.escape_ascii());
            assert_eq!(
                text.source_span(Span::from(0..expected.len())),
                Span::from(0..source.len())
            );
        }
    }

    #[test]
    fn spans_map_back_to_the_source() {
        let source = b"x&amp;y\xFC z\r\nw";
        let text = Text::decode(source, WINDOWS_1252);
        assert_eq!(text.as_str(), "x&yü z\nw");
        for (text_range, source_range) in [
            (0..1, 0..1),
            (1..2, 1..6),
            (2..3, 6..7),
            (3..5, 7..8),
            (5..6, 8..9),
            (6..7, 9..10),
            (7..8, 10..12),
            (8..9, 12..13),
            (0..9, 0..13),
            (2..7, 6..10),
            (4..4, 7..8),
        ] {
            assert_eq!(
                text.source_span(text_range.clone().into()),
                source_range.into(),
                "{text_range:?}"
            );
        }
        let text = Text::decode(b"\x81 x", SHIFT_JIS);
        assert_eq!(
            text.source_span(Span::from(0..3)),
            Span::from(0..1),
            "the space keeps its own place"
        );
    }

    #[test]
    fn an_edit_within_a_piece_writes_the_rest_of_it_again() {
        // The entity stands for "<" and a combining character of three bytes.
        let text = Text::decode(b"a&nvlt;b", UTF_8);
        assert_eq!(text.as_str(), "a<\u{20d2}b");
        let edit = |(start, end, with): &(usize, usize, &str)| TextEdit::new(*start..*end, *with);
        for (changes, expected) in [
            (&[(2, 5, "x")][..], &[(1, 5, "<x")][..]),
            (&[(1, 2, "x")], &[(1, 5, "x\u{20d2}")]),
            (&[(0, 2, "x")], &[(0, 5, "x\u{20d2}")]),
            (&[(2, 6, "x")], &[(1, 6, "<x")]),
            (&[(1, 5, "x")], &[(1, 5, "x")]),
            (&[(0, 1, "x"), (5, 6, "y")], &[(0, 1, "x"), (5, 6, "y")]),
            (&[(1, 2, "x"), (2, 5, "y")], &[(1, 5, "xy")]),
            (&[(0, 2, "x"), (2, 6, "y")], &[(0, 6, "xy")]),
        ] {
            let changes = changes.iter().map(edit).collect();
            let expected: Vec<TextEdit> = expected.iter().map(edit).collect();
            assert_eq!(text.over_whole_pieces(changes), expected);
        }
    }
}
