//! The authority: builds the tree of a document as browsers do, and finds the places in the source.
//!
//! Contract: the tree decides. html5gum tokenizes the bytes and knows the place of every token; html5ever's
//! tree builder gets every token, and its answers set the tokenizer's state. So a tag that the tree
//! builder ignores has no values, and the `base` that counts is the first in tree order. Scripting is
//! off, so that the content of `noscript` is elements.
//!
//! - `parser` runs tokenizer and tree builder, `tags` keeps the tags with their places;
//! - `dom` is the tree, which knows the tag of each element, within a `budget`;
//! - `collector` walks the tree and keeps the values of its elements, `ignore_marks` the parts of the
//!   source in which checks are ignored.

mod budget;
mod collector;
mod dom;
mod ignore_marks;
mod parser;
mod tags;

use super::raw::{RawDocument, TooComplex, Wanted};
use crate::simple::VALUE_BYTES;
use collector::Collector;

/// Finds the values and contents in `source` that contain URLs, from byte `start` on (after a byte order mark).
/// All spans are relative to the start of `source`, which is in an ASCII-compatible encoding.
///
/// # Errors
/// Returns an error if the tree of the document would be too large, or its values.
pub fn find_values(source: &[u8], start: usize, wanted: Wanted) -> Result<RawDocument, TooComplex> {
    let parser = parser::parse(source, start, wanted);
    let budget = parser.dom().budget();
    if budget.is_exceeded() {
        return Err(TooComplex::Tree);
    }
    let raw = Collector::new(&parser, wanted).collect(wanted.memory / VALUE_BYTES)?;
    // Collecting ignore marks has a cost too.
    if budget.is_exceeded() { Err(TooComplex::Tree) } else { Ok(raw) }
}

#[cfg(test)]
mod tests;
#[cfg(any(test, fuzzing))]
pub(crate) mod witness;
