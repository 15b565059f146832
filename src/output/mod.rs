//! Writing: never a partial file under its final name, never outside the destination.

mod atomic;
mod destination;
pub mod diff;
mod error;
mod new_tree;
mod stage;

pub use atomic::{replace_file, write_file};
pub use destination::{Destination, DestinationError};
pub use error::WriteError;
pub use new_tree::NewTree;
pub use stage::{Exchanged, Stage, StageError, StageWarning, leftovers};
