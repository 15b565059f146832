//! Numbers for the files of a site, so that millions of references need little memory.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::site::{FileIndex, path_in_url};

/// The number of a file of the site.
pub(super) type FileNumber = u32;

/// The files of a site, numbered. A symbolic link to a file of the site has that file's number.
#[derive(Debug, Default)]
pub(super) struct FileNumbers<'i> {
    numbers: FxHashMap<&'i str, FileNumber>,
    paths: Vec<&'i str>,
}

impl<'i> FileNumbers<'i> {
    /// Numbers the files of `index` in the order of their paths.
    pub(super) fn new(index: &'i FileIndex) -> FileNumbers<'i> {
        let mut paths: Vec<&str> = index.files().collect();
        paths.sort_unstable();
        let mut files = FileNumbers::default();
        let mut aliases = Vec::new();
        for path in paths {
            let target = index.resolve_alias(path);
            if target == path {
                let number = FileNumber::try_from(files.paths.len()).unwrap_or(FileNumber::MAX);
                files.numbers.insert(path, number);
                files.paths.push(path);
            } else {
                aliases.push((path, target));
            }
        }
        for (path, target) in aliases {
            if let Some(&number) = files.numbers.get(target) {
                files.numbers.insert(path, number);
            }
        }
        files
    }

    /// The number of different files.
    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    /// The number of the file at `path`, percent-encoded as in URLs.
    pub(super) fn number(&self, path: &str) -> Option<FileNumber> {
        self.numbers.get(path).copied()
    }

    /// The number of the file at `path` below the root.
    pub(super) fn number_of(&self, path: &Path) -> Option<FileNumber> {
        self.number(&path_in_url(path))
    }

    /// The path of a file, percent-encoded as in URLs.
    pub(super) fn path(&self, number: FileNumber) -> &'i str {
        let at = usize::try_from(number).ok();
        at.and_then(|at| self.paths.get(at)).unwrap_or(&"")
    }
}
