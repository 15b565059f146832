//! The meaning of a reference: its target, or its text if it has no target.

use std::sync::LazyLock;

use encoding_rs::Encoding;

use rehref_document::{BaseUrl, Document, Reference, SkipReason};
use rehref_url::{AbsoluteUrl, Url};

/// The meaning of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The reference resolves to this URL.
    Target(AbsoluteUrl),
    /// The reference has no target, for this reason, so that its text must not change.
    /// [`SkipReason::BadUrl`] includes [`SkipReason::OpaqueBase`].
    Text(SkipReason),
}

/// Returns the predicates of a sentence about a reference that has no target for `reason`: in the present and in the
/// past.
pub(super) fn predicates(reason: SkipReason) -> (&'static str, &'static str) {
    match reason {
        SkipReason::TemplateMarkup => ("contains template markup", "contained template markup"),
        SkipReason::Empty => ("is empty, which is not a URL here", "was empty"),
        SkipReason::SameDocument => {
            ("means a place in its own document", "meant a place in its own document")
        }
        SkipReason::RelativeOnly => ("is a name, not a URL", "was a name, not a URL"),
        SkipReason::UnknownBase => ("has an unknown base URL", "had an unknown base URL"),
        SkipReason::Kept => ("is kept by --keep-links", "was kept by --keep-links"),
        SkipReason::BadUrl
        | SkipReason::PathOnly
        | SkipReason::OpaqueBase
        | SkipReason::NotHierarchical
        | SkipReason::Unreadable
        | SkipReason::RedirectRule
        | SkipReason::Signed
        | SkipReason::Compared
        | SkipReason::NoFile
        | SkipReason::Inexpressible => ("does not resolve to a URL", "did not resolve to a URL"),
    }
}

/// Returns whether the reason depends only on the text of the reference, not on its base URL.
pub(super) fn depends_on_text(reason: SkipReason) -> bool {
    !matches!(reason, SkipReason::BadUrl | SkipReason::UnknownBase)
}

/// Two URLs that have no component in common. A reference that resolves to the same URL against
/// both does not depend on its base URL.
static ANYWHERE: LazyLock<Vec<Url>> = LazyLock::new(|| {
    ["http://a.invalid/b/c?d", "https://e.invalid/f?g"]
        .into_iter()
        .filter_map(|url| Url::parse(url).ok())
        .collect()
});

/// Finds the meaning of `reference` of `document`. `bases` are the base URLs of the document's
/// scopes, `own` is its fallback base URL. `is_before`: nobody opens the pages of a mirror where their authors wrote them,
/// so that a query means what it meant there.
pub(super) fn of(
    document: &Document<'_>,
    reference: &Reference,
    bases: &[BaseUrl],
    own: &AbsoluteUrl,
    is_before: bool,
) -> Meaning {
    let text = document.text_of(reference);
    let encoding = document
        .container_of(reference)
        .map_or(encoding_rs::UTF_8, |container| container.query_encoding);
    if let Some(reason) = reference.skip_reason() {
        return Meaning::Text(reason);
    }
    if own.standard().is_current_document(text) {
        return Meaning::Text(SkipReason::SameDocument);
    }
    let base = document.base_of(reference, bases);
    let of_query = base.as_deref().filter(|_| is_before);
    let of_query = of_query.and_then(|base| base.base_of_query(own, text));
    match of_query.as_ref().or(base.as_deref()).map(|base| base.resolve(text, encoding)) {
        Some(Ok(target)) => Meaning::Target(target),
        Some(Err(_)) => Meaning::Text(SkipReason::BadUrl),
        None => without_base(text, own, encoding),
    }
}

/// Returns the target that `reference` would have if a name stood in place of its unknown part. Another such target in
/// AFTER shows that nothing is known of what the reference leads to. `None` if the meaning of the reference, which has
/// the same text on both sides, does not depend on its base URL.
pub(super) fn probe(
    document: &Document<'_>,
    reference: &Reference,
    reason: SkipReason,
    bases: &[BaseUrl],
    own: &AbsoluteUrl,
) -> Option<AbsoluteUrl> {
    let known = document.known_part(reference);
    let text = match reason {
        SkipReason::TemplateMarkup => format!("{known}x"),
        SkipReason::RelativeOnly | SkipReason::UnknownBase => known.to_owned(),
        _ => return None,
    };
    let base = document.base_of(reference, bases);
    base.as_deref().unwrap_or(own).resolve(&text, encoding_rs::UTF_8).ok()
}

fn without_base(text: &str, own: &AbsoluteUrl, encoding: &'static Encoding) -> Meaning {
    let mut targets = ANYWHERE
        .iter()
        .map(|base| AbsoluteUrl::new(own.standard(), base.clone()).resolve(text, encoding));
    match (targets.next(), targets.next()) {
        (Some(Ok(one)), Some(Ok(other))) if one == other => Meaning::Target(one),
        (Some(Err(_)), Some(Err(_))) => Meaning::Text(SkipReason::BadUrl),
        _ => Meaning::Text(SkipReason::UnknownBase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::UTF_8;
    use rehref_url::Standard;

    #[test]
    fn without_a_base_only_an_absolute_url_has_a_target() {
        let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse("http://h/").unwrap());
        for (text, expected) in [
            ("http://x", Some("http://x/")),
            ("mailto:a@b", Some("mailto:a@b")),
            ("http:x", None),
            ("https:x", None),
            ("//x", None),
            ("x", None),
            ("#x", None),
            ("", None),
        ] {
            let expected = match expected {
                Some(url) => {
                    Meaning::Target(AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()))
                }
                None => Meaning::Text(SkipReason::UnknownBase),
            };
            assert_eq!(without_base(text, &own, UTF_8), expected, "{text}");
        }
        assert_eq!(without_base("http://[", &own, UTF_8), Meaning::Text(SkipReason::BadUrl));
    }
}
