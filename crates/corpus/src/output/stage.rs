//! The stage of an in-place run: a new tree, built beside the old one and exchanged with it in one step.
//!
//! When the process is killed or the machine loses power, at any moment, the path of the tree holds the
//! old tree or the new one, whole. Beside it may be the stage, which [`leftovers`] finds.
//!
//! - Unchanged files are in both trees at once, as hard links. This crate never writes into an existing
//!   file (it writes a new one and renames it), so neither tree changes the other.
//! - After the exchange the directories of the old tree get the contents of the new one, and a second exchange brings
//!   them back: a process whose current directory is one of them, the user's shell for one, stays in the tree. Where that
//!   is not possible (read-only directories), a warning asks to enter the path again.
//! - Changes that other programs make to the old tree while the new one is built are lost.

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod supported;
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[path = "stage/unsupported.rs"]
mod supported;

pub use supported::{Stage, leftovers};
