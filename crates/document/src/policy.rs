//! The sources of a Content Security Policy that name the origin of a site (CSP 3 section 2.3.1, "host-source").

use rehref_url::{Span, TextEdit};

/// A source in a Content Security Policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicySource<'t> {
    /// The name of the directive that contains the source, such as `img-src`.
    pub directive: &'t str,
    /// The source, as written.
    pub text: &'t str,
    /// The bytes of `text` in the policy.
    pub span: Span,
}

/// The sources of the policies in `text`: policies end with a comma, directives with a semicolon.
fn sources(text: &str) -> impl Iterator<Item = PolicySource<'_>> {
    text.split([';', ',']).flat_map(move |directive| {
        let mut tokens = directive.split_ascii_whitespace();
        let directive = tokens.next().unwrap_or_default();
        tokens.filter_map(move |source| {
            Some(PolicySource { directive, text: source, span: Span::within(text, source)? })
        })
    })
}

/// A change of a site's origin, and the source that replaces it in policies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginChange {
    /// The old origin: `https://example.org`, with the port if it is not the default one.
    pub before: String,
    /// The source after: another origin, or `'self'`, which means all files on disk for a page on disk.
    pub after: String,
}

impl OriginChange {
    /// Returns the edits of the policy `text` that replace the old origin.
    pub fn edits(&self, text: &str) -> Vec<TextEdit> {
        let origins = sources(text).filter(|it| self.is_origin(it));
        origins.map(|it| TextEdit::new(it.span, &*self.after)).collect()
    }

    /// Returns the source expressions of the policy `text` that match URLs of the origin without being the origin
    /// itself: they have a path or a wildcard, or no scheme.
    pub fn others<'t>(&self, text: &'t str) -> impl Iterator<Item = PolicySource<'t>> {
        sources(text).filter(|it| !self.is_origin(it) && self.names_host(it.text))
    }

    /// Returns the spans of the origin in the policy `old`, each with the span of the source that replaces it
    /// in the policy `new`. The new policy may have more digests.
    pub fn replaced(&self, old: &str, new: &str) -> Vec<(Span, Span)> {
        let is_digest = |it: &PolicySource<'_>| it.text.starts_with("'sha");
        let [old, new] = [old, new].map(|it| sources(it).filter(|it| !is_digest(it)));
        let replaced =
            old.zip(new).filter(|(old, new)| self.is_origin(old) && new.text == self.after);
        replaced.map(|(old, new)| (old.span, new.span)).collect()
    }

    fn is_origin(&self, source: &PolicySource<'_>) -> bool {
        let text = source.text.strip_suffix('/').unwrap_or(source.text);
        text.eq_ignore_ascii_case(&self.before)
    }

    fn names_host(&self, source: &str) -> bool {
        let host = |url: &str| {
            let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
            rest.split(['/', ':']).next().unwrap_or_default().to_ascii_lowercase()
        };
        let (named, own) = (host(source), host(&self.before));
        match named.strip_prefix('*') {
            Some(domain) => domain.starts_with('.') && own.ends_with(domain),
            None => named == own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_url::splice_text;

    #[test]
    fn a_literal_origin_is_replaced_and_other_names_of_its_host_are_found() {
        let before = "https://e.org".to_owned();
        let change = OriginChange { before, after: "https://n.org".to_owned() };
        for (text, expected, others) in [
            ("img-src https://e.org", "img-src https://n.org", &[][..]),
            (
                "a 'self' HTTPS://e.org/;b https://e.org:8080,c https://e.org",
                "a 'self' https://n.org;b https://e.org:8080,c https://n.org",
                &["b https://e.org:8080"],
            ),
            (
                "a https://e.org/x/ e.org *.org *.e.org wss://e.org; b * https: 'nonce-e.org' https://f.org",
                "a https://e.org/x/ e.org *.org *.e.org wss://e.org; b * https: 'nonce-e.org' https://f.org",
                &["a https://e.org/x/", "a e.org", "a *.org", "a wss://e.org"],
            ),
            ("https://e.org", "https://e.org", &[]),
        ] {
            assert_eq!(splice_text(text, &change.edits(text)), expected, "{text}");
            let replaced = change.replaced(text, expected);
            assert_eq!(replaced.len(), change.edits(text).len(), "{text}");
            let found: Vec<String> =
                change.others(text).map(|it| format!("{} {}", it.directive, it.text)).collect();
            assert_eq!(found, others, "{text}");
        }
    }
}
