//! Tests that call many modules at once, or that read test suites and real trees.
//!
//! - URLs: `url_examples` (the standards' tables), `url_wpt` (public test suite), `url_exhaustive`,
//!   `url_properties`, `url_relativize`, `url_differences` (from other parsers), `url_references`
//!   (of real trees).
//! - Documents: `conformance`, `scanner_contract` (the fast scanner against the authority; reads real
//!   trees too), `message_properties`, `absolute_spans` (reads real trees too), `no_url`.
//! - Runs over trees: `audit_reports`, `interrupt`.
//! - Documents of the project: `reference_pages`.

#[path = "../tests/support/mod.rs"]
mod support;

mod absolute_spans;
mod interrupt;
mod stale_paths;
mod verify_properties;
mod verify_targets;
#[cfg(unix)]
mod verify_trees;
