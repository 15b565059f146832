//! Writes a reference with a new target, in the form that a policy wants.

use std::borrow::Cow;

use super::subject::Subject;
use crate::decision::Decision;
use rehref_document::reference::PathRule;
use rehref_document::{Constraints, json};
use rehref_url::traversal::{ParentTraversal, depth, may_go_up};
use rehref_url::{AbsoluteUrl, ReferenceForm, RelativeForm, RelativizeOptions};
use rehref_url::{TextEdit, scheme};

/// Writes the reference so that it resolves to `target`, in the form `wanted` or absolute. A
/// reference that `has_form` already stays if it resolves to `target`. `reference` had `above_root` `..` segments that
/// escape the root.
pub(super) fn write(
    subject: &Subject<'_>,
    target: &AbsoluteUrl,
    wanted: Option<RelativeForm>,
    has_form: bool,
    above_root: usize,
) -> Decision {
    let Subject { reference, encoding, .. } = *subject;
    let Some(base) = subject.base_after else {
        // Absolute, since any other reference has been skipped.
        return if subject.own.resolves_to(reference, encoding, target) {
            Decision::AlreadyCorrect
        } else {
            Decision::Change(subject.own.respell(reference, target.as_str(), encoding))
        };
    };
    // Servers drop `..` segments that escape the root. On disk, and below another path, they leave
    // the site. So a reference that escapes the root must still do so, by as many segments, and no
    // other reference may start to.
    if has_form
        && segments_above_root(base, reference) == above_root
        && base.resolves_to(reference, encoding, target)
    {
        return Decision::AlreadyCorrect;
    }
    let wanted = wanted
        .and_then(|form| relative(base, target, form, subject.constraints))
        .map_or(Cow::Borrowed(target.as_str()), Cow::Owned);
    let wanted = match escaping(base, target, &wanted, above_root) {
        Some(longer) => Cow::Owned(longer),
        None => wanted,
    };
    // The programs that read Markdown may tell `./a` from `a`.
    let is_dotted = (subject.constraints.known_file || subject.constraints.unsure)
        && reference.starts_with("./")
        && ReferenceForm::of(&wanted) == ReferenceForm::Path
        && !wanted.starts_with('.');
    let wanted = if is_dotted { Cow::Owned(format!("./{wanted}")) } else { wanted };
    // Nor do they resolve `..` as a directory without its slash, to which scripts join names.
    let is_bare = (subject.constraints.known_file || subject.constraints.is_prefix(reference))
        && (&*wanted == ".." || wanted.ends_with("/..") || &*wanted == ".");
    let wanted = if is_bare { Cow::Owned(format!("{wanted}/")) } else { wanted };
    // Some programs decode a plus sign as a space.
    let has_encoded_plus = reference.contains("%2B") || reference.contains("%2b");
    let path_length = wanted.find(['?', '#']).unwrap_or(wanted.len());
    let wanted = match wanted.split_at(path_length) {
        (path, rest) if has_encoded_plus && path.contains('+') => {
            Cow::Owned(path.replace('+', "%2B") + rest)
        }
        _ => wanted,
    };
    let edit = base.respell(reference, &wanted, encoding);
    let changed = edit.apply(reference);
    let is_own = |text: &str| base.standard().is_current_document(text);
    let is_as_wanted = is_own(&changed) == is_own(&wanted)
        && (!subject.constraints.url_like || json::is_url_like(&changed))
        && segments_above_root(base, &changed) == segments_above_root(base, &wanted);
    if !is_as_wanted {
        return Decision::Change(TextEdit::new(0..reference.len(), wanted));
    }
    if changed == reference {
        return Decision::AlreadyCorrect;
    }
    Decision::Change(edit)
}

/// Returns true if a reader with the rule `path` understands `reference`.
pub(super) fn accepts(path: PathRule, reference: &str) -> bool {
    let form = match ReferenceForm::of(reference) {
        // `12:30.md` has a scheme in the oldest grammar alone, which these readers do not have.
        ReferenceForm::Absolute if scheme::split(reference).is_none() => ReferenceForm::Path,
        form => form,
    };
    match path {
        PathRule::Any | PathRule::AsWritten => true,
        PathRule::UrlPath => matches!(form, ReferenceForm::Path | ReferenceForm::Root),
        PathRule::Below => {
            form == ReferenceForm::Path && reference.split('/').all(|segment| segment != "..")
        }
    }
}

/// Returns the number of `..` segments of the path-relative `reference` that escape the root of `base`.
pub fn segments_above_root(base: &AbsoluteUrl, reference: &str) -> usize {
    if !may_go_up(reference) || ReferenceForm::of(reference) != ReferenceForm::Path {
        return 0;
    }
    ParentTraversal::of(base, reference).map_or(0, |traversal| traversal.above_root)
}

/// The path-relative reference from `base` to `target` with `above_root` segments that escape the
/// root; `None` where `wanted` needs none.
fn escaping(
    base: &AbsoluteUrl,
    target: &AbsoluteUrl,
    wanted: &str,
    above_root: usize,
) -> Option<String> {
    let form = ReferenceForm::of(wanted);
    if above_root == 0 || !matches!(form, ReferenceForm::Path | ReferenceForm::Document) {
        return None;
    }
    let (_, rest) = target.as_str().split_once("://")?;
    let rest = rest.get(rest.find('/')? + 1..)?;
    let longer = "../".repeat(depth(base.as_str()) + above_root) + rest;
    base.resolves_to(&longer, encoding_rs::UTF_8, target).then_some(longer)
}

/// The reference in `form` that resolves to `target` against `base`; `None` where no such reference
/// meets the constraints.
fn relative(
    base: &AbsoluteUrl,
    target: &AbsoluteUrl,
    form: RelativeForm,
    constraints: Constraints,
) -> Option<String> {
    let mut wanted = RelativizeOptions::from(form);
    wanted.more_than_fragment = constraints.more_than_fragment || constraints.url_like;
    let reference = base.relativize(target, wanted)?;
    // It would mean its own document, whatever the base URL is.
    if base.standard().is_current_document(&reference) {
        return None;
    }
    if !constraints.url_like {
        return Some(reference);
    }
    json::url_like(&reference).map(Cow::into_owned)
}
