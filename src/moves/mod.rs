//! Moves of files and folders in a tree.
//!
//! [`plan()`] turns requests into [`Moves`], old and new paths without conflicts, or lists every
//! move that is impossible. [`MovedUrls`] maps old URLs to new ones. [`redirects`] writes and
//! reads the redirects that a server needs. [`StalePathFinder`] finds the strings of scripts and data that
//! still name old places. Nothing here writes a file.

mod anchors;
#[cfg(feature = "site")]
mod conflict;
#[cfg(feature = "site")]
mod error;
#[cfg(feature = "site")]
mod mapping;
#[cfg(feature = "site")]
mod name;
#[cfg(feature = "site")]
mod nearest;
#[cfg(feature = "site")]
mod pattern;
#[cfg(feature = "site")]
mod placement;
#[cfg(feature = "site")]
mod plan;
#[cfg(feature = "site")]
pub mod redirects;
#[cfg(feature = "site")]
mod request;
#[cfg(feature = "site")]
mod stale_paths;
#[cfg(test)]
mod tests;
mod urls;

pub use anchors::AnchorMove;
#[cfg(feature = "site")]
pub use error::MoveErrorKind;
#[cfg(feature = "site")]
pub use mapping::Moves;
#[cfg(feature = "site")]
pub use placement::Directory;
#[cfg(feature = "site")]
pub use plan::plan;
#[cfg(feature = "site")]
pub use request::Request;
#[cfg(feature = "site")]
pub use stale_paths::{PathNames, StalePath, StalePathFinder, StalePathKind};
pub use urls::MovedUrls;
