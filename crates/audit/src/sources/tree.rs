//! The files that a site was built from.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::super::report::below;
use super::syntax::Syntax;
use rehref_corpus::files::with_file_bytes_up_to;
use rehref_site::canonical;

/// Larger files are not read: no one writes such a text.
const LARGEST: u64 = 16 << 20;

/// Directories that hold no text of the site's authors.
const SKIPPED: &[&str] = &["node_modules", "target", "__pycache__", "vendor", "venv"];

/// Files that a built site has beside each other, and its sources do not.
const BUILT: &[&str] = &["index.html", "sitemap.xml"];

/// Whether the directory at `path` is a built site, perhaps of the same sources.
fn is_built(path: &Path) -> bool {
    BUILT.iter().all(|name| path.join(name).is_file())
}

/// A directory of sources.
#[derive(Debug)]
pub struct SourceTree {
    root: PathBuf,
    /// The directory as reports show it.
    name: String,
    /// The paths of the files below the root, sorted, with `/` between names.
    pub(super) paths: Vec<String>,
    /// The directories whose files are published at the root of the site, each with a slash at its end.
    roots: Vec<String>,
}

impl SourceTree {
    /// Lists the files in `root`, a directory that reports call `name`; without `site`, the canonical path of the
    /// built site, without hidden files, and without directories of tools. Follows no symbolic links.
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
        SourceTree { paths: paths.collect(), name: name.to_owned(), root, roots: Vec::new() }
    }

    /// The same files, of which those in `roots` are published at the root of the site.
    #[must_use]
    pub fn with_roots(mut self, mut roots: Vec<String>) -> SourceTree {
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        self.roots = roots;
        self
    }

    /// The paths of the files as the site has them.
    pub(super) fn published(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(|path| {
            let below = self.roots.iter().find_map(|root| path.strip_prefix(root.as_str()));
            below.unwrap_or(path)
        })
    }

    /// Whether no file of it is a text that pages are built from.
    pub fn is_empty(&self) -> bool {
        self.paths.iter().all(|path| Syntax::of(path).is_none())
    }

    /// The path of a file as reports show it: relative to the working directory, if that of the root is.
    pub(super) fn shown(&self, path: &str) -> String {
        below(&self.name, path)
    }

    /// The path of a file on disk.
    pub(super) fn file(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The text of a file; `None` if it is none, or cannot be read.
    pub(super) fn read(&self, path: &str) -> Option<(String, Syntax)> {
        let syntax = Syntax::of(path)?;
        let text =
            with_file_bytes_up_to(&self.file(path), LARGEST, |bytes, _| decode(bytes)).ok()?;
        Some((text, syntax))
    }
}

/// The text of a source: UTF-8, or windows-1252 if it is not.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}
