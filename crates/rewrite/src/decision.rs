//! Decisions of policies on references.

use rehref_document::SkipReason;
use rehref_url::TextEdit;

/// The decision of a policy on a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The reference already is what the policy wants.
    AlreadyCorrect,
    /// The reference cannot or should not change.
    Skip {
        /// The reason.
        reason: SkipReason,
        /// The warning about this reference; `None` if users expect it to be skipped (`mailto:`), so
        /// that it is only counted.
        message: Option<String>,
    },
    /// The reference changes.
    Change(TextEdit),
}

impl Decision {
    /// Skips a reference and reports it.
    pub(super) fn reported(reason: SkipReason, message: impl Into<String>) -> Decision {
        let message = Some(message.into());
        Decision::Skip { reason, message }
    }

    /// Skips a reference and only counts it.
    pub(super) fn silent(reason: SkipReason) -> Decision {
        let message = None;
        Decision::Skip { reason, message }
    }
}
