//! The values of `Link` headers, in messages and in the files of hosts.

use rehref_url::Span;

/// The spans of the references in a `Link` (RFC 8288 section 3): in angle brackets, outside of quotes.
pub(crate) fn urls(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open = None;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match (c, open) {
            _ if is_escaped => is_escaped = false,
            ('\\', _) if is_quoted => is_escaped = true,
            ('"', None) => is_quoted = !is_quoted,
            _ if is_quoted => {}
            ('<', None) => open = Some(at + 1),
            ('>', Some(_)) => found.extend(open.take().map(|start| Span::from(start..at))),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_in_brackets() {
        for (text, expected) in [
            ("<a>; rel=next", &["a"][..]),
            ("<a>; rel=\"x\", </b,c>; title=\"<d> \\\" <e>\"", &["a", "/b,c"]),
            ("<>", &[""]),
            ("<a", &[]),
            ("a", &[]),
        ] {
            let found: Vec<&str> =
                urls(text).into_iter().map(|range| &text[range.range()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
