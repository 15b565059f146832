//! A site: a root directory, the URL it is published at, its files and their kinds, and how a
//! server maps URLs to them.

mod aliases;
mod captures;
mod compressed;
mod disk;
mod file_bytes;
mod file_name;
mod files;
mod gitignore;
mod globs;
mod index_files;
mod letter_case;
mod media_type;
mod memory;
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
pub use captures::{CaptureIndex, CaptureStatus, CaptureTarget};
pub use compressed::CompressedPage;
pub use disk::{canonical, joined, with_slashes};
pub use file_bytes::{first_bytes, first_difference, with_file_bytes, with_file_bytes_up_to};
pub use file_name::{HERE, NameProblem, WINDOWS, is_device};
pub use files::{FileIndex, Response};
pub use gitignore::{mark_ignored, mark_ignored_by_own_files, work_tree_of};
pub use globs::{GlobError, Globs, check_count, has_wildcard};
#[cfg(test)]
pub use index_files::INDEX_NAMES;
pub use index_files::IndexFiles;
pub use letter_case::{Spellings, folded};
pub use media_type::media_type;
pub use memory::for_references as memory_for_references;
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub use open::open_directory;
pub use open::open_file;
pub use pages::{Page, Pages, PublishedFolder, StaticFolder};
pub use path::{SitePath, name_bytes, normalized_path, path_bytes, path_from_url, path_in_url};
pub use path_map::PathMap;
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
pub use walk::{REPOSITORIES, walk};
