//! `meta http-equiv=refresh`: the "shared declarative refresh steps" (HTML Standard section
//! 4.2.5.3).

use crate::document::Span;

/// The byte range of the URL in the value of `content`. `None` where the value refreshes the
/// document itself or means nothing.
pub fn url(content: &str) -> Option<Span> {
    let bytes = content.as_bytes();
    let mut position = skip_while(bytes, 0, |b| b.is_ascii_whitespace());
    let digits_end = skip_while(bytes, position, |b| b.is_ascii_digit());
    if digits_end == position && bytes.get(position) != Some(&b'.') {
        return None;
    }
    position = skip_while(bytes, digits_end, |b| b.is_ascii_digit() || b == b'.');
    let separator = *bytes.get(position)?;
    if !matches!(separator, b';' | b',') && !separator.is_ascii_whitespace() {
        return None;
    }
    position = skip_while(bytes, position, |b| b.is_ascii_whitespace());
    if matches!(bytes.get(position), Some(b';' | b',')) {
        position += 1;
    }
    position = skip_while(bytes, position, |b| b.is_ascii_whitespace());
    if position >= bytes.len() {
        return None;
    }
    let mut start = position;
    match after_url_equals(bytes, position) {
        UrlEquals::Whole(after) => start = after,
        // "u" without "rl=" goes to the step labeled parse: no quotes are looked for.
        UrlEquals::Started => return Some(Span::from(start..bytes.len())),
        UrlEquals::None => {}
    }
    match bytes.get(start) {
        Some(&quote @ (b'"' | b'\'')) => {
            start += 1;
            let rest = bytes.get(start..).unwrap_or_default();
            let length = rest.iter().position(|&b| b == quote);
            Some(Span::from(start..start + length.unwrap_or(rest.len())))
        }
        _ => Some(Span::from(start..bytes.len())),
    }
}

/// After how many seconds the value of `content` refreshes; `None` where it means nothing.
pub fn seconds(content: &str) -> Option<u64> {
    let content = content.trim_ascii_start();
    let end = content.find(|c: char| !c.is_ascii_digit());
    let digits = content.get(..end.unwrap_or(content.len()))?;
    match digits {
        "" => content.starts_with('.').then_some(0),
        // So many digits mean never.
        digits => Some(digits.parse().unwrap_or(u64::MAX)),
    }
}

enum UrlEquals {
    /// Nothing that begins like "url" (any letter case).
    None,
    /// It begins with "u" and goes on otherwise.
    Started,
    /// "url", white space, "=", white space; the offset behind.
    Whole(usize),
}

fn after_url_equals(bytes: &[u8], start: usize) -> UrlEquals {
    let mut position = start;
    for letter in *b"url" {
        if !bytes
            .get(position)
            .is_some_and(|b| b.eq_ignore_ascii_case(&letter))
        {
            return if position == start {
                UrlEquals::None
            } else {
                UrlEquals::Started
            };
        }
        position += 1;
    }
    position = skip_while(bytes, position, |b| b.is_ascii_whitespace());
    if bytes.get(position) != Some(&b'=') {
        return UrlEquals::Started;
    }
    UrlEquals::Whole(skip_while(bytes, position + 1, |b| b.is_ascii_whitespace()))
}

fn skip_while(bytes: &[u8], from: usize, skip: impl Fn(u8) -> bool) -> usize {
    bytes
        .iter()
        .enumerate()
        .skip(from)
        .find(|&(_, &b)| !skip(b))
        .map_or(bytes.len().max(from), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn refresh_table() {
        for (content, expected) in [
            ("", None),
            ("5", None),
            ("5;", None),
            ("5; ", None),
            ("x; url=a", None),
            ("5x; url=a", None),
            ("5; url=a", Some("a")),
            ("5, URL = 'a b' c", Some("a b")),
            ("5;url=\"a", Some("a")),
            ("5;url=", Some("")),
            ("5 a", Some("a")),
            ("5;'a'", Some("a")),
            ("5;u'a'", Some("u'a'")),
            ("5;url a", Some("url a")),
            (".5;url=a", Some("a")),
            ("0.1.2;url=a ", Some("a ")),
            ("5;;url=a", Some(";url=a")),
            (" 1 url=ä", Some("ä")),
        ] {
            assert_eq!(
                url(content).map(|range| &content[range.range()]),
                expected,
                "{content}"
            );
        }
    }
}
