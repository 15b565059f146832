//! The outcome of one entry of a tree, and the errors of entries.

use std::io;

use super::report::Report;
use crate::output::WriteError;
use crate::{ContainerFormat, ReadError};
use rehref_site::{Diagnostic, Entry, diagnostic::display_path};

/// The outcome of one entry.
pub(super) enum Outcome {
    /// The entry was processed.
    Done(Box<EntryReport>),
    /// The entry is a container. Containers are rewritten one after the other, each on all threads.
    Deferred(ContainerFormat),
}

/// The report of one entry.
#[derive(Debug, Default)]
pub(super) struct EntryReport {
    /// The report of a run over this entry alone.
    pub(super) report: Report,
    /// The number of references that changed, or would; `None` if the entry does not change.
    pub(super) changed: Option<usize>,
    /// The diff in [`super::plan::Mode::Diff`], else empty.
    pub(super) diff: Vec<u8>,
}

impl EntryReport {
    /// Returns the report of `entry`, which could not be read or written because of `error`. `code`: the code of the
    /// error, if it is not the usual one.
    pub(super) fn failed(
        entry: &Entry,
        error: impl ToString,
        code: Option<&'static str>,
    ) -> EntryReport {
        let mut result = EntryReport::default();
        let mut error = Diagnostic::file_error(display_path(&entry.path), error.to_string());
        error.code = code.unwrap_or(error.code);
        result.report.errors.push(error);
        result
    }
}

/// The code of an error that is the same for all files: the disk is full.
pub const DISK_FULL: &str = "disk-full";

/// The reason an entry cannot be processed.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot compress the file: {0}")]
    Encode(#[source] io::Error),
    #[error("rehref does not copy devices, pipes and sockets")]
    Special,
}

impl FileError {
    pub(super) fn is_disk_full(&self) -> bool {
        matches!(self, FileError::Write(error) if error.is_disk_full())
    }
}
