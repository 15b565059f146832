//! One document's panic costs that document, not the run.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error of a document on which a parser panicked, which is a bug of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error: the parser panicked; report this bug, with the document")]
pub struct ParserPanic;

/// Runs `work` on one document. The parsers underneath are other people's crates: a panic in one
/// of them becomes an error of that document.
///
/// # Errors
/// Returns an error if `work` panics.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, ParserPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| ParserPanic)
}
