//! Values that say how browsers load a file: its digests, its CORS mode.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchOptionKind {
    /// Digests of the file (Subresource Integrity).
    Integrity,
    /// The CORS mode.
    Cors,
}
