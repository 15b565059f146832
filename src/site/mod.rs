//! A site: a root directory, the URL it is published at, its files and their kinds, and how a
//! server maps URLs to them.

mod compressed;
mod file_bytes;
mod file_kind;
mod files;
mod globs;
mod path;
mod redirect_rule;
mod server;
mod site_url;
mod walk;

pub use compressed::CompressedPage;
pub use file_bytes::with_file_bytes;
pub use file_kind::{FileKind, SNIFF_LENGTH, file_kind, sniff_document_kind, sniff_html};
pub use files::{FileIndex, Response};
pub use globs::{GlobError, Globs};
pub use path::{SitePath, name_bytes, normalized_path, path_bytes, path_in_url};
pub use redirect_rule::{PathSegment, RedirectRule, RedirectTarget};
pub use server::{INDEX_NAMES, Server, TryPattern, TryPatternError};
pub use site_url::{PLACEHOLDER_URL, SiteUrl, SiteUrlError, SiteUrlWarning, hierarchical_url};
pub use walk::{
    Entry, EntryKind, FileTree, TEMPORARY_PREFIX, TEMPORARY_SUFFIX, WalkError, ignores_case,
    symlink_target, walk,
};
