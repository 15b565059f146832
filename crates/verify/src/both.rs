//! Pairs of one value from BEFORE and one from AFTER.

/// A value from BEFORE and its counterpart from AFTER.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Both<T> {
    pub(super) before: T,
    pub(super) after: T,
}

impl<T> Both<T> {
    pub(super) fn new(before: T, after: T) -> Both<T> {
        Both { before, after }
    }

    /// Applies `change` to both values.
    pub(super) fn map<U>(self, change: impl Fn(T) -> U) -> Both<U> {
        Both::new(change(self.before), change(self.after))
    }

    /// Pairs each value with the one of `other` from the same side.
    pub(super) fn zip<U>(self, other: Both<U>) -> Both<(T, U)> {
        Both::new((self.before, other.before), (self.after, other.after))
    }
}

impl<T> Both<Option<T>> {
    /// Returns both values, if neither is `None`.
    pub(super) fn flatten(self) -> Option<Both<T>> {
        Some(Both::new(self.before?, self.after?))
    }
}
