//! Resolution under RFC 1808 as its drafts 03 and 05 (January 1995) have it, section 4, and under
//! draft-fielding-uri-url-00 (November 1996), sections 3 and 6. The two have the same steps.

use std::borrow::Cow;

use super::components::Components;
use super::error::ResolveError;
use super::standard::Standard;
use super::steps::Steps;

/// One of the two documents: how it numbers its steps, for the explanation, and where it differs.
pub(super) struct Document {
    standard: Standard,
    /// Whether a `..` removes any segment in steps 6c and 6d, even another `..`, by the letter of the
    /// 1995 drafts. RFC 1808 itself was the first to exclude that.
    removes_double_dots: bool,
    empty_base: &'static str,
    itself: &'static str,
    absolute: &'static str,
    inherit: &'static str,
    merge: &'static str,
    dots: &'static str,
}

pub(super) const RFC1808: Document = Document {
    standard: Standard::Rfc1808,
    removes_double_dots: true,
    empty_base: "4 step 1",
    itself: "4 step 2a",
    absolute: "4 step 2b",
    inherit: "4 step 5",
    merge: "4 step 6",
    dots: "4 steps 6a-6d",
};

pub(super) const URL_DRAFT_1996: Document = Document {
    standard: Standard::UrlDraft1996,
    removes_double_dots: false,
    empty_base: "6 step 1",
    itself: "3, 6 step 2a",
    absolute: "6 step 2b",
    inherit: "6 step 5",
    merge: "6 step 6",
    dots: "6 steps 6a-6d",
};

/// Resolves `reference` against `base`, which under the 1996 draft also counts as the URL of the
/// current document, without its fragment.
pub(super) fn resolve(
    document: &Document,
    base: &str,
    reference: &str,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    if base.is_empty() {
        steps.note(
            document.empty_base,
            || "the base is empty: the reference is absolute",
        );
        return Ok(reference.to_owned());
    }
    let (whole_base, whole_reference) = (base, reference);
    let reference = Components::split_1990s(reference);
    if reference.scheme.is_some() {
        steps.note(
            document.absolute,
            || "the reference has a scheme: it is absolute",
        );
        return Ok(whole_reference.to_owned());
    }
    let base = Components::split_1990s(base);
    if base.scheme.is_none() {
        return Err(ResolveError::RelativeBase);
    }
    let only_fragment = is_current_document(&reference);
    if document.standard == Standard::UrlDraft1996 && only_fragment {
        steps.note(
            document.itself,
            || "the reference means the current document",
        );
        let fragment = reference.fragment;
        return Ok(recombine(&Components { fragment, ..base }));
    }
    if whole_reference.is_empty() {
        steps.note(document.itself, || "the reference is empty: it is the base");
        return Ok(whole_base.to_owned());
    }
    if !only_fragment {
        base.check_base(document.standard)?;
    }
    let mut target = Components {
        scheme: base.scheme,
        ..reference
    };
    if is_given(reference.authority) {
        steps.note(
            "step 3",
            || "the reference has a net_loc: keep the other components",
        );
        return Ok(recombine(&target));
    }
    target.authority = base.authority;
    if reference.path.starts_with('/') {
        steps.note("step 4", || "the path starts with a slash: keep it");
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
        steps.note(
            document.inherit,
            || "the path is empty: inherit it, then params, then query, up to what is given",
        );
        return Ok(recombine(&target));
    }
    let (slash, base_path) = match base.path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", base.path),
    };
    let directory = base_path
        .rfind('/')
        .and_then(|slash| base_path.get(..=slash))
        .unwrap_or_default();
    let merged = format!("{directory}{}", reference.path);
    steps.note(document.merge, || {
        format!("merge the paths: {slash}{merged}")
    });
    let path = format!(
        "{slash}{}",
        remove_dots(&merged, document.removes_double_dots)
    );
    steps.note(document.dots, || format!("remove dot segments: {path}"));
    target.path = &path;
    Ok(recombine(&target))
}

/// Steps 6a to 6d. Removing the leftmost `<segment>/../` repeatedly has the same result as a stack (the
/// 1996 draft, section 6, allows any such method).
fn remove_dots(path: &str, removes_double_dots: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        let removes = kept
            .last()
            .is_some_and(|&before| removes_double_dots || before != "..");
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

/// Step 7: joins the components, of which empty ones leave no mark.
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

/// Whether `reference` is empty or only a fragment, which the 1996 draft reads as the document that
/// holds it (section 3).
pub(super) fn is_current_document(reference: &Components<'_>) -> bool {
    reference.scheme.is_none()
        && reference.path.is_empty()
        && ![reference.authority, reference.params, reference.query]
            .into_iter()
            .any(is_given)
}

/// Whether `part` is present. These documents do not distinguish an empty component from an absent one.
fn is_given(part: Option<&str>) -> bool {
    part.is_some_and(|part| !part.is_empty())
}
