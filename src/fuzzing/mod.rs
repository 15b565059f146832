//! Fuzzing: properties that hold for all bytes, each a function that panics where its property does not
//! hold. Compiled for tests, and for cargo-fuzz, which sets `cfg(fuzzing)`.
//!
//! - [`TARGETS`] lists the targets. cargo-fuzz runs them by name (`fuzz/`); `tests` runs each for some
//!   inputs, or for `REHREF_FUZZ_SECONDS`;
//! - [`input`] divides the bytes of an input into a text and the choice of options;
//! - [`mutation`] makes inputs of seeds, with the pieces of [`pieces`] and [`soup`], which mean something
//!   to the target;
//! - the other modules hold the properties. Tests over generated documents call these, too.

mod archives;
pub(crate) mod documents;
pub(crate) mod engines;
mod input;
pub(crate) mod lists;
mod mutation;
pub(crate) mod pieces;
mod runs;
pub(crate) mod soup;
pub(crate) mod styles;
#[cfg(test)]
mod tests;
pub(crate) mod urls;

pub use mutation::{Random, mutate};

/// A property of all inputs.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, and of its program in `fuzz/`.
    pub name: &'static str,
    /// Checks the property for an input.
    ///
    /// # Panics
    /// When it does not hold.
    pub check: fn(&[u8]),
    /// The texts that mutations insert.
    pub pieces: &'static [&'static str],
    /// The extensions of files that are good seeds.
    pub seeds: &'static [&'static str],
    /// The number of files that a seed consists of.
    pub files: usize,
}

/// All targets.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "engines", check: engines::all_agree, pieces: soup::PIECES, seeds: &["html", "htm"], files: 1 },
    Target { name: "documents", check: documents::rewritten, pieces: pieces::DOCUMENT, seeds: documents::SEEDS, files: 1 },
    Target { name: "markdown", check: documents::markdown, pieces: pieces::MARKDOWN, seeds: &["md", "mdx"], files: 1 },
    Target { name: "editing", check: documents::edited, pieces: pieces::DOCUMENT, seeds: documents::SEEDS, files: 1 },
    Target { name: "messages", check: documents::messages, pieces: pieces::MESSAGE, seeds: &["mht", "mhtml", "eml"], files: 1 },
    Target { name: "css", check: styles::css, pieces: pieces::CSS, seeds: &["css"], files: 1 },
    Target { name: "srcset", check: styles::srcset, pieces: pieces::SRCSET, seeds: &[], files: 1 },
    Target { name: "urls", check: urls::all, pieces: pieces::URL, seeds: &[], files: 1 },
    Target { name: "warc", check: archives::warc, pieces: pieces::WARC, seeds: &["warc"], files: 1 },
    Target { name: "codings", check: archives::codings, pieces: &["\x1F\u{8B}", "\u{28}\u{B5}", "x", "\n"], seeds: &["html"], files: 1 },
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
