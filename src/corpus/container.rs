//! Containers: files that hold many documents, each with a URL of its own.
//!
//! A new kind of container is one file beside this one and one row in [`CONTAINERS`].

use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::{ReadError, SourceDocument, warc};
use crate::document::ParseOptions;
use crate::site::FileIndex;
use crate::url::Standard;
use crate::warc::index::ArchiveIndex;

/// A kind of container.
#[derive(Debug)]
pub struct ContainerFormat {
    /// How the names of such files end, in lower case.
    pub suffixes: &'static [&'static str],
    /// Opens a file of this kind.
    pub(crate) open: fn(ContainerFile<'_>, Access) -> Result<Box<dyn Container>, ContainerError>,
    /// Lists the URLs that a file of this kind holds, without reading their documents.
    pub(crate) contents: fn(&Path) -> Result<Contents, ContainerError>,
    /// Compares two files of this kind; `None` where equal bytes are all that counts.
    pub(crate) compare: Option<Compare>,
}

/// Compares the items of two containers, of which the second should be the first rewritten.
pub(crate) type Compare = fn(
    before: ContainerFile<'_>,
    after: &Path,
    comparison: &mut dyn Comparison,
) -> Result<(), ContainerError>;

/// All kinds of containers.
pub const CONTAINERS: &[ContainerFormat] = &[warc::KIND];

/// The kind of container that a file of this name is; `None` for other files.
pub fn container_format(name: &OsStr) -> Option<&'static ContainerFormat> {
    let name = name.to_string_lossy().to_ascii_lowercase();
    CONTAINERS
        .iter()
        .find(|kind| kind.suffixes.iter().any(|suffix| name.ends_with(suffix)))
}

/// A container that is to be read, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContainerFile<'c> {
    /// Where it is.
    pub(crate) path: &'c Path,
    /// What messages call it.
    pub(crate) name: &'c str,
    /// How to parse its documents, where nothing in the container says otherwise.
    pub(crate) options: ParseOptions,
    /// The standard that references are resolved by.
    pub(crate) standard: Standard,
}

/// How much of a container is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The items that hold documents.
    Documents,
    /// Everything, so that the pieces make the file again.
    Everything,
}

/// A container that is being read from its start to its end.
pub(crate) trait Container: Send {
    /// The next piece; `None` at the end. Of items whose number is not `is_wanted` no document is
    /// handed out. Items are numbered from 1.
    fn next(&mut self, is_wanted: &dyn Fn(usize) -> bool) -> Result<Option<Piece>, ContainerError>;
    /// How many items were begun.
    fn items(&self) -> usize;
    /// What there is to report about the items so far; `is_changed`: whether documents of the
    /// container were rewritten.
    fn remarks(&self, is_changed: bool) -> Vec<Remark>;
}

/// A part of a container, in the order of the file.
pub(crate) enum Piece {
    /// An item that may hold documents.
    Item(Box<dyn Item>),
    /// Bytes of the old file that are the same in the new one.
    Copy(Range<u64>),
    /// Bytes of the new file that are written differently in the old one.
    Bytes(Vec<u8>),
}

/// Something about a container, or an item of it, that the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// A short stable name.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// Whether documents were not read because of it.
    pub is_skipped: bool,
}

/// An item of a container: a record, a member.
pub(crate) trait Item: Send {
    /// What messages call it.
    fn name(&self) -> &str;
    /// About how many bytes of memory it takes.
    fn size(&self) -> usize;
    /// Hands its documents to `work`, in order.
    ///
    /// # Errors
    /// When they cannot be decoded; then `work` is not called.
    fn read(&self, work: &mut dyn FnMut(&SourceDocument<'_>)) -> Result<(), ReadError>;
    /// Hands its documents to `rewrite`, and puts the bytes that it returns in their place. With
    /// `needs_bytes` false the new bytes of the item are not made.
    fn rewrite(self: Box<Self>, rewrite: &mut Rewrite<'_>, needs_bytes: bool) -> RewrittenItem;
}

/// Rewrites one document: its new bytes, `None` where it does not change, or why it is skipped.
pub(crate) type Rewrite<'r> =
    dyn FnMut(&SourceDocument<'_>) -> Result<Option<Vec<u8>>, String> + 'r;

/// What became of an item.
pub(crate) struct RewrittenItem {
    /// What messages call it.
    pub(crate) name: String,
    /// What became of its documents.
    pub(crate) outcome: ItemOutcome,
    /// What stands for it in the new container.
    pub(crate) piece: Result<Written, ContainerError>,
    /// What there is to report.
    pub(crate) remarks: Vec<Remark>,
}

/// What became of the documents of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemOutcome {
    /// It has none.
    NoDocument,
    /// At least one changed.
    Rewritten,
    /// None changed.
    Unchanged,
    /// They could not be rewritten, for this reason.
    Skipped(String),
}

/// What stands for a piece in the new container.
pub(crate) enum Written {
    /// Bytes of the old file.
    Copy(Range<u64>),
    /// New bytes; empty where they were not needed.
    Bytes(Vec<u8>),
}

/// Learns what two containers have in common, item by item.
pub(crate) trait Comparison {
    /// What stands around the documents differs, in the item that messages call `item`; empty for
    /// the container as a whole.
    fn envelope_differs(&mut self, item: &str, message: &str);
    /// A document and its counterpart.
    fn documents(&mut self, item: &str, before: &SourceDocument<'_>, after: &SourceDocument<'_>);
}

/// The URLs that a container holds.
#[derive(Clone, Debug)]
pub enum Contents {
    /// Whole URLs, with what was recorded for each.
    Captures(ArchiveIndex),
    /// Files, as in a folder.
    Files(FileIndex),
}

/// Why a container cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// It is damaged.
    #[error(transparent)]
    Damaged(#[from] crate::warc::ArchiveError),
    /// It cannot be opened.
    #[error("cannot be read: {0}")]
    Open(#[source] io::Error),
}
