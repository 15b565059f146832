//! The output tree: checked before anything is written.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::WriteError;

/// An output directory that may be written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    root: PathBuf,
}

/// Why an output directory is refused.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// It is the site itself.
    #[error("{} is SITE itself; use --in-place to rewrite a site where it is", .0.display())]
    IsSite(PathBuf),
    /// It is within the site.
    #[error("{} is inside SITE, so that the output would become input; choose a place outside", .0.display())]
    InsideSite(PathBuf),
    /// The site is within it.
    #[error("SITE is inside {}, so that the output could overwrite it; choose another place", .0.display())]
    HoldsSite(PathBuf),
    /// It is a file.
    #[error("{} is not a directory; choose another place or remove it", .0.display())]
    NotADirectory(PathBuf),
    /// It is a directory, where a file is to be.
    #[error("{} is a directory; SITE is one file: give the file to write", .0.display())]
    NotAFile(PathBuf),
    /// It is nothing that has contents of its own.
    #[error("{} is a device, pipe or socket, which would be replaced; give a regular file to write", .0.display())]
    Special(PathBuf),
    /// A file is there.
    #[error("{} exists; use --force to replace it", .0.display())]
    Exists(PathBuf),
    /// It has something in it.
    #[error("{} is not empty; use --force to write into it all the same (files of the same name are replaced, others stay)", .0.display())]
    NotEmpty(PathBuf),
    /// It cannot be read or made.
    #[error("{}: {source}", .path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Destination {
    /// Checks `out` as the output directory for the site at `site` (a canonical path). Nothing is
    /// written.
    ///
    /// # Errors
    /// When writing there could damage something.
    pub fn check(site: &Path, out: &Path, force: bool) -> Result<Destination, DestinationError> {
        let io_error = |source| DestinationError::Io {
            path: out.to_owned(),
            source,
        };
        let root = canonical_future(out).map_err(io_error)?;
        if root == site {
            return Err(DestinationError::IsSite(out.to_owned()));
        }
        if root.starts_with(site) {
            return Err(DestinationError::InsideSite(out.to_owned()));
        }
        if site.starts_with(&root) {
            return Err(DestinationError::HoldsSite(out.to_owned()));
        }
        match fs::metadata(&root) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(DestinationError::NotADirectory(out.to_owned()));
            }
            Ok(_) => {
                let has_entries = fs::read_dir(&root).map_err(io_error)?.next().is_some();
                if has_entries && !force {
                    return Err(DestinationError::NotEmpty(out.to_owned()));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(io_error(error)),
        }
        Ok(Destination { root })
    }

    /// The output directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the directory at `relative` (below the root; empty for the root itself), whose parent
    /// is there; only its owner can enter it until it is finished. Says whether it is new. A
    /// symbolic link that stands there is not followed but an error.
    ///
    /// # Errors
    /// When something else stands there or it cannot be made.
    pub fn make_directory(&self, relative: &Path) -> Result<bool, WriteError> {
        let path = if relative.as_os_str().is_empty() {
            if let Some(parent) = self.root.parent() {
                fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
            }
            self.root.clone()
        } else {
            self.root.join(relative)
        };
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match fs::symlink_metadata(&path).map_err(WriteError::at(&path))? {
                    there if there.is_dir() => Ok(false),
                    there => Err(WriteError::in_the_way(&path, &there)),
                }
            }
            Err(error) => Err(WriteError::at(&path)(error)),
        }
    }
}

/// The canonical path that `path` will have once it is made: links are resolved in the part that
/// exists.
pub(super) fn canonical_future(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut existing = absolute.as_path();
    let mut missing = Vec::new();
    loop {
        match existing.canonicalize() {
            Ok(mut canonical) => {
                for name in missing.iter().rev() {
                    match name {
                        Component::ParentDir => {
                            canonical.pop();
                        }
                        name => canonical.push(name),
                    }
                }
                return Ok(canonical);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(existing).is_ok() {
                    // A link to nowhere: writing through it would leave the place it names.
                    return Err(io::Error::new(
                        io::ErrorKind::NotFound,
                        "a symbolic link that leads nowhere",
                    ));
                }
                match (existing.parent(), existing.components().next_back()) {
                    (Some(parent), Some(name)) => {
                        missing.push(name);
                        existing = parent;
                    }
                    _ => return Err(error),
                }
            }
            Err(error) => return Err(error),
        }
    }
}
