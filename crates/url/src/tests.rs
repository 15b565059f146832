//! Tests of the whole crate: `examples` (the standards' tables), `wpt` (a public test suite), `exhaustive`,
//! `properties`, `relativize`, `differences` (from other parsers), `references` (of real trees).

mod differences;
mod examples;
mod exhaustive;
mod properties;
mod references;
mod relativize;
mod wpt;
