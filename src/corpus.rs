//! One stream of documents, whatever they are stored in.
//!
//! A [`Corpus`] is a site on disk: a walked directory, or a single document or archive ([`SitePlace`]
//! says which). Its documents come out of plain files, compressed pages and the records of archives. All
//! readers (`audit`, `links`, `verify`) and writers (`rewrite`) get them here as
//! [`SourceDocument`]s: a name for messages, the URLs that references resolve against, the bytes and
//! how to parse them. [`SingleDocument`] is a document that belongs to no site: a file on its own,
//! or stdin.
//!
//! - [`Selection`] decides which files are documents;
//! - [`Collection`] hands out the documents that are one site, in order, on several threads: the files, or the
//!   records of all archives;
//! - `file` reads a plain or compressed file, `container` is the interface of all archives,
//!   `formats` the table of their kinds, `warc` the first of them; `wacz` what WACZ files hold besides archives;
//! - [`catch_panic`] keeps a parser's panic from ending the run.

mod catch_panic;
mod container;
mod digests;
mod document;
mod error;
mod file;
mod formats;
mod inclusions;
mod input;
mod inventory;
mod place;
mod revisits;
mod selection;
mod single;
mod stream;
mod style_charsets;
mod wacz;
mod warc;
mod warc_compare;
mod warc_documents;
mod warc_revisits;

pub use catch_panic::catch_panic;
pub(crate) use container::{
    Access, CompareContainers, Item, ItemComparer, ItemOutcome, PackError, Piece, PieceBytes,
    ReadSeek, RecordPlaces, Revisit, RewrittenArchive, RewrittenItem,
};
pub use container::{ContainerFormat, Remark};
pub use digests::SiteDigests;
pub use document::{Role, SourceDocument};
pub(crate) use error::SkipError;
pub use error::{ContainerError, CorpusError, ReadError};
pub(crate) use file::{FileDocument, FileRole};
pub(crate) use formats::archives_in;
pub use formats::{container_format, container_suffixes};
pub use input::{Corpus, Observer};
pub use inventory::Inventory;
pub(crate) use place::folder_of;
pub use place::{SitePlace, SitePlaceError};
pub(crate) use revisits::{CaptureDigest, ContentKey, RevisitDigests};
pub use selection::{Selection, SingleFile, UnusedGlob};
pub use single::{SingleDocument, SingleDocumentError};
pub use stream::{ArchiveRemark, Collection};
pub(crate) use warc_documents::RecordDocuments;
