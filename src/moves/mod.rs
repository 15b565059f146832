//! Moves of files and folders in a tree.
//!
//! [`plan()`] turns requests into [`Moves`], old and new paths without conflicts, or lists every
//! move that is impossible. [`MovedUrls`] maps old URLs to new ones. [`redirects`] writes and
//! reads the redirects that a server needs. Nothing here touches a file.
//!
//! ```
//! use std::ffi::OsStr;
//! use std::path::Path;
//! use rehref::moves;
//! use rehref::site::{Entry, EntryKind};
//!
//! let entries = ["a.html", "b.html"].map(|path| Entry {
//!     path: path.into(),
//!     kind: EntryKind::File,
//! });
//! let swap = ["a.html=b.html", "b.html=a.html"];
//! let requests = swap.map(|it| moves::Request::argument(OsStr::new(it)).unwrap());
//! let moves = moves::plan(&entries, &requests, false).unwrap();
//! assert_eq!(moves.new_path(Path::new("a.html")), Some(Path::new("b.html")));
//! ```

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
#[cfg(test)]
mod tests;
mod urls;

pub use error::{ExistingTarget, MoveError, MoveErrorKind};
pub use mapping::Moves;
pub use pattern::PatternError;
pub use placement::Directory;
pub use plan::plan;
pub use request::{Request, RequestError, RequestErrorKind, RequestOrigin};
pub use urls::MovedUrls;
