//! Tests of the whole crate: `conformance` (public test suites), `scanner_contract` (the fast scanner against the
//! authority; reads real trees too), `reference_pages` (pages of docs/reference that are made of its tables).

mod conformance;
mod reference_pages;
mod scanner_contract;
