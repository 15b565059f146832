//! Pairs: the same thing of both documents.

/// The same thing of BEFORE and of AFTER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Both<T> {
    pub(super) before: T,
    pub(super) after: T,
}

impl<T> Both<T> {
    /// Applies `change` to both.
    pub(super) fn map<U>(self, change: impl Fn(T) -> U) -> Both<U> {
        Both {
            before: change(self.before),
            after: change(self.after),
        }
    }
}
