//! Placeholders in URLs of formats whose readers fill them in: `%s` of a protocol handler,
//! `{searchTerms}` of OpenSearch, `{query}` of a JSON-LD search action. They are parts of the URL,
//! which is resolved and rewritten around them.

/// Returns the placeholders of `text`, in order.
pub fn placeholders(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['%', '{']) {
        rest = rest.get(at..).unwrap_or_default();
        let length = match rest.as_bytes() {
            [b'%', b's', ..] => Some(2),
            [b'{', ..] => rest.find('}').map(|end| end + 1),
            _ => None,
        };
        found.extend(length.and_then(|length| rest.get(..length)));
        rest = rest.get(length.unwrap_or(1)..).unwrap_or_default();
    }
    found
}

/// Returns true if a placeholder replaces the scheme, the host or the first folder of a URL, so that its target
/// is unknown.
pub fn is_at_start(text: &str) -> bool {
    let text = text.trim_ascii_start();
    placeholders(text).first().is_some_and(|first| text.starts_with(first))
}

/// Returns true if `text`, a URL without its query and fragment, contains a placeholder.
pub fn is_in_path(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    !placeholders(path).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_in_order() {
        for (text, expected) in [
            ("/a?u=%s", &["%s"][..]),
            ("a?q={searchTerms}&p={startPage?}", &["{searchTerms}", "{startPage?}"]),
            ("a%20b", &[]),
            ("a{b", &[]),
            ("%{x}%s", &["{x}", "%s"]),
        ] {
            assert_eq!(placeholders(text), expected, "{text}");
        }
        assert!(is_at_start("{base}/x") && !is_at_start("/{base}"));
        assert!(is_in_path("/{a}?b") && !is_in_path("/a?q={b}"));
    }
}
