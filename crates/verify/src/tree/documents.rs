//! Compares two documents of the trees.

use std::path::Path;

use super::plan::TreePlan;
use crate::document::{ComparisonOptions, DocumentComparison, verify_document};
use crate::integrity::FileDigests;
use rehref_corpus::SourceDocument;
use rehref_document::DocumentError;
use rehref_url::AbsoluteUrl;

/// Compares two documents, each with its own URL.
pub(super) fn documents(
    plan: &TreePlan<'_>,
    before: &SourceDocument<'_>,
    after: &SourceDocument<'_>,
) -> Result<DocumentComparison, DocumentError> {
    let is_on_disk = |target: &AbsoluteUrl| plan.targets.is_in_after(target);
    let is_from_disk = plan.offline && !plan.targets.after.is_placeholder();
    let options = ComparisonOptions {
        parse: before.options,
        before: before.fallback_base,
        after: after.fallback_base,
        page_before: before.page,
        page_after: after.page,
        follow: &|target| plan.targets.follow(target),
        keeps_urls: plan.targets.keeps_urls(),
        follow_base: &|base| plan.targets.follow_base(base),
        base: plan.base,
        same: &|expected, found| plan.targets.is_same(expected, found),
        is_on_disk: is_from_disk.then_some(&is_on_disk),
        has_no_file: &|target| plan.targets.has_no_file(target),
        same_from_root: &|old, new| plan.targets.is_same_from_root(old, new),
        same_source_path: &|old, new| plan.targets.is_same_source_path(old, new),
        digests: FileDigests {
            before: &|url| plan.digests_before.of(url),
            after: &|url| plan.digests_after.of(url),
            are_removed: &|url| plan.offline && plan.digests_before.file(url).is_some(),
        },
        is_served_anywhere: !plan.offline && {
            let path = Path::new(after.name);
            plan.before.served_anywhere.is_match(path)
        },
        limit: plan.limit,
    };
    verify_document(before.bytes, after.bytes, &options)
}
