//! The error of an archive that cannot be read.

use std::io;

/// The error of an archive that cannot be read, or only up to a record.
#[derive(Debug, thiserror::Error)]
#[error("{}record {record}, at byte {offset}: {kind}", entry.as_ref().map_or(String::new(), |it| format!("{it}: ")))]
pub struct ArchiveError {
    /// The name of the archive in its WACZ file. `None` if the archive is not in a WACZ file.
    pub entry: Option<String>,
    /// The number of the damaged record in the archive, from 1.
    pub record: usize,
    /// The byte of the archive at which the record begins, or the gzip member that contains it.
    pub offset: u64,
    /// The reason why the record cannot be read.
    pub kind: ArchiveErrorKind,
}

impl ArchiveError {
    /// Returns the error of an archive that cannot be opened.
    pub(super) fn unopened(error: io::Error) -> ArchiveError {
        ArchiveError { entry: None, record: 1, offset: 0, kind: ArchiveErrorKind::Read(error) }
    }
}

/// The reason why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveErrorKind {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(#[from] io::Error),
    /// A gzip member is damaged.
    #[error("the gzip member is damaged ({0})")]
    Member(#[source] io::Error),
    /// The bytes are not the start of a record.
    #[error("no WARC record begins here: not a WARC archive, or a damaged one")]
    NoRecord,
    /// The header has no end, or is too long to be one.
    #[error("the header has no end: the archive is cut off")]
    EndlessHeader,
    /// The record has no `Content-Length`, or one that is not a number.
    #[error("the record has no usable Content-Length")]
    NoLength,
    /// The archive is compressed further than any crawl.
    #[error(
        "the archive is larger than rehref decompresses: at least {decoded} bytes from {encoded}"
    )]
    TooLarge {
        /// The number of bytes that were decompressed.
        decoded: u64,
        /// The size of the archive in its file.
        encoded: u64,
    },
    /// The file ends within the record.
    #[error("the file ends {missing} byte{} before the end of the record", if *.missing == 1 { "" } else { "s" })]
    Truncated {
        /// The number of missing bytes of its block.
        missing: u64,
    },
}
