//! URL-like specifiers of import maps: "resolve a URL-like module specifier" (HTML Standard, section
//! 8.1.5.1).

use std::borrow::Cow;

use crate::url::Url;

const PREFIXES: [&str; 3] = ["/", "./", "../"];

/// Whether a specifier or an address is a URL at all: "resolve a URL-like module specifier" (HTML
/// Standard, section 8.1.5.1), before any base is known. What has one of the three prefixes may
/// still not resolve, against a `data:` base or as `//[`.
pub fn is_url_like(specifier: &str) -> bool {
    is_relative(specifier) || Url::parse(specifier).is_ok()
}

pub(super) fn is_relative(specifier: &str) -> bool {
    PREFIXES.iter().any(|&prefix| specifier.starts_with(prefix))
}

/// `reference` as it has to be written where [`is_url_like`] is asked for: `a/b` becomes `./a/b`.
/// `None` for what needs more than that, an empty reference, a query or a fragment alone: it has to
/// be written with a path.
pub fn url_like(reference: &str) -> Option<Cow<'_, str>> {
    if is_url_like(reference) {
        return Some(reference.into());
    }
    match reference.bytes().next() {
        // White space in front would be stripped, but not behind `./`.
        None | Some(b'?' | b'#' | b'\\' | 0..=b' ') => None,
        Some(_) => Some(format!("./{reference}").into()),
    }
}
