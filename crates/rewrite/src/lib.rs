//! One document by a policy. The bytes of a document, its URLs and a [`Policy`] go in; out come the rewritten bytes,
//! counts of references and diagnostics. It does no I/O.
//!
//! - `policy` decides on a reference, given its base URLs; `targets` maps targets to their URLs
//!   after the run, `pretty_urls` spells the URLs of index files and folders;
//! - `fast_path` does so for simple references without resolving them, with the table of `simple_paths`;
//! - `document` applies a policy to one document;
//! - `link_selector` warns of style sheets that select links by their text;
//! - `captured_paths` maps the URLs of a crawl to the files that it is extracted to.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(any(test, fuzzing)),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod bases;
mod captured_paths;
mod decision;
mod document;
mod fast_path;
#[cfg(test)]
#[path = "../../../tests/support/fuzzing/mod.rs"]
mod fuzzing;
mod late_base;
mod link_selector;
mod policy;
mod pretty_urls;
mod reference_counts;
mod simple_paths;
mod targets;
#[cfg(test)]
mod tests;

pub use bases::DocumentUrls;
pub use captured_paths::{Captured, CapturedPaths};
pub use document::{
    KEPT_BASE, KEPT_ROOT, KEPT_SOURCE, Rewritten, in_both_ways, rewrite_document,
    rewrite_document_of_site, rewrite_parsed,
};
pub use link_selector::LINK_SELECTOR;
pub use policy::{BaseChange, BaseElements, CONTAINS_MARKUP, InPageLinks, Policy, SitePolicy};
pub use pretty_urls::{IndexNames, PrettyUrls, TrailingSlash};
pub use reference_counts::ReferenceCounts;
pub use targets::{KnownPaths, MappedTarget, SiteMapping};
