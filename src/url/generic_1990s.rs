//! What RFC 1808 and the URL draft of 1996 share: inheriting, merging and recombining.

use super::components::Components;
use super::error::ResolveError;
use super::standard::Standard;
use super::steps::Steps;

/// The sections of one of the documents, for the steps.
pub(super) struct Sections {
    pub(super) inherit: &'static str,
    pub(super) merge: &'static str,
    pub(super) dots: &'static str,
}

/// Which segments a following `..` takes away in steps 6c and 6d.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Removable {
    /// Any segment, another `..` too: the letter of the 1995 drafts.
    Any,
    /// Any but `..`.
    NotDoubleDot,
}

/// Steps 3 to 7 for a reference without a scheme that is not empty.
pub(super) fn resolve(
    standard: Standard,
    base: &Components<'_>,
    reference: &Components<'_>,
    removable: Removable,
    sections: &Sections,
    steps: &mut Steps,
) -> Result<String, ResolveError> {
    let given = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
    if base.scheme.is_none() {
        return Err(ResolveError::RelativeBase);
    }
    let only_fragment = reference.path.is_empty()
        && !given(reference.authority)
        && !given(reference.params)
        && !given(reference.query);
    if !only_fragment {
        base.check_base(standard)?;
    }
    let mut target = Components {
        scheme: base.scheme,
        ..*reference
    };
    if given(reference.authority) {
        steps.note("step 3", || {
            "the reference has a net_loc: keep the rest as it is".to_owned()
        });
        return Ok(recombine(&target));
    }
    target.authority = base.authority;
    if reference.path.starts_with('/') {
        steps.note("step 4", || {
            "the path starts with a slash: keep it as it is".to_owned()
        });
        return Ok(recombine(&target));
    }
    if reference.path.is_empty() {
        target.path = base.path;
        if !given(reference.params) {
            target.params = base.params;
            if !given(reference.query) {
                target.query = base.query;
            }
        }
        steps.note(sections.inherit, || {
            "the path is empty: inherit it, then params, then query, up to what is given".to_owned()
        });
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
    steps.note(sections.merge, || {
        format!("merge the paths: {slash}{merged}")
    });
    let path = format!("{slash}{}", remove_dots(&merged, removable));
    steps.note(sections.dots, || format!("remove dot segments: {path}"));
    target.path = &path;
    Ok(recombine(&target))
}

/// Steps 6a to 6d. Taking the leftmost `<segment>/../` again and again is the same as keeping a
/// stack (the 1996 draft, section 6, allows any method with the same result).
fn remove_dots(path: &str, removable: Removable) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        let removes = kept
            .last()
            .is_some_and(|&before| removable == Removable::Any || before != "..");
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

/// Step 7: components that are empty leave no mark.
pub(super) fn recombine(parts: &Components<'_>) -> String {
    let given = |part: Option<&'_ str>| part.is_some_and(|part| !part.is_empty());
    let rooted;
    let mut parts = *parts;
    if !given(parts.authority) {
        parts.authority = None;
    } else if !parts.path.is_empty() && !parts.path.starts_with('/') {
        rooted = format!("/{}", parts.path);
        parts.path = &rooted;
        return recompose(&parts);
    }
    recompose(&parts)
}

fn recompose(parts: &Components<'_>) -> String {
    let given = |part: &&str| !part.is_empty();
    Components {
        params: parts.params.filter(given),
        query: parts.query.filter(given),
        fragment: parts.fragment.filter(given),
        ..*parts
    }
    .recompose()
}
