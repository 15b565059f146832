//! A directory tree: everything in it, sorted, without what symbolic links lead to. [`walk()`] lists it.

#[cfg(feature = "disk")]
mod read;

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashSet;

use super::disk::joined;
#[cfg(feature = "disk")]
pub use read::walk;

/// The start of the names of temporary files. An interrupted run may leave such files in a tree.
pub const TEMPORARY_PREFIX: &str = ".rehref-";
/// The end of the names of temporary files.
pub const TEMPORARY_SUFFIX: &str = ".tmp";

/// A file, directory or symbolic link in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The path below the root, with `/` between its names on every system.
    pub path: PathBuf,
    /// The kind of the entry itself; symbolic links are not followed.
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory; it comes before its entries.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link, whatever its target.
    Symlink,
    /// A temporary file that an interrupted run left; it does not belong to the site.
    Leftover,
    /// A device, a pipe or a socket, which cannot be copied.
    Special,
    /// The data of a version control system, whole: a directory that was not entered, or the file that
    /// names one. It does not belong to the site.
    Repository,
    /// A file that git ignores, or such a directory, which was not entered; only with `--gitignore`. It does not
    /// belong to the site.
    Ignored,
}

impl EntryKind {
    /// Returns true if the entry belongs to the site.
    pub fn is_of_site(self) -> bool {
        !matches!(self, EntryKind::Leftover | EntryKind::Repository | EntryKind::Ignored)
    }
}

/// The names of the data of version control systems. `CVS` is not one of them: it can be a page of a site.
pub const REPOSITORIES: [&str; 7] = [".git", ".hg", ".svn", ".jj", ".bzr", ".pijul", "_darcs"];

/// An entry that a walk could not read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", .path.display())]
pub struct WalkError {
    /// The path of the entry: below the root if that is known, else the whole path.
    pub path: PathBuf,
    /// The error of the system.
    pub source: std::io::Error,
}

/// The entries of a directory tree.
#[derive(Debug, Default)]
pub struct FileTree {
    /// All entries below the root, sorted by name within each directory.
    pub entries: Vec<Entry>,
    /// The entries that could not be read and are therefore not in `entries`.
    pub errors: Vec<WalkError>,
}

impl FileTree {
    /// Marks the entries for which `is_ignored` returns `true` as [`EntryKind::Ignored`], and removes what is below
    /// these. Asks in the order of the entries, and only about entries of the site.
    pub fn mark_ignored(&mut self, mut is_ignored: impl FnMut(&Entry) -> bool) {
        let mut ignored: Option<PathBuf> = None;
        let mut all_ignored = FxHashSet::default();
        self.entries.retain_mut(|entry| {
            let is_below = |folder: &PathBuf| entry.path.starts_with(folder);
            if ignored.as_ref().is_some_and(is_below) {
                return false;
            }
            if entry.kind.is_of_site() && is_ignored(entry) {
                entry.kind = EntryKind::Ignored;
                all_ignored.insert(entry.path.clone());
                ignored = Some(entry.path.clone());
            }
            true
        });
        let is_below = |path: &Path| path.ancestors().any(|above| all_ignored.contains(above));
        self.errors.retain(|error| !is_below(&error.path));
    }

    /// Returns the entries that are not part of the site because of [`FileTree::mark_ignored`].
    pub fn ignored(&self) -> impl Iterator<Item = &Path> {
        let entries = self.entries.iter();
        entries.filter(|entry| entry.kind == EntryKind::Ignored).map(|entry| entry.path.as_path())
    }
}

/// Returns the target, below the root, of a symbolic link at `link` with the relative link text `text`. It begins with
/// `..` if the target is outside the tree; `None` if `text` is absolute.
pub fn symlink_target(link: &Path, text: &Path) -> Option<PathBuf> {
    let mut path = link.parent()?.to_owned();
    for component in text.components() {
        match component {
            Component::Normal(name) => path = joined(&path, name),
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::ParentDir => path = joined(&path, ".."),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// Returns true if the file system at `root`, a tree of `entries`, ignores letter case in names. Looks up the
/// name of an entry in the other case, and writes nothing. Returns false if no name has letters.
pub fn ignores_case(root: &Path, entries: &[Entry]) -> bool {
    let swapped = |name: &str| -> String {
        let swap = |c: char| {
            if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
        };
        name.chars().map(swap).collect()
    };
    let paths = entries.iter().filter_map(|entry| entry.path.to_str());
    let names: Vec<&str> = paths.filter(|path| !path.contains('/')).collect();
    let probe = names.iter().find(|name| {
        let other = swapped(name);
        other != **name && !names.contains(&other.as_str())
    });
    probe.is_some_and(|name| root.join(swapped(name)).symlink_metadata().is_ok())
}
