//! Fuzz targets: properties that hold for all bytes.

#[path = "../../../tests/support/fuzzing/mod.rs"]
mod harness;

pub(crate) mod engines;
pub(crate) mod styles;

pub use harness::mutation::Random;
pub use harness::{Target, input, mutation, pieces, soup};

/// The targets of this crate.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target { name: "engines", check: engines::all_agree, pieces: soup::PIECES, seeds: &["html", "htm"], files: 1 },
    Target { name: "css", check: styles::css, pieces: pieces::CSS, seeds: &["css"], files: 1 },
    Target { name: "srcset", check: styles::srcset, pieces: pieces::SRCSET, seeds: &[], files: 1 },
];

#[cfg(test)]
#[test]
fn no_target_fails() {
    harness::run::run(TARGETS, crate::test_data::root());
}
