//! Recognizes files that begin with headers though their names do not say so.

use super::headers::{HeaderField, Headers, line_end};
use crate::ascii::starts_with_ignore_case;
use crate::encoding::byte_order_mark;

/// Headers that describe a body. A message needs one of them: many texts begin with words and colons
/// (`Date: 1 May`), and so do the sources of site generators.
const DESCRIPTIVE: &[&str] = &[
    "content-base",
    "content-location",
    "content-transfer-encoding",
    "content-type",
    "message-id",
    "mime-version",
];

/// Headers that describe a body if their value begins like this.
const DESCRIPTIVE_VALUES: &[(&str, &[u8])] = &[("base", b"<URL:"), ("base-url", b"<")];

/// Returns true if `bytes`, the start of a file or all of it, begins with headers up to an empty line: a status
/// line of HTTP and any headers, or at least two headers of which one describes the body.
pub fn begins_with_headers(bytes: &[u8]) -> bool {
    // Most documents begin with `<`, which no header does.
    let first = bytes.get(byte_order_mark(bytes));
    first.is_some_and(u8::is_ascii_alphabetic)
        && block(bytes).is_some_and(|Headers { status, fields, .. }| {
            let describes_body = || fields.iter().any(|field| is_descriptive(bytes, field));
            status.is_some() || fields.len() >= 2 && describes_body()
        })
}

/// Returns true if `bytes` begins with any headers up to an empty line, for a file that the user declares to
/// be a message.
pub fn may_begin_with_headers(bytes: &[u8]) -> bool {
    block(bytes).is_some_and(|headers| headers.status.is_some() || !headers.fields.is_empty())
}

/// The headers at the start of `bytes`, if they end with an empty line and all look like headers.
fn block(bytes: &[u8]) -> Option<Headers> {
    if !first_line_is_header(bytes) {
        return None;
    }
    let headers = Headers::parse(bytes, 0..bytes.len());
    let mut fields = headers.fields.iter();
    let is_block = headers.is_ended
        && headers.malformed.is_none()
        && fields.all(|field| has_plain_name(bytes, field));
    is_block.then_some(headers)
}

/// Returns true if the first line is a header or a status line: a cheap filter.
fn first_line_is_header(bytes: &[u8]) -> bool {
    const FAR: usize = 1 << 16;
    let start = bytes.get(..FAR).unwrap_or(bytes);
    let (_, next) = line_end(start, 0..start.len());
    let headers = Headers::parse(start, 0..next);
    let mut fields = headers.fields.iter();
    headers.malformed.is_none()
        && (headers.status.is_some() || fields.any(|field| has_plain_name(bytes, field)))
}

fn is_descriptive(bytes: &[u8], field: &HeaderField) -> bool {
    let value = field.value.of(bytes);
    DESCRIPTIVE.iter().any(|name| field.is(bytes, name))
        || DESCRIPTIVE_VALUES.iter().any(|(name, opening)| {
            let is_wrapped = starts_with_ignore_case(value, opening) && value.ends_with(b">");
            field.is(bytes, name) && is_wrapped
        })
}

/// Returns true if the name of a header has only letters, digits, `-` and `_`, as real names have.
fn has_plain_name(bytes: &[u8], field: &HeaderField) -> bool {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    field.name.of(bytes).iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_recognized_and_other_text_is_not() {
        for (text, is_sniffed, is_taken) in [
            ("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n<p>", true, true),
            ("HTTP/1.0 200 OK\n\n", true, true),
            ("HTTP/1.1 200 OK\n<p>", false, false),
            ("HTTP is a protocol\n\n", false, false),
            ("Date: x\nContent-Type: text/html\n\n<p>", true, true),
            ("Date: x\nContent-type:\n text/html\n\n<p>", true, true),
            ("Content-Type: text/html\n\n<p>", false, true),
            ("\u{feff}Date: x\nContent-Type: text/html\n\n<p>", true, true),
            ("\u{feff}HTTP/1.1 200 OK\nServer: x\n\n<p>", true, true),
            ("Location: Berlin\nDate: 1 May\n\n<p>", false, true),
            ("Link: x\nServer: y\nExpires: z\nRefresh: 1\nConnection: c\n\n", false, true),
            ("A: b\nBase: <URL:http://h/>\n\n<p>", true, true),
            ("A: b\nBase-URL: <http://h/>\n\n<p>", true, true),
            ("A: b\nBase: Berlin\nBase-URL: Bonn\n\n<p>", false, true),
            ("A: b\nMessage-ID: <x@y>\n\n<p>", true, true),
            ("Note: see below\nAnd: more\n\n<p>", false, true),
            ("Note: see below\n\n", false, true),
            ("Date: x\nServer: y\n<p>\n\n", false, false),
            ("Date: x\nServer: y", false, false),
            ("a:hover{color:red}\nb:active{}\n\n", false, true),
            ("a[date]:hover{}\nServer: x\n\n", false, false),
            ("<!-- Date: x\nServer: y\n\n", false, false),
            ("User-agent: *\nDisallow: /\n\n", false, true),
            ("\nDate: x\nServer: y\n\n", false, false),
            ("", false, false),
        ] {
            assert_eq!(begins_with_headers(text.as_bytes()), is_sniffed, "{text:?}");
            assert_eq!(may_begin_with_headers(text.as_bytes()), is_taken, "{text:?}");
        }
    }
}
