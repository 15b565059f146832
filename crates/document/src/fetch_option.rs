//! Values that say how browsers load a file: its digests, its CORS mode.

use super::html::ValueKind;

/// A value that says how browsers load a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOption {
    /// Index of the container of the value.
    pub container: usize,
    pub kind: FetchOptionKind,
    /// The reference to the file, decoded.
    pub url: String,
    /// The scope whose base URL the reference is relative to.
    pub scope: usize,
}

/// The kind of a fetch option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchOptionKind {
    /// Digests of the file (Subresource Integrity).
    Integrity,
    /// The CORS mode.
    Cors,
}

impl FetchOptionKind {
    /// The kind of option that a value is; `None` for other values.
    pub(super) fn of(kind: ValueKind) -> Option<FetchOptionKind> {
        match kind {
            ValueKind::Integrity => Some(FetchOptionKind::Integrity),
            ValueKind::Cors => Some(FetchOptionKind::Cors),
            _ => None,
        }
    }
}
