//! The way of the many: references whose target is simple to see, and there.
//!
//! Nearly all references of a site are relative paths of ordinary characters to files that exist.
//! For them no URL is made: the path is put together from that of the base's folder, and looked up.
//! Whatever is not as simple as that goes the ordinary way.

use rustc_hash::FxHashMap;

use super::files::{FileNumber, FileNumbers};
use crate::site::{FileIndex, Response};
use crate::url::AbsoluteUrl;
use crate::url::simple::{Folders, SimplePath};

/// The paths below the site's URL at which there is a file and nothing to be said about it.
#[derive(Debug, Default)]
pub(super) struct SimplePaths {
    files: FxHashMap<Box<str>, FileNumber>,
}

impl SimplePaths {
    /// Those of `index`: its files that are no symbolic links, and its folders with a slash, where
    /// they have an index file.
    pub(super) fn new(index: &FileIndex, files: &FileNumbers<'_>) -> SimplePaths {
        let mut simple = SimplePaths::default();
        if index.has_forced_redirects() {
            return simple;
        }
        let mut add = |path: String, file: &str| {
            if index.resolve_alias(file) == file
                && let Some(number) = files.number(file)
            {
                simple.files.insert(path.into(), number);
            }
        };
        for file in index.files() {
            add(file.to_owned(), file);
        }
        for folder in index.folders() {
            let slash = if folder.is_empty() { "" } else { "/" };
            let path = format!("{folder}{slash}");
            // By a rule, or by a query, another file may be sent.
            if let Some(Response::Index(file)) = index.find(&path, "") {
                add(path, file);
            }
        }
        simple
    }
}

/// Where a simple reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SimpleTarget<'r> {
    pub(super) file: FileNumber,
    /// The fragment without its `#`, if there is one.
    pub(super) fragment: Option<&'r str>,
}

impl SimplePaths {
    /// Where `reference`, which is such a simple path, leads from the last of `folders`, if there is a
    /// file of the site at `site`. `path` is where paths are put together.
    pub(super) fn target<'r>(
        &self,
        reference: &'r str,
        simple: SimplePath,
        folders: Folders<'_>,
        site: &AbsoluteUrl,
        path: &mut String,
    ) -> Option<SimpleTarget<'r>> {
        let (down, tail) = simple.parts(reference)?;
        if tail.starts_with('?') {
            return None;
        }
        let folder = folders.above(simple.parents)?.strip_prefix(site.as_str())?;
        path.clear();
        path.push_str(folder);
        path.push_str(down);
        let file = *self.files.get(path.as_str())?;
        let fragment = tail.strip_prefix('#');
        Some(SimpleTarget { file, fragment })
    }
}
