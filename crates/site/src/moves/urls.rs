//! Maps the old URLs of a site to the new ones after moves.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::anchors::MovedAnchors;
use super::mapping::Moves;
use crate::path::with_slash;
use crate::{
    Entry, EntryKind, FileIndex, PathMap, ResolvedPath, Response, SitePath, path_from_url,
    path_in_url,
};
use rehref_generators::markdown::names_source;

/// The old and new URLs of moved files and folders. All paths here are parts of URLs after the
/// site's URL; folders have no trailing slash.
#[derive(Clone, Debug, Default)]
pub struct MovedUrls {
    files: FxHashMap<Box<str>, Box<str>>,
    folders: PathMap,
    /// The folders that moves of all their files empty: they move, but nothing else below them does.
    emptied: FxHashMap<Box<str>, Box<str>>,
    /// The files after the moves; empty if they are not known.
    after: FileIndex,
    anchors: MovedAnchors,
}

impl MovedUrls {
    /// Creates the map from these old and new paths of files and folders. If several pairs have the same old
    /// path, the last one is used.
    pub fn new(
        files: impl IntoIterator<Item = (String, String)>,
        folders: impl IntoIterator<Item = (String, String)>,
    ) -> MovedUrls {
        let boxed = |(old, new): (String, String)| (old.into(), new.into());
        MovedUrls {
            files: files.into_iter().map(boxed).collect(),
            folders: folders.into_iter().collect(),
            emptied: FxHashMap::default(),
            after: FileIndex::default(),
            anchors: MovedAnchors::default(),
        }
    }

    /// Returns the URLs that `moves` change in the tree of `entries`, whose index is `files`.
    ///
    /// A symbolic link to a folder moves everything below it, as a request for a folder does. A folder also counts as
    /// moved if all its files moved to one other folder under their old names, but paths below it that no file has
    /// stay: that they belong to the folder is not said.
    pub fn of(moves: &Moves, entries: &[Entry], files: &FileIndex) -> MovedUrls {
        if moves.is_empty() {
            return MovedUrls::default();
        }
        let urls = |(old, new): (&Path, &Path)| (path_in_url(old), path_in_url(new));
        let moved_files: Vec<(String, String)> = moves.files().map(urls).collect();
        let links = moved_files.iter().filter(|(old, _)| files.is_folder(old));
        let folders: Vec<_> = moves.folders().map(urls).chain(links.cloned()).collect();
        let mut moved = MovedUrls::new(moved_files, folders);
        moved.anchors = MovedAnchors::new(moves.anchors(), path_in_url);
        let of_file = |path: &str| moved.files.get(path).map(ToString::to_string);
        // A symbolic link follows the folders that requests move, but not emptied ones.
        let of_target = |target: &str| of_file(target).or_else(|| moved.follow_folder(target));
        moved.after = files.after_moves(of_file, of_target);
        let emptied = emptied_folders(moves, entries).into_iter().map(urls);
        moved.emptied = emptied
            .filter(|(old, _)| moved.folders.get(old).is_none())
            .map(|(old, new)| (old.into(), new.into()))
            .collect();
        moved
    }

    /// Returns true if no file, folder or anchor moves.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.anchors.is_empty()
    }

    /// Returns true if any anchor moves.
    pub fn has_anchors(&self) -> bool {
        !self.anchors.is_empty()
    }

    /// Returns the new URL and name of the anchor to which `fragment`, with its `#`, leads in the file at
    /// `url`, in the old tree with the index `files`. Returns `None` if the anchor does not move.
    pub fn follow_anchor(
        &self,
        files: &FileIndex,
        url: &SitePath<'_>,
        fragment: &str,
    ) -> Option<(SitePath<'static>, &str)> {
        let fragment = fragment.strip_prefix('#').filter(|_| self.has_anchors())?;
        let response = files.find(&url.path, &url.query)?;
        let file = response.file()?;
        let (new_file, name) = self.anchors.get(file, fragment)?;
        let stays = self.new_path_of_file(file).unwrap_or(file) == new_file;
        let followed = if stays {
            self.follow(files, url)
        } else {
            Some(follow_file(files, &response, file, new_file, url))
        };
        let kept = || SitePath {
            path: Cow::Owned(url.path.to_string()),
            query: Cow::Owned(url.query.to_string()),
        };
        Some((followed.unwrap_or_else(kept), name))
    }

    /// Returns the index of the new tree; `files` is the index of the old tree.
    pub fn after<'f>(&'f self, files: &'f FileIndex) -> &'f FileIndex {
        if self.is_empty() { files } else { self.after.of_project_of(files) }
    }

    /// Returns true if the name of a file in the new tree may contain the query of a URL.
    pub fn has_query_names(&self) -> bool {
        self.after.has_query_names()
    }

    /// Returns the new path of the file at `path`; `None` if it does not move.
    pub fn new_path_of_file(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(Box::as_ref)
    }

    /// Returns the new path of the file or folder that exists at `path`; `None` if it does not move.
    pub fn new_path(&self, path: &str) -> Option<Cow<'_, str>> {
        let file = self.new_path_of_file(path).map(Cow::Borrowed);
        file.or_else(|| self.follow_normalized(path).map(Cow::Owned))
    }

    /// Returns the new URL of the file or folder to which `url` leads in the old tree with the index `files`;
    /// `None` if the URL does not change.
    pub fn follow(&self, files: &FileIndex, url: &SitePath<'_>) -> Option<SitePath<'static>> {
        if self.is_empty() {
            return None;
        }
        let resolved = files.resolve_symlinks(&url.path);
        let response = files.find(&url.path, &url.query);
        if response == Some(Response::Unread) && files.is_made(&url.path) {
            return self.follow_made(files, &url.path).map(|path| url.with_path(path));
        }
        let Some((file, response)) = response.and_then(|it| Some((it.file()?, it))) else {
            let path = match &resolved {
                Some(resolved) => self.follow_through(files, resolved),
                None => self.follow_section(files, &url.path),
            };
            return path.map(|path| url.with_path(path));
        };
        let new = self.files.get(file).map(Box::as_ref);
        let loses_page = |new: &str| files.loses_page(&url.path, file, new);
        if matches!(response, Response::ByRule(_)) && new.is_some_and(loses_page) {
            return None;
        }
        let spelled = match &resolved {
            Some(resolved) => self.spell(files, resolved, file, new.unwrap_or(file)),
            None => new.map(str::to_owned),
        };
        let followed = spelled.map(|new| follow_file(files, &response, file, &new, url));
        // A server that found the old file by a part of its name may find no file now, or another
        // file.
        let candidate = followed.as_ref().unwrap_or(url);
        let new = new.unwrap_or(file);
        let is_found = self.after.is_empty()
            || matches!(response, Response::File(_))
            || self.after(files).find(&candidate.path, &candidate.query).and_then(|it| it.file())
                == Some(new);
        if is_found {
            return followed;
        }
        Some(match response {
            Response::Query(_) => SitePath::without_query(new),
            _ => url.with_path(new),
        })
    }

    /// As [`MovedUrls::follow_folder`], for a directory whose page may have another name.
    fn follow_section(&self, files: &FileIndex, path: &str) -> Option<String> {
        let new = self.follow_folder(path)?;
        Some(section_url(files, path, &new, path).unwrap_or(new))
    }

    /// The new path of the page at `path`, which a generator makes of a directory of its content that moves.
    fn follow_made(&self, files: &FileIndex, path: &str) -> Option<String> {
        let bare = path.trim_end_matches('/');
        if files.is_folder(bare) {
            return self.follow_section(files, path);
        }
        let folder = files.content_folder(&with_slash(bare))?;
        let folder = folder.trim_end_matches('/');
        let root = folder.strip_suffix(bare.trim_start_matches('/'))?;
        let new = self.follow_folder(folder)?;
        let slash = path.get(bare.len()..).unwrap_or_default();
        let url = section_url(files, folder, &new, bare.trim_start_matches('/'));
        let below = url.as_deref().or_else(|| new.strip_prefix(root))?;
        Some(format!("{below}{slash}"))
    }

    /// The new path through the symbolic links of `resolved` of a file or folder, existing or not,
    /// that no URL of a file names; `None` if it is unchanged.
    fn follow_through(&self, files: &FileIndex, resolved: &ResolvedPath<'_>) -> Option<String> {
        let new = self.follow_folder(&resolved.path);
        let new = new.as_deref().unwrap_or(&resolved.path);
        self.spell(files, resolved, &resolved.path, new)
    }

    /// The path of `new`, the new path of `old`, through the symbolic links that `resolved` goes
    /// through, as far as they still lead there; `None` if it is the same as before the moves.
    fn spell(
        &self,
        files: &FileIndex,
        resolved: &ResolvedPath<'_>,
        old: &str,
        new: &str,
    ) -> Option<String> {
        let links = || resolved.links.iter().copied();
        let new_link = |link| self.files.get(link).map_or(link, Box::as_ref);
        let new = self.after.spell_through(new, links().map(new_link));
        (new != files.spell_through(old, links())).then_some(new)
    }

    /// Returns the new path of `path` if a request moves this folder, or a folder that contains `path`; `None`
    /// otherwise. `path` need not exist.
    pub fn follow_folder(&self, path: &str) -> Option<String> {
        self.follow_normalized(&self.after.normalized(path))
    }

    /// As [`MovedUrls::follow_folder`], for a path that is [normalized](FileIndex::normalized).
    pub fn follow_normalized(&self, path: &str) -> Option<String> {
        let folder = path.strip_suffix('/').unwrap_or(path);
        let (folder, new) = match self.emptied.get_key_value(folder) {
            Some((folder, new)) => (&**folder, &**new),
            None => self.folders.above(path).next_back()?,
        };
        let rest = path.get(folder.len()..).unwrap_or_default();
        // The root is empty: no slash separates it from its entries.
        let rest = if new.is_empty() { rest.strip_prefix('/').unwrap_or(rest) } else { rest };
        Some(format!("{new}{rest}"))
    }
}

/// The path of the section in the directory `new`, written as `path` is for that in `old`, with the slash at its end; `None`
/// if it has the name of the directory.
fn section_url(files: &FileIndex, old: &str, new: &str, path: &str) -> Option<String> {
    let pages = files.pages().filter(|_| files.has_lower_case_pages())?;
    let is_path = files.reads_paths() && old == path;
    if is_path {
        return None;
    }
    let bare = path.trim_end_matches('/');
    let urls = |folder: &str| {
        let page = path_from_url(&format!("{}/_index.md", folder.trim_end_matches('/')))?;
        let page = pages.page(&page, None)?;
        Some([page.own_url, page.tree_url].map(|it| it.trim_end_matches('/').to_owned()))
    };
    let same = urls(old)?.into_iter().zip(urls(new)?).find(|(old, _)| old == bare);
    Some(format!("{}{}", same?.1, path.get(bare.len()..)?))
}

/// The URL of the file `new`, written in the way in which `url` is written for the old path `file`:
/// with the query, without the extension, without what a rule of the server adds, or without the name of
/// the index file.
fn follow_file(
    files: &FileIndex,
    response: &Response<'_>,
    file: &str,
    new: &str,
    url: &SitePath<'_>,
) -> SitePath<'static> {
    match response {
        // The name is not as in the tree.
        Response::File(_) | Response::Index(_)
            if files.has_lower_case_pages()
                && !names_source(&url.path)
                && !(files.reads_paths() && file.starts_with(&*url.path))
                && let Some(page) = files.path_of_page(&url.path, file, new) =>
        {
            url.with_path(&page)
        }
        Response::File(_) | Response::Folder | Response::Redirect | Response::Unread => {
            url.with_path(new)
        }
        // The rule adds the same to the new name. Where it does not, the caller finds another file.
        Response::ByRule(_) => match files.page_path(&url.path, file, new) {
            Some(page) => url.with_path(&page),
            None => {
                let added = file.strip_prefix(&*url.path).unwrap_or_default();
                let bare = new.strip_suffix(added).filter(|_| !added.is_empty());
                url.with_path(bare.unwrap_or(new))
            }
        },
        Response::Query(_) => match url_with_query(new) {
            Some(url) => url,
            None => SitePath::without_query(new),
        },
        Response::Extension(_) => {
            let extension = file.rfind('.').and_then(|dot| file.get(dot..));
            let bare =
                new.strip_suffix(extension.unwrap_or_default()).filter(|bare| !bare.ends_with('/'));
            url.with_path(bare.unwrap_or(new))
        }
        Response::Index(_) => {
            let (folder, name) = match new.rfind('/') {
                Some(slash) => new.split_at(slash + 1),
                None => ("", new),
            };
            if !files.is_index_name(name) {
                // The URL is that of a page, also where the files are the sources of pages.
                let page = files.path_of_page(&url.path, file, new);
                return url.with_path(page.as_deref().unwrap_or(new));
            }
            let is_slashed = url.path.is_empty() || url.path.ends_with('/');
            let bare = folder.strip_suffix('/').filter(|_| !is_slashed);
            url.with_path(bare.unwrap_or(folder))
        }
    }
}

/// The URL with a query of a file whose name contains the query; `None` if the file has only the
/// URL of its name.
fn url_with_query(file: &str) -> Option<SitePath<'static>> {
    let name = file.rfind('/').map_or(0, |slash| slash + 1);
    let mark = name + file.get(name..)?.find("%3F")?;
    let (path, query) = file.split_at_checked(mark)?;
    // The name contains the percent signs of the query, and the path of its URL encodes them.
    let query = query.strip_prefix("%3F")?;
    let has_other_escapes = query.replace("%25", "").contains('%');
    (!has_other_escapes).then(|| SitePath {
        path: Cow::Owned(path.to_owned()),
        query: Cow::Owned(format!("?{}", query.replace("%25", "%"))),
    })
}

/// The folders whose files all moved to one other folder under their old names, each with that
/// folder.
fn emptied_folders<'m>(moves: &'m Moves, entries: &'m [Entry]) -> Vec<(&'m Path, &'m Path)> {
    let mut folders: FxHashMap<&OsStr, Option<&Path>> = FxHashMap::default();
    for (old, new) in moves.files() {
        let (mut old, mut new) = (old, Some(new));
        while let Some(folder) = old.parent() {
            new = new.filter(|new| new.file_name() == old.file_name()).and_then(Path::parent);
            let key = folder.as_os_str();
            match folders.get(key) {
                // Then the folders above have the same answer, too.
                Some(known) if known.is_none() || *known == new => break,
                Some(_) => folders.insert(key, None),
                None => folders.insert(key, new),
            };
            old = folder;
        }
    }
    // Files that moved into an existing folder joined its files; their own folder did not move.
    let mut existing = FxHashSet::from_iter([OsStr::new("")]);
    // From the last entry on: a folder comes after those in it, and one without any keeps those around it.
    for entry in entries.iter().rev() {
        let is_folder = entry.kind == EntryKind::Directory;
        if is_folder {
            existing.insert(entry.path.as_os_str());
        }
        let is_kept = !(is_folder && folders.contains_key(entry.path.as_os_str()));
        if is_kept && moves.new_path(&entry.path).is_none() {
            for folder in entry.path.ancestors().skip(1) {
                if folders.insert(folder.as_os_str(), None) == Some(None) {
                    break;
                }
            }
        }
    }
    folders
        .into_iter()
        .filter_map(|(old, new)| Some((Path::new(old), new?)))
        .filter(|(old, new)| !old.as_os_str().is_empty() && !existing.contains(new.as_os_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_with_a_query_follows_the_file_whose_name_contains_it() {
        let files = ["page?q=1", "page?q=a%20b", "page?q=%2Fz"];
        let entries = files.map(|path| Entry { path: path.into(), kind: EntryKind::File });
        let before = FileIndex::new(Path::new(""), &entries);
        for (query, old, new, expected) in [
            ("?q=1", "page%3Fq=1", "n/p%3Fq=2", "n/p ?q=2"),
            ("?q=1", "page%3Fq=1", "n%3F/p", "n%3F/p "),
            ("?q=1", "page%3Fq=1", "n%3F/p%3Fq=2", "n%3F/p ?q=2"),
            ("?q=1", "page%3Fq=1", "p%3Fq=a%20b", "p%3Fq=a%20b "),
            ("?q=a%20b", "page%3Fq=a%2520b", "n/p%3Fq=a%2520b", "n/p ?q=a%20b"),
            ("?q=/z", "page%3Fq=%252Fz", "p%3Fq=%252Fz", "p ?q=%2Fz"),
        ] {
            let moved = MovedUrls::new([(old.to_owned(), new.to_owned())], []);
            let place = SitePath { path: "page".into(), query: query.into() };
            let now = moved.follow(&before, &place).unwrap();
            assert_eq!(format!("{} {}", now.path, now.query), expected, "{new}");
        }
    }
}
