//! "Prescan a byte stream to determine its encoding" (HTML Standard section 13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The number of bytes to prescan. The tree builder finds a `meta` element after them.
const PRESCAN_LIMIT: usize = 1024;

/// The encoding that the first [`PRESCAN_LIMIT`] bytes declare, if any.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = bytes.get(..PRESCAN_LIMIT).unwrap_or(bytes);
    xml_declaration(bytes).or_else(|| Prescan { bytes, position: 0 }.run())
}

/// The encoding that an XML declaration at the very start names ("xml encoding", same section).
pub(super) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|&b| b == b'>')?;
    let declaration = declaration.get(..end)?;
    let name = b"encoding";
    let at = declaration
        .windows(name.len())
        .position(|window| window == name)?;
    let rest = trim_start(declaration.get(at + name.len()..)?, |b| b <= b' ');
    let rest = trim_start(rest.strip_prefix(b"=")?, |b| b <= b' ');
    let (&quote, rest) = rest.split_first()?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let end = rest.iter().position(|&b| b == quote)?;
    let label = rest.get(..end)?;
    if label.iter().any(|&b| b <= b' ') {
        return None;
    }
    encoding_from_meta_label(std::str::from_utf8(label).ok()?)
}

/// The encoding of a label in a `meta` element (HTML Standard, "change the
/// encoding": UTF-16 means UTF-8 there, x-user-defined windows-1252).
pub(super) fn encoding_from_meta_label(label: &str) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label.as_bytes())?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == encoding_rs::X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

fn trim_start(bytes: &[u8], skip: impl Fn(u8) -> bool) -> &[u8] {
    let start = bytes.iter().position(|&b| !skip(b)).unwrap_or(bytes.len());
    bytes.get(start..).unwrap_or_default()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

struct Prescan<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Prescan<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
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
            } else if starts_with_tag(rest, b"<meta") {
                self.position += b"<meta".len();
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                self.skip_tag_name()?;
                while self.attribute()?.is_some() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.skip_past(b">")?;
            } else {
                self.position += 1;
            }
        }
        None
    }

    fn skip_tag_name(&mut self) -> Option<()> {
        let at = self.rest().iter().position(|&b| is_space(b) || b == b'>')?;
        self.position += at;
        Some(())
    }

    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut got_pragma = false;
        let mut need_pragma = None;
        let mut charset = None;
        while let Some((name, value)) = self.attribute()? {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => got_pragma |= value == b"content-type",
                b"content" => {
                    if charset.is_none()
                        && let Some(found) = charset_of_content(&value)
                    {
                        charset = Some(found);
                        need_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(
                        std::str::from_utf8(&value)
                            .ok()
                            .and_then(encoding_from_meta_label),
                    );
                    need_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        if need_pragma? && !got_pragma {
            return None;
        }
        charset?
    }

    /// "Get an attribute" (same section): `None` at the end of the bytes, `Some(None)` at the end
    /// of the tag. Names and values are in lower case.
    #[allow(clippy::option_option)]
    fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        while is_space(self.byte()?) || self.byte()? == b'/' {
            self.position += 1;
        }
        if self.byte()? == b'>' {
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.byte()? {
                b'=' if !name.is_empty() => break,
                b if is_space(b) => {
                    while is_space(self.byte()?) {
                        self.position += 1;
                    }
                    if self.byte()? != b'=' {
                        return Some(Some((name, Vec::new())));
                    }
                    break;
                }
                b'/' | b'>' => return Some(Some((name, Vec::new()))),
                b => name.push(b.to_ascii_lowercase()),
            }
            self.position += 1;
        }
        self.position += 1;
        while is_space(self.byte()?) {
            self.position += 1;
        }
        let mut value = Vec::new();
        match self.byte()? {
            quote @ (b'"' | b'\'') => loop {
                self.position += 1;
                match self.byte()? {
                    b if b == quote => {
                        self.position += 1;
                        return Some(Some((name, value)));
                    }
                    b => value.push(b.to_ascii_lowercase()),
                }
            },
            b'>' => Some(Some((name, value))),
            _ => loop {
                match self.byte()? {
                    b if is_space(b) || b == b'>' => return Some(Some((name, value))),
                    b => value.push(b.to_ascii_lowercase()),
                }
                self.position += 1;
            },
        }
    }
}

fn starts_with_tag(rest: &[u8], name: &[u8]) -> bool {
    rest.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
        && rest
            .get(name.len())
            .is_some_and(|&b| is_space(b) || b == b'/')
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
pub(super) fn charset_of_content(content: &[u8]) -> Option<Option<&'static Encoding>> {
    let label = charset_label(content)?;
    Some(
        std::str::from_utf8(label)
            .ok()
            .and_then(encoding_from_meta_label),
    )
}

fn charset_label(mut content: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let value = loop {
        let at = content
            .windows(NAME.len())
            .position(|window| window.eq_ignore_ascii_case(NAME))?;
        content = trim_start(content.get(at + NAME.len()..)?, is_space);
        if let Some(value) = content.strip_prefix(b"=") {
            break trim_start(value, is_space);
        }
    };
    match value.first()? {
        quote @ (b'"' | b'\'') => {
            let value = value.get(1..)?;
            value.get(..value.iter().position(|b| b == quote)?)
        }
        _ => {
            let end = value
                .iter()
                .position(|&b| is_space(b) || b == b';')
                .unwrap_or(value.len());
            value.get(..end)
        }
    }
}

/// The encoding a `meta` element declares, from its attributes' decoded values (the tree builder's
/// rules for the start tag "meta" in "in head").
pub(super) fn encoding_of_meta(
    charset: Option<&str>,
    http_equiv: Option<&str>,
    content: Option<&str>,
) -> Option<&'static Encoding> {
    if let Some(encoding) = charset.and_then(encoding_from_meta_label) {
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
    fn prescan_table() {
        for (html, expected) in [
            ("<meta charset=koi8-r>", Some(KOI8_R)),
            ("<META CHARSET='KOI8-R'>", Some(KOI8_R)),
            ("<meta charset=\"utf-16\">", Some(UTF_8)),
            ("<meta/charset=koi8-r>", Some(KOI8_R)),
            ("<metacharset=koi8-r>", None),
            (
                "<!-- <meta charset=koi8-r> --><meta charset=euc-jp>",
                Some(EUC_JP),
            ),
            ("<!--><meta charset=koi8-r>", Some(KOI8_R)),
            ("<a title='<meta charset=koi8-r>'>", None),
            ("</a title='<meta charset=koi8-r>'>", None),
            (
                "<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
                Some(KOI8_R),
            ),
            (
                "<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>",
                Some(KOI8_R),
            ),
            ("<meta content='text/html; charset=koi8-r'>", None),
            ("<meta http-equiv=content-type content='charset'>", None),
            ("<meta charset=unknown><meta charset=koi8-r>", Some(KOI8_R)),
            ("<meta charset=koi8-r", None),
            (
                "<?xml version='1.0' encoding='iso-8859-1'?><p>",
                Some(WINDOWS_1252),
            ),
            ("<?xml version='1.0'?><meta charset=koi8-r>", Some(KOI8_R)),
            ("", None),
            ("<", None),
        ] {
            assert_eq!(prescan(html.as_bytes()), expected, "{html}");
        }
        let late = format!("{}<meta charset=koi8-r>", " ".repeat(1024));
        assert_eq!(prescan(late.as_bytes()), None);
    }
}
