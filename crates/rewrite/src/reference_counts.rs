//! Counts the references of a run, rewritten or not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use serde::Serialize;

use rehref_document::SkipReason;

/// The numbers of references in a document or a run, by result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReferenceCounts {
    /// The number of all references.
    pub seen: usize,
    /// The number of references that changed.
    pub rewritten: usize,
    /// The number of references that already have the form that the policy requires.
    pub already_correct: usize,
    /// The numbers of references that cannot or should not change, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// The number of external references to the URLs at which the site seems to be published.
    #[serde(skip_serializing_if = "is_zero")]
    pub likely_internal: usize,
    /// The numbers of these URLs to which a reference leads, from 0.
    #[serde(skip)]
    pub likely_urls: BTreeSet<usize>,
    /// The number of references to a part of their own document (`#top`) that became absolute.
    #[serde(skip)]
    pub own_fragments: usize,
    /// The number of relative references with more `..` segments than their base URL has directories, which name a URL
    /// below the root of the host (WHATWG URL, "shorten a URL's path"); of `absolute` those that became absolute.
    #[serde(skip)]
    pub above_root: usize,
    /// The number of relative references with more `..` segments than the site has directories above their
    /// document, that became absolute, other than [`above_root`](Self::above_root).
    #[serde(skip)]
    pub above_site: usize,
    /// The numbers of references from the root of the host that became absolute: those below the URL of the site, and others.
    #[serde(skip)]
    pub from_root: (usize, usize),
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes references
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl AddAssign<&ReferenceCounts> for ReferenceCounts {
    fn add_assign(&mut self, other: &ReferenceCounts) {
        self.seen += other.seen;
        self.rewritten += other.rewritten;
        self.already_correct += other.already_correct;
        self.likely_internal += other.likely_internal;
        self.likely_urls.extend(&other.likely_urls);
        self.own_fragments += other.own_fragments;
        self.above_root += other.above_root;
        self.above_site += other.above_site;
        self.from_root.0 += other.from_root.0;
        self.from_root.1 += other.from_root.1;
        for (reason, count) in &other.skipped {
            *self.skipped.entry(*reason).or_default() += count;
        }
    }
}
