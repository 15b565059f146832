//! What a reference stands for.

use std::sync::LazyLock;

use encoding_rs::Encoding;

use crate::document::reference::{BaseOf, Class};
use crate::document::{BaseUrl, Document, Reference, template_markup};
use crate::url::{AbsoluteUrl, Url};

/// What a reference stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// This URL.
    Target(AbsoluteUrl),
    /// Nothing that could be told from its text, which therefore must not change.
    Text(Untold),
}

/// Why a reference has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Untold {
    TemplateMarkup,
    Empty,
    SameDocument,
    RelativeOnly,
    /// It is no URL, or nothing can be relative to its base URL.
    Nowhere,
    UnknownBase,
}

impl Untold {
    /// As the end of a sentence about a reference.
    pub(super) fn words(self) -> &'static str {
        match self {
            Untold::TemplateMarkup => "holds template markup",
            Untold::Empty => "is empty, which is no URL here",
            Untold::SameDocument => "means a place in its own document",
            Untold::RelativeOnly => "is a name that is no URL",
            Untold::Nowhere => "is no URL that leads anywhere",
            Untold::UnknownBase => "has a base URL that is not known",
        }
    }
}

/// Two URLs that a reference with a target of its own resolves alike against: nothing of them is the
/// same.
static ANYWHERE: LazyLock<Vec<Url>> = LazyLock::new(|| {
    ["http://a.invalid/b/c?d", "https://e.invalid/f?g"]
        .into_iter()
        .filter_map(|url| Url::parse(url).ok())
        .collect()
});

/// What `reference` of `document` stands for. `bases` are the base URLs of the document's scopes,
/// `own` is the document's fallback base URL.
pub(super) fn of(
    document: &Document<'_>,
    reference: &Reference,
    bases: &[BaseUrl],
    own: &AbsoluteUrl,
) -> Meaning {
    let text = document.text_of(reference);
    let encoding = document
        .container_of(reference)
        .map_or(encoding_rs::UTF_8, |container| container.query_encoding);
    match reference.class {
        Class::TemplateMarkup => return Meaning::Text(Untold::TemplateMarkup),
        Class::Empty => return Meaning::Text(Untold::Empty),
        Class::SameDocument => return Meaning::Text(Untold::SameDocument),
        Class::RelativeOnly => return Meaning::Text(Untold::RelativeOnly),
        Class::Ordinary if own.standard().is_current_document(text) => {
            return Meaning::Text(Untold::SameDocument);
        }
        Class::Ordinary => {}
    }
    let base_of = |scope: usize| bases.get(scope)?.url.as_ref();
    let resolved = match &reference.base {
        BaseOf::Scope(scope) => base_of(*scope).map(|base| base.resolve(text, encoding)),
        BaseOf::Fallback(scope) => bases
            .get(*scope)
            .and_then(|base| base.fallback.as_ref())
            .map(|base| base.resolve(text, encoding)),
        BaseOf::Codebase(scope, codebase) => base_of(*scope)
            .and_then(|base| directory(base, codebase, encoding))
            .map(|base| base.resolve(text, encoding)),
        BaseOf::Unknown => None,
    };
    match resolved {
        Some(Ok(target)) => Meaning::Target(target),
        Some(Err(_)) => Meaning::Text(Untold::Nowhere),
        None => without_base(text, own, encoding),
    }
}

/// What an applet's `archive` is relative to.
fn directory(
    base: &AbsoluteUrl,
    codebase: &str,
    encoding: &'static Encoding,
) -> Option<AbsoluteUrl> {
    if template_markup::is_in(codebase) {
        return None;
    }
    if codebase.trim_ascii().is_empty() {
        return Some(base.clone());
    }
    Some(base.resolve(codebase, encoding).ok()?.as_directory())
}

fn without_base(text: &str, own: &AbsoluteUrl, encoding: &'static Encoding) -> Meaning {
    let mut targets = ANYWHERE
        .iter()
        .map(|base| AbsoluteUrl::new(own.standard(), base.clone()).resolve(text, encoding));
    match (targets.next(), targets.next()) {
        (Some(Ok(one)), Some(Ok(other))) if one == other => Meaning::Target(one),
        (Some(Err(_)), Some(Err(_))) => Meaning::Text(Untold::Nowhere),
        _ => Meaning::Text(Untold::UnknownBase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Standard;
    use encoding_rs::UTF_8;

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
                None => Meaning::Text(Untold::UnknownBase),
            };
            assert_eq!(without_base(text, &own, UTF_8), expected, "{text}");
        }
        assert_eq!(
            without_base("http://[", &own, UTF_8),
            Meaning::Text(Untold::Nowhere)
        );
    }
}
