//! Who finds the values of a document.

use super::findings::{Findings, TooComplex};
use super::{authority, fragment};

/// Finds what there is in `source` from byte `start` on (behind a byte order mark). All spans count
/// from the start of `source`, which is in an ASCII-compatible encoding. With `facts` the
/// [`RawFacts`](super::findings::RawFacts) are looked for too.
///
/// # Errors
/// When the document would cost too much.
pub fn find_values(source: &[u8], start: usize, facts: bool) -> Result<Findings, TooComplex> {
    authority::find_values(source, start, facts)
}

/// As [`find_values`] for a piece of a document (UTF-8) that may begin within a table or a
/// frameset.
///
/// # Errors
/// When it would cost too much.
pub fn find_values_in_fragment(source: &[u8], facts: bool) -> Result<Findings, TooComplex> {
    fragment::find_values(source, |source| find_values(source, 0, facts))
}
