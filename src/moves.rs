//! Moves of files and folders in a tree.
//!
//! [`plan()`] turns requests into [`Moves`], old and new paths without conflicts, or lists every
//! move that is impossible. [`MovedUrls`] maps old URLs to new ones. [`redirects`] writes and
//! reads the redirects that a server needs. [`StalePathFinder`] finds the strings of scripts and data that
//! still name old places. Nothing here writes a file.

mod conflict;
mod error;
mod name;
mod nearest;
mod pattern;
mod plan;
mod request;
#[cfg(test)]
pub(crate) mod tests;

pub use error::MoveErrorKind;
pub use plan::plan;
pub use request::Request;
