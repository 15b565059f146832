//! Rewrites references, documents and whole trees.
//!
//! - [`policy`] decides on a reference, given its base URLs; [`targets`] maps targets to their URLs
//!   after the run, [`pretty_urls`] spells the URLs of index files and folders;
//! - [`fix`] replaces single references;
//! - `fast_path` does so for simple references without resolving them, with the table of `simple_paths`;
//! - [`document`] applies a policy to one document, `container` to the items of an archive;
//! - [`plan`] describes a run over a site, [`tree`] runs it and writes the result;
//! - `file_changes` computes the digests of changed files for the documents that state them, `revisits` those of
//!   archived documents for the revisit records that state them;
//! - `link_selector` warns of style sheets that select links by their text;
//! - `extract` writes a crawl as a tree of files, `captured_paths` maps its URLs to files;
//! - `offline` reports what does not work from disk;
//! - [`report`] holds the results of a run, `diagnostic_log` its diagnostics.

mod container;
mod diagnostic_log;
mod directories;
mod document;
mod entry;
mod extract;
mod file_changes;
mod offline;
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
