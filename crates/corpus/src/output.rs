//! Writes files and trees: never a partial file under its final name, never outside the destination.

mod atomic;
mod attributes;
mod canonical_future;
mod destination;
pub mod diff;
mod error;
mod existing;
mod folder;
mod lock;
mod mounts;
mod new_tree;
mod single;
mod stage;
mod sync;

pub use atomic::{Original, replace_file, replace_stream, write_file};
pub use destination::Destination;
pub use error::{DestinationError, StageError, WriteError};
pub use existing::remove_abandoned_beside;
pub use lock::Lock;
pub use new_tree::NewTree;
pub use single::OutputFile;
pub use stage::{Stage, leftovers};
pub use sync::sync_file_system_at;
