//! Moves of files and folders in a tree.
//!
//! [`plan()`] turns requests into [`Moves`], old and new paths without conflicts, or lists every
//! move that is impossible. [`MovedUrls`] maps old URLs to new ones. [`redirects`] writes and
//! reads the redirects that a server needs. [`StalePathFinder`] finds the strings of scripts and data that
//! still name old places. Nothing here writes a file.

mod anchors;
mod conflict;
mod error;
mod mapping;
mod name;
mod nearest;
mod pattern;
mod placement;
mod plan;
pub mod redirects;
mod request;
pub(crate) mod stale_paths;
#[cfg(test)]
pub(crate) mod tests;
mod urls;

pub use anchors::AnchorMove;
pub use error::MoveErrorKind;
pub use mapping::Moves;
pub use placement::Directory;
pub use plan::plan;
pub use request::Request;
pub use stale_paths::{PathNames, StalePath, StalePathFinder, StalePathKind};
pub use urls::MovedUrls;
