//! dangling-symlink: symbolic links whose target does not exist or is outside the tree.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checks::Check;
use super::finding::Finding;
use crate::plural::counted;
use crate::site::{Entry, EntryKind, normalized_path, path_in_url};

/// The symbolic links of a tree that will have no target when the tree is published.
#[derive(Debug, Default)]
pub(super) struct DanglingSymlinks {
    found: Vec<Symlink>,
    /// Positions in `found` by the links' paths, percent-encoded as in URLs.
    by_path: HashMap<String, usize>,
}

#[derive(Debug)]
struct Symlink {
    path: PathBuf,
    message: &'static str,
    target: String,
    /// How many references go to it or through it.
    references: AtomicUsize,
}

impl DanglingSymlinks {
    /// Finds them among `entries`, the tree at `root`, a canonical path.
    pub(super) fn new(root: &Path, entries: &[Entry]) -> DanglingSymlinks {
        let mut all = DanglingSymlinks::default();
        let links = entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::Symlink);
        for entry in links {
            let link = root.join(&entry.path);
            let message = match link.canonicalize() {
                Ok(target) if target.starts_with(root) => continue,
                Ok(_) => "whose target is outside the tree",
                Err(_) => "whose target does not exist",
            };
            let target = std::fs::read_link(&link).unwrap_or_default();
            all.by_path
                .insert(path_in_url(&entry.path), all.found.len());
            all.found.push(Symlink {
                path: entry.path.clone(),
                message,
                target: target.to_string_lossy().into_owned(),
                references: AtomicUsize::new(0),
            });
        }
        all
    }

    /// Whether one of them is on the way to `path`, percent-encoded in any way. If so, counts a
    /// reference to it.
    pub(super) fn count(&self, path: &str) -> bool {
        if self.found.is_empty() {
            return false;
        }
        let path = normalized_path(path);
        let folders = path.match_indices('/').map(|(slash, _)| slash);
        let found = folders
            .chain([path.len()])
            .find_map(|end| self.by_path.get(path.get(..end)?));
        let Some(link) = found.and_then(|at| self.found.get(*at)) else {
            return false;
        };
        link.references.fetch_add(1, Ordering::Relaxed);
        true
    }

    /// A finding for each link.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.found.iter().map(|link| {
            let references = match link.references.load(Ordering::Relaxed) {
                0 => String::new(),
                n => format!("; {} to it", counted(n, "reference")),
            };
            let mut finding = Finding::of_file(
                Check::DanglingSymlink,
                link.path.to_string_lossy().into_owned(),
                format!("a symbolic link {}{references}", link.message),
            );
            finding.reference = Some(link.target.clone());
            finding
        })
    }
}
