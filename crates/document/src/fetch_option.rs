//! Values that say how browsers load a file: its digests, its CORS mode.

use super::reference::BaseOf;
use super::value_rules::FetchOptionKind;

/// A value that says how browsers load a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOption {
    /// Index of the container of the value.
    pub container: usize,
    pub kind: FetchOptionKind,
    /// The reference to the file, decoded.
    pub url: String,
    /// The base URL that the reference is relative to.
    pub base: BaseOf,
}
