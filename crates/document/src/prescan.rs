//! "Prescan a byte stream to determine its encoding" (HTML Standard section 13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::ascii::{find_ignore_case, starts_with_ignore_case};
use super::html::scanner::attributes::{TagPart, next_part};

/// The number of bytes to prescan. Only the tree builder finds a `meta` element after them.
pub(super) const PRESCAN_LIMIT: usize = 1024;

/// Returns the encoding that the first [`PRESCAN_LIMIT`] bytes declare, if any.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = bytes.get(..PRESCAN_LIMIT).unwrap_or(bytes);
    xml_declaration(bytes).or_else(|| {
        // The word is part of every declaration, and finding none is faster than reading the tags.
        const WORD: &[u8] = b"charset";
        let is_found =
            memchr::memmem::find(bytes, WORD).is_some() || find_ignore_case(bytes, WORD).is_some();
        is_found.then_some(Prescan { bytes, position: 0 })?.run()
    })
}

/// Returns the encoding that an XML declaration at the very start names ("xml encoding", same section), or is in:
/// browsers also recognize a declaration in UTF-16 that has no byte order mark.
pub(super) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, b'?', 0, b'x', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => return Some(UTF_16BE),
        _ => {}
    }
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = declaration.get(..memchr::memchr(b'>', declaration)?)?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let rest = without_controls(declaration.get(at + b"encoding".len()..)?);
    let (quote, rest) = without_controls(rest.strip_prefix(b"=")?).split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = rest.get(..memchr::memchr(*quote, rest)?)?;
    if label.iter().any(|&b| b <= b' ') {
        return None;
    }
    encoding_from_meta_label(label)
}

/// `bytes` after the control characters and spaces at their start.
fn without_controls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&b| b > b' ');
    bytes.get(start.unwrap_or(bytes.len())..).unwrap_or_default()
}

/// The encoding of a label in a `meta` element (HTML Standard, "change the
/// encoding": UTF-16 means UTF-8 there, x-user-defined windows-1252).
fn encoding_from_meta_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == encoding_rs::X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

struct Prescan<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Prescan<'a> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    fn skip_past(&mut self, needle: &[u8]) -> Option<()> {
        let at = memchr::memmem::find(self.rest(), needle)?;
        self.position += at + needle.len();
        Some(())
    }

    fn run(mut self) -> Option<&'static Encoding> {
        while let Some(at) = memchr::memchr(b'<', self.rest()) {
            self.position += at;
            let rest = self.rest();
            if rest.starts_with(b"<!--") {
                // The two dashes may be those of the opening: `<!-->` is a comment.
                self.position += 2;
                self.skip_past(b"-->")?;
            } else if starts_with_ignore_case(rest, b"<meta")
                && rest.get(b"<meta".len()).is_some_and(|&b| is_space_or(b, b'/'))
            {
                self.position += b"<meta".len();
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                self.position += rest.iter().position(|&b| is_space_or(b, b'>'))?;
                while let TagPart::Attribute(..) = self.part()? {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.skip_past(b">")?;
            } else {
                self.position += 1;
            }
        }
        None
    }

    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut seen: Vec<&[u8]> = Vec::new();
        let mut got_pragma = false;
        // The charset, `None` if it is unknown, and "need pragma".
        let mut charset = None;
        while let TagPart::Attribute(name, value) = self.part()? {
            let (name, value) = (name.span().of(self.bytes), value.span.of(self.bytes));
            if seen.iter().any(|seen| seen.eq_ignore_ascii_case(name)) {
                continue;
            }
            if name.eq_ignore_ascii_case(b"http-equiv") {
                got_pragma |= value.eq_ignore_ascii_case(b"content-type");
            } else if name.eq_ignore_ascii_case(b"charset") {
                charset = Some((encoding_from_meta_label(value), false));
            } else if charset.is_none() && name.eq_ignore_ascii_case(b"content") {
                charset = charset_of_content(value).map(|encoding| (encoding, true));
            }
            seen.push(name);
        }
        let (encoding, needs_pragma) = charset?;
        encoding.filter(|_| got_pragma || !needs_pragma)
    }

    /// The next attribute of the tag that the position is in ("get an attribute", same section), or its end; `None` at
    /// the end of the bytes.
    fn part(&mut self) -> Option<TagPart> {
        let part = next_part(self.bytes, self.position)?;
        self.position = match &part {
            TagPart::Attribute(_, value) => value.after,
            TagPart::End { end, .. } => *end,
        };
        Some(part)
    }
}

fn is_space_or(byte: u8, other: u8) -> bool {
    byte.is_ascii_whitespace() || byte == other
}

fn is_tag(rest: &[u8]) -> bool {
    let name = match rest.get(1) {
        Some(b'/') => rest.get(2),
        other => other,
    };
    name.is_some_and(u8::is_ascii_alphabetic)
}

/// The "algorithm for extracting a character encoding from a meta element" (HTML Standard section
/// 2.6.2) on a value of `content`: `Some(None)` if it names an unknown charset.
fn charset_of_content(content: &[u8]) -> Option<Option<&'static Encoding>> {
    Some(encoding_from_meta_label(charset_label(content)?))
}

fn charset_label(mut content: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let value = loop {
        let at = find_ignore_case(content, NAME)?;
        content = content.get(at + NAME.len()..)?.trim_ascii_start();
        if let Some(value) = content.strip_prefix(b"=") {
            break value.trim_ascii_start();
        }
    };
    match value.first()? {
        quote @ (b'"' | b'\'') => {
            let value = value.get(1..)?;
            value.get(..memchr::memchr(*quote, value)?)
        }
        _ => value.split(|&b| is_space_or(b, b';')).next(),
    }
}

/// Returns the encoding a `meta` element declares, from its attributes' decoded values (the tree builder's rules for
/// the start tag "meta" in "in head").
pub(super) fn encoding_of_meta(
    charset: Option<&str>,
    http_equiv: Option<&str>,
    content: Option<&str>,
) -> Option<&'static Encoding> {
    if let Some(encoding) = charset.and_then(|label| encoding_from_meta_label(label.as_bytes())) {
        return Some(encoding);
    }
    if !http_equiv?.eq_ignore_ascii_case("content-type") {
        return None;
    }
    charset_of_content(content?.as_bytes())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_JP, KOI8_R, UTF_8, WINDOWS_1252};

    #[test]
    fn the_declared_encoding_is_found() {
        for (html, expected) in [
            ("<meta charset=koi8-r>", Some(KOI8_R)),
            ("<META CHARSET='KOI8-R'>", Some(KOI8_R)),
            ("<meta charset=\"utf-16\">", Some(UTF_8)),
            ("<meta charset=x-user-defined>", Some(WINDOWS_1252)),
            ("<?xml encoding = \t'koi8-r'?>", Some(KOI8_R)),
            ("<meta/charset=koi8-r>", Some(KOI8_R)),
            ("<metacharset=koi8-r>", None),
            ("<!-- <meta charset=koi8-r> --><meta charset=euc-jp>", Some(EUC_JP)),
            ("<!--><meta charset=koi8-r>", Some(KOI8_R)),
            ("<a title='<meta charset=koi8-r>'>", None),
            ("</a title='<meta charset=koi8-r>'>", None),
            ("<meta http-equiv=content-type content='text/html; charset=koi8-r'>", Some(KOI8_R)),
            ("<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", Some(KOI8_R)),
            ("<meta content='text/html; charset=koi8-r'>", None),
            ("<meta http-equiv=content-type content='charset'>", None),
            ("<meta charset=unknown><meta charset=koi8-r>", Some(KOI8_R)),
            ("<meta charset=koi8-r", None),
            ("<meta charset=koi8-r charset=euc-jp>", Some(KOI8_R)),
            (
                "<meta charset=koi8-r http-equiv=content-type content='charset=euc-jp'>",
                Some(KOI8_R),
            ),
            ("<meta =' charset=koi8-r>", Some(KOI8_R)),
            ("<meta content='x'charset=koi8-r>", Some(KOI8_R)),
            ("<?xml version='1.0' encoding='iso-8859-1'?><p>", Some(WINDOWS_1252)),
            ("<?xml version='1.0'?><meta charset=koi8-r>", Some(KOI8_R)),
            ("<\0?\0x\0m\0l\0", Some(UTF_16LE)),
            ("\0<\0?\0x\0m\0l", Some(UTF_16BE)),
            ("<\0h\0t\0m\0l\0", None),
            ("", None),
            ("<", None),
        ] {
            assert_eq!(prescan(html.as_bytes()), expected, "{html}");
        }
        let late = format!("{}<meta charset=koi8-r>", " ".repeat(1024));
        assert_eq!(prescan(late.as_bytes()), None);
    }
}
