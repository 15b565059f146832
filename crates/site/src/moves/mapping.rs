//! Maps the old path of everything that moves to the new path.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::anchors::AnchorMove;
use super::placement::{Directory, Placement, directories, moved_along};
use crate::{Entry, EntryKind};

/// The old and new paths of everything that moves in a tree. All paths are below the root.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// In walk order.
    moved: Vec<Moved>,
    by_old: FxHashMap<Arc<OsStr>, usize>,
    /// The folders that requests move, old and new path, in walk order.
    folders: Vec<(PathBuf, PathBuf)>,
    /// The entries that requests pin to their old path, maybe within a folder that moves.
    pinned: FxHashSet<PathBuf>,
    /// The anchors that get other names or files.
    anchors: Vec<AnchorMove>,
}

#[derive(Clone, Debug)]
struct Moved {
    old: Arc<OsStr>,
    new: PathBuf,
    kind: EntryKind,
}

impl Moves {
    /// Creates the moves with these `placements`, in walk order, and the moved `folders`.
    pub fn new(placements: &[Placement<'_>], folders: Vec<(PathBuf, PathBuf)>) -> Moves {
        let mut moves = Moves { folders, ..Moves::default() };
        let moved = placements.iter().filter(|placement| placement.moves());
        moves.by_old.reserve(moved.count());
        for placement in placements {
            if !placement.moves() {
                if placement.request.is_some() && !placement.with_folder {
                    moves.pinned.insert(placement.old.to_owned());
                }
                continue;
            }
            let old: Arc<OsStr> = placement.old.as_os_str().into();
            moves.by_old.insert(Arc::clone(&old), moves.moved.len());
            moves.moved.push(Moved { old, new: placement.new.to_path_buf(), kind: placement.kind });
        }
        moves
    }

    /// Adds the moves of `anchors`.
    #[must_use]
    pub fn with_anchors(self, anchors: Vec<AnchorMove>) -> Moves {
        Moves { anchors, ..self }
    }

    /// Returns the moves of anchors.
    pub fn anchors(&self) -> &[AnchorMove] {
        &self.anchors
    }

    /// Returns true if no file, folder or anchor moves.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.anchors.is_empty()
    }

    /// Returns the new path of the entry at `old`; `None` if it does not move. A directory moves if a request
    /// names it or a folder above it, not if patterns move all its files.
    pub fn new_path(&self, old: &Path) -> Option<&Path> {
        let moved = self.moved.get(*self.by_old.get(old.as_os_str())?)?;
        Some(&moved.new)
    }

    /// Returns the path after the moves for any `path`, existing or not: an entry moves by its own request, or
    /// with a folder or symbolic link above it.
    pub fn counterpart(&self, path: &Path) -> PathBuf {
        path.ancestors()
            .take_while(|above| !self.pinned.contains(*above))
            .find_map(|above| Some(moved_along(self.new_path(above)?, path, above)))
            .unwrap_or_else(|| path.to_owned())
    }

    /// Returns the old and new paths of the files and symbolic links that move, in walk order.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.moved
            .iter()
            .filter(|moved| matches!(moved.kind, EntryKind::File | EntryKind::Symlink))
            .map(|moved| (Path::new(&moved.old), moved.new.as_path()))
    }

    /// Returns the old and new paths of the folders that requests move, in walk order. The list includes
    /// folders that a request keeps at their path although the folder above moves. The deepest folder above a
    /// path decides.
    pub fn folders(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.folders.iter().map(|(old, new)| (old.as_path(), new.as_path()))
    }

    /// Returns the directories of the tree after the moves, sorted, parents first, without those that the moves
    /// emptied. `entries` must be the entries for which the moves were planned.
    pub fn directories(&self, entries: &[Entry]) -> Vec<Directory> {
        let placements: Vec<Placement> = entries
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
        directories(&placements)
    }
}
