//! Fuzz targets: properties that hold for all bytes.

#[path = "../tests/support/fuzzing/mod.rs"]
mod harness;

pub(crate) mod documents;
pub(crate) mod lists;
mod runs;
#[cfg(test)]
mod tests;

pub use harness::{Target, input, mutation, pieces};

/// The targets of this crate; those of the crates below are theirs.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "documents", check: documents::rewritten, pieces: pieces::DOCUMENT, seeds: documents::SEEDS, files: 1 },
    Target { name: "markdown", check: documents::markdown, pieces: pieces::MARKDOWN, seeds: &["md", "mdx"], files: 1 },
    Target { name: "editing", check: documents::edited, pieces: pieces::DOCUMENT, seeds: documents::SEEDS, files: 1 },
    Target { name: "messages", check: documents::messages, pieces: pieces::MESSAGE, seeds: &["mht", "mhtml", "eml"], files: 1 },
    Target { name: "lists", check: lists::all, pieces: pieces::LIST, seeds: &["json", "txt"], files: 1 },
    Target { name: "runs", check: runs::all, pieces: pieces::DOCUMENT, seeds: &["html", "css", "svg", "xhtml", "xml"], files: 8 },
];
