//! A site: a directory, the URL it is published at, and what its files are.

mod globs;
mod kind;
mod location;
pub mod moves;
mod walk;

pub use globs::{GlobError, Globs};
pub use kind::{FileKind, SNIFF_LENGTH, kind_of_name, sniff_html};
pub use location::{Location, LocationError, Note, hierarchical_url, name_bytes};
pub use walk::{Entry, EntryKind, TEMPORARY_PREFIX, TEMPORARY_SUFFIX, Walk, WalkError, walk};
