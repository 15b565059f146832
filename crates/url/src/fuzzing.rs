//! Fuzz targets: properties that hold for all bytes.

#[path = "../../../tests/support/fuzzing/mod.rs"]
mod harness;

pub(crate) mod urls;

pub use harness::{Target, input, mutation, pieces};

/// The targets of this crate.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "urls", check: urls::all, pieces: pieces::URL, seeds: &[], files: 1 },
];

#[cfg(test)]
#[test]
fn no_target_fails() {
    harness::run::run(TARGETS, crate::test_data::root());
}
