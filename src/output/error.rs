//! What can go wrong on the way to a file's final place.

use std::io;
use std::path::{Path, PathBuf};

/// Why something was not written. It names the place it was meant for, never the temporary file.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// What it is made from cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// Where it was meant to go.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something of another kind stands in its place.
    #[error("something else is in the way in OUT: {} is {found}", .path.display())]
    InTheWay {
        /// Its place.
        path: PathBuf,
        /// What stands there.
        found: &'static str,
    },
    /// The new file could not be given to the owner of the old one.
    #[error("its owner and group cannot be kept ({0}), so it was not replaced")]
    Owner(#[source] io::Error),
}

impl WriteError {
    /// For `map_err`: the error of writing to `path`.
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> WriteError + '_ {
        move |source| WriteError::Write {
            path: path.to_owned(),
            source,
        }
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
