//! Detects codings of HTTP (`Transfer-Encoding`, `Content-Encoding`) that a saved body still has.

use super::chunked::has_last_chunk;
use super::headers::Headers;

/// The first bytes of compressed bodies.
const SIGNATURES: &[(&[u8], &str)] = &[(b"\x1F\x8B", "gzip"), (b"\x28\xB5\x2F\xFD", "zstd")];

/// Returns true if `body` is compressed, by its first bytes.
pub(crate) fn is_compressed(body: &[u8]) -> bool {
    SIGNATURES.iter().any(|(signature, _)| body.starts_with(signature))
}

/// Content codings that are none, or that [`SIGNATURES`] find in the body.
const DETECTED: &[&str] = &["", "identity", "gzip", "x-gzip", "zstd"];

/// Describes the coding that `body`, which has these headers in `source`, still has; `None` for plain
/// text. Headers alone do not prove a coding: many programs decode the body that they save and keep
/// the headers.
pub(crate) fn remaining_coding(source: &[u8], headers: &Headers, body: &[u8]) -> Option<String> {
    let codings = |name: &str| {
        let value = headers.value(source, name).unwrap_or_default();
        value.to_ascii_lowercase()
    };
    let is_named = codings("Transfer-Encoding").split(',').any(|coding| coding.trim() == "chunked");
    if is_named && has_last_chunk(body) {
        return Some(
            "the document is chunked (Transfer-Encoding): join the chunks first".to_owned(),
        );
    }
    let detected = SIGNATURES.iter().find(|(signature, _)| body.starts_with(signature));
    let named = codings("Content-Encoding");
    let mut named = named.split(',').map(str::trim);
    let coding = match detected {
        Some((_, coding)) => coding,
        None => named.find(|coding| !DETECTED.contains(coding) && !is_text(body))?,
    };
    Some(format!("the document is compressed with {coding}: decompress it first"))
}

fn is_text(body: &[u8]) -> bool {
    let is_odd = |b: &u8| b.is_ascii_control() && !b.is_ascii_whitespace();
    std::str::from_utf8(body).is_ok() && !body.iter().any(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunked_body_is_recognized_without_its_trailer() {
        for (body, expected) in [
            ("3\r\nabc\r\n0\r\n\r\n", true),
            ("A;x=y\n0123456789\n0", true),
            ("3\r\nabc\r\n2 \r\nde\r\n000\r\nX: y\r\n", true),
            ("3\r\nabcd\r\n0\r\n", false),
            ("3\r\nabc\r\n", false),
            ("ffffffffffffffff\nx", false),
            ("+1\nx\n0\n", false),
            ("<a href=x>", false),
            ("", false),
        ] {
            assert_eq!(has_last_chunk(body.as_bytes()), expected, "{body:?}");
        }
    }

    #[test]
    fn a_coding_remains_only_if_the_body_shows_it() {
        for (header, body, expected) in [
            ("Content-Encoding: br", &b"\x8B\x04\x80"[..], Some("br")),
            ("Content-Encoding: GZIP, Br", b"\xFF", Some("br")),
            ("Content-Encoding: deflate", b"a\0", Some("deflate")),
            ("Content-Encoding: br", b"<p>\xC3\xA4\r\n", None),
            ("Content-Encoding: gzip", b"\x1F\x8B\x08", Some("gzip")),
            ("Content-Encoding: gzip", b"<p>\xE4", None),
            ("Content-Encoding: identity", b"<p>\xE4", None),
            ("A: b", b"\x28\xB5\x2F\xFD", Some("zstd")),
            ("A: b", b"<p>\xE4", None),
            ("A: b", b"3\nabc\n0\n", None),
            ("Transfer-Encoding: gzip, chunked", b"3\nabc\n0\n", Some("chunked")),
        ] {
            let source = format!("{header}\n\n");
            let headers = Headers::parse(source.as_bytes(), 0..source.len());
            let found = remaining_coding(source.as_bytes(), &headers, body);
            let found = found.unwrap_or_default();
            assert!(found.contains(expected.unwrap_or_default()), "{header} {found}");
            assert_eq!(found.is_empty(), expected.is_none(), "{header} {found}");
        }
    }
}
