//! Walks a directory tree: lists everything in it, sorted, and follows no symbolic link.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, is_separator};

use walkdir::{DirEntry, WalkDir};

use super::{
    Entry, EntryKind, FileTree, REPOSITORIES, TEMPORARY_PREFIX, TEMPORARY_SUFFIX, WalkError,
};
use crate::disk::with_slashes;

/// Lists the tree at `root`. Lists symbolic links as entries without following them, so that the walk never
/// leaves the tree and always ends. Skips the data of version control systems.
pub fn walk(root: &Path) -> FileTree {
    let mut found = FileTree::default();
    // The entries of one directory have the same path before their names.
    let by_path =
        |one: &DirEntry, other: &DirEntry| one.path().as_os_str().cmp(other.path().as_os_str());
    let mut walk = WalkDir::new(root).min_depth(1).sort_by(by_path).into_iter();
    while let Some(entry) = walk.next() {
        match entry {
            Ok(entry) => {
                let (file_type, name) = (entry.file_type(), entry.file_name());
                let kind = if REPOSITORIES.iter().any(|known| name == *known) {
                    if file_type.is_dir() {
                        walk.skip_current_dir();
                    }
                    EntryKind::Repository
                } else if file_type.is_symlink() {
                    EntryKind::Symlink
                } else if file_type.is_dir() {
                    EntryKind::Directory
                } else if file_type.is_file() && is_temporary(name) {
                    EntryKind::Leftover
                } else if file_type.is_file() {
                    EntryKind::File
                } else {
                    EntryKind::Special
                };
                found.entries.push(Entry { path: below(root, entry.path()), kind });
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
    let name = name.as_encoded_bytes();
    name.starts_with(TEMPORARY_PREFIX.as_bytes()) && name.ends_with(TEMPORARY_SUFFIX.as_bytes())
}

fn below(root: &Path, path: &Path) -> PathBuf {
    // Comparing text is faster than comparing the names of both paths one by one.
    let texts = path.to_str().zip(root.to_str());
    let below = texts.and_then(|(path, root)| path.strip_prefix(root)?.strip_prefix(is_separator));
    match below {
        Some(below) => with_slashes(below.into()),
        None => match path.strip_prefix(root) {
            Ok(below) => with_slashes(below.to_owned()),
            Err(_) => path.to_owned(),
        },
    }
}
