//! A run over all documents of a corpus: `rehref-rewrite` rewrites each, and the result is written.
//!
//! - [`plan`] describes a run over a site, [`tree`] runs it and writes the result;
//! - `container` rewrites the items of an archive;
//! - `file_changes` computes the digests of changed files for the documents that state them, `revisits` those of
//!   archived documents for the revisit records that state them;
//! - `extract` writes a crawl as a tree of files;
//! - [`report`] holds the results of a run, `diagnostic_log` its diagnostics.

mod container;
mod diagnostic_log;
mod directories;
mod document;
mod entry;
mod extract;
mod file_changes;
mod outcome;
pub mod plan;
pub mod report;
mod revisits;
pub mod tree;

pub use entry::stale_paths_outside;
pub use extract::{ExtractError, extract};
pub use file_changes::changed_document;
pub use outcome::DISK_FULL;
pub use plan::Plan;
pub use report::Report;
pub use tree::run;
