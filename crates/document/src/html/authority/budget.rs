//! A limit on the cost of tree construction.
//!
//! Some inputs of a few kilobytes make any HTML parser build millions of elements (formatting
//! elements reconstructed in every paragraph) or search a stack of a hundred thousand open
//! elements for every tag. Browsers cut such trees. The authority refuses the document, so that one
//! file costs neither the run nor the machine.

use std::cell::Cell;

/// The number of elements and attributes that any document may have, and the number of further ones per
/// byte of source. A tag takes three bytes and implies at most a few elements.
const ELEMENTS: usize = 200_000;
const ELEMENTS_PER_BYTE: usize = 1;

/// The number of steps of searching that any document may take, and the number of further ones per
/// byte of source. A step takes some nanoseconds. No document of eight documentation trees takes one
/// step per byte.
const STEPS: usize = 20_000_000;
const STEPS_PER_BYTE: usize = 50;

/// The depth to which elements may be nested. Browsers stop at 512.
pub(super) const DEPTH: usize = 5_000;

/// The elements, with their attributes, and the steps that a document may still take.
pub(super) struct Budget {
    elements: Cell<usize>,
    steps: Cell<usize>,
    exceeded: Cell<bool>,
}

impl Budget {
    /// Returns the budget for a source of this many bytes.
    pub(super) fn new(bytes: usize) -> Budget {
        let limit = |fixed: usize, per_byte| fixed.saturating_add(bytes.saturating_mul(per_byte));
        Budget {
            elements: Cell::new(limit(ELEMENTS, ELEMENTS_PER_BYTE)),
            steps: Cell::new(limit(STEPS, STEPS_PER_BYTE)),
            exceeded: Cell::new(false),
        }
    }

    /// Spends an element with this number of attributes.
    pub(super) fn element(&self, attributes: usize) {
        self.take(&self.elements, 1 + attributes);
        self.steps(attributes);
    }

    /// Spends steps of searching.
    pub(super) fn steps(&self, count: usize) {
        self.take(&self.steps, count);
    }

    /// Spends the whole budget.
    pub(super) fn exceed(&self) {
        self.exceeded.set(true);
    }

    /// Returns true if more was spent than the budget had.
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
