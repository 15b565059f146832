//! Where everything in a tree is after the moves.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::site::EntryKind;

/// Where one entry of a tree is after the moves.
#[derive(Debug)]
pub(super) struct Placement<'a> {
    pub(super) old: &'a Path,
    pub(super) kind: EntryKind,
    pub(super) new: Cow<'a, Path>,
    /// The request that decides; `None` where none does, and it stays.
    pub(super) request: Option<usize>,
    /// Whether it moves because the folder moves that it is in.
    pub(super) with_folder: bool,
}

impl Placement<'_> {
    pub(super) fn moves(&self) -> bool {
        self.old != self.new
    }

    pub(super) fn is_folder(&self) -> bool {
        self.kind == EntryKind::Directory
    }
}

/// The directories, by their old paths, that are there afterwards, at whatever place: those that
/// hold something still, and those that were empty before. `places` is in walk order.
pub(super) fn remaining_folders<'a>(places: &[Placement<'a>]) -> HashSet<&'a Path> {
    let mut new_paths: HashMap<&Path, &Path> = places
        .iter()
        .filter(|place| place.is_folder())
        .map(|place| (place.old, &*place.new))
        .collect();
    let root = Path::new("");
    new_paths.insert(root, root);
    let mut had_something: HashSet<&Path> = HashSet::new();
    let mut remaining: HashSet<&Path> = HashSet::new();
    // What is in a folder comes behind it.
    for place in places.iter().rev() {
        let folder = place.old.parent().unwrap_or(root);
        had_something.insert(folder);
        let is_there = if !place.is_folder() {
            true
        } else if had_something.contains(place.old) {
            remaining.contains(place.old)
        } else {
            remaining.insert(place.old);
            true
        };
        if is_there && place.new.parent() == new_paths.get(folder).copied() {
            remaining.insert(folder);
        }
    }
    remaining.remove(root);
    remaining
}

/// A directory of the tree after the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// Its path below the root.
    pub path: PathBuf,
    /// The directory before the moves that it continues; `None` for one that is new.
    pub old: Option<PathBuf>,
}

/// The directories there are afterwards, sorted, parents first.
pub(super) fn directories(places: &[Placement<'_>]) -> Vec<Directory> {
    let remaining = remaining_folders(places);
    let mut found: HashMap<&Path, Option<&Path>> = HashMap::new();
    let mut emptied: HashMap<&Path, &Path> = HashMap::new();
    for place in places.iter().filter(|place| place.is_folder()) {
        if remaining.contains(place.old) {
            found.insert(&place.new, Some(place.old));
        } else if place.moves() {
            emptied.entry(&place.new).or_insert(place.old);
        } else {
            emptied.insert(&place.new, place.old);
        }
    }
    for place in places {
        if place.is_folder() && !remaining.contains(place.old) {
            continue;
        }
        for folder in above(&place.new) {
            // Then those above it are there too, or come with it.
            if found.contains_key(folder) {
                break;
            }
            found.insert(folder, emptied.get(folder).copied());
        }
    }
    let mut folders: Vec<Directory> = found
        .into_iter()
        .map(|(path, old)| Directory {
            path: path.to_owned(),
            old: old.map(Path::to_owned),
        })
        .collect();
    folders.sort_by(|a, b| a.path.cmp(&b.path));
    folders
}

/// The folders above a path, without the root.
pub(super) fn above(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors()
        .skip(1)
        .filter(|folder| !folder.as_os_str().is_empty())
}

/// Where `path` is when the folder that it is in becomes `new`.
pub(super) fn moved_along(new: &Path, path: &Path, folder: &Path) -> PathBuf {
    match path.strip_prefix(folder) {
        // Joining nothing would add a slash.
        Ok(rest) if !rest.as_os_str().is_empty() => new.join(rest),
        _ => new.to_owned(),
    }
}
