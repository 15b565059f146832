//! Numbers for the files of a site, so that millions of references need little memory.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::site_index::SiteIndex;
use rehref_site::{CaptureIndex, FileIndex, Response, SitePaths, path_in_url};

/// The number of a file of the site, or of a URL that archives hold.
pub(super) type FileNumber = u32;

/// The number of the file or record that holds a document.
pub(super) type ItemNumber = usize;

/// The files of a site, numbered.
#[derive(Debug)]
pub(super) enum FileNumbers<'i> {
    /// The files of a directory.
    Files {
        numbers: FxHashMap<&'i str, FileNumber>,
        /// The numbers of the files that symbolic links lead to.
        of_links: FxHashMap<&'i str, FileNumber>,
        /// The paths of the files, then those of the symbolic links.
        paths: Vec<&'i str>,
    },
    /// The URLs of archives, whose index numbers them.
    Captures(&'i CaptureIndex),
}

impl<'i> FileNumbers<'i> {
    /// Numbers the files of `site`.
    pub(super) fn new(site: &'i SiteIndex) -> FileNumbers<'i> {
        match &site.archive {
            Some(captures) => FileNumbers::Captures(captures),
            None => FileNumbers::of_files(&site.files),
        }
    }

    /// Returns the files of `index` that are not symbolic links, by their simple paths and those of their folders.
    pub(super) fn by_path(&self, index: &FileIndex) -> SitePaths<FileNumber> {
        let has_forced_redirects = index.has_forced_redirects();
        SitePaths::of(index, |path| match index.find(path, "")? {
            // A rule or a query may select another file.
            Response::File(file) | Response::Index(file)
                if !has_forced_redirects && index.of_document(file).absence(file).is_none() =>
            {
                self.number_without_links(file)
            }
            _ => None,
        })
    }

    /// Numbers the files of `index` in the order of their paths.
    fn of_files(index: &'i FileIndex) -> FileNumbers<'i> {
        let is_alias = |path: &str| index.resolve_alias(path) != path;
        let mut paths: Vec<&str> = index.files().collect();
        paths.sort_by_cached_key(|path| (is_alias(path), *path));
        let (files, links) = paths.split_at(paths.partition_point(|path| !is_alias(path)));
        let numbers: FxHashMap<&str, FileNumber> = files.iter().copied().zip(0..).collect();
        let of_link = |link: &&'i str| Some((*link, *numbers.get(index.resolve_alias(link))?));
        let of_links = links.iter().filter_map(of_link).collect();
        FileNumbers::Files { numbers, of_links, paths }
    }

    /// More than the number of any file.
    pub(super) fn len(&self) -> usize {
        match self {
            FileNumbers::Files { numbers, .. } => numbers.len(),
            FileNumbers::Captures(captures) => captures.len(),
        }
    }

    /// Returns the number of the file at `path`, percent-encoded as in URLs.
    pub(super) fn number(&self, path: &str) -> Option<FileNumber> {
        match self {
            FileNumbers::Files { numbers, of_links, .. } => {
                numbers.get(path).or_else(|| of_links.get(path)).copied()
            }
            FileNumbers::Captures(captures) => captures.content(path),
        }
    }

    /// Returns the number of the file of a directory at `path` itself, not through a symbolic link.
    pub(super) fn number_without_links(&self, path: &str) -> Option<FileNumber> {
        match self {
            FileNumbers::Files { numbers, .. } => numbers.get(path).copied(),
            FileNumbers::Captures(_) => None,
        }
    }

    /// Returns the number of the file at `path` below the root.
    pub(super) fn number_of(&self, path: &Path) -> Option<FileNumber> {
        self.number(&path_in_url(path))
    }

    /// Returns the path of a file, percent-encoded as in URLs.
    pub(super) fn path(&self, number: FileNumber) -> &'i str {
        match self {
            FileNumbers::Files { paths, .. } => paths.get(number as usize).unwrap_or(&""),
            FileNumbers::Captures(captures) => captures.url(number),
        }
    }

    /// Returns a number for [`FileNumbers::path`] for each path, also for each symbolic link.
    pub(super) fn all(&self) -> Vec<FileNumber> {
        match self {
            FileNumbers::Files { paths, .. } => {
                (0..).zip(paths).map(|(number, _)| number).collect()
            }
            FileNumbers::Captures(captures) => captures.contents().collect(),
        }
    }
}
