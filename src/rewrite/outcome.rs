//! The outcome of one entry of a tree, and why an entry fails.

use std::io;

use super::report::{Report, skipped_document};
use crate::corpus::{ContainerFormat, ReadError};
use crate::diagnostic::Diagnostic;
use crate::output::WriteError;

/// What happened to one entry.
pub(super) enum Outcome {
    /// It was processed.
    Done(Box<EntryReport>),
    /// It is a container. Containers are rewritten one after the other, each on all threads.
    Deferred(&'static ContainerFormat),
    /// It is a container, and the run was interrupted before its end.
    Interrupted,
}

/// The report of one entry.
#[derive(Debug, Default)]
pub(super) struct EntryReport {
    /// The report of a run over this entry alone.
    pub(super) report: Report,
    /// How many references changed, or would; `None` where the entry does not change.
    pub(super) changed: Option<usize>,
    /// The diff in [`super::Mode::Diff`], else empty.
    pub(super) diff: Vec<u8>,
}

impl EntryReport {
    /// The entry at `path` could not be read or written.
    pub(super) fn failed(path: &str, error: impl ToString) -> EntryReport {
        let mut entry = EntryReport::default();
        let error = Diagnostic::file_error(path, error.to_string());
        entry.report.errors.push(error);
        entry
    }

    /// The documents of the entry at `path` were skipped because of `error`.
    pub(super) fn skipped(path: &str, error: impl ToString) -> EntryReport {
        let mut entry = EntryReport::default();
        entry.add_skipped(path, error.to_string());
        entry
    }

    /// Adds the document `name`, which was skipped.
    pub(super) fn add_skipped(&mut self, name: &str, message: String) {
        self.report.documents.seen += 1;
        self.report.documents.skipped += 1;
        let error = skipped_document(name, message);
        self.report.diagnostics.push(error);
    }
}

/// Why an entry cannot be processed.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot be compressed: {0}")]
    Encode(#[source] io::Error),
    #[error("a device, pipe or socket; not copied")]
    Special,
}
