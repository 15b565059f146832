//! URL-like specifiers of import maps: "resolve a URL-like module specifier" (HTML Standard, section
//! 8.1.5.1).

use std::borrow::Cow;

use rehref_url::Url;

const PREFIXES: [&str; 3] = ["/", "./", "../"];

/// Returns true if a specifier or an address is a URL at all, before any base is known. One with a prefix of
/// the three may still fail to resolve: against a `data:` base, or as `//[`.
pub fn is_url_like(specifier: &str) -> bool {
    is_relative(specifier) || Url::parse(specifier).is_ok()
}

/// Returns true if a specifier has a prefix that makes it a relative reference.
pub fn is_relative(specifier: &str) -> bool {
    PREFIXES.iter().any(|&prefix| specifier.starts_with(prefix))
}

/// Writes `reference` for a place that requires [`is_url_like`]: `a/b` becomes `./a/b`. `None` for a
/// reference that has to be written with a path: an empty one, a query or a fragment alone.
pub fn url_like(reference: &str) -> Option<Cow<'_, str>> {
    if is_url_like(reference) {
        return Some(reference.into());
    }
    match reference.bytes().next() {
        // The URL parser strips white space in front, but not after `./`.
        None | Some(b'?' | b'#' | b'\\' | 0..=b' ') => None,
        Some(_) => Some(format!("./{reference}").into()),
    }
}
