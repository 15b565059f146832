//! Errors of writing a file, a link or a directory, and of the place for them.

use std::io;
use std::path::{Path, PathBuf};

/// The error of a file, link or directory that was not written. It names the final place, never the temporary
/// file.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The original cannot be read.
    #[error("cannot read the file: {0}")]
    Read(#[source] io::Error),
    /// The new file, link or directory cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The final place.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Something of another kind has the same path.
    #[error("{} is {found}, which is in the way\nhelp: remove it, or choose another place for the output", .path.display())]
    InTheWay {
        /// The final place.
        path: PathBuf,
        /// The kind of thing that has the name, with its article.
        found: &'static str,
    },
    /// Another run is writing to the output directory.
    #[error("another run of rehref is changing {}\nhelp: wait for the end of that run", .0.display())]
    Busy(PathBuf),
    /// Another program changed the file after it was read.
    #[error(
        "another program changed the file during the run, so rehref did not replace the file\nhelp: run the command again"
    )]
    Changed,
    /// The new file could not be given to the owner of the old one.
    #[error(
        "cannot keep the owner and group of the file ({0}), so rehref did not replace the file\nhelp: run the command as the owner, or use --out"
    )]
    Owner(#[source] io::Error),
    /// The new file could not have the extended attributes of the old one.
    #[error(
        "cannot keep the extended attributes (access control lists among them) of the file ({0}), so rehref did not replace the file\nhelp: use --out"
    )]
    Attributes(#[source] io::Error),
}

/// The error of an output directory or file that is refused, with the next step.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DestinationError(pub(super) String);

/// The error of a tree that cannot be replaced in one step, with the next step. The tree is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StageError(pub(super) String);

impl From<String> for StageError {
    fn from(message: String) -> StageError {
        StageError(message)
    }
}

impl WriteError {
    /// Returns true if the disk or the user's quota is full, so that other files cannot be written either.
    pub fn is_disk_full(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        let WriteError::Write { source, .. } = self else { return false };
        matches!(source.kind(), StorageFull | QuotaExceeded)
    }

    /// For `map_err`: the error of writing to `path`.
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> WriteError + '_ {
        move |source| WriteError::Write { path: path.to_owned(), source }
    }

    pub(super) fn in_the_way(path: &Path, found: &std::fs::Metadata) -> WriteError {
        WriteError::InTheWay {
            path: path.to_owned(),
            found: if found.is_symlink() {
                "a symbolic link"
            } else if found.is_dir() {
                "a directory"
            } else if found.is_file() {
                "a file"
            } else {
                "a device, pipe or socket"
            },
        }
    }
}
