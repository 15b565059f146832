//! Directories of a site that are published at URLs of their own.

use rustc_hash::FxHashMap;

/// The directories of a site that are published at URLs of their own. A mirror may have thousands of hosts, so that
/// those of a URL or a path are looked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mounts<U> {
    all: Vec<Mount<U>>,
    /// The indexes in `all`, by the scheme and the host of the URL.
    by_host: FxHashMap<Box<str>, Vec<usize>>,
    /// The first index in `all` of each folder.
    by_folder: FxHashMap<Box<str>, usize>,
    /// The number of bytes of the longest folder.
    longest_folder: usize,
}

/// A directory of a site that is published at a URL of its own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount<U> {
    /// The path below the root, percent-encoded, with a slash at its end.
    pub(super) folder: String,
    /// The URL of the directory, as a site of its own.
    pub(super) url: U,
}

impl<U> Mounts<U> {
    /// Indexes `all`; `text` is the text of a URL.
    pub(super) fn new(all: Vec<Mount<U>>, text: impl Fn(&U) -> &str) -> Mounts<U> {
        let mut by_host: FxHashMap<Box<str>, Vec<usize>> = FxHashMap::default();
        let mut by_folder = FxHashMap::default();
        for (at, Mount { folder, url }) in all.iter().enumerate() {
            by_host.entry(host(text(url)).into()).or_default().push(at);
            by_folder.entry(folder.as_str().into()).or_insert(at);
        }
        let longest_folder = all.iter().map(|it| it.folder.len()).max().unwrap_or(0);
        Mounts { all, by_host, by_folder, longest_folder }
    }

    /// Returns the directories that `url` may be below the URL of.
    pub(super) fn of_url(&self, url: &str) -> impl Iterator<Item = &Mount<U>> {
        let found = self.by_host.get(host(url)).map(Vec::as_slice).unwrap_or_default();
        found.iter().filter_map(|at| self.all.get(*at))
    }

    /// Returns the directory given first of those that contain `path`, which is percent-encoded and below the root.
    pub(super) fn of_path(&self, path: &str) -> Option<&Mount<U>> {
        let ends = path.match_indices('/').map(|(slash, _)| slash + 1);
        let ends = std::iter::once(0).chain(ends).take_while(|end| *end <= self.longest_folder);
        let found = ends.filter_map(|end| self.by_folder.get(path.get(..end)?)).min()?;
        self.all.get(*found)
    }
}

/// The scheme and the host of an absolute URL.
fn host(url: &str) -> &str {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let path = rest.find(['/', '?', '#']).map_or(0, |at| rest.len() - at);
    url.get(..url.len() - path).unwrap_or(url)
}
