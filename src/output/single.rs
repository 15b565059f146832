//! One file as the output.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::destination::canonical_future;
use super::{DestinationError, NewTree, WriteError, atomic};

/// An output file that may be written: the result of a site that is one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    path: PathBuf,
    folder: PathBuf,
}

impl OutputFile {
    /// Checks `out` as the output file for the site that is the file `site` (a canonical path).
    /// Nothing is written.
    ///
    /// # Errors
    /// When writing there could damage something.
    pub fn check(site: &Path, out: &Path, force: bool) -> Result<OutputFile, DestinationError> {
        let path = canonical_future(out).map_err(|source| DestinationError::Io {
            path: out.to_owned(),
            source,
        })?;
        if path == site {
            return Err(DestinationError::IsSite(out.to_owned()));
        }
        let there = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            there => Some(there.map_err(|source| DestinationError::Io {
                path: out.to_owned(),
                source,
            })?),
        };
        if let Some(there) = there {
            if there.is_dir() {
                return Err(DestinationError::NotAFile(out.to_owned()));
            }
            if !there.is_file() {
                // The new file would take its place, which nobody means who names one.
                return Err(DestinationError::Special(out.to_owned()));
            }
            if !force {
                return Err(DestinationError::Exists(out.to_owned()));
            }
        }
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(OutputFile { path, folder })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The tree of one file, whatever that is called in the old one.
impl NewTree for OutputFile {
    fn root(&self) -> &Path {
        &self.folder
    }

    fn make_directory(&self, _: &Path) -> Result<bool, WriteError> {
        Ok(false)
    }

    fn write_file(&self, _: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
        atomic::write_file(&self.path, contents, like)
    }

    fn write_stream(
        &self,
        _: &Path,
        like: &Metadata,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>,
    ) -> Result<bool, WriteError> {
        atomic::write_stream(&self.path, like, write)
    }

    fn copy_file(&self, from: &Path, _: &Path) -> Result<(), WriteError> {
        atomic::copy_file(from, &self.path)
    }

    fn make_symlink(&self, from: &Path, _: &Path, words: &Path) -> Result<(), WriteError> {
        atomic::make_symlink(words, &self.path, from)
    }

    fn finish_directory(&self, _: &Path, _: &Path) -> Result<(), WriteError> {
        Ok(())
    }
}
