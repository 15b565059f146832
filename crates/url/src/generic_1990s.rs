//! Resolution under RFC 1808 as its drafts 03 and 05 (January 1995) have it, section 4, and under
//! draft-fielding-uri-url-00 (November 1996), sections 3 and 6. The two have the same steps.

use std::borrow::Cow;

use super::components::Components;
use super::error::ResolveError;
use super::segment::directory;
use super::standard::Standard;
use super::steps::Steps;

/// Resolves `reference` against `base`. Under the 1996 draft `base`, without its fragment, also counts
/// as the URL of the current document.
pub(super) fn resolve(
    standard: Standard,
    base: &str,
    reference: &str,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    let is_draft = standard == Standard::UrlDraft1996;
    // The section with the steps.
    let section = if is_draft { "6" } else { "4" };
    if base.is_empty() {
        let text = "the base is empty: the reference is absolute";
        steps.note(format_args!("{section} step 1"), text);
        return Ok(reference.to_owned());
    }
    let (whole_base, whole_reference) = (base, reference);
    let reference = Components::split_1990s(reference);
    if reference.scheme.is_some() {
        let text = "the reference has a scheme: it is absolute";
        steps.note(format_args!("{section} step 2b"), text);
        return Ok(whole_reference.to_owned());
    }
    let base = Components::split_1990s(base);
    if base.scheme.is_none() {
        return Err(ResolveError::RelativeBase);
    }
    let only_fragment = is_current_document(&reference);
    if is_draft && only_fragment {
        steps.note("3, 6 step 2a", "the reference means the current document");
        let fragment = reference.fragment;
        return Ok(recombine(&Components { fragment, ..base }));
    }
    if whole_reference.is_empty() {
        steps.note("4 step 2a", "the reference is empty: it is the base");
        return Ok(whole_base.to_owned());
    }
    if !only_fragment {
        base.check_base(standard)?;
    }
    let mut target = Components { scheme: base.scheme, ..reference };
    if is_given(reference.authority) {
        let text = "the reference has a net_loc: keep the other components";
        steps.note(format_args!("{section} step 3"), text);
        return Ok(recombine(&target));
    }
    target.authority = base.authority;
    if reference.path.starts_with('/') {
        let text = "the path starts with a slash: keep it";
        steps.note(format_args!("{section} step 4"), text);
        return Ok(recombine(&target));
    }
    if reference.path.is_empty() {
        target.path = base.path;
        if !is_given(reference.params) {
            target.params = base.params;
            if !is_given(reference.query) {
                target.query = base.query;
            }
        }
        let text = "the path is empty: inherit it, then params, then query, up to what is given";
        steps.note(format_args!("{section} step 5"), text);
        return Ok(recombine(&target));
    }
    let (slash, base_path) = match base.path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", base.path),
    };
    let merged = format!("{slash}{}{}", directory(base_path), reference.path);
    steps.note(format_args!("{section} step 6"), format_args!("merge the paths: {merged:?}"));
    let segments = merged.get(slash.len()..).unwrap_or_default();
    let path = format!("{slash}{}", remove_dots(segments, !is_draft));
    steps
        .note(format_args!("{section} steps 6a-6d"), format_args!("remove dot segments: {path:?}"));
    target.path = &path;
    Ok(recombine(&target))
}

/// Removes dot segments (steps 6a to 6d). Removing the leftmost `<segment>/../` repeatedly has the same result as a stack (the
/// 1996 draft, section 6, allows any such method). `removes_double_dots`: a `..` removes any segment in
/// steps 6c and 6d, even another `..`, by the letter of the 1995 drafts; RFC 1808 itself was the first to
/// exclude that.
fn remove_dots(path: &str, removes_double_dots: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        let removes = kept.last().is_some_and(|&before| removes_double_dots || before != "..");
        match segment {
            "." if last => kept.push(""),
            "." => {}
            ".." if removes => {
                kept.pop();
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    kept.join("/")
}

/// Joins the components (step 7). An empty component leaves no delimiter.
fn recombine(parts: &Components<'_>) -> String {
    let authority = parts.authority.filter(|part| !part.is_empty());
    let mut path = Cow::Borrowed(parts.path);
    if authority.is_some() && !path.is_empty() && !path.starts_with('/') {
        path.to_mut().insert(0, '/');
    }
    Components {
        scheme: parts.scheme,
        authority,
        path: &path,
        params: parts.params.filter(|part| !part.is_empty()),
        query: parts.query.filter(|part| !part.is_empty()),
        fragment: parts.fragment.filter(|part| !part.is_empty()),
    }
    .recompose()
}

/// Returns true if `reference` is empty or only a fragment, which the 1996 draft reads as the document that
/// holds it (section 3).
pub(super) fn is_current_document(reference: &Components<'_>) -> bool {
    reference.scheme.is_none()
        && reference.path.is_empty()
        && ![reference.authority, reference.params, reference.query].into_iter().any(is_given)
}

/// Returns true if `part` is present. These documents do not distinguish an empty component from an absent one.
fn is_given(part: Option<&str>) -> bool {
    part.is_some_and(|part| !part.is_empty())
}
