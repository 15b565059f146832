//! Decisions of the fast path.

use std::sync::Arc;

/// A decision of the fast path.
pub(super) enum Shortcut {
    AlreadyCorrect,
    Change(Change),
}

/// Replaces the first `length` bytes of a reference.
pub(super) struct Change {
    pub(super) length: usize,
    pub(super) with: Arc<[u8]>,
}

impl Shortcut {
    pub(super) fn change(length: usize, with: impl Into<Arc<[u8]>>) -> Shortcut {
        Shortcut::Change(Change { length, with: with.into() })
    }
}

/// Whether a part of a URL needs no escape in any attribute value, whatever precedes or follows it.
pub(super) fn is_expressible(url: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:%@!*+,;()?[]".contains(&byte);
    url.bytes().all(is_plain)
}
