//! The pages to compare: two trees, and where their links should lead.

use crate::expected_targets::{ExpectedTargets, SiteFiles};
use crate::tree::TreePlan;
use rehref_corpus::Corpus;
use rehref_site::{FileIndex, Moves};
use rehref_url::AbsoluteUrl;

/// Two trees, and where the links of their pages should lead.
pub struct PagesPlan<'p> {
    pub(super) before: &'p Corpus,
    pub(super) after: &'p Corpus,
    pub(super) moves: &'p Moves,
    pub(super) base: Option<&'p str>,
    /// The files that the servers of the two trees send.
    pub(super) files_before: FileIndex,
    pub(super) files_after: FileIndex,
    pub(super) targets: ExpectedTargets<'p>,
    pub(super) limit: usize,
}

impl<'p> PagesPlan<'p> {
    /// The pages of the trees of `plan`. What servers send for a URL counts, whether or not `plan`
    /// compares files by it.
    pub fn of(plan: &TreePlan<'p>) -> PagesPlan<'p> {
        let (before, after) = (plan.before.file_index(), plan.after.file_index());
        PagesPlan {
            before: plan.before,
            after: plan.after,
            moves: plan.moves,
            base: plan.base.map(AbsoluteUrl::as_str),
            targets: ExpectedTargets {
                files: Some(SiteFiles::new(before.clone(), after.clone(), plan.moves)),
                same_file: true,
                ..plan.targets
            },
            files_before: before,
            files_after: after,
            limit: plan.limit,
        }
    }
}
