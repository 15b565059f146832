//! The interface of everything that a run writes files to.

use std::fs::Metadata;
use std::io::{self, Write};
use std::path::Path;

use super::error::WriteError;

/// Writes the contents of a file piece by piece. Returns whether the file is wanted at all; if not,
/// it is not created, and an old file of its name stays.
pub type WriteContents<'w> = &'w mut dyn FnMut(&mut dyn Write) -> io::Result<bool>;

/// The [`WriteContents`] of a file whose contents are in memory.
pub(super) fn whole(contents: &[u8]) -> impl FnMut(&mut dyn Write) -> io::Result<bool> {
    |file| file.write_all(contents).map(|()| true)
}

/// A tree that is being built: an output directory, an output file, or a stage beside the old tree.
/// All places (`to`) are relative to its root, originals (`from`) are whole paths in the old tree.
pub trait NewTree: Sync {
    /// The root directory.
    fn root(&self) -> &Path;

    /// Creates the directory `to` (empty for the root), whose parent exists. Only its owner can enter
    /// it until [`NewTree::finish_directory`]. Returns whether it is new.
    ///
    /// # Errors
    /// When it cannot be created, or something else has this name.
    fn make_directory(&self, to: &Path) -> Result<bool, WriteError>;

    /// Writes the file `to` with the permissions of `like`, the file it is made from. Returns whether
    /// it was written.
    ///
    /// # Errors
    /// When any step fails; then no file is written.
    fn write_stream(
        &self,
        to: &Path,
        like: &Metadata,
        write: WriteContents<'_>,
    ) -> Result<bool, WriteError>;

    /// As [`NewTree::write_stream`], for contents that are in memory.
    ///
    /// # Errors
    /// When any step fails; then no file is written.
    fn write_file(&self, to: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
        self.write_stream(to, like, &mut whole(contents))
            .map(|_| ())
    }

    /// Copies the file `from` to `to` with its permissions and times.
    ///
    /// # Errors
    /// When any step fails; then no file is written.
    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError>;

    /// Creates the symbolic link `to` with the text `target`; `from` is its link in the
    /// old tree.
    ///
    /// # Errors
    /// When it cannot be created, or something other than a symbolic link has this name.
    fn make_symlink(&self, from: &Path, to: &Path, target: &Path) -> Result<(), WriteError>;

    /// Gives the directory `to` the permissions and times of `from`, after everything in it was
    /// written.
    ///
    /// # Errors
    /// When either cannot be read or changed.
    fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError>;
}
