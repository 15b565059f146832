//! Placements: where each entry of a tree is after the moves, and which directories are left.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{EntryKind, joined};

/// The place of one entry of a tree before and after the moves.
#[derive(Debug)]
pub struct Placement<'a> {
    pub old: &'a Path,
    pub kind: EntryKind,
    pub new: Cow<'a, Path>,
    /// The index of the request that moves or keeps the entry; `None` if no request applies, and the entry
    /// stays.
    pub request: Option<usize>,
    /// True if the request is for a folder above the entry.
    pub with_folder: bool,
}

impl Placement<'_> {
    pub fn moves(&self) -> bool {
        self.old.as_os_str() != self.new.as_os_str()
    }

    pub fn is_folder(&self) -> bool {
        self.kind == EntryKind::Directory
    }

    pub fn is_ignored(&self) -> bool {
        self.kind == EntryKind::Ignored
    }
}

/// Returns the old paths of the directories that still exist after the moves: those that keep an entry, and those that
/// were empty before. `placements` is in walk order.
pub fn remaining_folders<'a>(placements: &[Placement<'a>]) -> FxHashSet<&'a OsStr> {
    let root = OsStr::new("");
    let mut new_paths: FxHashMap<&OsStr, &OsStr> = placements
        .iter()
        .filter(|placement| placement.is_folder())
        .map(|placement| (placement.old.as_os_str(), placement.new.as_os_str()))
        .collect();
    new_paths.insert(root, root);
    let mut filled_before: FxHashSet<&OsStr> = FxHashSet::default();
    let mut remaining: FxHashSet<&OsStr> = FxHashSet::default();
    // The folder of the entry before, if it is known to remain: most files follow another of their folder.
    let mut known = None;
    // Backwards, because the walk order has a folder before its entries.
    for placement in placements.iter().rev() {
        let folder = placement.old.parent().map_or(root, Path::as_os_str);
        if known == Some(folder) && !placement.is_folder() {
            continue;
        }
        let old = placement.old.as_os_str();
        filled_before.insert(folder);
        let remains = if !placement.is_folder() {
            true
        } else if filled_before.contains(old) {
            remaining.contains(old)
        } else {
            remaining.insert(old);
            true
        };
        let new_folder = placement.new.parent().map(Path::as_os_str);
        known = None;
        if remains && new_folder == new_paths.get(folder).copied() {
            remaining.insert(folder);
            known = Some(folder);
        }
    }
    remaining.remove(root);
    remaining
}

/// A directory of the tree after the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// The new path of the directory below the root.
    pub path: PathBuf,
    /// The old path of the directory, whose permissions and times it keeps; `None` for a new one.
    pub old: Option<PathBuf>,
}

impl Directory {
    /// Returns a directory that keeps its path.
    pub fn unmoved(path: &Path) -> Directory {
        Directory { path: path.to_owned(), old: Some(path.to_owned()) }
    }
}

/// Returns the directories after the moves, sorted, parents first.
pub(super) fn directories(placements: &[Placement<'_>]) -> Vec<Directory> {
    let remaining = remaining_folders(placements);
    let mut found: BTreeMap<&Path, Option<&Path>> = BTreeMap::new();
    let mut emptied: FxHashMap<&Path, &Path> = FxHashMap::default();
    for placement in placements.iter().filter(|placement| placement.is_folder()) {
        if remaining.contains(placement.old.as_os_str()) {
            found.insert(&placement.new, Some(placement.old));
        } else if placement.moves() {
            emptied.entry(&placement.new).or_insert(placement.old);
        } else {
            emptied.insert(&placement.new, placement.old);
        }
    }
    for placement in placements {
        if placement.is_folder() && !remaining.contains(placement.old.as_os_str()) {
            continue;
        }
        for folder in folders_above(&placement.new) {
            // The folders above this one are in `found` already, or follow with it.
            if found.contains_key(folder) {
                break;
            }
            found.insert(folder, emptied.get(folder).copied());
        }
    }
    found
        .into_iter()
        .map(|(path, old)| Directory { path: path.to_owned(), old: old.map(Path::to_owned) })
        .collect()
}

/// Returns the folders above a path, the deepest first, without the root.
pub fn folders_above(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty())
}

/// Returns the new path of `path` if `folder`, which is `path` or a folder above it, moves to `new`.
pub fn moved_along(new: &Path, path: &Path, folder: &Path) -> PathBuf {
    // To take the paths apart costs more.
    let texts = path.to_str().zip(folder.to_str());
    let rest = texts.and_then(|(path, folder)| path.strip_prefix(folder)?.strip_prefix('/'));
    let rest = rest.filter(|rest| !rest.starts_with('/')).map(Path::new);
    match rest.or_else(|| path.strip_prefix(folder).ok()) {
        // Joining an empty path would add a slash.
        Some(rest) if !rest.as_os_str().is_empty() => joined(new, rest),
        _ => new.to_owned(),
    }
}
