//! Fuzz targets: properties that hold for all bytes.

#[path = "../tests/support/fuzzing/mod.rs"]
mod harness;

pub(crate) mod documents;
pub(crate) mod lists;
mod runs;
#[cfg(test)]
mod tests;

pub use harness::mutation::{Random, mutate};
pub use harness::{Target, input, pieces, soup};

/// All targets.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "documents", check: documents::rewritten, pieces: pieces::DOCUMENT, seeds: documents::SEEDS, files: 1 },
    Target { name: "markdown", check: documents::markdown, pieces: pieces::MARKDOWN, seeds: &["md", "mdx"], files: 1 },
    Target { name: "editing", check: documents::edited, pieces: pieces::DOCUMENT, seeds: documents::SEEDS, files: 1 },
    Target { name: "messages", check: documents::messages, pieces: pieces::MESSAGE, seeds: &["mht", "mhtml", "eml"], files: 1 },
    Target { name: "lists", check: lists::all, pieces: pieces::LIST, seeds: &["json", "txt"], files: 1 },
    Target { name: "runs", check: runs::all, pieces: pieces::DOCUMENT, seeds: &["html", "css", "svg", "xhtml", "xml"], files: 8 },
];

/// The target of this name.
///
/// # Panics
/// When there is none.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    *found.unwrap_or_else(|| panic!("no target {name}"))
}
