//! Decisions of the fast path on a reference, and the characters that it may write.

use std::sync::Arc;

/// A decision of the fast path.
pub(super) enum Shortcut {
    AlreadyCorrect,
    /// A place in its own document, which stays as written.
    SameDocument,
    /// Replaces the first `length` bytes of the reference.
    Change {
        length: usize,
        with: Arc<[u8]>,
    },
}

impl Shortcut {
    pub(super) fn change(length: usize, with: impl Into<Arc<[u8]>>) -> Shortcut {
        Shortcut::Change { length, with: with.into() }
    }
}

/// Returns true if a part of a URL needs no escape in any attribute value, whatever precedes or follows it.
pub(super) fn is_expressible(url: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:%@!*+,;()?[]".contains(&byte);
    url.bytes().all(is_plain)
}
