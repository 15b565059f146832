//! URL-like specifiers of import maps: "resolve a URL-like module specifier" (HTML Standard, section
//! 8.1.5.1).

use std::borrow::Cow;

use rehref_url::Url;

const PREFIXES: [&str; 3] = ["/", "./", "../"];

/// Returns true if an import map accepts this specifier or address as a URL, before the base URL is known. It
/// may still fail to resolve: against a `data:` base, or as `//[`.
pub fn is_url_like(specifier: &str) -> bool {
    is_relative(specifier) || Url::parse(specifier).is_ok()
}

/// Returns true if a specifier has a prefix that makes it a relative reference.
pub fn is_relative(specifier: &str) -> bool {
    PREFIXES.iter().any(|&prefix| specifier.starts_with(prefix))
}

/// Returns `reference` in a form that [`is_url_like`] accepts: `a/b` becomes `./a/b`. Returns `None` for an
/// empty reference, or only a query or fragment, which must be written with a path.
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
