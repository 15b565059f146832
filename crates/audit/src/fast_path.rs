//! Fast path for references to existing files.
//!
//! Nearly all references of a site are relative paths of ordinary characters to existing files. They
//! need no URL parser: the fast path joins the base's folder and the reference, and looks the path up
//! in a table. Everything else takes the general path.

use rustc_hash::FxHashMap;

use super::files::{FileNumber, FileNumbers};
use rehref_site::{FileIndex, Response};
use rehref_url::AbsoluteUrl;
use rehref_url::simple::{Folders, SimplePath};

/// The folders that have an index file and no finding, by their paths below the site's URL, with a slash. Those of files
/// are in [`FileNumbers`].
#[derive(Debug)]
pub(super) struct SimplePaths(FxHashMap<String, FileNumber>);

impl SimplePaths {
    /// Collects the folders of `index`; `None` if rules may redirect every path.
    pub(super) fn new(index: &FileIndex, files: &FileNumbers<'_>) -> Option<SimplePaths> {
        let folders = index.folders().filter_map(|folder| {
            let slash = if folder.is_empty() { "" } else { "/" };
            let path = format!("{folder}{slash}");
            // A rule or a query may select another file.
            let Some(Response::Index(file)) = index.find(&path, "") else { return None };
            let number = files.number_without_links(file)?;
            Some((path, number))
        });
        (!index.has_forced_redirects()).then(|| SimplePaths(folders.collect()))
    }
}

/// The latest target that a document found by [`SimplePaths::target`]: about half of all references of
/// a site lead to the same file as the reference before.
#[derive(Debug, Default)]
pub(super) struct LatestTarget {
    /// The path of the reference, with its `../`.
    reference: String,
    file: Option<FileNumber>,
    /// Scratch space for the path below the site's URL.
    path: String,
}

/// The target of a simple reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SimpleTarget<'r> {
    pub(super) file: FileNumber,
    /// The fragment without its `#`.
    pub(super) fragment: Option<&'r str>,
}

impl SimplePaths {
    /// The target of `reference`, a simple path relative to the last of `folders`; `None` if the site
    /// at the URL `site` has no such file. `latest` is that of earlier references relative to the same
    /// folder.
    pub(super) fn target<'r>(
        &self,
        reference: &'r str,
        simple: SimplePath,
        folders: Folders<'_>,
        site: &AbsoluteUrl,
        files: &FileNumbers<'_>,
        latest: &mut LatestTarget,
    ) -> Option<SimpleTarget<'r>> {
        let (down, tail) = simple.parts(reference)?;
        if tail.starts_with('?') {
            return None;
        }
        let fragment = tail.strip_prefix('#');
        let whole = reference.strip_suffix(tail)?;
        if let Some(file) = latest.file.filter(|_| latest.reference == whole) {
            return Some(SimpleTarget { file, fragment });
        }
        let folder = folders.above(simple.parents)?.strip_prefix(site.as_str())?;
        latest.path.clear();
        latest.path.push_str(folder);
        latest.path.push_str(down);
        let path = latest.path.as_str();
        let file = if path.is_empty() || path.ends_with('/') {
            self.0.get(path).copied()?
        } else {
            files.number_without_links(path)?
        };
        whole.clone_into(&mut latest.reference);
        latest.file = Some(file);
        Some(SimpleTarget { file, fragment })
    }
}
