//! Everything that calls the library's API, in one crate, since every test crate links all of rehref.
//!
//! - URLs: `url_examples` (the standards' tables), `url_wpt` (public test suite), `url_exhaustive`,
//!   `url_properties`, `url_relativize`, `url_differences` (from other parsers).
//! - Documents: `conformance`, `scanner_contract` (the fast scanner against the authority; reads real
//!   trees too), `message_properties`.
//! - Runs over trees: `audit_reports`, `interrupt`.

#![allow(missing_docs)]

#[path = "../support/soup.rs"]
mod soup;
#[path = "../support/mod.rs"]
mod support;

mod audit_reports;
mod conformance;
mod interrupt;
mod message_properties;
mod scanner_contract;
mod url_differences;
mod url_examples;
mod url_exhaustive;
mod url_properties;
mod url_relativize;
mod url_wpt;
