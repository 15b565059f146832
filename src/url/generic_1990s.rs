//! The common part of RFC 1808 (section 4) and draft-fielding-uri-url-00 (section 6): inheriting,
//! merging and recombining.

use std::borrow::Cow;

use super::components::Components;
use super::error::ResolveError;
use super::standard::Standard;
use super::steps::Steps;

/// The section numbers of one of the documents, for the explanation.
pub(super) struct Sections {
    pub(super) empty_base: &'static str,
    pub(super) absolute: &'static str,
    pub(super) inherit: &'static str,
    pub(super) merge: &'static str,
    pub(super) dots: &'static str,
}

/// Which segments a following `..` removes in steps 6c and 6d.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Removable {
    /// Any segment, even another `..`, by the letter of the 1995 drafts.
    Any,
    /// Any segment except `..`.
    NotDoubleDot,
}

/// Steps 1 and 2b: whether `reference` is its own target, because it has a scheme or `base` is empty.
pub(super) fn is_absolute(
    base: &str,
    reference: &Components<'_>,
    sections: &Sections,
    steps: &mut Steps,
) -> bool {
    if base.is_empty() {
        steps.note(sections.empty_base, || {
            "the base is empty: the reference is absolute".to_owned()
        });
        return true;
    }
    if reference.scheme.is_some() {
        steps.note(sections.absolute, || {
            "the reference has a scheme: it is absolute".to_owned()
        });
        return true;
    }
    false
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
    let given = |part: Option<&str>| part.filter(is_given).is_some();
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
            "the reference has a net_loc: keep the other components".to_owned()
        });
        return Ok(recombine(&target));
    }
    target.authority = base.authority;
    if reference.path.starts_with('/') {
        steps.note("step 4", || {
            "the path starts with a slash: keep it".to_owned()
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

/// Steps 6a to 6d. Removing the leftmost `<segment>/../` repeatedly has the same result as a stack (the
/// 1996 draft, section 6, allows any such method).
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

/// Step 7: joins the components, of which empty ones leave no mark.
pub(super) fn recombine(parts: &Components<'_>) -> String {
    let authority = parts.authority.filter(is_given);
    let mut path = Cow::Borrowed(parts.path);
    if authority.is_some() && !path.is_empty() && !path.starts_with('/') {
        path.to_mut().insert(0, '/');
    }
    Components {
        scheme: parts.scheme,
        authority,
        path: &path,
        params: parts.params.filter(is_given),
        query: parts.query.filter(is_given),
        fragment: parts.fragment.filter(is_given),
    }
    .recompose()
}

/// For [`Option::filter`]: these documents do not distinguish an empty component from an absent one.
fn is_given(part: &&str) -> bool {
    !part.is_empty()
}
