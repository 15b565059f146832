//! One stream of documents, whatever they are stored in.
//!
//! A [`Corpus`] is a site on disk: a walked directory, or a single archive. Its documents come out
//! of plain files, compressed pages and the records of archives, and all readers (`audit`, `links`,
//! `base`) and writers (`rewrite`, `verify`) get them here, as [`SourceDocument`]s: a name to show,
//! the URLs they count from, their bytes and how to parse them.
//!
//! - [`Selection`] decides which files are documents;
//! - [`Collection`] hands out the documents that make one site, in order, on several threads;
//! - `file` reads a plain or compressed file, `container` is the interface of all archives and the
//!   table of their kinds, `warc` the first of them;
//! - [`catch_panic`] keeps a parser's panic from ending the run.

mod catch_panic;
mod container;
mod document;
mod error;
mod file;
mod selection;
mod stream;
mod warc;
mod warc_compare;

pub use catch_panic::{Panicked, catch_panic};
pub(crate) use container::{Access, Compare, Comparison, ItemOutcome, Piece, Written};
pub use container::{
    CONTAINERS, ContainerError, ContainerFormat, Contents, Remark, container_format,
};
pub use document::{Role, SourceDocument, record_name};
pub use error::{CorpusError, ReadError};
pub(crate) use file::{FileDocument, FileRole};
pub use selection::{Selection, UnusedGlob};
pub use stream::{Collection, Corpus, Observer};
