//! A bound on what tree construction may cost.
//!
//! Some inputs of a few kilobytes make any HTML parser build millions of elements (formatting
//! elements reconstructed in every paragraph) or search a stack of a hundred thousand open
//! elements for every tag. Browsers cut such trees; here the document is refused, so that one
//! file costs neither the run nor the machine.

use std::cell::Cell;

/// Parsing the document would take too much memory or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too complex: its elements are nested or repeated beyond what browsers support")]
pub struct TooComplex;

/// Elements that any document may have, and those per byte of source. A tag takes three bytes and
/// brings at most a few implied elements.
const ELEMENTS: usize = 200_000;
const ELEMENTS_PER_BYTE: usize = 4;

/// Steps of searching that any document may take, and those per byte; a step takes some
/// nanoseconds. No document of eight documentation trees takes one per byte.
const STEPS: usize = 20_000_000;
const STEPS_PER_BYTE: usize = 50;

/// How deep elements may be nested. Browsers stop at 512.
pub(super) const DEPTH: usize = 5_000;

/// What is left of the bound.
pub(super) struct Budget {
    elements: Cell<usize>,
    steps: Cell<usize>,
    exceeded: Cell<bool>,
}

impl Budget {
    /// The budget for a source of so many bytes.
    pub(super) fn new(bytes: usize) -> Budget {
        Budget {
            elements: Cell::new(
                bytes
                    .saturating_mul(ELEMENTS_PER_BYTE)
                    .saturating_add(ELEMENTS),
            ),
            steps: Cell::new(bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(STEPS)),
            exceeded: Cell::new(false),
        }
    }

    /// Takes an element from it.
    pub(super) fn element(&self) {
        self.take(&self.elements, 1);
    }

    /// Takes steps of work from it.
    pub(super) fn steps(&self, count: usize) {
        self.take(&self.steps, count);
    }

    /// Spends all of it.
    pub(super) fn exceed(&self) {
        self.exceeded.set(true);
    }

    /// Whether there is nothing left.
    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.get()
    }

    fn take(&self, left: &Cell<usize>, count: usize) {
        match left.get().checked_sub(count) {
            Some(rest) => left.set(rest),
            None => self.exceed(),
        }
    }
}
