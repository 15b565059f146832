//! The result of planning: old and new paths.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::placement::{Directory, Placement, directories, moved_along, remaining_folders};
use crate::site::{Entry, EntryKind};

/// What moves where. All paths are below the root.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// In walk order.
    moved: Vec<Moved>,
    by_old: HashMap<Arc<Path>, usize>,
    by_new: HashMap<Arc<Path>, usize>,
    /// In walk order.
    folders: Vec<(PathBuf, PathBuf)>,
    new_folders: HashMap<PathBuf, PathBuf>,
}

#[derive(Clone, Debug)]
struct Moved {
    old: Arc<Path>,
    new: Arc<Path>,
    kind: EntryKind,
}

impl Moves {
    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty()
    }

    /// The new path of what is at `old` in the tree; `None` where it does not move. A directory
    /// moves where a request moves it or one that it is in, not where patterns move all its files.
    pub fn new_path(&self, old: &Path) -> Option<&Path> {
        let moved = self.moved.get(*self.by_old.get(old)?)?;
        Some(&moved.new)
    }

    /// The old path of what is at `new` after the moves; `None` where it did not move.
    pub fn old_path(&self, new: &Path) -> Option<&Path> {
        let moved = self.moved.get(*self.by_new.get(new)?)?;
        Some(&moved.old)
    }

    /// Where `old`, at which there is nothing in the tree, would be if there were: a folder above
    /// it may move. `None` where none does.
    pub fn new_path_of_missing(&self, old: &Path) -> Option<PathBuf> {
        let (folder, new) = old
            .ancestors()
            .find_map(|folder| Some((folder, self.new_folders.get(folder)?)))?;
        Some(moved_along(new, old, folder)).filter(|new| new != old)
    }

    /// Where what is, or is not, at `path` is after the moves: it may move itself, or a folder that it
    /// is in, or a symbolic link to one that leads to it.
    pub fn counterpart(&self, path: &Path) -> PathBuf {
        let moved = path
            .ancestors()
            .find_map(|above| Some(moved_along(self.new_path(above)?, path, above)));
        moved
            .or_else(|| self.new_path_of_missing(path))
            .unwrap_or_else(|| path.to_owned())
    }

    /// The files and symbolic links that move, old and new path, in walk order.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.moved
            .iter()
            .filter(|moved| matches!(moved.kind, EntryKind::File | EntryKind::Symlink))
            .map(|moved| (&*moved.old, &*moved.new))
    }

    /// The folders that requests move, old and new path, in walk order; those too that a request
    /// leaves where they are within one that moves. The deepest counts.
    pub fn folders(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.folders
            .iter()
            .map(|(old, new)| (old.as_path(), new.as_path()))
    }

    /// The directories that there are after the moves in the tree of `entries`, for which they were
    /// planned; sorted, parents first. Those that the moves empty are gone.
    pub fn directories(&self, entries: &[Entry]) -> Vec<Directory> {
        let places: Vec<Placement> = entries
            .iter()
            .filter(|entry| entry.kind != EntryKind::Leftover)
            .map(|entry| Placement {
                old: &entry.path,
                kind: entry.kind,
                new: Cow::Borrowed(self.new_path(&entry.path).unwrap_or(&entry.path)),
                request: None,
                with_folder: false,
            })
            .collect();
        directories(&places)
    }
}

/// The moves that lead to `places`, in walk order, and move `folders`.
pub(super) fn build(places: &[Placement<'_>], folders: &[(&Path, &Path)]) -> Moves {
    let remaining = remaining_folders(places);
    let mut moves = Moves::default();
    for place in places.iter().filter(|place| place.moves()) {
        let old: Arc<Path> = place.old.into();
        let new: Arc<Path> = (&*place.new).into();
        let number = moves.moved.len();
        moves.by_old.insert(Arc::clone(&old), number);
        // A folder that is emptied leads nowhere; its new path may be another's.
        if !place.is_folder() || remaining.contains(place.old) {
            moves.by_new.insert(Arc::clone(&new), number);
        }
        moves.moved.push(Moved {
            old,
            new,
            kind: place.kind,
        });
    }
    for (old, new) in folders {
        moves.folders.push((old.to_path_buf(), new.to_path_buf()));
    }
    moves.new_folders = moves.folders.iter().cloned().collect();
    moves
}
