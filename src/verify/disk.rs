//! Links of a tree that is opened from disk.

use super::document::ComparisonOptions;
use super::resolved::{ResolvedDocument, ResolvedReference};
use crate::document::reference::PathRule;
use crate::url::{AbsoluteUrl, ReferenceForm};

/// The message about a reference for which [`is_lost`] returns `true`.
pub(super) const LOST: &str =
    "is relative, and has no target on disk, because the target is not in AFTER";

/// Whether `reference` of `document` in AFTER, with the target `found`, has another target where AFTER is opened from
/// disk: the reference is relative to the document, which is a file there, and the target is not in AFTER. References
/// that must not be URLs, such as those of redirect rules, are not for browsers on disk.
pub(super) fn is_lost(
    options: &ComparisonOptions<'_>,
    document: &ResolvedDocument<'_>,
    reference: &ResolvedReference<'_>,
    found: &AbsoluteUrl,
) -> bool {
    let Some(is_on_disk) = options.is_on_disk else {
        return false;
    };
    let constraints = reference.reference.constraints;
    let base = reference
        .document
        .base_of(reference.reference, &document.base_urls);
    ReferenceForm::of(reference.text()).relative().is_some()
        && constraints.path == PathRule::Any
        && !constraints.redirect_rule
        && base.as_deref() == Some(options.after)
        && !is_on_disk(found)
}
