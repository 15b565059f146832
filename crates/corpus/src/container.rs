//! Containers: files that hold many documents, each with a URL of its own.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::warc::{ArchiveError, ArchiveErrorKind, Format, Record};
use crate::{ContainerError, RevisitDigests, SourceDocument};
use rehref_document::{DocumentError, ParseOptions};
use rehref_site::Diagnostic;
use rehref_url::Standard;

/// The reason a container with rewritten archives could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The new file cannot be written.
    #[error(transparent)]
    Output(io::Error),
    /// The old file cannot be read, or something in it cannot be updated.
    #[error(transparent)]
    Container(#[from] ContainerError),
}

/// An archive of a container after the rewrite.
#[derive(Debug)]
pub struct RewrittenArchive {
    /// The name in the container.
    pub(crate) name: String,
    /// The new bytes; `None` if they are not written.
    pub(crate) file: Option<File>,
    /// The places of its records, in the order of the archive.
    pub(crate) places: Vec<Places>,
}

/// The byte ranges of a record before and after the rewrite, in its archive; or of a gzip member in an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    pub(crate) old: Range<u64>,
    pub(crate) new: Range<u64>,
    /// True if its bytes changed.
    pub(crate) is_changed: bool,
}

impl Places {
    /// Returns the one of `places`, in their order, that began at the byte `start` before, and its number.
    pub(crate) fn starting_at(places: &[Places], start: u64) -> Option<(usize, &Places)> {
        let at = places.binary_search_by_key(&start, |it| it.old.start).ok()?;
        Some((at, places.get(at)?))
    }
}

/// The reason two containers cannot be compared: one of the two cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The first one.
    #[error(transparent)]
    Before(ContainerError),
    /// The second one.
    #[error("in the new tree: {0}")]
    After(ContainerError),
}

impl CompareError {
    /// For `map_err`: the error of reading the first container.
    pub(super) fn before(error: impl Into<ContainerError>) -> CompareError {
        CompareError::Before(error.into())
    }

    /// For `map_err`: the error of reading the second container.
    pub(super) fn after(error: impl Into<ContainerError>) -> CompareError {
        CompareError::After(error.into())
    }
}

/// A container to read, and the options for its documents.
#[derive(Clone, Copy, Debug)]
pub struct ContainerFile<'c> {
    pub(crate) path: &'c Path,
    /// The name in messages.
    pub(crate) name: &'c str,
    /// How to parse its documents; a kind or charset that the container declares takes precedence.
    pub(crate) options: ParseOptions,
    /// The standard that references are resolved by.
    pub(crate) standard: Standard,
}

/// The parts of a container that a reader needs.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// The items that hold documents.
    Documents,
    /// Everything: the pieces together are the whole file.
    Everything,
    /// The items that one of these revisits refers to.
    Revisited(&'a RevisitDigests),
}

/// The bytes of the new container in place of a piece.
pub(crate) enum PieceBytes {
    /// The same bytes as the old file at these offsets.
    Copy(Range<u64>),
    /// Other bytes, in place of the record at these offsets, if it has a place; empty if the caller does not need them.
    Bytes(Vec<u8>, Option<Range<u64>>),
}

impl PieceBytes {
    /// Returns the bytes of `record` in an archive of this format.
    pub(crate) fn of_record(
        record: &Record,
        format: Format,
        is_changed: bool,
        needs_bytes: bool,
    ) -> Result<PieceBytes, ContainerError> {
        let place = record.place.clone();
        let bytes = match &place {
            Some(place) if !is_changed => return Ok(PieceBytes::Copy(place.clone())),
            _ if !needs_bytes => Vec::new(),
            place => record.write(format).map_err(|error| ArchiveError {
                entry: None,
                record: record.number,
                offset: place.as_ref().map_or(0, |place| place.start),
                kind: ArchiveErrorKind::Read(error),
            })?,
        };
        Ok(PieceBytes::Bytes(bytes, place))
    }

    /// Returns the number of bytes in memory.
    pub(crate) fn size(&self) -> usize {
        match self {
            PieceBytes::Copy(_) => 0,
            PieceBytes::Bytes(bytes, _) => bytes.len(),
        }
    }
}

/// Rewrites one document: returns its new bytes, `None` if it does not change, or the reason to skip it.
pub(crate) type Rewrite<'r> =
    dyn FnMut(&SourceDocument<'_>) -> Result<Option<Vec<u8>>, DocumentError> + 'r;

/// The outcome of replacing the documents of an item.
pub(crate) enum Replaced {
    /// The container has no document.
    NoDocument,
    /// None changed.
    Unchanged,
    /// At least one changed. The header fields with these names had wrong digests, which stay.
    Changed(Vec<&'static str>),
}

/// A comparer that receives the items of two containers in pairs.
pub trait ItemComparer {
    /// Returns true if the run was interrupted, so that no further item is wanted.
    fn is_cancelled(&self) -> bool;
    /// Counts an item that may hold documents, whether it differs or not.
    fn item(&mut self);
    /// The digests of the captures that revisits of BEFORE refer to, in AFTER.
    fn revisit_digests(&self) -> &RevisitDigests;
    /// Takes a warning about the containers, such as of items whose documents are not compared. It has no path.
    fn warn(&mut self, warning: Diagnostic);
    /// Reports that the bytes around the documents of `item` differ. `item` is the name in
    /// messages, empty for the container as a whole.
    fn envelope_differs(&mut self, item: &str, message: &str);
    /// Compares a document of `item` with its counterpart.
    fn documents(&mut self, item: &str, before: &SourceDocument<'_>, after: &SourceDocument<'_>);
}
