//! URLs in running text, which some generators make links ("autolinks (extension)", GFM section 6.9).

use rehref_url::Span;

/// The schemes that begin such a URL. The forms without a scheme (`www.`, mail addresses) name other hosts whatever
/// the run does.
const SCHEMES: &[&str] = &["https", "http"];

/// The characters between a scheme and a host.
const SEPARATOR: &str = "://";

/// Characters at the end of a URL that belong to the text around it.
const TRAILING: &[char] = &['?', '!', '.', ',', ':', '*', '_', '~', '\'', '"'];

/// Returns the spans of the URLs in `text`, in order. `before`: the character before the text.
pub(super) fn urls(text: &str, before: Option<char>) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for (colon, _) in text.match_indices(SEPARATOR) {
        let Some(at) = text.get(..colon).and_then(scheme_at_end) else { continue };
        let previous = text.get(..at).and_then(|it| it.chars().next_back());
        let previous = previous.or(before);
        let may_start = previous
            .is_none_or(|c| c.is_whitespace() || matches!(c, '*' | '_' | '~' | '(') || is_other(c))
            && found.last().is_none_or(|last| last.end <= at);
        let rest = text.get(at..).filter(|_| may_start);
        let length = rest.and_then(|rest| url(rest, colon + SEPARATOR.len() - at));
        found.extend(length.map(|length| Span::from(at..at + length)));
    }
    found
}

/// Returns true if a character that is not ASCII may come before a URL, as in languages without spaces.
fn is_other(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric()
}

/// The start of the scheme at the end of `text`.
fn scheme_at_end(text: &str) -> Option<usize> {
    SCHEMES.iter().find_map(|scheme| {
        let start = text.len().checked_sub(scheme.len())?;
        text.get(start..)?.eq_ignore_ascii_case(scheme).then_some(start)
    })
}

/// The length of the URL at the start of `text`, whose host begins at `host`; `None` if no valid domain is there.
fn url(text: &str, host: usize) -> Option<usize> {
    let rest = text.get(host..)?;
    let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
    let domain = rest.get(..rest.find(is_end).unwrap_or(rest.len()))?;
    let domain = domain.trim_end_matches('.');
    let mut last = domain.rsplit('.');
    let is_valid = !domain.is_empty()
        && domain.contains('.')
        && !last.by_ref().take(2).any(|label| label.contains('_'));
    if !is_valid {
        return None;
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '<');
    let whole = text.get(..host + end.unwrap_or(rest.len()))?;
    let length = without_trailing(whole).len();
    (length >= host + domain.len()).then_some(length)
}

/// `url` without the characters at its end that belong to the text ("extended autolink path validation").
fn without_trailing(mut url: &str) -> &str {
    let open = url.matches('(').count();
    let mut surplus = url.matches(')').count().saturating_sub(open);
    loop {
        let before = url;
        url = url.trim_end_matches(TRAILING);
        if let Some(rest) = url.strip_suffix(')').filter(|_| surplus > 0) {
            url = rest;
            surplus -= 1;
        }
        if let Some((start, name)) = url.strip_suffix(';').and_then(|it| it.rsplit_once('&'))
            && !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            url = start;
        }
        if url.len() == before.len() {
            return url;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_end_where_the_text_goes_on() {
        for (text, expected) in [
            ("see https://example.org/a.", &["https://example.org/a"][..]),
            ("(https://example.org/a)", &["https://example.org/a"]),
            ("https://example.org/a_(b)", &["https://example.org/a_(b)"]),
            ("(https://example.org/a_(b))", &["https://example.org/a_(b)"]),
            ("https://example.org/?a=b&copy;", &["https://example.org/?a=b"]),
            ("HTTP://example.org", &["HTTP://example.org"]),
            ("https://a.example/b<br>", &["https://a.example/b"]),
            ("https://example/ https://a_b.c/ https:// http", &[]),
            ("xhttps://example.org/", &[]),
            ("http://a.b/c, **http://d.e/f**", &["http://a.b/c", "http://d.e/f"]),
        ] {
            let found: Vec<&str> = urls(text, None).iter().map(|it| it.of_str(text)).collect();
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(urls("https://a.b/", Some('x')), []);
        // One pass over each.
        let many = |text: &str| text.repeat(100_000);
        assert_eq!(urls(&many("xhttp://a.b/"), None), []);
        for end in [")", ").", "&a;"] {
            let text = format!("https://a.b/(x){}", many(end));
            let length = urls(&text, None)[0].len();
            assert!(length <= 17, "{end}: {length}");
        }
    }
}
