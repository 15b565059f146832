//! What the fuzz targets of all crates share: a [`Target`] is a property of all inputs, a function that panics
//! where the property does not hold. Each crate has its targets in its own module `fuzzing`, which is compiled for
//! tests, and for cargo-fuzz, which sets `cfg(fuzzing)`.
//!
//! - [`input`] divides the bytes of an input into a text and the choice of options;
//! - [`mutation`] makes inputs of seeds, with the pieces of [`pieces`] and [`soup`], which mean something
//!   to the target;
//! - `run` tries each target with some inputs, or for `REHREF_FUZZ_SECONDS`.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used)]

pub mod input;
pub mod mutation;
pub mod pieces;
#[cfg(test)]
pub mod run;
pub mod soup;

/// A property of all inputs.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, and of its program in `fuzz/`.
    pub name: &'static str,
    /// Checks the property for an input.
    ///
    /// # Panics
    /// When it does not hold.
    pub check: fn(&[u8]),
    /// The texts that mutations insert.
    pub pieces: &'static [&'static str],
    /// The extensions of files that are good seeds.
    pub seeds: &'static [&'static str],
    /// The number of files that a seed consists of.
    pub files: usize,
}
