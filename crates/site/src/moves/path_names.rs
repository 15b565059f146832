//! The names of what moved. A string whose path ends with another name is not a stale path: to look a hash up
//! is faster than to parse a URL.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use crate::MovedUrls;
use crate::{FileIndex, SiteUrl};
use rehref_url::{Standard, scheme};

/// The last names of all paths of a site, before and after its files moved. A string with another last name
/// cannot be a path of the site.
///
/// Names count with and without their extension, since a server may add that.
#[derive(Clone, Debug)]
pub struct PathNames {
    /// The scheme of the site's URL.
    scheme: Box<str>,
    /// All names in the paths of what moved, old and new. The new ones count because a file that did not
    /// move gets another URL if a new file or folder takes the place of one.
    moved: Names,
    /// The names of all files and folders: a file that moved itself may name any of them by a path from
    /// its own place.
    known: Names,
}

/// Some names of files and folders.
#[derive(Clone, Debug, Default)]
struct Names {
    /// The hashes of the names. A collision costs a search for a file that does not exist.
    hashes: FxHashSet<u64>,
    /// Whether a URL may write one of the names in several ways.
    has_encoded: bool,
}

impl PathNames {
    /// Collects the names of the site at `site_url` with `files`; the site keeps its URL, and its files move as
    /// `moved` describes. Returns `None` if the last name of a URL does not determine its file, because a rule
    /// of the server or a query may select a file of any name.
    pub fn of(
        site_url: &SiteUrl,
        files: &FileIndex,
        moved: &MovedUrls,
        standard: Standard,
    ) -> Option<PathNames> {
        let has_queries = files.has_query_names() || moved.has_query_names();
        if standard != Standard::Whatwg || has_queries || !files.serves_by_path() {
            return None;
        }
        let mut names = PathNames {
            scheme: site_url.url().scheme().into(),
            moved: Names::default(),
            known: Names::default(),
        };
        // The hashes of the old and new folders that are known.
        let mut folders = FxHashSet::default();
        for path in files.files().chain(files.folders()) {
            let (folder, name) = split_last(path);
            names.known.add(name);
            if let Some(new) = moved.new_path(path) {
                let (new_folder, new_name) = split_last(&new);
                for folder in [folder, new_folder] {
                    if folders.insert(hash(folder)) {
                        names.moved.add_all(folder);
                    }
                }
                names.moved.add(name);
                if new_name != name {
                    names.moved.add(new_name);
                }
            }
        }
        // What an alias leads to may move, an index file among others. What is below it has its own name
        // at the end of a URL.
        for path in files.aliases().flat_map(|(alias, target)| [alias, target]) {
            names.moved.add_all(path);
            names.known.add_all(path);
        }
        // The site's URL may be written without its slash, and then names the root.
        for names in [&mut names.moved, &mut names.known] {
            names.add_all(site_url.url().path());
        }
        Some(names)
    }

    /// Returns true if `text`, a string in a file of the site, may be a stale path. `has_moved` is true if this
    /// file moved.
    pub fn may_be_stale(&self, text: &str, has_moved: bool) -> bool {
        let names = if has_moved { &self.known } else { &self.moved };
        let of_site = |scheme: &str| scheme.eq_ignore_ascii_case(&self.scheme);
        let path = match scheme::split(text.trim_start_matches(' ')) {
            Some((scheme, _)) if !of_site(scheme) => return false,
            // Without a host, what follows a scheme is a path of any kind.
            Some((_, rest)) if !rest.starts_with("//") => return true,
            Some((_, rest)) => rest,
            None => text,
        };
        last_name(path).is_none_or(|name| names.may_contain(name))
    }
}

impl Names {
    fn add_all(&mut self, path: &str) {
        path.split('/').for_each(|name| self.add(name));
    }

    fn add(&mut self, name: &str) {
        self.has_encoded |= !is_written_one_way(name);
        self.hashes.insert(hash(name));
        if let Some((stem, _)) = name.rsplit_once('.') {
            self.hashes.insert(hash(stem));
        }
    }

    fn may_contain(&self, name: &str) -> bool {
        self.hashes.contains(&hash(name)) || self.has_encoded && !is_written_one_way(name)
    }
}

/// The folder of `path`, empty at the root, and its last name.
fn split_last(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}

/// Returns true if URLs write `name` without percent signs.
fn is_written_one_way(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@:[]".contains(&b);
    name.bytes().all(is_plain)
}

/// The last name in the path of the URL that `text` is, without its scheme; `None` if only a URL parser can
/// tell.
fn last_name(text: &str) -> Option<&str> {
    // A URL parser removes the spaces at the ends, and line ends everywhere.
    let text = text.trim_matches(' ');
    let path_end = memchr::memchr2(b'?', b'#', text.as_bytes());
    let path = text.get(..path_end.unwrap_or(text.len()))?;
    if path.bytes().any(|b| b == b'%' || b.is_ascii_control()) {
        return None;
    }
    let is_slash = |c: char| c == '/' || c == '\\';
    let host = path.strip_prefix(is_slash);
    let path = match host.filter(|it| it.starts_with(is_slash)) {
        Some(host) => host.trim_start_matches(is_slash).split_once(is_slash)?.1,
        None => path,
    };
    let is_in_name = |b: u8| b != b'/' && b != b'\\';
    let end = path.bytes().rposition(is_in_name)? + 1;
    let start = path.bytes().take(end).rposition(|b| !is_in_name(b));
    let name = path.get(start.map_or(0, |slash| slash + 1)..end)?;
    (!matches!(name, "" | "." | "..")).then_some(name)
}
