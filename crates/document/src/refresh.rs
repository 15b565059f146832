//! `meta http-equiv=refresh`: the "shared declarative refresh steps" (HTML Standard section
//! 4.2.5.3).

use rehref_url::Span;

/// Returns the span of the URL in `content`, the value of the attribute. `None` if the value refreshes the document
/// itself, or browsers ignore it.
pub fn url(content: &str) -> Option<Span> {
    let start = content.trim_ascii_start();
    let after = start.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == start.len() && !after.starts_with('.') {
        return None;
    }
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let separator = after.chars().next()?;
    if !matches!(separator, ';' | ',') && !separator.is_ascii_whitespace() {
        return None;
    }
    let after = after.trim_ascii_start();
    let after = after.strip_prefix([';', ',']).unwrap_or(after).trim_ascii_start();
    if after.is_empty() {
        return None;
    }
    let common = after.bytes().zip(*b"url");
    let value = match common.take_while(|(b, letter)| b.eq_ignore_ascii_case(letter)).count() {
        0 => Some(after),
        3 => after.get(3..)?.trim_ascii_start().strip_prefix('='),
        _ => None,
    };
    let Some(value) = value.map(str::trim_ascii_start) else {
        // "u" without "rl=" goes to the step labeled parse, which does not strip quotes.
        return Span::within(content, after);
    };
    let url = match value.as_bytes().first() {
        Some(&quote @ (b'"' | b'\'')) => value.split(char::from(quote)).nth(1)?,
        _ => value,
    };
    Span::within(content, url)
}

/// Returns the span of the URL that the author of `content` intended, if browsers ignore the value because of
/// the text before the URL.
pub fn unread_url(content: &str) -> Option<Span> {
    if self::url(content).is_some() {
        return None;
    }
    let name = content.to_ascii_lowercase().find("url")?;
    let rest = content.get(name + 3..)?.trim_ascii_start().strip_prefix('=')?;
    let url = rest.trim_ascii().trim_matches(['"', '\'']);
    Span::within(content, url).filter(|_| !url.is_empty())
}

/// Returns the delay of the refresh `content` in seconds; `None` if browsers ignore the value.
pub fn seconds(content: &str) -> Option<u64> {
    let content = content.trim_ascii_start();
    let end = content.find(|c: char| !c.is_ascii_digit());
    match content.get(..end.unwrap_or(content.len()))? {
        "" => content.starts_with('.').then_some(0),
        // A number above 64 bits means never.
        digits => Some(digits.parse().unwrap_or(u64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::{unread_url, url};

    #[test]
    fn the_url_of_a_refresh_that_browsers_ignore_is_found() {
        for (content, expected) in [
            ("3s;url=a.html", Some("a.html")),
            ("URL='a'", Some("a")),
            ("x; url = a ", Some("a")),
            ("5; url=a", None),
            ("5;url=", None),
            ("5s;url=", None),
            ("5s", None),
            ("5s;u", None),
        ] {
            let found = unread_url(content).map(|range| &content[range.range()]);
            assert_eq!(found, expected, "{content}");
        }
    }

    #[test]
    fn the_url_of_a_refresh_is_found() {
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
            assert_eq!(url(content).map(|range| &content[range.range()]), expected, "{content}");
        }
    }
}
