//! Temporary files without names, whose errors name their directory: it may be full while that of the output is not.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[error(
    "cannot write a temporary file in {}: {source}\nhelp: free some space there, or set TMPDIR to another directory",
    .folder.display()
)]
struct TemporaryError {
    folder: PathBuf,
    source: io::Error,
}

fn error(source: io::Error) -> io::Error {
    // Writers try again after it.
    if source.kind() == io::ErrorKind::Interrupted {
        return source;
    }
    let folder = std::env::temp_dir();
    io::Error::other(TemporaryError { folder, source })
}

/// Returns true if `error` is of a temporary file.
pub(super) fn is_temporary(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|it| it.is::<TemporaryError>())
}

/// A temporary file that is being written.
#[derive(Debug)]
pub(super) struct TemporaryFile(File);

impl TemporaryFile {
    /// # Errors
    /// When it cannot be created.
    pub(super) fn new() -> io::Result<TemporaryFile> {
        tempfile::tempfile().map(TemporaryFile).map_err(error)
    }

    /// # Errors
    /// When the system cannot set its length.
    pub(super) fn set_len(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length).map_err(error)
    }

    /// Returns the file, which is complete.
    pub(super) fn into_file(self) -> File {
        self.0
    }
}

impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(error)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(error)
    }
}

impl Seek for TemporaryFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}
