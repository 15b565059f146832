//! Whether a file begins with headers that its name does not speak of.

use super::headers::{BYTE_ORDER_MARK, HeaderField, Headers, line_end};

/// Headers that say what a body is. One of these has to be there, for many a text begins with words
/// and colons (`Date: 1 May`), and generators of sites write such blocks before their pages.
const TELLING: &[&str] = &[
    "content-base",
    "content-location",
    "content-transfer-encoding",
    "content-type",
    "message-id",
    "mime-version",
];

/// What the values of others begin with where they say it.
const TELLING_VALUES: &[(&str, &[u8])] = &[("base", b"<URL:"), ("base-url", b"<")];

/// Whether `bytes`, the start of a file or all of it, begins with headers: a status line of HTTP
/// and what follows it, or two headers or more, of which one says what the body is; with nothing
/// else before an empty line.
pub fn begins_with_headers(bytes: &[u8]) -> bool {
    // Most documents begin with `<`, which no header does.
    let first = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).first();
    if !first.is_some_and(u8::is_ascii_alphabetic) || !first_line_is_header(bytes) {
        return false;
    }
    let headers = Headers::parse(bytes, 0..bytes.len());
    let is_block = headers.is_ended
        && headers.malformed.is_none()
        && headers
            .fields
            .iter()
            .all(|field| has_plain_name(bytes, field));
    is_block
        && (headers.status.is_some()
            || headers.fields.len() >= 2
                && headers.fields.iter().any(|field| is_telling(bytes, field)))
}

/// Whether `bytes` begins with headers for one who has been told so: any that are nothing else
/// before an empty line.
pub fn may_begin_with_headers(bytes: &[u8]) -> bool {
    if !first_line_is_header(bytes) {
        return false;
    }
    let headers = Headers::parse(bytes, 0..bytes.len());
    headers.is_ended
        && headers.malformed.is_none()
        && (headers.status.is_some() || !headers.fields.is_empty())
        && headers
            .fields
            .iter()
            .all(|field| has_plain_name(bytes, field))
}

/// Whether the first line is a header or a status line, so that there is any use in going on.
fn first_line_is_header(bytes: &[u8]) -> bool {
    const FAR: usize = 1 << 16;
    let start = bytes.get(..FAR).unwrap_or(bytes);
    let (_, next) = line_end(start, 0..start.len());
    let headers = Headers::parse(start, 0..next);
    headers.malformed.is_none()
        && (headers.status.is_some()
            || headers
                .fields
                .iter()
                .any(|field| has_plain_name(bytes, field)))
}

fn is_telling(bytes: &[u8], field: &HeaderField) -> bool {
    let value = field.value_in(bytes);
    TELLING.iter().any(|name| field.is(bytes, name))
        || TELLING_VALUES.iter().any(|(name, opening)| {
            let start = value.get(..opening.len()).unwrap_or_default();
            field.is(bytes, name) && start.eq_ignore_ascii_case(opening) && value.ends_with(b">")
        })
}

/// Whether a header has the kind of name that they have in practice.
fn has_plain_name(bytes: &[u8], field: &HeaderField) -> bool {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    field.name_in(bytes).iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_headed() {
        for (text, is_sniffed, is_taken) in [
            ("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n<p>", true, true),
            ("HTTP/1.0 200 OK\n\n", true, true),
            ("HTTP/1.1 200 OK\n<p>", false, false),
            ("HTTP is a protocol\n\n", false, false),
            ("Date: x\nContent-Type: text/html\n\n<p>", true, true),
            ("Date: x\nContent-type:\n text/html\n\n<p>", true, true),
            ("Content-Type: text/html\n\n<p>", false, true),
            (
                "\u{feff}Date: x\nContent-Type: text/html\n\n<p>",
                true,
                true,
            ),
            ("\u{feff}HTTP/1.1 200 OK\nServer: x\n\n<p>", true, true),
            ("Location: Berlin\nDate: 1 May\n\n<p>", false, true),
            (
                "Link: x\nServer: y\nExpires: z\nRefresh: 1\nConnection: c\n\n",
                false,
                true,
            ),
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
            assert_eq!(
                may_begin_with_headers(text.as_bytes()),
                is_taken,
                "{text:?}"
            );
        }
    }
}
