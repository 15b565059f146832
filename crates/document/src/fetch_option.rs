//! Values that say how browsers load a file: its digests, its CORS mode.

use super::reference::BaseOf;
use super::value_rules::FetchOptionKind;

/// A value that controls how browsers load a file: digests or a CORS mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOption {
    /// The index of the container with the value.
    pub container: usize,
    pub kind: FetchOptionKind,
    /// The reference to the file, decoded.
    pub url: String,
    /// The base URL against which the reference resolves.
    pub base: BaseOf,
}
