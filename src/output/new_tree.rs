//! What is written to: an output directory, or a stage beside the tree.

use std::fs::Metadata;
use std::io::{self, Write};
use std::path::Path;

use super::{Destination, Stage, WriteError, atomic};

/// A tree that is being built. All places (`to`) are below its root, originals (`from`) are whole
/// paths in the old tree.
pub trait NewTree: Sync {
    /// Its root directory.
    fn root(&self) -> &Path;

    /// Makes the directory at `to`, empty for the root, whose parent is there; only its owner can
    /// enter it until it is finished. Says whether it is new.
    ///
    /// # Errors
    /// When something else stands there or it cannot be made.
    fn make_directory(&self, to: &Path) -> Result<bool, WriteError>;

    /// Writes `contents` as the file `to`, with the permissions of `like`, the file that it is made
    /// from.
    ///
    /// # Errors
    /// When any step fails; then nothing is there.
    fn write_file(&self, to: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError>;

    /// As [`NewTree::write_file`], with contents that `write` writes bit by bit, and says in the end
    /// whether they are wanted at all. Says whether the file is there.
    ///
    /// # Errors
    /// When any step fails; then nothing is there.
    fn write_stream(
        &self,
        to: &Path,
        like: &Metadata,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>,
    ) -> Result<bool, WriteError>;

    /// Makes the regular file `to` what `from` is.
    ///
    /// # Errors
    /// When any step fails; then nothing is there.
    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError>;

    /// Makes the symbolic link `to`, which leads where `words` say, in place of the link `from`.
    ///
    /// # Errors
    /// When something other than a link stands at `to`, or it cannot be made.
    fn make_symlink(&self, from: &Path, to: &Path, words: &Path) -> Result<(), WriteError>;

    /// Gives the directory `to` the permissions and times of `from`, once all is written in it.
    ///
    /// # Errors
    /// When either cannot be read or changed.
    fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError>;
}

impl Destination {
    fn place(&self, to: &Path) -> std::path::PathBuf {
        // Joining an empty path would add a slash.
        match to.as_os_str().is_empty() {
            true => self.root().to_owned(),
            false => self.root().join(to),
        }
    }
}

impl NewTree for Destination {
    fn root(&self) -> &Path {
        Destination::root(self)
    }

    fn make_directory(&self, to: &Path) -> Result<bool, WriteError> {
        Destination::make_directory(self, to)
    }

    fn write_file(&self, to: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
        atomic::write_file(&self.place(to), contents, like)
    }

    fn write_stream(
        &self,
        to: &Path,
        like: &Metadata,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>,
    ) -> Result<bool, WriteError> {
        atomic::write_stream(&self.place(to), like, write)
    }

    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        atomic::copy_file(from, &self.place(to))
    }

    fn make_symlink(&self, from: &Path, to: &Path, words: &Path) -> Result<(), WriteError> {
        atomic::make_symlink(words, &self.place(to), from)
    }

    fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        atomic::finish_directory(from, &self.place(to))
    }
}

impl NewTree for Stage {
    fn root(&self) -> &Path {
        self.path()
    }

    fn make_directory(&self, to: &Path) -> Result<bool, WriteError> {
        if to.as_os_str().is_empty() {
            // The root is there, and is finished when it is exchanged.
            return Ok(false);
        }
        Stage::make_directory(self, to).map(|()| true)
    }

    fn write_file(&self, to: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
        Stage::write_file(self, to, contents, like)
    }

    fn write_stream(
        &self,
        to: &Path,
        like: &Metadata,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>,
    ) -> Result<bool, WriteError> {
        Stage::write_stream(self, to, like, write)
    }

    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        self.link_or_copy(from, to)
    }

    fn make_symlink(&self, from: &Path, to: &Path, words: &Path) -> Result<(), WriteError> {
        let old = std::fs::read_link(from).map_err(WriteError::Read)?;
        if old == words {
            return self.link_or_copy(from, to);
        }
        Stage::make_symlink(self, from, to, words)
    }

    fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        Stage::finish_directory(self, from, to)
    }
}
