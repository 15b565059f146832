//! The files of a tree by the URLs they are served at.

use std::collections::HashMap;
use std::path::Path;

use super::path::{encoded, normalized_path, path_in_url};
use super::redirect_rule::RedirectTarget;
use super::server::Server;
use super::walk::{Entry, EntryKind};
use crate::url::percent_decoded;

/// What servers add to a name without an extension.
const EXTENSIONS: &[&str] = &[".html", ".htm", ".xhtml"];

/// How mirrors name a page that was asked for with a query: `page?id=3` as it is, with `@` where
/// file systems know no question mark (`wget --restrict-file-names=windows`), both perhaps with an
/// extension (`wget -E`).
const QUERY_NAMES: &[(&str, &str)] = &[
    ("%3F", ""),
    ("%3F", ".html"),
    ("%3F", ".css"),
    ("@", ""),
    ("@", ".html"),
    ("@", ".css"),
];

/// How often redirects lead on from one to the next: browsers follow no more.
const HOPS: usize = 20;

/// The files and folders of a tree, by their paths as URLs have them.
///
/// A path here is what follows the site's URL, percent-encoded as [`super::SiteUrl::document_url`] does
/// it: `lib/a%20b.html`. Folders have no slash at their end, the root is the empty path.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    kinds: HashMap<Box<str>, Kind>,
    has_query_names: bool,
    server: Server,
    /// The path of the site's URL without the slash at its start, where redirects count from.
    root_path: Box<str>,
    /// Symbolic links within the tree, and where they lead there in the end.
    links: HashMap<Box<str>, Box<str>>,
    /// Files by what comes before a dot in their names, where the server negotiates.
    variants: HashMap<Box<str>, Box<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
}

/// What serves a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response<'i> {
    /// The file of that name.
    File(&'i str),
    /// A file whose name has the query in it.
    Query(&'i str),
    /// A file whose name has an extension more.
    Extension(&'i str),
    /// The index file of a folder.
    Index(&'i str),
    /// A file that the server was said to send: by a pattern, by negotiation, by a redirect.
    ByRule(&'i str),
    /// Another server, to which a redirect leads.
    Redirect,
    /// A folder without an index file.
    Folder,
}

impl<'i> Response<'i> {
    /// The path of the file.
    pub fn file(&self) -> Option<&'i str> {
        match *self {
            Response::File(file)
            | Response::Query(file)
            | Response::Extension(file)
            | Response::Index(file)
            | Response::ByRule(file) => Some(file),
            Response::Redirect | Response::Folder => None,
        }
    }
}

impl FileIndex {
    /// The index of `entries`, a walked tree at `root` (canonical). Symbolic links count as what they
    /// lead to.
    pub fn new(root: &Path, entries: &[Entry]) -> FileIndex {
        let mut index = FileIndex::default();
        index.kinds.insert("".into(), Kind::Folder);
        for entry in entries {
            let kind = match entry.kind {
                EntryKind::File => Kind::File,
                EntryKind::Directory => Kind::Folder,
                EntryKind::Symlink => match std::fs::metadata(root.join(&entry.path)) {
                    Ok(there) if there.is_dir() => Kind::Folder,
                    Ok(_) => Kind::File,
                    Err(_) => continue,
                },
                EntryKind::Leftover | EntryKind::Special => continue,
            };
            let path = path_in_url(&entry.path);
            index.has_query_names |= path.contains("%3F") || path.contains('@');
            index.kinds.insert(path.into(), kind);
        }
        index
    }

    /// The same files behind a server that does more than the usual. `root_path` is the path of the
    /// site's URL, which redirects begin with.
    #[must_use]
    pub fn with_server(mut self, server: Server, root_path: &str) -> FileIndex {
        self.root_path = root_path.trim_start_matches('/').into();
        self.variants.clear();
        if server.negotiates {
            let mut files: Vec<Box<str>> = self.files().map(Box::from).collect();
            files.sort_unstable();
            for file in files {
                let name = file.rfind('/').map_or(0, |slash| slash + 1);
                let dots = file.match_indices('.').map(|(at, _)| at);
                for at in dots.filter(|at| *at > name) {
                    let start = file.get(..at).unwrap_or_default();
                    self.variants
                        .entry(start.into())
                        .or_insert_with(|| file.clone());
                }
            }
        }
        self.server = server;
        self
    }

    /// The same files, with what is behind symbolic links to folders of the tree. `root` (canonical)
    /// and `entries` are those that the index was made of.
    #[must_use]
    pub fn with_symlinks(mut self, root: &Path, entries: &[Entry]) -> FileIndex {
        let links = entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::Symlink);
        for link in links {
            let Ok(target) = root.join(&link.path).canonicalize() else {
                continue;
            };
            if let Ok(inside) = target.strip_prefix(root) {
                let link = path_in_url(&link.path).into();
                self.links.insert(link, path_in_url(inside).into());
            }
        }
        self
    }

    /// The path of the file that a symbolic link within the tree leads to in the end; of anything
    /// else its own.
    pub fn resolve_symlink<'p>(&'p self, path: &'p str) -> &'p str {
        self.links.get(path).map_or(path, |target| target)
    }

    /// The path with the symbolic link in it followed whose folder it goes through, or leads to.
    fn behind_link(&self, path: &str) -> Option<String> {
        if self.links.is_empty() {
            return None;
        }
        let slashes = path.match_indices('/').map(|(slash, _)| slash);
        slashes.chain([path.len()]).find_map(|end| {
            let target = self.links.get(path.get(..end)?)?;
            let rest = path.get(end..)?;
            // The root itself has an empty path.
            let joined = format!("{target}{rest}");
            Some(joined.trim_start_matches('/').to_owned())
        })
    }

    /// An index of files with these paths, which need not be on any disk.
    pub fn from_paths<'p>(paths: impl Iterator<Item = &'p str>) -> FileIndex {
        FileIndex {
            kinds: paths.map(|path| (path.into(), Kind::File)).collect(),
            ..FileIndex::default()
        }
    }

    /// Whether nothing is in it, not even the root: nobody asked for it.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What serves the URL with this `path`, however it is percent-encoded, and `query` (with its
    /// question mark, or empty). `None` where nothing does.
    pub fn find(&self, path: &str, query: &str) -> Option<Response<'_>> {
        self.find_within(&normalized_path(path), query, HOPS)
    }

    /// The same for a canonical path, where redirects may still lead on so often.
    fn find_within(&self, path: &str, query: &str, hops: usize) -> Option<Response<'_>> {
        if let Some(led) = self.redirected(path, true, hops) {
            return led;
        }
        let served = self.find_file(path, query);
        let served = match served {
            None | Some(Response::Folder) => {
                let behind = self.behind_link(path);
                let behind = behind.and_then(|behind| self.find_file(&behind, query));
                behind.or(served)
            }
            Some(_) => served,
        };
        match served {
            None | Some(Response::Extension(_) | Response::Folder) => {
                let by_rule = || self.redirected(path, false, hops).flatten();
                self.variant(path)
                    .map(Response::ByRule)
                    .or_else(by_rule)
                    .or(served)
            }
            Some(_) => served,
        }
    }

    /// What the redirects make of a path: those that are `forced`, or the others; `None` where no
    /// rule is for it.
    fn redirected(&self, path: &str, forced: bool, hops: usize) -> Option<Option<Response<'_>>> {
        let mut rules = self.server.redirects.iter();
        rules
            .find_map(|rule| {
                let fits = rule.is_forced == forced;
                fits.then(|| rule.target(&format!("{}{path}", self.root_path)))?
            })
            .map(|target| match target {
                RedirectTarget::External => Some(Response::Redirect),
                RedirectTarget::Error => None,
                RedirectTarget::Path(to) => {
                    let to = normalized_path(&to).into_owned();
                    let Some(to) = to.strip_prefix(&*self.root_path) else {
                        return Some(Response::Redirect);
                    };
                    let served = self.find_file(to, "");
                    let file = served.as_ref().and_then(Response::file);
                    if let Some(file) = file.or_else(|| self.variant(to)) {
                        return Some(Response::ByRule(file));
                    }
                    let served = self.find_within(to, "", hops.checked_sub(1)?)?;
                    Some(served.file().map_or(served.clone(), Response::ByRule))
                }
            })
    }

    /// The file that negotiation sends for a path without a file.
    fn variant(&self, path: &str) -> Option<&str> {
        if self.variants.is_empty() {
            return None;
        }
        let find = |path: &str| self.variants.get(path).map(|file| &**file);
        match path.is_empty() || path.ends_with('/') {
            false => find(path),
            true => self
                .server
                .index_names()
                .find_map(|name| find(&format!("{path}{name}"))),
        }
    }

    fn find_file(&self, path: &str, query: &str) -> Option<Response<'_>> {
        let (name, is_folder) = match path.strip_suffix('/') {
            Some(name) => (name, true),
            None => (path, path.is_empty()),
        };
        if !query.is_empty()
            && self.has_query_names
            && let Some(file) = self.by_query(path, query)
        {
            return Some(Response::Query(file));
        }
        let kind = self.kinds.get_key_value(name);
        if let Some((file, Kind::File)) = kind
            && !is_folder
        {
            return Some(Response::File(file));
        }
        if let Some(file) = self.server.tries(path).find_map(|tried| self.file(&tried)) {
            return Some(Response::ByRule(file));
        }
        match kind {
            Some((folder, Kind::Folder)) => {
                let index = || self.index_of(folder).map(Response::Index);
                let negotiated = || {
                    let slash = if folder.is_empty() { "" } else { "/" };
                    self.variant(&format!("{folder}{slash}"))
                        .map(Response::Index)
                };
                index().or_else(negotiated).or(Some(Response::Folder))
            }
            Some(_) => None,
            None if is_folder => None,
            None => self
                .literal(path)
                .map(Response::File)
                .or_else(|| self.with_extension(name).map(Response::Extension)),
        }
    }

    /// The index of the same tree after files and folders moved: `new_path` says where each is, files
    /// and symbolic links by their paths as they are here.
    pub fn moved(&self, new_path: impl Fn(&str) -> Option<String>) -> FileIndex {
        let mut moved = FileIndex::default();
        moved.kinds.insert("".into(), Kind::Folder);
        for (path, kind) in &self.kinds {
            let new = new_path(path);
            let is_there = new.is_some() || *kind == Kind::File;
            let path = new.unwrap_or_else(|| path.to_string());
            if !is_there {
                continue;
            }
            let mut folder = path.as_str();
            while let Some(slash) = folder.rfind('/') {
                folder = folder.get(..slash).unwrap_or_default();
                if moved.kinds.insert(folder.into(), Kind::Folder).is_some() {
                    break;
                }
            }
            moved.has_query_names |= path.contains("%3F") || path.contains('@');
            moved.kinds.insert(path.into(), *kind);
        }
        moved
    }

    /// The paths of all files, in no order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let files = self.kinds.iter();
        files
            .filter(|(_, kind)| **kind == Kind::File)
            .map(|(path, _)| &**path)
    }

    /// The paths of all folders, in no order.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.kinds.iter();
        folders
            .filter(|(_, kind)| **kind == Kind::Folder)
            .map(|(path, _)| &**path)
    }

    /// Whether a redirect may hold even where there is a file.
    pub fn has_forced_redirects(&self) -> bool {
        self.server.redirects.iter().any(|rule| rule.is_forced)
    }

    /// Whether `path` is a folder, or a symbolic link to one.
    pub fn is_folder(&self, path: &str) -> bool {
        self.kinds.get(path) == Some(&Kind::Folder)
    }

    /// The file that serves a path without its extension.
    pub fn with_extension(&self, name: &str) -> Option<&str> {
        EXTENSIONS
            .iter()
            .find_map(|extension| self.file(&format!("{name}{extension}")))
    }

    /// The index file of a folder, given by its path.
    pub fn index_of(&self, folder: &str) -> Option<&str> {
        let slash = if folder.is_empty() { "" } else { "/" };
        self.server
            .index_names()
            .find_map(|name| self.file(&format!("{folder}{slash}{name}")))
    }

    /// The file whose name has the query in it. What is asked of a folder is asked of its index file.
    fn by_query(&self, path: &str, query: &str) -> Option<&str> {
        let query = query.strip_prefix('?').unwrap_or(query);
        // No name has a slash, so that mirrors encode it.
        let as_it_is = encoded(query.replace('/', "%2F").as_bytes());
        let decoded = percent_decoded(query)
            .split(|&b| b == b'/')
            .collect::<Vec<_>>()
            .join(&b"%2F"[..]);
        let decoded = encoded(&decoded);
        let index_names: Vec<&str> = match path.is_empty() || path.ends_with('/') {
            true => self.server.index_names().collect(),
            false => vec![""],
        };
        index_names.iter().find_map(|index| {
            [&as_it_is, &decoded].into_iter().find_map(|wanted| {
                QUERY_NAMES.iter().find_map(|(mark, extension)| {
                    self.file(&format!("{path}{index}{mark}{wanted}{extension}"))
                })
            })
        })
    }

    /// A file whose name has the percent-encoding of a URL in it, as mirrors may write them.
    fn literal(&self, path: &str) -> Option<&str> {
        path.contains('%')
            .then(|| self.file(&path.replace('%', "%25")))
            .flatten()
    }

    /// The file of exactly this path.
    pub fn file(&self, path: &str) -> Option<&str> {
        match self.kinds.get_key_value(path) {
            Some((file, Kind::File)) => Some(file),
            _ => None,
        }
    }
}
