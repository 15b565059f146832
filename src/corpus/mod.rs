//! One stream of documents, whatever they are stored in.

mod catch_panic;
mod selection;

pub use catch_panic::{Panicked, catch_panic};
pub use selection::{Selection, UnusedGlob};
