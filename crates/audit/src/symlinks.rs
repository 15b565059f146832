//! dangling-symlink: symbolic links whose target does not exist or is outside the tree.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checks::Check;
use super::finding::Finding;
use rehref_site::plural::counted;
use rehref_site::{Entry, EntryKind, SymlinkResolver, normalized_path, path_in_url};

/// The symbolic links of a tree that will have no target when the tree is published, by their paths, percent-encoded as
/// in URLs.
#[derive(Debug, Default)]
pub(super) struct DanglingSymlinks(BTreeMap<String, DanglingSymlink>);

#[derive(Debug)]
struct DanglingSymlink {
    /// The finding, without the number of references.
    finding: Finding,
    /// How many references go to it or through it.
    references: AtomicUsize,
}

impl DanglingSymlinks {
    /// Finds the dangling symbolic links among `entries`, the tree at `root`, a canonical path.
    pub(super) fn new(root: &Path, entries: &[Entry]) -> DanglingSymlinks {
        let mut all = DanglingSymlinks::default();
        let mut symlinks = SymlinkResolver::new(root);
        for Entry { path, kind } in entries {
            if *kind != EntryKind::Symlink {
                continue;
            }
            let message = match symlinks.target(path) {
                Ok(target) if target.path.starts_with(root) => continue,
                Ok(_) => "the target of the symbolic link is outside the audited site".to_owned(),
                Err(reason) => format!("the target of the symbolic link {reason}"),
            };
            let target = std::fs::read_link(root.join(path)).unwrap_or_default();
            let name = path.to_string_lossy().into_owned();
            let mut finding = Finding::of_file(Check::DanglingSymlink, name, message);
            finding.reference = Some(target.to_string_lossy().into());
            let link = DanglingSymlink { finding, references: AtomicUsize::new(0) };
            all.0.insert(path_in_url(path), link);
        }
        all
    }

    /// Returns true if a link to or through one of them leads to `path`, percent-encoded in any way. If so,
    /// counts a reference to that symbolic link.
    pub(super) fn count(&self, path: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let path = normalized_path(path);
        let folders = path.match_indices('/').map(|(slash, _)| slash);
        let found = folders.chain([path.len()]).find_map(|end| self.0.get(path.get(..end)?));
        let Some(link) = found else { return false };
        link.references.fetch_add(1, Ordering::Relaxed);
        true
    }

    /// Returns a finding for each link; `only_counted`: for each that a reference goes to or through.
    pub(super) fn findings(&self, only_counted: bool) -> impl Iterator<Item = Finding> {
        let is_wanted = move |link: &&DanglingSymlink| {
            !only_counted || link.references.load(Ordering::Relaxed) > 0
        };
        self.0.values().filter(is_wanted).map(|link| {
            let mut finding = link.finding.clone();
            let references = link.references.load(Ordering::Relaxed);
            if references > 0 {
                let links = format!("; it is the target of {}", counted(references, "link"));
                finding.message.to_mut().push_str(&links);
            }
            finding
        })
    }
}
