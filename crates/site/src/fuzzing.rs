//! Fuzz targets: properties that hold for all bytes.

#[path = "../../../tests/support/fuzzing/mod.rs"]
mod harness;

pub(crate) mod redirects;

pub use harness::{Target, input, mutation, pieces};

/// The targets of this crate.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "redirects", check: redirects::all, pieces: pieces::LIST, seeds: &["json", "txt"], files: 1 },
];

#[cfg(test)]
#[test]
fn no_target_fails() {
    harness::run::run(TARGETS, crate::test_data::root());
}
