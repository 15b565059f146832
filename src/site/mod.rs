//! A site: a root directory, the URL it is published at, its files and their kinds, and how a
//! server maps URLs to them.

mod aliases;
#[cfg(feature = "site")]
mod captures;
#[cfg(feature = "site")]
mod compressed;
mod disk;
#[cfg(feature = "site")]
mod file_bytes;
mod file_kind;
mod file_name;
mod files;
#[cfg(feature = "site")]
mod gitignore;
#[cfg(feature = "site")]
mod globs;
mod index_files;
mod letter_case;
mod media_type;
#[cfg(feature = "site")]
mod memory;
#[cfg(feature = "site")]
mod open;
mod pages;
mod path;
mod path_map;
mod redirect_rule;
mod rule_index;
mod server;
mod site_url;
mod symlinks;
mod walk;

pub use aliases::ResolvedPath;
#[cfg(feature = "site")]
pub use captures::{CaptureIndex, CaptureStatus, CaptureTarget};
#[cfg(feature = "site")]
pub use compressed::CompressedPage;
pub use disk::{canonical, joined, with_slashes};
#[cfg(feature = "site")]
pub use file_bytes::{first_bytes, first_difference, with_file_bytes, with_file_bytes_up_to};
pub use file_kind::{
    FileKind, SNIFF_LENGTH, file_kind, has_server_includes, is_markdown, named_document_kind,
    sniff_document_kind, sniff_html, sniff_xml,
};
pub use file_name::{HERE, NameProblem, WINDOWS, is_device};
pub use files::{FileIndex, Response};
#[cfg(feature = "site")]
pub use gitignore::{mark_ignored, mark_ignored_by_own_files, work_tree_of};
#[cfg(feature = "site")]
pub use globs::{GlobError, Globs, check_count, has_wildcard};
#[cfg(test)]
pub use index_files::INDEX_NAMES;
pub use index_files::IndexFiles;
pub use letter_case::{Spellings, folded};
pub use media_type::media_type;
#[cfg(feature = "site")]
pub use memory::for_references as memory_for_references;
#[cfg(all(
    feature = "site",
    any(target_os = "linux", target_os = "android", target_vendor = "apple")
))]
pub use open::open_directory;
#[cfg(feature = "site")]
pub use open::open_file;
pub use pages::{Page, Pages, PublishedFolder, StaticFolder};
pub use path::{
    SitePath, lossy, name_bytes, normalized_path, path_bytes, path_from_url, path_in_url,
};
pub use path_map::PathMap;
#[cfg(feature = "site")]
pub use redirect_rule::{PathPattern, PatternBudget, PatternError};
pub use redirect_rule::{
    PathSegment, REDIRECT_LIMIT, RedirectRule, RedirectTarget, RulePaths, RulePlace,
};
pub use server::{Server, Sources, TryPattern};
pub use site_url::{PLACEHOLDER_URL, SiteUrl, SiteUrlError, hierarchical_url};
pub use symlinks::SymlinkResolver;
pub use walk::{
    Entry, EntryKind, FileTree, TEMPORARY_PREFIX, TEMPORARY_SUFFIX, ignores_case, symlink_target,
};
#[cfg(feature = "site")]
pub use walk::{REPOSITORIES, walk};
