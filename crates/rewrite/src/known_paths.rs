//! The paths of a site that fast paths know, with their new paths, and the names by which to find stale paths.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use rehref_site::PathNames;
use rehref_url::simple::path_end;

/// The paths and names of a site that fast paths know, collected when they are first needed.
#[derive(Clone, Debug, Default)]
pub struct KnownPaths {
    pub(super) simple: OnceLock<SimplePaths>,
    pub(super) names: OnceLock<Option<PathNames>>,
}

/// The new paths of the files of a site and of its folders, which end with a slash, below the site's
/// URL. Only ordinary paths are in the table; all others take the general path.
#[derive(Clone, Debug, Default)]
pub struct SimplePaths {
    /// The new path by the old one; `None` for one that stays.
    pub(super) paths: FxHashMap<Box<str>, Option<Box<str>>>,
    /// Whether queries select files.
    pub(super) has_queries: bool,
}

impl SimplePaths {
    /// Adds `path`, which moves to `new`.
    pub(super) fn add(&mut self, path: &str, new: Option<&str>) {
        let new = new.filter(|new| *new != path);
        if new.is_none_or(is_ordinary) {
            self.paths.insert(path.into(), new.map(Box::from));
        }
    }

    /// The new path of what is at `path`, a file or folder in the table.
    pub(super) fn known<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        let new = self.paths.get(path)?;
        Some(new.as_deref().unwrap_or(path))
    }
}

/// Whether `path` consists of ordinary names alone; see [`path_end`].
pub(super) fn is_ordinary(path: &str) -> bool {
    path_end(path.as_bytes()) == Some(path.len())
}
