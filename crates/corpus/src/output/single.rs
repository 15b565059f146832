//! An output file, for a site that is one file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::destination::{checked_path, io_error, refuse};
use super::error::{DestinationError, WriteError};
use super::folder::{OpenFolders, Place};
use super::new_tree::NewTree;

/// An output file that passed the checks of [`OutputFile::check`].
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    open_folders: OpenFolders,
    /// The directory of the file, removed with it; `None` for a file that stays.
    _temporary: Option<TempDir>,
}

impl OutputFile {
    /// Creates a temporary file for a run over the single file `site` whose result goes to stdout. The file is
    /// removed when this value is dropped.
    ///
    /// # Errors
    /// Returns an error if no temporary directory can be created.
    pub fn temporary(site: &Path) -> Result<OutputFile, DestinationError> {
        let directory = tempfile::Builder::new().prefix("rehref-").tempdir();
        let directory = directory.map_err(io_error(&std::env::temp_dir()))?;
        let path = rehref_site::canonical(directory.path());
        let path = path.map_err(io_error(directory.path()))?;
        Ok(OutputFile {
            path: path.join(site.file_name().unwrap_or_default()),
            open_folders: OpenFolders::default(),
            _temporary: Some(directory),
        })
    }

    /// Checks `out` as the output file for the site that is the file `site` (a canonical path).
    /// Nothing is written.
    ///
    /// # Errors
    /// Returns an error if writing there could damage something.
    pub fn check(site: &Path, out: &Path, force: bool) -> Result<OutputFile, DestinationError> {
        let path = checked_path(site, out)?;
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => {
                return refuse(out, "is a directory, but the site is one file\nhelp: pass a file");
            }
            // The new file would replace the device itself.
            Ok(found) if !found.is_file() => {
                return refuse(
                    out,
                    "is a device, pipe or socket, which the output would replace\nhelp: pass a regular file",
                );
            }
            Ok(_) if !force => {
                return refuse(out, "already exists\nhelp: use --force to replace it");
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
                    let (out, folder) = (out.display(), folder.display());
                    return Err(DestinationError(format!(
                        "{out}: the directory {folder} does not exist\nhelp: create it first; for a whole site, pass its directory as SITE, and --out creates the directories"
                    )));
                }
            }
            Err(error) => return Err(io_error(out)(error)),
        }
        Ok(OutputFile { path, open_folders: OpenFolders::default(), _temporary: None })
    }

    /// Returns the path of the output file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A tree of one file, which need not have the name of the original: all places are this file.
impl NewTree for OutputFile {
    fn root(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    fn place(&self, _: &Path) -> Result<PathBuf, WriteError> {
        Ok(self.path.clone())
    }

    fn open(&self, to: &Path) -> Result<Place, WriteError> {
        self.open_folders.place(self.place(to)?)
    }

    fn make_directory(&self, _: &Path, _: &Path) -> Result<bool, WriteError> {
        Ok(false)
    }

    fn finish_directory(&self, _: &Path, _: &Path) -> Result<(), WriteError> {
        Ok(())
    }
}
