//! base64 (RFC 2045 section 6.8).

use data_encoding::BASE64;

use super::body::{DecodedBody, line_end_in};
use rehref_url::{Span, TextEdit, splice};

/// The least length of new lines where the body of a message has only one (RFC 2045).
pub(super) const LINE: usize = 76;

/// Decodes `body`; `None` where it is not base64. `data_encoding` reports no positions, and refuses white space between
/// digits.
pub(super) fn decode(body: &[u8]) -> Option<DecodedBody> {
    let mut decoded = DecodedBody::default();
    let mut quantum: u32 = 0;
    let mut digits = 0;
    let mut padding = 0;
    let mut start = 0;
    for (at, &byte) in body.iter().enumerate() {
        if byte.is_ascii_whitespace() {
            if digits == 0 {
                let length = decoded.bytes.len();
                decoded.offsets.push(length..length, at..at + 1);
            }
            continue;
        }
        if byte == b'=' {
            padding += 1;
            continue;
        }
        let value = value(byte)?;
        if padding > 0 {
            return None;
        }
        if digits == 0 {
            start = at;
        }
        quantum = quantum << 6 | value;
        digits += 1;
        if digits == 4 {
            push(&mut decoded, quantum, 3, Span::from(start..at + 1));
            (quantum, digits) = (0, 0);
        }
    }
    let end = body.trim_ascii_end().len();
    match digits {
        0 if padding == 0 => {}
        2 if matches!(padding, 0 | 2) => {
            push(&mut decoded, quantum << 12, 1, Span::from(start..end))
        }
        3 if matches!(padding, 0 | 1) => {
            push(&mut decoded, quantum << 6, 2, Span::from(start..end))
        }
        _ => return None,
    }
    Some(decoded)
}

fn push(decoded: &mut DecodedBody, quantum: u32, length: usize, source: Span) {
    let bytes = quantum.to_be_bytes();
    let start = decoded.bytes.len();
    decoded.bytes.extend_from_slice(bytes.get(1..=length).unwrap_or_default());
    decoded.offsets.push(start..start + length, source);
}

fn value(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// Encodes `edits` of the content as one edit of `body`, with lines of the same length; of a `body` of one line, `line` or
/// its own length if that is more.
pub(super) fn encode_edits(body: &[u8], edits: &[TextEdit], line: usize) -> Vec<TextEdit> {
    let Some(decoded) = decode(body).filter(|_| !edits.is_empty()) else { return Vec::new() };
    let encoded = BASE64.encode(&splice(&decoded.bytes, edits));
    let start = body.len() - body.trim_ascii_start().len();
    let end = body.trim_ascii_end().len().max(start);
    let old = body.get(start..end).unwrap_or_default();
    let lines: Vec<&[u8]> = encoded.as_bytes().chunks(line_length(old, line)).collect();
    let new = lines.join(line_end_in(old).as_bytes());
    // Equal bytes at both ends stay.
    let same = |(one, other): &(&u8, &u8)| one == other;
    let before = old.iter().zip(&new).take_while(same).count();
    let shorter = old.len().min(new.len()) - before;
    let pairs = old.iter().rev().zip(new.iter().rev());
    let after = pairs.take(shorter).take_while(same).count();
    let with = new.get(before..new.len() - after).unwrap_or_default();
    let with = String::from_utf8_lossy(with).into_owned();
    vec![TextEdit::new(start + before..end - after, with)]
}

/// The length of the lines of `body`, without their ends; of one line, at least `line`.
fn line_length(body: &[u8], line: usize) -> usize {
    match memchr::memchr(b'\n', body).and_then(|end| body.get(..end)) {
        Some(first) => first.trim_ascii().len().max(1),
        None => body.len().max(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_missing_padding_are_accepted() {
        for (body, expected) in [
            (&b""[..], Some(&b""[..])),
            (b"YWJj", Some(b"abc")),
            (b" YW\r\nJjZA==\r\n", Some(b"abcd")),
            (b"YWJjZGU=", Some(b"abcde")),
            (b"YWJjZA", Some(b"abcd")),
            (b"YWJjZA=", None),
            (b"YWJjZ", None),
            (b"YQ==YQ==", None),
            (b"YW-j", None),
            (b"=", None),
        ] {
            let decoded = decode(body).map(|decoded| decoded.bytes);
            assert_eq!(decoded.as_deref(), expected, "{}", body.escape_ascii());
        }
        let offsets = decode(b"YWJj\r\nZGVm").unwrap().offsets;
        for (range, source) in [(0..1, 0..4), (2..4, 0..10), (3..3, 6..6)] {
            let found = offsets.source_span(range.clone().into());
            assert_eq!(found, Span::from(source), "{range:?}");
        }
    }

    #[test]
    fn lines_keep_their_length() {
        for (body, range, with, expected) in [
            ("YWJj\nZGVm\n", 3..4, "DDDD", "YWJj\nRERE\nRGVm\n"),
            ("YWJj\r\nZGVm", 5..6, "", "YWJj\r\nZGU="),
            ("YWJj\r\nZGVm", 0..6, "", ""),
            ("YWJj", 3..3, "d", "YWJjZA=="),
        ] {
            let edits = encode_edits(body.as_bytes(), &[TextEdit::new(range, with)], LINE);
            let new = splice(body.as_bytes(), &edits);
            assert_eq!(String::from_utf8(new).unwrap(), expected, "{body:?}");
        }
    }
}
