//! Encodings: which one a document is in, and what it does to the queries of its URLs.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The encoding of a document and the length of its byte order mark.
pub fn sniff_encoding(bytes: &[u8]) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(bytes) {
        return found;
    }
    let declared = prescan(bytes).or_else(|| xml_declaration(bytes));
    let encoding = declared
        .unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 });
    (encoding, 0)
}

pub(super) fn decode<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    encoding.decode_without_bom_handling(bytes).0
}

/// Encodings that a document may name, but that a `meta` cannot mean.
fn declared_encoding(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        Some(UTF_8)
    } else if encoding == encoding_rs::X_USER_DEFINED || encoding == encoding_rs::REPLACEMENT {
        Some(WINDOWS_1252)
    } else {
        Some(encoding)
    }
}

/// The Standard's prescan, and, where that finds nothing, the `meta` that the tree builder would
/// find further down: there the contents of raw text elements are passed over.
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    scan_for_meta(&bytes[..bytes.len().min(1024)], &[])
        .or_else(|| scan_for_meta(bytes, RAW_TEXT_ELEMENTS))
}

const RAW_TEXT_ELEMENTS: &[&[u8]] =
    &[b"script", b"style", b"title", b"textarea", b"xmp", b"iframe", b"noembed", b"noframes"];

fn scan_for_meta(bytes: &[u8], passed_over: &[&[u8]]) -> Option<&'static Encoding> {
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|&byte| byte == b'<')?;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // The opening hyphens may be the closing ones.
            at += 2 + find(&rest[2..], b"-->")? + 3;
        } else if is_bogus_comment(rest) {
            at += find(rest, b">")? + 1;
        } else if is_tag(rest) {
            let start = at + 1;
            let length = bytes[start..]
                .iter()
                .position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' | b'>'))?;
            let name = bytes[start..start + length].to_ascii_lowercase();
            let name = name.strip_suffix(b"/").unwrap_or(&name);
            let name = name.split(|&byte| byte == b'/').next().unwrap_or_default();
            at = start + name.len();
            let mut attributes = Vec::new();
            while let Some(attribute) = next_attribute(bytes, &mut at) {
                attributes.push(attribute);
            }
            if at >= bytes.len() {
                // Cut off within the tag.
                return None;
            }
            if name == b"meta"
                && let Some(encoding) = meta_encoding(&attributes)
            {
                return Some(encoding);
            }
            if passed_over.contains(&name) {
                at += find_end_tag(&bytes[at..], name)?;
            }
        } else {
            at += 1;
        }
    }
}

fn is_bogus_comment(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'!' | b'?') => true,
        Some(b'/') => rest.get(2).is_some_and(|byte| !byte.is_ascii_alphabetic()),
        _ => false,
    }
}

fn is_tag(rest: &[u8]) -> bool {
    let letter = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(letter).is_some_and(u8::is_ascii_alphabetic)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn find_end_tag(bytes: &[u8], name: &[u8]) -> Option<usize> {
    bytes
        .windows(name.len() + 2)
        .position(|window| window.starts_with(b"</") && window[2..].eq_ignore_ascii_case(name))
}

/// The Standard's "get an attribute": name (in lowercase) and value.
fn next_attribute(bytes: &[u8], at: &mut usize) -> Option<(Vec<u8>, Vec<u8>)> {
    fn space(byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
    }
    let peek = |at: usize| bytes.get(at).copied();
    while peek(*at).is_some_and(|byte| space(byte) || byte == b'/') {
        *at += 1;
    }
    if matches!(peek(*at), None | Some(b'>')) {
        return None;
    }
    let mut name = Vec::new();
    while let Some(byte) = peek(*at) {
        if (byte == b'=' && !name.is_empty()) || space(byte) || matches!(byte, b'/' | b'>') {
            break;
        }
        name.push(byte.to_ascii_lowercase());
        *at += 1;
    }
    while peek(*at).is_some_and(space) {
        *at += 1;
    }
    if peek(*at) != Some(b'=') {
        return Some((name, Vec::new()));
    }
    *at += 1;
    while peek(*at).is_some_and(space) {
        *at += 1;
    }
    let start = *at;
    if let Some(quote @ (b'"' | b'\'')) = peek(start) {
        let length = bytes[start + 1..].iter().position(|&byte| byte == quote);
        let length = length.unwrap_or(bytes.len() - start - 1);
        *at = (start + length + 2).min(bytes.len());
        return Some((name, bytes[start + 1..start + 1 + length].to_vec()));
    }
    while peek(*at).is_some_and(|byte| !space(byte) && byte != b'>') {
        *at += 1;
    }
    Some((name, bytes[start..*at].to_vec()))
}

fn meta_encoding(attributes: &[(Vec<u8>, Vec<u8>)]) -> Option<&'static Encoding> {
    let value = |name: &[u8]| {
        attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_slice())
    };
    if let Some(charset) = value(b"charset") {
        return declared_encoding(charset);
    }
    let pragma = value(b"http-equiv")?;
    if !pragma.eq_ignore_ascii_case(b"content-type") {
        return None;
    }
    declared_encoding(charset_of_content(value(b"content")?)?)
}

/// The Standard's "extracting a character encoding from a meta element".
fn charset_of_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let at = rest.windows(7).position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = after.trim_ascii_start();
            break;
        }
    }
    match rest.first()? {
        quote @ (b'"' | b'\'') => rest[1..].split(|byte| byte == quote).next(),
        _ => rest.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next(),
    }
}

pub(super) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = &rest[..find(rest, b">")?];
    let rest = declaration[find(declaration, b"encoding")? + 8..].trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let quote = rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    declared_encoding(rest[1..].split(|byte| byte == quote).next()?)
}
/// The closure that the `url` crate wants.
pub(super) fn query_encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| encode_query(query, encoding)
}

/// The query's bytes for a legacy encoding; what it cannot say becomes `&#N;`, percent-encoded.
fn encode_query<'a>(query: &'a str, encoding: &'static Encoding) -> Cow<'a, [u8]> {
    if query.is_ascii() && encoding.is_ascii_compatible() {
        return Cow::Borrowed(query.as_bytes());
    }
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::with_capacity(query.len() * 2);
    let mut buffer = [0; 1024];
    let mut rest = query;
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        bytes.extend_from_slice(&buffer[..written]);
        rest = &rest[read..];
        match result {
            encoding_rs::EncoderResult::InputEmpty => return Cow::Owned(bytes),
            encoding_rs::EncoderResult::OutputFull => {}
            encoding_rs::EncoderResult::Unmappable(character) => {
                bytes.extend_from_slice(format!("%26%23{}%3B", u32::from(character)).as_bytes());
            }
        }
    }
}
