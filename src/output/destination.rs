//! The output directory, checked before anything is written.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::atomic::{self, Keep};
use super::error::WriteError;
use super::existing;
use super::new_tree::NewTree;

/// An output directory that may be written to.
#[derive(Debug)]
pub struct Destination {
    root: PathBuf,
    /// Whether unchanged files are linked to the originals instead of copied.
    links: bool,
    /// Whether there were files before the run. Those that are equal to what would be written stay.
    is_in_use: bool,
    /// The number of files that stayed.
    equal: AtomicUsize,
    /// The number of files that were linked.
    linked: AtomicUsize,
}

/// Why an output directory or file is refused.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// The output directory is the site itself.
    #[error("{} is SITE itself; use --in-place to rewrite a site where it is", .0.display())]
    IsSite(PathBuf),
    /// The output directory is inside the site.
    #[error("{} is inside SITE, so that the output would become input; choose a place outside", .0.display())]
    InsideSite(PathBuf),
    /// The site is inside the output directory.
    #[error("SITE is inside {}, so that the output could overwrite it; choose another place", .0.display())]
    HoldsSite(PathBuf),
    /// The output directory is a file.
    #[error("{} is not a directory; choose another place or remove it", .0.display())]
    NotADirectory(PathBuf),
    /// The output is one file, but its path is a directory.
    #[error("{} is a directory; SITE is one file: give the file to write", .0.display())]
    NotAFile(PathBuf),
    /// The output file is a device, pipe or socket.
    #[error("{} is a device, pipe or socket, which would be replaced; give a regular file to write", .0.display())]
    Special(PathBuf),
    /// The output file exists.
    #[error("{} exists; use --force to replace it", .0.display())]
    Exists(PathBuf),
    /// The output directory is not empty.
    #[error("{} is not empty; use --force to write into it anyway (files of the same name are replaced, others stay)", .0.display())]
    NotEmpty(PathBuf),
    /// The output cannot be read or created.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
}

impl Destination {
    /// Checks `out` as the output directory for the site at `site` (a canonical path). Nothing is
    /// written.
    ///
    /// # Errors
    /// When writing there could damage something.
    pub fn check(site: &Path, out: &Path, force: bool) -> Result<Destination, DestinationError> {
        let root = checked_path(site, out)?;
        if root.starts_with(site) {
            return Err(DestinationError::InsideSite(out.to_owned()));
        }
        if site.starts_with(&root) {
            return Err(DestinationError::HoldsSite(out.to_owned()));
        }
        let mut is_in_use = false;
        match fs::metadata(&root) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(DestinationError::NotADirectory(out.to_owned()));
            }
            Ok(_) => {
                is_in_use = fs::read_dir(&root).map_err(io_error(out))?.next().is_some();
                if is_in_use && !force {
                    return Err(DestinationError::NotEmpty(out.to_owned()));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(io_error(out)(error)),
        }
        Ok(Destination {
            root,
            links: false,
            is_in_use,
            equal: AtomicUsize::new(0),
            linked: AtomicUsize::new(0),
        })
    }

    /// The directory, into which unchanged files are linked if possible, instead of copied: they are
    /// the same files as those of the site.
    #[must_use]
    pub fn with_links(self) -> Destination {
        Destination {
            links: true,
            ..self
        }
    }

    /// The number of files that were not written, since the directory had them already.
    pub fn equal_files(&self) -> usize {
        self.equal.load(Ordering::Relaxed)
    }

    /// The number of files that were linked to the originals.
    pub fn linked_files(&self) -> usize {
        self.linked.load(Ordering::Relaxed)
    }

    /// Counts a file that was not written if `is_equal`; returns that.
    fn stays(&self, is_equal: impl FnOnce() -> bool) -> bool {
        let stays = self.is_in_use && is_equal();
        self.equal.fetch_add(usize::from(stays), Ordering::Relaxed);
        stays
    }
}

impl NewTree for Destination {
    fn root(&self) -> &Path {
        &self.root
    }

    /// A symbolic link that has the name of the directory is not followed, but an error.
    fn make_directory(&self, to: &Path) -> Result<bool, WriteError> {
        if let (true, Some(parent)) = (to.as_os_str().is_empty(), self.root.parent()) {
            fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
        }
        let path = self.place(to)?;
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match fs::symlink_metadata(&path).map_err(WriteError::at(&path))? {
                    found if found.is_dir() => Ok(false),
                    found => Err(WriteError::in_the_way(&path, &found)),
                }
            }
            Err(error) => Err(WriteError::at(&path)(error)),
        }
    }

    fn write_file(&self, to: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
        let place = self.place(to)?;
        if self.stays(|| existing::has_contents(&place, contents, like)) {
            return Ok(());
        }
        atomic::write_file(&place, contents, like)
    }

    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let place = self.place(to)?;
        if self.links && atomic::link_file(from, &place).is_ok() {
            self.linked.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        if self.stays(|| existing::is_copy(&place, from)) {
            return Ok(());
        }
        atomic::copy_file(from, &place, Keep::Permissions)
    }
}

/// For `map_err`: the error of reading or creating `out`.
pub(super) fn io_error(out: &Path) -> impl Fn(io::Error) -> DestinationError + '_ {
    |source| DestinationError::Io(out.to_owned(), source)
}

/// The canonical path of `out`, which must not be the path of `site`.
pub(super) fn checked_path(site: &Path, out: &Path) -> Result<PathBuf, DestinationError> {
    let path = canonical_future(out).map_err(io_error(out))?;
    if path == site {
        return Err(DestinationError::IsSite(out.to_owned()));
    }
    Ok(path)
}

/// The canonical path that `path` will have when it exists. Resolves symbolic links in the part that
/// exists already.
fn canonical_future(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut existing = absolute.as_path();
    let mut missing = Vec::new();
    loop {
        match existing.canonicalize() {
            Ok(mut canonical) => {
                for name in missing.iter().rev() {
                    if *name == Component::ParentDir {
                        canonical.pop();
                    } else {
                        canonical.push(name);
                    }
                }
                return Ok(canonical);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(existing).is_ok() {
                    // A dangling link: writing through it would create a file in another place.
                    return Err(io::Error::new(
                        io::ErrorKind::NotFound,
                        "a symbolic link whose target does not exist",
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
