//! The files that a site was built from.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::super::report::below;
use super::syntax::Syntax;
use rehref_corpus::files::{git_rules, with_file_bytes_up_to};
use rehref_site::{canonical, walk};

/// Larger files are not read: no one writes such a text.
const LARGEST: u64 = 16 << 20;

/// Directories that hold no text of the site's authors.
const SKIPPED: &[&str] = &["node_modules", "target", "__pycache__", "vendor", "venv"];

/// Files that a built site has beside each other, and its sources do not.
const BUILT: &[&str] = &["index.html", "sitemap.xml"];

/// Returns true if the directory at `path` is a built site, perhaps of the same sources.
fn is_built(path: &Path) -> bool {
    BUILT.iter().all(|name| path.join(name).is_file())
}

/// The files of a directory of sources (`--sources`).
#[derive(Debug)]
pub struct SourceTree {
    root: PathBuf,
    /// The directory as reports show it.
    name: String,
    /// The paths of the files below the root, sorted, with `/` between names.
    pub(super) paths: Vec<String>,
    /// The directories that are published elsewhere in the site, with their paths there; each has a slash at its end.
    published: Vec<(String, String)>,
}

impl SourceTree {
    /// Lists the files in `root`. Omits hidden files, directories of tools, and `site`, the canonical path of
    /// the built site. Follows no symbolic links. `name` is the name of the directory in reports.
    pub fn list(root: &Path, name: &str, site: &Path) -> SourceTree {
        let root = canonical(root).unwrap_or_else(|_| root.to_owned());
        let is_wanted = |entry: &DirEntry| {
            let name = entry.file_name().to_str().unwrap_or(".");
            let is_skipped = name.starts_with('.')
                || entry.file_type().is_dir()
                    && (SKIPPED.contains(&name) || is_built(entry.path()))
                || entry.path() == site;
            entry.depth() == 0 || !is_skipped
        };
        let entries = WalkDir::new(&root).sort_by_file_name().into_iter();
        // What cannot be read is no source of a finding.
        let entries = entries.filter_entry(is_wanted).flatten();
        let files = entries.filter(|entry| entry.file_type().is_file());
        let paths = files.filter_map(|entry| {
            let names = entry.path().strip_prefix(&root).ok()?.components();
            let names: Option<Vec<&str>> = names.map(|name| name.as_os_str().to_str()).collect();
            Some(names?.join("/"))
        });
        let mut paths: Vec<String> = paths.collect();
        // What git ignores is the output of an earlier build, unless it is all there is.
        let ignored = git_rules(&root, &walk(&root));
        let is_source = |path: &String| !ignored.has(Path::new(path));
        if paths.iter().any(is_source) {
            paths.retain(is_source);
        }
        SourceTree { paths, name: name.to_owned(), root, published: Vec::new() }
    }

    /// Returns these files for a generator that publishes directories at other paths: `published` lists
    /// directories, each with its path in the site. Both end in a slash.
    #[must_use]
    pub fn published(mut self, mut published: Vec<(String, String)>) -> SourceTree {
        published.sort_by_key(|(directory, _)| Reverse(directory.len()));
        self.published = published;
        self
    }

    /// Returns the paths of the files as the site has them.
    pub(super) fn site_paths(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.paths.iter().map(|path| {
            let mut published = self.published.iter();
            let in_site = published.find_map(|(directory, url)| {
                Some(format!("{url}{}", path.strip_prefix(directory.as_str())?))
            });
            in_site.map_or(Cow::Borrowed(path.as_str()), Cow::Owned)
        })
    }

    /// Returns true if the directory has no text file from which pages can be built.
    pub fn is_empty(&self) -> bool {
        self.paths.iter().all(|path| Syntax::of(path).is_none())
    }

    /// Returns the path of a file as reports show it: relative to the working directory, if that of the root is.
    pub(super) fn shown(&self, path: &str) -> String {
        below(&self.name, path)
    }

    /// Returns the path of a file on disk.
    pub(super) fn file(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns the text of a file; `None` if it is none, or cannot be read.
    pub(super) fn read(&self, path: &str) -> Option<(String, Syntax)> {
        let syntax = Syntax::of(path)?;
        let text =
            with_file_bytes_up_to(&self.file(path), LARGEST, |bytes, _| decode(bytes)).ok()?;
        Some((text, syntax))
    }
}

/// Decodes a source file as UTF-8, or as windows-1252 if it is not valid UTF-8.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}
