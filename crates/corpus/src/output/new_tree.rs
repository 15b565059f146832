//! The interface of all places that a run writes files to.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::atomic::{self, Keep, Original, WriteContents, in_memory};
use super::error::WriteError;
use super::folder::Place;
use rehref_url::Spliced;

/// A tree that is being built: an output directory, an output file, or a stage beside the old tree.
/// All places (`to`) are relative to its root, originals (`from`) are whole paths in the old tree.
pub trait NewTree: Sync {
    /// The root directory.
    fn root(&self) -> &Path;

    /// The place of the file `to`, in its open directory.
    ///
    /// # Errors
    /// Returns an error if `to` is not a path below the root, or its directory cannot be opened.
    fn open(&self, to: &Path) -> Result<Place, WriteError>;

    /// The path of the file or directory `to` while the tree is built.
    ///
    /// # Errors
    /// Returns an error if `to` is not a path below the root.
    fn place(&self, to: &Path) -> Result<PathBuf, WriteError> {
        if to.as_os_str().is_empty() {
            // Joining an empty path would add a slash.
            return Ok(self.root().to_owned());
        }
        let mut components = to.components();
        if components.all(|component| matches!(component, Component::Normal(_))) {
            return Ok(self.root().join(to));
        }
        let message = "not a path below the root";
        let error = io::Error::new(io::ErrorKind::InvalidInput, message);
        Err(WriteError::at(to)(error))
    }

    /// Creates the directory `to` (empty for the root), whose parent exists, with the permissions of
    /// `from`; its owner can write to it until [`NewTree::finish_directory`]. Returns whether the
    /// directory is new.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be created, or something else has its path.
    fn make_directory(&self, from: &Path, to: &Path) -> Result<bool, WriteError>;

    /// Writes the file `to` with the permissions of `like`, the file that it is made from. Returns
    /// whether the file was written.
    ///
    /// # Errors
    /// Returns an error if any step fails; then no file is written.
    fn write_stream(
        &self,
        to: &Path,
        like: Original<'_>,
        write: WriteContents<'_>,
    ) -> Result<bool, WriteError> {
        atomic::write_stream(&self.open(to)?, like, Keep::Permissions, write)
    }

    /// As [`NewTree::write_stream`], for contents that are in memory.
    ///
    /// # Errors
    /// Returns an error if any step fails; then no file is written.
    fn write_file(
        &self,
        to: &Path,
        contents: Spliced<'_>,
        like: Original<'_>,
    ) -> Result<(), WriteError> {
        self.write_stream(to, like, &mut in_memory(contents)).map(|_| ())
    }

    /// Copies the file `from` to `to` with its permissions and times.
    ///
    /// # Errors
    /// Returns an error if any step fails; then no file is written.
    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        atomic::copy_file(from, &self.open(to)?, Keep::Permissions)
    }

    /// Creates the symbolic link `to` with the text `target`; `from` is the link in the old tree
    /// that it is made from.
    ///
    /// # Errors
    /// Returns an error if the link cannot be created, or something other than a symbolic link has its path.
    fn make_symlink(&self, from: &Path, to: &Path, target: &Path) -> Result<(), WriteError> {
        atomic::make_symlink(target, &self.open(to)?, from)
    }

    /// Gives the directory `to` the permissions and times of `from`, after everything in it was
    /// written.
    ///
    /// # Errors
    /// Returns an error if either cannot be read or changed.
    fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        atomic::finish_directory(from, &self.place(to)?)
    }
}
