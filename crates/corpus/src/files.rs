//! Files of a site: opening, reading, sizes.

mod compressed;
mod file_bytes;
mod git_index;
mod gitignore;
mod globs;
mod memory;
mod open;

pub use compressed::CompressedPage;
pub use file_bytes::{first_bytes, first_difference, with_file_bytes, with_file_bytes_up_to};
pub use git_index::git_directory;
pub use gitignore::{git_rules, mark_ignored, mark_ignored_by_own_files, work_tree_of};
pub use globs::{GlobError, Globs, check_count, has_wildcard, is_like_regex};
pub use memory::{for_references as memory_for_references, read_to_end};
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub use open::open_directory;
pub use open::open_file;
