//! `rehref` rewrites the links of whole site trees, and nothing else in them.
//!
//! Data walks one way: walk, read, decode, extract, base, policy, splice, write. The modules, each
//! of which uses only those behind it:
//!
//! - [`cli`]: arguments to a plain configuration, terminal output. Only here is anything printed.
//! - [`mod@audit`]: what is broken in a tree, from [`audit::audit()`] to [`audit::report`].
//! - [`rewrite`]: the pipeline over a tree, and the policies: what becomes of a reference.
//! - [`output`]: atomic writing, copying, diffs.
//! - [`warc`]: WARC archives, record by record.
//! - [`site`]: a directory, the URL it is published at, and which of its files are documents.
//! - [`parallel`]: many files at once, their results in order.
//! - [`diagnostic`]: what is reported about a place in a document. Pure.
//! - [`document`]: one document: bytes in, references with spans out; edits in, bytes out. Pure.
//! - [`coding`]: compressed bytes, both ways. Pure.
//! - [`mod@url`]: parsing, resolving, spelling of URLs. Pure.

// Input must not be able to panic it, and only `cli` prints; tests may do both.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

pub mod audit;
pub mod cli;
pub mod coding;
pub mod corpus;
pub mod diagnostic;
pub mod document;
mod edit;
pub mod moves;
mod nearest;
pub mod output;
pub mod parallel;
mod plural;
pub mod rewrite;
pub mod site;
mod span;
pub mod url;
pub mod verify;
pub mod warc;
