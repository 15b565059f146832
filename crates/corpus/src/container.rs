//! Containers: files that hold many documents, each with a URL of its own.
//!
//! A new kind of container is one file beside `warc_container.rs` and one row in [`super::formats::CONTAINERS`].

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::Path;

use super::document::SourceDocument;
use super::error::{ContainerError, ReadError, SkipError};
use super::revisits::{CaptureDigest, ContentKey, RevisitDigests};
use crate::warc::source::ArchiveSource;
use rehref_document::{DocumentError, ParseOptions};
use rehref_site::CaptureIndex;
use rehref_url::Standard;

/// A kind of container.
#[derive(Debug)]
pub struct ContainerFormat {
    /// The endings of the names of such files, in lower case.
    pub suffixes: &'static [&'static str],
    /// The WARC archives in a file of this kind.
    pub(crate) archives: fn(&Path) -> Result<Vec<ArchiveSource>, ContainerError>,
    /// Opens a file of this kind.
    pub(crate) open: OpenContainer,
    /// Adds the URLs that a file of this kind holds to an index, without reading their documents.
    pub(crate) captures: fn(&Path, &mut CaptureIndex) -> Result<(), ContainerError>,
    /// Adds the revisits of a file of this kind, without reading documents.
    pub(crate) revisits: fn(&Path, &mut RevisitDigests) -> Result<(), ContainerError>,
    /// Writes a file of this kind with rewritten archives; `None` if its one archive is the whole file.
    pub(crate) pack: Option<Pack>,
    /// Compares two files of this kind.
    pub compare: CompareContainers,
    /// Adds the captures of a file of this kind that revisits refer to, with the digests that the second file states:
    /// the first one rewritten.
    pub rewritten_captures: fn(&Path, &Path, &mut RevisitDigests) -> Result<(), ContainerError>,
}

/// Opens a container.
pub(crate) type OpenContainer =
    for<'a> fn(ContainerFile<'_>, Access<'a>) -> Result<Box<dyn Container + 'a>, ContainerError>;

/// Writes the file at the path to the writer, with these archives in place of its archives of the same names. Updates
/// the indexes and digests in it, and copies everything else. Without a writer, finds out whether it can be written.
pub(crate) type Pack =
    fn(&Path, Vec<RewrittenArchive>, Option<&mut dyn Write>) -> Result<Vec<Remark>, PackError>;

/// Why a container with rewritten archives could not be written.
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
    /// Its name in the container.
    pub(crate) name: String,
    /// Its new bytes; `None` if they are not written.
    pub(crate) file: Option<File>,
    /// The places of its records, in the order of the archive.
    pub(crate) places: Vec<RecordPlaces>,
}

/// The place of a record before and after the rewrite, in bytes of its archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlaces {
    pub(crate) old: Range<u64>,
    pub(crate) new: Range<u64>,
    /// Whether its bytes changed.
    pub(crate) is_changed: bool,
}

/// Bytes that can be read from any position.
pub trait ReadSeek: Read + Seek + Send {}

impl<R: Read + Seek + Send> ReadSeek for R {}

/// Hands the items of two containers, of which the second should be the first rewritten, to a
/// comparer.
pub type CompareContainers = fn(
    before: ContainerFile<'_>,
    after: &Path,
    comparer: &mut dyn ItemComparer,
) -> Result<(), CompareError>;

/// Why two containers cannot be compared: one of the two cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The first one.
    #[error(transparent)]
    Before(ContainerError),
    /// The second one.
    #[error("in AFTER: {0}")]
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
    /// Its name in messages.
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

/// A container that is being read from its start to its end.
pub(crate) trait Container: Send {
    /// The next piece; `None` at the end. An item whose number is not `is_wanted` is a piece without
    /// documents. Items are numbered from 1. After an error, continues after the damaged part.
    fn next(&mut self, is_wanted: &dyn Fn(usize) -> bool) -> Result<Option<Piece>, ContainerError>;
    /// The number of items read so far.
    fn items(&self) -> usize;
    /// Remarks on the items read so far.
    fn remarks(&self) -> Vec<Remark>;
}

/// A part of a container, in the order of the file.
pub enum Piece {
    /// The start of an archive in the container: its name and its bytes, in which the next pieces have their places.
    /// Only of [`Access::Everything`], and of containers that are packed.
    Start(String, Box<dyn ReadSeek>),
    /// An item that may hold documents.
    Item(Box<dyn Item>),
    /// An item that refers to the content of another one. Only of [`Access::Everything`].
    Revisit(Box<dyn Revisit>),
    /// An item that a revisit refers to by these keys, and that holds no document. Only of [`Access::Revisited`].
    Capture(Vec<ContentKey>),
    /// An unwanted item, or the bytes between items.
    Other(PieceBytes),
}

/// The bytes of the new container in place of a piece.
pub enum PieceBytes {
    /// The same bytes as the old file at these offsets.
    Copy(Range<u64>),
    /// Other bytes; empty if the caller does not need them.
    Bytes(Vec<u8>),
}

/// A message to the user about a container or one of its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// A short stable name.
    pub code: &'static str,
    /// The text, without a full stop at its end.
    pub message: String,
    /// Whether documents were not read because of it.
    pub is_skipped: bool,
}

/// An item of a container: a record, a member.
pub trait Item: Send {
    /// Its name in messages.
    fn name(&self) -> &str;
    /// The memory that it needs, in bytes, roughly.
    fn size(&self) -> usize;
    /// Its place in its archive, in bytes; `None` if it shares its compressed data with others.
    fn place(&self) -> Option<Range<u64>>;
    /// The keys by which revisits refer to it; empty if none can.
    fn content_keys(&self) -> Vec<ContentKey>;
    /// Hands its documents to `work`, in order.
    ///
    /// # Errors
    /// When they cannot be decoded; then `work` is not called.
    fn read(&self, work: &mut dyn FnMut(&SourceDocument<'_>)) -> Result<(), ReadError>;
    /// Hands its documents to `rewrite` and replaces them with the bytes that `rewrite` returns.
    /// Unless `needs_bytes`, the new bytes of the item are not assembled.
    fn rewrite(self: Box<Self>, rewrite: &mut Rewrite<'_>, needs_bytes: bool) -> RewrittenItem;
}

/// An item that refers to the content of another one, and states its digest.
pub trait Revisit: Send {
    /// The memory that it needs, in bytes, roughly.
    fn size(&self) -> usize;
    /// Its place in its archive, in bytes; `None` if it shares its compressed data with others.
    fn place(&self) -> Option<Range<u64>>;
    /// Whether the content may be a document, as far as the revisit shows it.
    fn may_be_document(&self) -> bool;
    /// The digest of the content that it refers to.
    fn digest<'d>(&self, digests: &'d RevisitDigests) -> &'d CaptureDigest;
    /// Replaces the digest that it states. Unless `needs_bytes`, the new bytes are not assembled.
    fn rewrite(
        self: Box<Self>,
        digest: &CaptureDigest,
        needs_bytes: bool,
    ) -> Result<PieceBytes, ContainerError>;
}

/// Rewrites one document: returns its new bytes, `None` if it does not change, or the reason to skip it.
pub(crate) type Rewrite<'r> =
    dyn FnMut(&SourceDocument<'_>) -> Result<Option<Vec<u8>>, DocumentError> + 'r;

/// The result of rewriting an item.
pub struct RewrittenItem {
    /// The name of the item in messages.
    pub(crate) name: String,
    /// The outcome for its documents.
    pub(crate) outcome: ItemOutcome,
    /// The digest of its new content that it states, if that changed.
    pub(crate) digest: Option<String>,
    /// The replacement of the item in the new container.
    pub(crate) written: Result<PieceBytes, ContainerError>,
    /// Remarks on the item.
    pub(crate) remarks: Vec<Remark>,
}

/// The outcome of rewriting the documents of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemOutcome {
    /// It has none.
    NoDocument,
    /// At least one changed.
    Rewritten,
    /// None changed.
    Unchanged,
    /// They could not be rewritten, for this reason.
    Skipped(SkipError),
}

/// Compares the items of two containers.
pub trait ItemComparer {
    /// Whether the run was interrupted, so that no further item is wanted.
    fn is_cancelled(&self) -> bool;
    /// Counts an item that may hold documents, whether it differs or not.
    fn item(&mut self);
    /// The digests of the captures that revisits of BEFORE refer to, in AFTER.
    fn revisit_digests(&self) -> &RevisitDigests;
    /// Takes a remark on the containers, such as on items whose documents are not compared.
    fn remark(&mut self, remark: Remark);
    /// Reports that the bytes around the documents of `item` differ. `item` is the name in
    /// messages, empty for the container as a whole.
    fn envelope_differs(&mut self, item: &str, message: &str);
    /// Compares a document of `item` with its counterpart.
    fn documents(&mut self, item: &str, before: &SourceDocument<'_>, after: &SourceDocument<'_>);
}
