//! quoted-printable (RFC 2045 section 6.7).

use std::fmt::Write;

use super::body::{DecodedBody, line_end_in};
use rehref_url::percent::escaped_byte;
use rehref_url::{Span, TextEdit};

/// The longest line, without its end.
const LINE: usize = 76;

/// A token of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A byte, as itself or as `=XX`.
    Byte(u8),
    /// A run of white space in a line.
    Space,
    /// A line end.
    LineEnd,
    /// No content: a line end after `=`, white space before a line end.
    Nothing,
}

/// The token at the start of `rest`, which is not empty, and its length.
fn token(rest: &[u8]) -> (Token, usize) {
    match rest {
        [b'=', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            let byte = escaped_byte(*high, *low).unwrap_or_default();
            (Token::Byte(byte), 3)
        }
        [b'=', after @ ..] => match padded_line_end(after) {
            Some((padding, line_end)) => (Token::Nothing, 1 + padding + line_end),
            // A `=` that does not start an escape is an ordinary byte.
            None => (Token::Byte(b'='), 1),
        },
        [b'\n', ..] => (Token::LineEnd, 1),
        [b'\r', b'\n', ..] => (Token::LineEnd, 2),
        [b' ' | b'\t', ..] => match padded_line_end(rest) {
            Some((padding, _)) => (Token::Nothing, padding),
            None => (Token::Space, padding_of(rest)),
        },
        [byte, ..] => (Token::Byte(*byte), 1),
        [] => (Token::Nothing, 1),
    }
}

/// The lengths of the white space at the start of `rest` and of the line end after it; `None` where
/// other bytes follow in the line. The end of the body counts as a line end.
fn padded_line_end(rest: &[u8]) -> Option<(usize, usize)> {
    let padding = padding_of(rest);
    match rest.get(padding..).unwrap_or_default() {
        [] => Some((padding, 0)),
        [b'\n', ..] => Some((padding, 1)),
        [b'\r', b'\n', ..] => Some((padding, 2)),
        _ => None,
    }
}

/// The length of the white space at the start of `rest`.
fn padding_of(rest: &[u8]) -> usize {
    let is_padding = |b: &&u8| matches!(b, b' ' | b'\t');
    rest.iter().take_while(is_padding).count()
}

/// The tokens of `body` from byte `start` on: the start of each, the token and its bytes.
fn tokens(body: &[u8], start: usize) -> impl Iterator<Item = (usize, Token, &[u8])> {
    let mut at = start;
    std::iter::from_fn(move || {
        let rest = body.get(at..).filter(|rest| !rest.is_empty())?;
        let (token, length) = token(rest);
        let start = at;
        at += length;
        Some((start, token, rest.get(..length)?))
    })
}

/// Decodes `body`. Malformed escapes are ordinary bytes (RFC 2045 section 6.7).
pub(super) fn decode(body: &[u8]) -> DecodedBody {
    let mut decoded = DecodedBody::default();
    for (at, token, written) in tokens(body, 0) {
        let start = decoded.bytes.len();
        match token {
            Token::Byte(byte) => decoded.bytes.push(byte),
            Token::LineEnd | Token::Space => decoded.bytes.extend_from_slice(written),
            Token::Nothing => {}
        }
        let end = decoded.bytes.len();
        if end - start != written.len() {
            decoded.offsets.push(start..end, at..at + written.len());
        }
    }
    decoded
}

/// Encodes `edits` as edits of whole lines of `body`. The spans of `edits` are bytes of `body`, their
/// replacements are content. All other lines stay.
pub(super) fn encode_edits(body: &[u8], edits: &[TextEdit]) -> Vec<TextEdit> {
    let line_end = line_end_in(body);
    let mut encoded: Vec<TextEdit> = Vec::new();
    let mut rest = edits;
    while let Some(first) = rest.first() {
        // The whole lines that the edits change, up to a soft line break or the end of the last one.
        let start = line_start(body, first.span.start);
        let mut region = Span::from(start..line_rest_end(body, first.span.end));
        let is_in = |edit: &TextEdit, region: Span| {
            let start = edit.span.start;
            start <= region.end || line_start(body, start) <= region.end
        };
        let mut count = 0;
        while let Some(edit) = rest.get(count).filter(|edit| is_in(edit, region)) {
            // Reading a long line again for each of its edits would take quadratic time.
            if edit.span.end > region.end {
                region.end = line_rest_end(body, edit.span.end);
            }
            count += 1;
        }
        let (group, others) = rest.split_at_checked(count.max(1)).unwrap_or((rest, &[]));
        rest = others;
        encoded.push(TextEdit::new(region, encode_region(body, region, group, line_end)));
    }
    encoded
}

fn line_start(body: &[u8], at: usize) -> usize {
    let before = body.get(..at).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)
}

/// The end of the content of the line that has the byte `end`.
fn line_rest_end(body: &[u8], end: usize) -> usize {
    let is_content = |token| matches!(token, Token::Byte(_) | Token::Space);
    let content = tokens(body, end).take_while(|(_, token, _)| is_content(*token));
    content.fold(end, |end, (_, _, written)| end + written.len())
}

/// Encodes the bytes `region` of `body` with `edits`, in lines that are not too long.
fn encode_region(body: &[u8], region: Span, edits: &[TextEdit], line_end: &'static str) -> String {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = region.start;
    for TextEdit { span, replacement } in edits {
        old_pieces(body, Span::from(at..span.start), &mut pieces);
        pieces.extend(replacement.bytes().map(Piece::new));
        at = span.end.max(at);
    }
    old_pieces(body, Span::from(at..region.end), &mut pieces);
    let after = body.get(region.end..).unwrap_or_default();
    // The rest of the last line: `=`, white space without content.
    let tail = after.split(|b| matches!(b, b'\r' | b'\n')).next();
    let tail = tail.unwrap_or_default();
    let is_end = tail.first() != Some(&b'=');
    let mut lines = Lines { written: String::new(), length: 0, line_end };
    for (number, piece) in pieces.iter().enumerate() {
        let (is_before_line_end, most) = match pieces.get(number + 1) {
            None => (is_end, LINE.saturating_sub(tail.len())),
            Some(Piece::LineEnd) => (true, LINE),
            Some(_) => (false, LINE - 1),
        };
        lines.push(*piece, is_before_line_end, most);
    }
    lines.written
}

/// A piece of a new line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// A byte as itself.
    Plain(u8),
    /// A byte as an escape, and whether its hexadecimal digits are in lower case.
    Escaped(u8, bool),
    /// A line end of the content.
    LineEnd,
}

impl Piece {
    fn new(byte: u8) -> Piece {
        match byte {
            b'!'..=b'<' | b'>'..=b'~' => Piece::Plain(byte),
            byte => Piece::Escaped(byte, false),
        }
    }
}

/// Adds the pieces of the bytes `range` of `body`, in the author's spelling.
fn old_pieces(body: &[u8], range: Span, pieces: &mut Vec<Piece>) {
    for (at, token, written) in tokens(body, range.start).take_while(|(at, ..)| *at < range.end) {
        match token {
            Token::Nothing => {}
            Token::Space => {
                let space = written.iter().take(range.end - at);
                pieces.extend(space.map(|byte| Piece::Plain(*byte)));
            }
            Token::LineEnd => pieces.push(Piece::LineEnd),
            Token::Byte(byte) if written.len() == 3 => {
                let is_lower = written.iter().any(u8::is_ascii_lowercase);
                pieces.push(Piece::Escaped(byte, is_lower));
            }
            Token::Byte(byte) => pieces.push(Piece::new(byte)),
        }
    }
}

/// New lines of a body.
struct Lines {
    written: String,
    /// The length of the last line.
    length: usize,
    line_end: &'static str,
}

impl Lines {
    /// Writes a piece; the line with it may have `most` bytes.
    fn push(&mut self, piece: Piece, is_before_line_end: bool, most: usize) {
        let piece = match piece {
            // Mail servers drop white space at the end of a line.
            Piece::Plain(byte @ (b' ' | b'\t')) if is_before_line_end => {
                Piece::Escaped(byte, false)
            }
            piece => piece,
        };
        let width = match piece {
            Piece::LineEnd => 0,
            Piece::Plain(_) => 1,
            Piece::Escaped(..) => 3,
        };
        if self.length > 0 && self.length + width > most {
            self.written.push('=');
            self.written.push_str(self.line_end);
            self.length = 0;
        }
        let is_first = self.length == 0;
        match piece {
            Piece::LineEnd => {
                self.written.push_str(self.line_end);
                self.length = 0;
            }
            // A line that begins with these may read as a delimiter, or as the end of the mail.
            Piece::Plain(byte @ (b'-' | b'.')) if is_first && !self.written.is_empty() => {
                self.escape(byte, false);
            }
            Piece::Plain(byte) => {
                self.written.push(char::from(byte));
                self.length += 1;
            }
            Piece::Escaped(byte, is_lower) => self.escape(byte, is_lower),
        }
    }

    fn escape(&mut self, byte: u8, is_lower: bool) {
        self.length += 3;
        // Writing to a string cannot fail.
        let _ = if is_lower {
            write!(self.written, "={byte:02x}")
        } else {
            write!(self.written, "={byte:02X}")
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_url::splice;

    #[test]
    fn escapes_and_soft_line_breaks_are_decoded() {
        for (body, expected) in [
            (&b"a=3Db=e9"[..], &b"a=b\xE9"[..]),
            (b"a=\r\nb=\nc= \t\r\nd", b"abcd"),
            (b"a \t\r\nb \nc ", b"a\r\nb\nc"),
            (b"a b=20\n", b"a b \n"),
            (b"=X =4", b"=X =4"),
            (b"a\rb=", b"a\rb"),
            (b"\xFC", b"\xFC"),
        ] {
            let found = decode(body).bytes;
            assert_eq!(found.escape_ascii().to_string(), expected.escape_ascii().to_string());
        }
        let offsets = decode(b"a=3Db=\nc").offsets;
        for (range, source) in [(0..1, 0..1), (1..2, 1..4), (2..4, 4..8), (3..4, 7..8)] {
            let found = offsets.source_span(range.clone().into());
            assert_eq!(found, Span::from(source), "{range:?}");
        }
    }

    #[test]
    fn only_the_lines_with_edits_change() {
        let long = "x".repeat(70);
        for (body, range, with, expected) in [
            ("one \ntwo=C3=a4 =\nthree", 8..11, "3=", "one \ntwo3=3D=a4 =\nthree".to_owned()),
            ("a b", 1..3, "", "a".to_owned()),
            ("a b\n", 2..3, "", "a=20\n".to_owned()),
            ("<a href=3D=\r\n\"x\">", 13..16, "'y'", "<a href=3D=\r\n'y'>".to_owned()),
            ("u\r\n=C3=A4 =\r\nz\r\n", 3..3, &long, format!("u\r\n{long}=C3=\r\n=A4 =\r\nz\r\n")),
            ("12345--b\n", 0..5, &"y".repeat(75), format!("{}=\n=2D-b\n", "y".repeat(75))),
        ] {
            let edits = encode_edits(body.as_bytes(), &[TextEdit::new(range, with)]);
            let new = splice(body.as_bytes(), &edits);
            assert_eq!(String::from_utf8(new).unwrap(), expected, "{body:?}");
        }
    }
}
