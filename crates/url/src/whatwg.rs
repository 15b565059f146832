//! Resolution under the URL Standard, as one of the standards: [`Url`] resolves, this module explains
//! the steps.

use encoding_rs::Encoding;

use super::components::split_before;
use super::error::ResolveError;
use super::record::Url;
use super::scheme;
use super::steps::Steps;

/// Resolves `reference` against `base`; an empty `base` means no base URL.
pub(super) fn resolve(
    base: &str,
    reference: &str,
    query_encoding: &'static Encoding,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    let base = match base {
        "" => None,
        base => Some(Url::parse(base).map_err(ResolveError::Base)?),
    };
    if steps.0.is_some() {
        note(base.as_ref(), reference, query_encoding, steps);
    }
    let target = match &base {
        Some(base) => base.resolve(reference, query_encoding)?,
        None => Url::parse(reference)?,
    };
    steps.note("4.5", format_args!("serialized: {target}"));
    Ok(target.into_string())
}

/// Notes the states of the basic URL parser (section 4.4) that the input goes through.
fn note(base: Option<&Url>, reference: &str, query_encoding: &'static Encoding, steps: &mut Steps) {
    const SECTION: &str = "4.4";
    let trimmed = reference.trim_matches(|c: char| c <= ' ');
    if trimmed.len() < reference.len() {
        steps.note(SECTION, "drop C0 controls and spaces at both ends");
    }
    let input = trimmed.replace(['\t', '\n', '\r'], "");
    if input.len() < trimmed.len() {
        steps.note(SECTION, "drop tabs and newlines");
    }
    let base_scheme = base.map(Url::scheme);
    let (name, rest) = match scheme::split(&input) {
        Some((name, rest)) => (Some(name.to_ascii_lowercase()), rest),
        None => (None, input.as_str()),
    };
    let text = match (&name, base) {
        (Some(name), _) if Some(name.as_str()) != base_scheme => {
            format!("the scheme is {name:?}: the reference is absolute")
        }
        (Some(name), _) if scheme::is_special(name) && !rest.starts_with("//") => {
            format!("the scheme is {name:?}, as in the base URL, and no \"//\" follows: relative")
        }
        (Some(name), _) => format!("the scheme is {name:?}: the reference is absolute"),
        (None, Some(base)) => format!("no scheme: relative to {base}"),
        (None, None) => "no scheme, and no base URL".to_owned(),
    };
    steps.note(SECTION, text);
    let scheme = name.as_deref().or(base_scheme);
    let special = scheme.is_some_and(scheme::is_special);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    if special && path.contains('\\') {
        steps.note(SECTION, "the scheme is special: backslashes are slashes");
    }
    let (before_fragment, _) = split_before(rest, |byte| byte == b'#');
    if before_fragment.contains('?') {
        let name = match scheme {
            Some("ws" | "wss") => "UTF-8",
            _ if special => query_encoding.output_encoding().name(),
            _ => "UTF-8",
        };
        steps.note(SECTION, format_args!("the query is encoded in {name}"));
    }
}
