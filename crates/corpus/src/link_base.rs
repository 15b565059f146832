//! The base of the relative links of files that documents include.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

/// The included files of a corpus, by their paths.
pub(crate) type Inclusions = FxHashMap<PathBuf, LinkBase>;

/// The URL against which the relative links of an included file resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkBase {
    /// The file itself: the document that includes it says so.
    File,
    /// The document at this path, which includes it.
    Document(PathBuf),
    /// Several documents in different directories.
    Several,
}
