//! Resolution under RFC 1630 (June 1994), section "Partial (relative) form".
//!
//! A URL has no components except the scheme and the fragment: slashes are counted, and a query is
//! part of the path. RFC 1630 as published gives `magic://a/g` for `/g` in its examples, against its
//! own rule; the corrected table has `magic://a/b/c//d/g`, which this module gives.

use super::components::Components;
use super::error::ResolveError;
use super::segment::directory;
use super::standard::Standard;
use super::steps::Steps;

const SECTION: &str = "Partial (relative) form";

/// Resolves `reference` against `base`.
pub(super) fn resolve(
    base: &str,
    reference: &str,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    if base.is_empty() {
        let text = "the base is empty: the reference is absolute";
        steps.note(SECTION, text);
        return Ok(reference.to_owned());
    }
    let parts = Components::split_rfc1630(reference);
    if parts.scheme.is_some() {
        steps.note(SECTION, "a colon before any reserved character: the reference is absolute");
        return Ok(reference.to_owned());
    }
    let base = Components::split_rfc1630(base);
    base.check_base(Standard::Rfc1630)?;
    let slashes = parts.path.bytes().take_while(|&byte| byte == b'/').count();
    let path = if slashes > 0 {
        let end = run_of_slashes(base.path, slashes).ok_or(ResolveError::NoSuchSlashes(slashes))?;
        let kept = base.path.get(..end).unwrap_or_default();
        let run = parts.path.get(..slashes).unwrap_or_default();
        steps.note(
            SECTION,
            format_args!("the reference starts with {run:?}: keep {kept:?}, the part of the base URL before the first run of this length"),
        );
        format!("{kept}{}", parts.path)
    } else {
        let kept = directory(base.path);
        steps.note(SECTION, format_args!("no leading slash: keep {kept:?}, up to the last one"));
        let path = remove_dots(&format!("{kept}{}", parts.path));
        steps.note(SECTION, format_args!("remove \"xxx/../\" and \"/.\": {path:?}"));
        path
    };
    Ok(Components {
        scheme: base.scheme,
        path: &path,
        fragment: parts.fragment,
        ..Components::default()
    }
    .recompose())
}

/// Returns the byte offset of the first run of exactly `count` slashes that no longer run follows.
pub(super) fn run_of_slashes(path: &str, count: usize) -> Option<usize> {
    let mut found = None;
    let mut run = 0;
    for (at, byte) in path.bytes().chain([0]).enumerate() {
        if byte == b'/' {
            run += 1;
            continue;
        }
        if run > count {
            found = None;
        } else if run == count && run > 0 && found.is_none() {
            found = Some(at - run);
        }
        run = 0;
    }
    found
}

/// Removes `xxx/../` and `/.`, recursively, "where xxx, .. and . are complete path elements". An
/// element may be empty. A `..` at the end stays, because no slash follows it.
fn remove_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut elements = path.split('/').peekable();
    let mut first = true;
    while let Some(element) = elements.next() {
        let last = elements.peek().is_none();
        match element {
            "." if !first => {}
            ".." if !last && !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(element),
        }
        first = false;
    }
    kept.join("/")
}
