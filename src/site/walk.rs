//! The walk over a tree: everything in it, sorted, no symbolic link followed.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

/// How the names of temporary files begin, which an interrupted run may leave in a tree.
pub const TEMPORARY_PREFIX: &str = ".rehref-";
/// How they end.
pub const TEMPORARY_SUFFIX: &str = ".tmp";

/// Something in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the root.
    pub path: PathBuf,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory; it comes before what is in it.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link, whatever it leads to.
    Symlink,
    /// A temporary file that an interrupted run left; nothing of the site's.
    Leftover,
    /// A device, a pipe, a socket: nothing that can be copied.
    Special,
}

/// What could not be read during a walk.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", .path.display())]
pub struct WalkError {
    /// Where, below the root where that is known.
    pub path: PathBuf,
    /// Why.
    pub source: std::io::Error,
}

/// A walked tree.
#[derive(Debug, Default)]
pub struct FileTree {
    /// All entries below the root, sorted by name within each directory.
    pub entries: Vec<Entry>,
    /// What could not be read; the rest was.
    pub errors: Vec<WalkError>,
}

/// Walks over the tree at `root`. Symbolic links are entries of their own and are not followed, so
/// that the walk never leaves the tree and always ends.
pub fn walk(root: &Path) -> FileTree {
    let mut found = FileTree::default();
    for entry in WalkDir::new(root).min_depth(1).sort_by_file_name() {
        match entry {
            Ok(entry) => {
                let file_type = entry.file_type();
                let kind = if file_type.is_symlink() {
                    EntryKind::Symlink
                } else if file_type.is_dir() {
                    EntryKind::Directory
                } else if file_type.is_file() && is_temporary(entry.file_name()) {
                    EntryKind::Leftover
                } else if file_type.is_file() {
                    EntryKind::File
                } else {
                    EntryKind::Special
                };
                found.entries.push(Entry {
                    path: below(root, entry.path()),
                    kind,
                });
            }
            Err(error) => found.errors.push(WalkError {
                path: below(root, error.path().unwrap_or(root)),
                source: error
                    .into_io_error()
                    .unwrap_or_else(|| std::io::Error::other("cannot be read")),
            }),
        }
    }
    found
}

fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
}

fn below(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_owned()
}

/// The path below the root that a relative link `text` at `link` leads to, with `..` at its start
/// where it leaves the tree; `None` where it is absolute.
pub fn symlink_target(link: &Path, text: &Path) -> Option<PathBuf> {
    let mut path = link.parent()?.to_owned();
    for component in text.components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::ParentDir => path.push(".."),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// Whether the file system at `root`, a walked tree of `entries`, takes names for the same that
/// differ in letter case only.
pub fn ignores_case(root: &Path, entries: &[Entry]) -> bool {
    let swapped = |name: &str| -> String {
        let swap = |c: char| match c.is_ascii_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        name.chars().map(swap).collect()
    };
    let at_root = entries
        .iter()
        .filter(|entry| entry.path.components().count() == 1);
    let names: Vec<&str> = at_root.filter_map(|entry| entry.path.to_str()).collect();
    let probe = names.iter().find(|name| {
        let other = swapped(name);
        other != **name && !names.contains(&other.as_str())
    });
    probe.is_some_and(|name| root.join(swapped(name)).symlink_metadata().is_ok())
}
