//! A tree of files and its URLs. The entries of a directory and the URL it is published at go in; out come the URL of
//! each file, the file of each URL as a server finds it, the redirects between them, and both after a move.
//! [`Diagnostic`]s, what is reported about a place in a document, are here too, since the rewriting, the corpus, the audit
//! and verify all make them.
//!
//! The feature `disk` is what trees on disk need: [`walk()`], patterns of paths (`.gitignore`, regular expressions of
//! redirect rules), [`redirects`]. Without it no tree is listed, and there are no such patterns.
//!
//! - [`SiteUrl`] maps paths to URLs and back, [`FileIndex`] finds the file that a server sends for a URL ([`Server`]
//!   says how it does), [`SitePaths`] is the map of fast paths; [`walk()`] lists the entries of a directory;
//! - [`redirects`] writes the formats of redirect rules, and reads rules as servers apply them; `rehref_document` parses
//!   their syntaxes;
//! - [`Moves`] are the old and new paths of what moves, [`MovedUrls`] maps the URLs.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(any(test, fuzzing)),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod aliases;
mod captures;
pub mod diagnostic;
mod disk;
mod excluded;
mod file_name;
mod files;
pub mod fnv;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod generated;
mod index_files;
#[cfg(feature = "disk")]
mod letter_case;
mod media_type;
pub mod moves;
#[cfg(feature = "disk")]
pub mod nearest;
#[cfg(not(feature = "disk"))]
mod no_patterns;
mod pages;
mod path;
mod path_map;
#[cfg_attr(not(feature = "disk"), allow(dead_code))]
mod path_pattern;
pub mod plural;
mod projects;
#[cfg_attr(not(feature = "disk"), allow(dead_code))]
mod redirect_rule;
#[cfg(feature = "disk")]
pub mod redirects;
mod repository;
mod rule_index;
mod server;
mod site_paths;
mod site_url;
pub mod string_table;
mod symlinks;
#[cfg(test)]
#[path = "../../../tests/support/data.rs"]
mod test_data;
mod unread_rules;
pub mod walk;

pub use aliases::ResolvedPath;
pub use captures::{CaptureIndex, CaptureStatus, CaptureTarget};
pub use diagnostic::{Diagnostic, Location, Severity};
pub use disk::{canonical, joined, with_slashes};
pub use excluded::{Excluded, is_installed};
pub use file_name::{HERE, WINDOWS, is_device};
pub use files::{FileIndex, InRoot, Response, name_of_page};
pub use generated::GeneratedFiles;
pub use index_files::IndexFiles;
#[cfg(feature = "disk")]
pub use letter_case::{Spellings, folded, folded_text};
pub use media_type::media_type;
pub use moves::{AnchorMove, Directory, MovedUrls, Moves, PathNames};
pub use pages::{Page, Pages, PublishedFolder, StatedSite, renamed};
pub use path::{
    SitePath, name_bytes, normalized_path, os_string, path_bytes, path_from_url, path_in_url,
    with_slash,
};
pub use path_map::PathMap;
pub use path_pattern::{PathPattern, PatternBudget, PatternError};
pub use projects::Projects;
pub use redirect_rule::{
    PathSegment, REDIRECT_LIMIT, RedirectBudget, RedirectRule, RedirectTarget, RulePaths, RulePlace,
};
pub use repository::RepositoryUrls;
pub use server::{INDEX_NAMES, OwnRules, Server, Sources, TryPattern};
pub use site_paths::SitePaths;
pub use site_url::{PLACEHOLDER_URL, SiteUrl, SiteUrlError, hierarchical_url};
pub use symlinks::SymlinkResolver;
pub use unread_rules::{UnreadRule, UnreadRules};
pub use walk::REPOSITORIES;
#[cfg(feature = "disk")]
pub use walk::walk;
pub use walk::{
    Entry, EntryKind, FileTree, TEMPORARY_PREFIX, TEMPORARY_SUFFIX, ignores_case, symlink_target,
};
