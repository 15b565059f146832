//! The work of site generators on the sources of a site. The text of a source goes in; out come its links and anchors
//! with their spans, and the names and URLs that the generator gives its pages.
//!
//! Everything here is pure: strings in, strings and spans out, no I/O, and no panic on any input.
//!
//! - [`markdown`] reads Markdown in the dialect of a generator: links, headings and their anchors, front matter,
//!   navigation, the URLs of pages;
//! - [`data`] reads and writes the scalars of YAML and TOML;
//! - [`Text`] is a decoded text with a map back to its source;
//! - [`memory_budget()`] is the memory that reading a text may take.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(any(test, fuzzing)),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]
// The types of sources are left without what reads them.
#![cfg_attr(not(feature = "markdown"), allow(dead_code, unused_imports))]

pub mod data;
pub mod markdown;
mod memory_budget;
mod text;

/// True if this build reads Markdown, YAML and TOML (feature `markdown`). If false, nothing is found in such
/// files.
pub const READS_MARKDOWN: bool = cfg!(feature = "markdown");

pub use memory_budget::memory_budget;
pub use text::{Escape, Offsets, Text, line_end_length};
