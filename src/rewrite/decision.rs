//! The decision of a policy on one reference.

use crate::document::SkipReason;
use crate::document::TextEdit;

/// What a policy decides about a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It says already what the policy wants.
    AlreadyCorrect,
    /// It cannot or should not change.
    Skip(Skip),
    /// It changes.
    Change(TextEdit),
}

/// A reference that is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Why.
    pub reason: SkipReason,
    /// What to report about this reference; `None` where everybody expects it to be skipped
    /// (`mailto:`), so that it is only counted.
    pub message: Option<String>,
}

impl Skip {
    /// A reference that is skipped and reported.
    pub(super) fn reported(reason: SkipReason, message: impl Into<String>) -> Skip {
        Skip {
            reason,
            message: Some(message.into()),
        }
    }

    /// A reference that is skipped and only counted.
    pub(super) fn silent(reason: SkipReason) -> Skip {
        Skip {
            reason,
            message: None,
        }
    }
}

impl From<Skip> for Decision {
    fn from(skip: Skip) -> Decision {
        Decision::Skip(skip)
    }
}
