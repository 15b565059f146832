//! Documents in and out, whatever they are stored in. A place on disk goes in (a directory, a document, an archive); out
//! comes one stream of documents, in order, worked on by several threads. [`run`](mod@run) rewrites them all: a plan
//! goes in, an output tree and a report come out.
//!
//! A [`Corpus`] is a site on disk: a walked directory, or a single document or archive ([`SitePlace`]
//! says which). Its documents come out of plain files, compressed pages and the records of archives. All
//! readers (`audit`, `links`, `verify`) and writers (`run`) get them here as
//! [`SourceDocument`]s: a name for messages, the URLs that references resolve against, the bytes and
//! how to parse them. [`SingleDocument`] is a document that belongs to no site: a file on its own,
//! or stdin.
//!
//! - [`Selection`] decides which files are documents;
//! - [`Collection`] hands out the documents that are one site, in order, on several threads: the files, or the
//!   records of all archives;
//! - `file` reads a plain or compressed file, `warc_container` the archives, `container` has the types between
//!   them and the run, `formats` the table of their kinds; `wacz` what WACZ files hold besides
//!   archives; [`warc`] is the format of archives, [`coding`] that of compressed pages;
//! - [`parallel`] is the ordered queue, on a pool of rayon;
//! - [`output`] writes files and trees whole or not at all, [`files`] opens and reads them, without following links;
//! - [`stale_paths`] finds the strings of scripts and data that still name what moved;
//! - [`mod@catch_panic`] keeps a parser's panic from ending the run.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(any(test, fuzzing)),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod catch_panic;
pub mod coding;
mod container;
mod digests;
mod document;
mod error;
mod file;
pub mod files;
mod formats;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod inclusions;
mod input;
mod inventory;
mod link_base;
mod linked_file;
mod linked_files;
pub mod output;
mod page_fragments;
mod page_script;
mod page_scripts;
pub mod parallel;
mod place;
mod revisits;
pub mod run;
mod selection;
mod served_anywhere;
mod single;
pub mod stale_paths;
mod stream;
mod temporary;
#[cfg(test)]
#[path = "../../../tests/support/data.rs"]
mod test_data;
mod wacz;
pub mod warc;
mod warc_compare;
mod warc_container;
mod warc_counts;
mod warc_documents;
mod warc_revisits;

pub use catch_panic::{ParserPanic, catch_panic};
pub use container::{CompareError, ContainerFile, ItemComparer};
pub use digests::SiteDigests;
pub use document::{Role, SourceDocument};
pub use error::SkipError;
pub use error::{ContainerError, ReadError};
pub use file::{FileDocument, FileRole};
pub use formats::{ContainerFormat, archives_in, container_format, container_suffixes};
pub use input::Corpus;
pub use inventory::Inventory;
pub use page_fragments::InsertedFragment;
pub use parallel::Error as CorpusError;
pub use place::folder_of;
pub use place::{SitePlace, SitePlaceError};
pub use revisits::RevisitDigests;
pub use run::plan::Observer;
pub use selection::{Selection, SingleFile, UnusedGlob};
pub use served_anywhere::{ERROR_PAGES, ServedAnywhere};
pub use single::{SingleDocument, SingleDocumentError};
pub use stream::Collection;
pub use warc_compare::compare_containers;
pub use warc_documents::RecordDocuments;
pub use warc_revisits::add_rewritten_captures;
