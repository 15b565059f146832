//! The digests that revisits of AFTER should state.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use super::plan::TreePlan;
use rehref_corpus::{RevisitDigests, add_rewritten_captures};

/// The digests that AFTER states of the captures that revisits in BEFORE refer to, in any archive. They are read when
/// the first revisit asks.
pub(super) struct Revisits<'p> {
    plan: &'p TreePlan<'p>,
    digests: OnceLock<RevisitDigests>,
}

impl<'p> Revisits<'p> {
    pub(super) fn new(plan: &'p TreePlan<'p>) -> Revisits<'p> {
        Revisits { plan, digests: OnceLock::new() }
    }

    /// Returns the digests. They are incomplete after an interruption, which ends the comparison anyway.
    pub(super) fn digests(&self) -> &RevisitDigests {
        self.digests.get_or_init(|| self.read())
    }

    /// Returns true if an archive that is equal in BEFORE and AFTER may have a revisit of a capture that another
    /// archive has with a new digest.
    pub(super) fn may_be_in_equal_archive(&self) -> bool {
        self.plan.before.archives().nth(1).is_some() && self.digests().has_changes()
    }

    fn read(&self) -> RevisitDigests {
        let TreePlan { before, after, .. } = self.plan;
        let Some(mut digests) = before.revisits() else { return RevisitDigests::default() };
        if digests.is_empty() {
            return digests;
        }
        for (path, format) in before.archives() {
            if before.cancel.load(Ordering::Relaxed) {
                break;
            }
            let [old, new] = [before.root.join(path), after.root.join(self.plan.counterpart(path))];
            // The comparison of a damaged archive reports it.
            let _ = add_rewritten_captures(format, &old, &new, &mut digests);
        }
        digests
    }
}
