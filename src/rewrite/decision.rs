//! The decision of a policy on one reference.

use crate::document::{SkipReason, TextEdit};

/// What a policy decides about a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It already is what the policy wants.
    AlreadyCorrect,
    /// It cannot or should not change.
    Skip(Skip),
    /// It changes.
    Change(TextEdit),
}

/// A reference that is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The reason.
    pub reason: SkipReason,
    /// The warning about this reference; `None` if users expect it to be skipped (`mailto:`), so that
    /// it is only counted.
    pub message: Option<String>,
}

impl Decision {
    /// Skips a reference and reports it.
    pub(super) fn reported(reason: SkipReason, message: impl Into<String>) -> Decision {
        let message = Some(message.into());
        Decision::Skip(Skip { reason, message })
    }

    /// Skips a reference and only counts it.
    pub(super) fn silent(reason: SkipReason) -> Decision {
        let message = None;
        Decision::Skip(Skip { reason, message })
    }
}
