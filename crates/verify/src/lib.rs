//! Verifies that a rewriting kept the target of every link and every other byte. Two trees go in, before and after, and
//! what may differ between them; out comes a report of the differences.
//!
//! This crate reads trees and parses documents and URLs with the same code as the rewriting, and shares nothing else
//! with it: its Cargo.toml does not name `rehref-rewrite`, so that a mistake of the rewriting cannot hide itself.
//!
//! - [`browser`] compares pages as visitors find them, in a headless Chromium that [`chromium`] speaks with;
//! - [`document`] compares two documents, [`tree`] two trees; [`expected_targets`] maps targets of BEFORE to the
//!   targets that AFTER should have; [`report`] holds the results;
//! - `meaning` resolves a reference, `resolved` those of a document, `align` pairs the references of two documents, `bytes` compares
//!   the bytes between them (each document is a `side`); `allowed`, `base_element` and `exemptions`
//!   say which of those bytes may differ, `added` which may be at the end, [`integrity`] which digests, and `disk` which
//!   links need a server;
//! - [`process`] ends programs together with what they started, the browser among them;
//! - `fast_path` finds that two documents have no difference without resolving their references.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod added;
mod align;
mod allowed;
mod base_element;
mod both;
pub mod browser;
mod bytes;
pub mod chromium;
mod disk;
pub mod document;
mod exemptions;
pub mod expected_targets;
mod fast_path;
pub mod integrity;
mod meaning;
pub mod process;
pub mod report;
mod resolved;
mod side;
#[cfg(test)]
mod tests;
pub mod tree;

pub use added::{Added, AddedText, other_end};
pub use report::{Difference, DifferenceKind, Report};
pub use tree::{TreePlan, verify_tree};
