//! Resolves and relativizes URLs.

use pyo3::prelude::*;
use rehref::{RelativeForm, Standard, Url};

use crate::UrlError;

/// The absolute URL `text`.
pub(crate) fn parse(text: &str) -> PyResult<Url> {
    Url::parse(text).map_err(|error| UrlError::new_err(format!("{text:?}: {error}")))
}

/// The form with this name.
pub(crate) fn form(name: &str) -> PyResult<RelativeForm> {
    let names = || RelativeForm::all().map(RelativeForm::name).collect::<Vec<_>>();
    name.parse().map_err(|_| {
        UrlError::new_err(format!("form {name:?}: pass one of {}", names().join(", ")))
    })
}

/// Returns the absolute URL that `reference` has at the absolute URL `base`.
///
/// `standard` is whatwg (as browsers), rfc3986, rfc1808 or rfc1630.
///
/// >>> resolve("../a b", "https://example.org/docs/guide/")
/// 'https://example.org/docs/a%20b'
#[pyfunction]
#[pyo3(signature = (reference, base, *, standard = "whatwg"))]
pub(crate) fn resolve(reference: &str, base: &str, standard: &str) -> PyResult<String> {
    let names = || Standard::all().map(Standard::name).collect::<Vec<_>>();
    let standard: Standard = standard.parse().map_err(|_| {
        UrlError::new_err(format!("standard {standard:?}: pass one of {}", names().join(", ")))
    })?;
    let base = Url::parse_with(base, standard)
        .map_err(|error| UrlError::new_err(format!("{base:?}: {error}")))?;
    let url = base
        .resolve(reference)
        .map_err(|error| UrlError::new_err(format!("{reference:?}: {error}")))?;
    Ok(url.as_str().to_owned())
}

/// Returns a reference that resolves to `target` at `base`; None if there is none of this `form`.
///
/// `form` is path (`../a`), root (`/a`) or scheme (`//example.org/a`). `base` and `target` are absolute URLs.
///
/// >>> relativize("https://example.org/a", "https://example.org/docs/b")
/// '../a'
#[pyfunction]
#[pyo3(signature = (target, base, *, form = "path"))]
pub(crate) fn relativize(target: &str, base: &str, form: &str) -> PyResult<Option<String>> {
    Ok(parse(base)?.relativize(&parse(target)?, self::form(form)?))
}
