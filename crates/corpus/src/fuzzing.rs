//! Fuzz targets: properties that hold for all bytes.

#[path = "../../../tests/support/fuzzing/mod.rs"]
mod harness;

mod archives;

pub use harness::{Target, input, mutation, pieces};

/// The targets of this crate.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "warc", check: archives::warc, pieces: pieces::WARC, seeds: &["warc"], files: 1 },
    Target { name: "codings", check: archives::codings, pieces: &["\x1F\u{8B}", "\u{28}\u{B5}", "x", "\n"], seeds: &["html"], files: 1 },
];

#[cfg(test)]
#[test]
fn no_target_fails() {
    harness::run::run(TARGETS, crate::test_data::root());
}
