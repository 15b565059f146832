//! What can be wrong with an archive.

use std::io;

/// Why an archive cannot be read, or not further.
#[derive(Debug, thiserror::Error)]
#[error("record {record}, at byte {offset}: {kind}")]
pub struct ArchiveError {
    /// The number of the record, from 1.
    pub record: usize,
    /// The byte of the file at which it begins, or the compressed member that it is in.
    pub offset: u64,
    /// What is wrong.
    pub kind: ArchiveErrorKind,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// A gzip member is damaged.
    #[error("its gzip member is damaged ({0})")]
    Member(#[source] io::Error),
    /// Something else stands where a record should begin.
    #[error("no WARC record begins here")]
    NoRecord,
    /// The header has no end, or is too long to be one.
    #[error("its header has no end")]
    EndlessHeader,
    /// It has no `Content-Length`, or one that is no number.
    #[error("it has no usable Content-Length")]
    NoLength,
    /// The file ends within the record.
    #[error("the file ends within it, {missing} bytes early")]
    Truncated {
        /// How many bytes of its block are missing.
        missing: u64,
    },
}
