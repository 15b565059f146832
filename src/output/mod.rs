//! Writing: never a partial file under its final name, never outside the destination.

mod atomic;
mod destination;
pub mod diff;
mod error;
mod stage;

pub use atomic::{copy_file, copy_symlink, finish_directory, replace_file, write_file};
pub use destination::{Destination, DestinationError};
pub use error::WriteError;
pub use stage::{Exchanged, Stage, StageError, StageWarning, leftovers};
