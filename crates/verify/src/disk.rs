//! Links of a tree that is opened from disk.

use super::document::options::ComparisonOptions;
use super::resolved::{ResolvedDocument, ResolvedReference};
use rehref_document::reference::PathRule;
use rehref_site::PLACEHOLDER_URL;
use rehref_url::traversal::{ParentTraversal, depth};
use rehref_url::{AbsoluteUrl, ReferenceForm, RelativeForm};

/// The message about a reference for which [`is_lost`] returns `true`.
pub(super) const LOST: &str =
    "the link is relative, and leads to another file or none when the new tree is opened from disk";

/// Returns true if `reference` of `document` in AFTER, with the target `found`, and `before` in BEFORE, has another
/// target where AFTER is opened from disk: the base URL is in AFTER, which is a directory there, and the reference is
/// relative to a host, which a disk does not have, or the target is not in AFTER, or the `..` segments of the reference
/// leave AFTER on the way. References that must not be URLs, such as those of redirect rules, are not for browsers on
/// disk.
pub(super) fn is_lost(
    options: &ComparisonOptions<'_>,
    document: &ResolvedDocument<'_>,
    reference: &ResolvedReference<'_>,
    [before, found]: [&AbsoluteUrl; 2],
) -> bool {
    let Some(site) = options.on_disk else { return false };
    let Some(form) = ReferenceForm::of(reference.text()).relative() else { return false };
    let constraints = reference.reference.constraints;
    // A target without a known URL cannot be written in another way.
    let is_known = !before.as_str().starts_with(PLACEHOLDER_URL);
    if !is_known || constraints.path != PathRule::Any || constraints.server_path.is_some() {
        return false;
    }
    let leaves = |base| {
        let root = depth(site.after.url().as_str());
        ParentTraversal::of(base, reference.text())
            .is_some_and(|it| it.above_root > 0 || it.min_depth < root)
    };
    let has_no_target = |base| match form {
        RelativeForm::Root | RelativeForm::Scheme => true,
        _ => leaves(base) || !site.is_in_after(found),
    };
    let is_of_disk = |base| base == options.after || site.is_in_after(base);
    let base = reference.document.base_of(reference.reference, &document.base_urls);
    base.as_deref().is_some_and(|base| has_no_target(base) && is_of_disk(base))
}
