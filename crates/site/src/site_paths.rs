//! One map from the simple paths of a site: with it, fast paths find what a reference leads to and parse no URL.

use rustc_hash::FxHashMap;

use super::files::FileIndex;
use super::path::with_slash;

/// A map from each file and folder of a site, by path below the site's URL, to a value. Paths of folders end in
/// a slash.
#[derive(Clone, Debug, Default)]
pub struct SitePaths<T>(FxHashMap<Box<str>, T>);

impl<T> SitePaths<T> {
    /// Creates the map of the files and folders of `files` for whose paths `value` returns a value. For a project, of its
    /// own files: maps of the whole tree would take the number of projects times as much.
    pub fn of(files: &FileIndex, value: impl Fn(&str) -> Option<T>) -> SitePaths<T> {
        let folders = files.folders().take_while(|_| !files.is_of_project()).map(with_slash);
        let paths = files.own_files().map(str::to_owned).chain(folders);
        SitePaths(paths.filter_map(|path| value(&path).map(|value| (path.into(), value))).collect())
    }

    /// Returns the value of `path`.
    pub fn get(&self, path: &str) -> Option<&T> {
        self.0.get(path)
    }
}
