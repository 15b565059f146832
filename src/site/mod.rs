//! A site: a directory, the URL it is published at, and what its files are.

mod compressed;
mod contents;
mod files;
mod globs;
mod kind;
mod location;
mod path;
mod redirect_rule;
mod server;
mod walk;

pub use compressed::CompressedPage;
pub use contents::with_contents;
pub use files::{FileIndex, Served};
pub use globs::{GlobError, Globs};
pub use kind::{FileKind, SNIFF_LENGTH, kind_of_name, sniff, sniff_html};
pub use location::{Location, LocationError, Note, PLACEHOLDER, hierarchical_url};
pub use path::{SitePath, canonical, name_bytes, path_in_url};
pub use redirect_rule::{PathSegment, RedirectRule, RedirectTarget};
pub use server::{INDEX_NAMES, Server, Try, TryError};
pub use walk::{
    Entry, EntryKind, TEMPORARY_PREFIX, TEMPORARY_SUFFIX, Walk, WalkError, ignores_case, led_to,
    walk,
};
