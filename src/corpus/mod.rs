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
#[allow(dead_code, reason = "rewriting and verifying move here next")]
mod container;
mod document;
mod error;
#[allow(dead_code, reason = "rewriting moves here next")]
mod file;
mod selection;
mod stream;
mod warc;
#[allow(dead_code, reason = "verifying moves here next")]
mod warc_compare;

pub use catch_panic::{Panicked, catch_panic};
pub use container::{
    CONTAINERS, ContainerError, ContainerFormat, Contents, Remark, container_format,
};
pub use document::{Role, SourceDocument, record_name};
pub use error::{CorpusError, ReadError};
pub(crate) use file::FileDocument;
pub use selection::{Selection, UnusedGlob};
pub use stream::{Collection, Corpus};
