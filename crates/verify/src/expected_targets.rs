//! The targets that AFTER should have.
//!
//! The rewriting follows moves with other code. This module finds the file that serves a target in
//! BEFORE, the path of that file in AFTER, and the file that serves the target in AFTER.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rehref_document::{viewed_file_url, with_viewed_file};
use rehref_site::moves::anchors::fragment_of;
use rehref_site::{
    FileIndex, Moves, Projects, Response, SitePath, SiteUrl, normalized_path, path_in_url,
};
use rehref_url::{AbsoluteUrl, Standard, Url, percent_decoded};

/// A site before and after a run, which determines the expected targets.
#[derive(Clone)]
pub struct ExpectedTargets<'s> {
    /// The URL of the site's root in BEFORE.
    pub before: &'s SiteUrl,
    /// Other URLs of the same site.
    pub also: &'s [SiteUrl],
    /// The URL of the site's root in AFTER.
    pub after: &'s SiteUrl,
    /// The files of both trees; `None` if no file moves, so that URLs are compared.
    pub files: Option<Arc<SiteFiles>>,
    /// True if targets are equal when the server sends the same file for them. If false, URLs are compared.
    pub same_file: bool,
}

/// The files of a site before and after.
pub struct SiteFiles {
    /// The files of BEFORE.
    pub before: FileIndex,
    /// The files of AFTER.
    pub after: FileIndex,
    moved: Arc<MovedPaths>,
    /// The same files as the projects of generators below BEFORE find them.
    projects: Projects<Arc<SiteFiles>>,
}

struct MovedPaths {
    /// The new paths of moved files, by the old ones; both percent-encoded as in URLs.
    files: HashMap<String, String>,
    /// The new paths of moved folders, by the old ones, in the same form.
    folders: HashMap<String, String>,
    /// The new files and names of anchors, by the old ones, decoded.
    anchors: HashMap<(String, String), (String, String)>,
}

impl SiteFiles {
    /// Creates the index of two trees; the second is the first after `moves`.
    pub fn new(before: FileIndex, after: FileIndex, moves: &Moves) -> Arc<SiteFiles> {
        let urls = |(old, new): (&Path, &Path)| (path_in_url(old), path_in_url(new));
        // The files below a symbolic link to a folder move with the link.
        let links = moves.files().map(urls).filter(|(old, _)| before.is_folder(old));
        let folders = moves.folders().map(urls).chain(links).collect();
        let anchors = moves.anchors().iter().map(|it| {
            let old = (path_in_url(&it.old_file), it.old.clone());
            (old, (path_in_url(&it.new_file), it.new.clone()))
        });
        let moved = MovedPaths {
            files: moves.files().map(urls).collect(),
            folders,
            anchors: anchors.collect(),
        };
        Arc::new(SiteFiles::of(before, after, Arc::new(moved)))
    }

    fn of(before: FileIndex, after: FileIndex, moved: Arc<MovedPaths>) -> SiteFiles {
        let projects = before.projects().map(|before| {
            let after = after.of_project_of(before).clone();
            Arc::new(SiteFiles::of(before.clone(), after, Arc::clone(&moved)))
        });
        SiteFiles { before, after, moved, projects }
    }

    /// The path in AFTER that `url` should name: the one of the file that serves `url`, if any. True
    /// if the query of `url` stays.
    fn counterpart(&self, url: &SitePath<'_>) -> (String, bool) {
        let served = self.before.find(&url.path, &url.query);
        let Some(file) = served.as_ref().and_then(Response::file) else {
            return (self.in_folder(&real_path(&self.before, &url.path)), true);
        };
        let is_by_query = matches!(served, Some(Response::Query(_)));
        let file = self.moved.files.get(file).map_or(file, String::as_str);
        (file.to_owned(), !is_by_query)
    }

    /// The path and the fragment in AFTER of the anchor that `fragment` names at `url`, if it moves.
    fn anchor(&self, url: &SitePath<'_>, fragment: &str) -> Option<(&str, &str)> {
        let fragment = fragment.strip_prefix('#').filter(|_| !self.moved.anchors.is_empty())?;
        let served = self.before.find(&url.path, &url.query)?;
        let name = percent_decoded(fragment);
        let key = (served.file()?.to_owned(), String::from_utf8_lossy(&name).into_owned());
        let (file, name) = self.moved.anchors.get(&key)?;
        Some((file, name))
    }

    /// Returns whether all files of the folder `old` moved into the folder `new`.
    fn went_into(&self, old: &str, new: &str) -> bool {
        let folder = |path: &str| format!("{}/", path.trim_end_matches('/'));
        let (old, new) = (folder(old), folder(new));
        let mut files = self.moved.files.iter().filter_map(|(from, to)| {
            let rest = from.strip_prefix(&old)?;
            Some(to.strip_prefix(&new) == Some(rest))
        });
        files.next() == Some(true) && files.all(|went| went)
    }

    /// The path in AFTER of a path that no file serves.
    fn in_folder(&self, path: &str) -> String {
        let slashes = path.match_indices('/').map(|(at, _)| at);
        let mut ends: Vec<usize> = slashes.chain([path.len()]).collect();
        ends.reverse();
        for end in ends {
            let (folder, rest) = path.split_at(end);
            if let Some(new) = self.moved.folders.get(folder) {
                return format!("{new}{rest}");
            }
        }
        path.to_owned()
    }
}

/// `path` without the symbolic links that it goes through in the tree of `files`.
fn real_path<'p>(files: &FileIndex, path: &'p str) -> Cow<'p, str> {
    match files.resolve_symlinks(path) {
        Some(resolved) => Cow::Owned(resolved.path),
        None => files.normalized(path),
    }
}

impl<'s> ExpectedTargets<'s> {
    /// Returns the expected targets for the document at `path` in BEFORE.
    pub fn of_document(&self, path: &str) -> Cow<'_, ExpectedTargets<'s>> {
        let files = self.files.as_ref().and_then(|it| it.projects.innermost(path));
        match files {
            Some(files) => Cow::Owned(ExpectedTargets { files: Some(Arc::clone(files)), ..*self }),
            None => Cow::Borrowed(self),
        }
    }

    /// The files, if those that serve targets are compared.
    fn serving(&self) -> Option<&SiteFiles> {
        self.files.as_deref().filter(|_| self.same_file)
    }

    /// Returns true if AFTER should have exactly the targets and base URLs of BEFORE.
    pub fn keeps_urls(&self) -> bool {
        self.files.is_none() && self.also.is_empty() && self.before == self.after
    }

    /// Returns the target that AFTER should have for a target of BEFORE, or another target that leads to the
    /// same file.
    pub fn follow(&self, target: &AbsoluteUrl) -> AbsoluteUrl {
        let link = self.follow_link(target);
        let link_with_file = viewed_file_url(target).and_then(|file| {
            let new_file = self.follow_link(&file);
            let moves = link != *target || new_file != file;
            let url = with_viewed_file(link.as_str(), new_file.as_str()).filter(|_| moves)?;
            Some(AbsoluteUrl::new(link.standard(), Url::parse(&url).ok()?))
        });
        link_with_file.unwrap_or(link)
    }

    /// As [`ExpectedTargets::follow`], but for a file that the query names.
    fn follow_link(&self, target: &AbsoluteUrl) -> AbsoluteUrl {
        let Some(rest) = self.below(target, self.before).filter(|_| !self.stays_on_server(target))
        else {
            return target.clone();
        };
        if self.serving().is_none() && self.also.is_empty() && self.before == self.after {
            return target.clone();
        }
        let rest = match self.serving() {
            None => rest,
            Some(files) => {
                let (url, fragment) = SitePath::split(&rest);
                let (path, has_query) = files.counterpart(&url);
                let query = if has_query { &*url.query } else { "" };
                Cow::Owned(match files.anchor(&url, fragment) {
                    Some((path, name)) => [path, query, &*fragment_of(name)].concat(),
                    None => [&path, query, fragment].concat(),
                })
            }
        };
        match self.after.url_below(&rest) {
            Ok(url) => AbsoluteUrl::new(target.standard(), url),
            Err(_) => target.clone(),
        }
    }

    /// Returns true if `target` is on a host of a mirror of several hosts, which AFTER has as directories of one site,
    /// but is not a file of the mirror, so that it keeps its URL.
    fn stays_on_server(&self, target: &AbsoluteUrl) -> bool {
        let is_one_site = self.before.has_mounts() && !self.after.has_mounts();
        is_one_site
            && self.before.below(target.as_str()).is_none()
            && self.has_no_file(target, false)
    }

    /// Returns the base URL that AFTER should have for a base URL of BEFORE. A base URL with a slash at its end
    /// names the folder, even if the folder's index file moves elsewhere.
    pub fn follow_base(&self, base: &AbsoluteUrl) -> AbsoluteUrl {
        let folder = self.files.as_ref().and_then(|files| {
            let rest = self.below(base, self.before)?;
            let (url, fragment) = SitePath::split(&rest);
            let is_folder = url.path.is_empty() || url.path.ends_with('/');
            let path = is_folder.then(|| files.in_folder(&files.before.normalized(&url.path)))?;
            let url = format!("{path}{}{fragment}", url.query);
            self.after.url_below(&url).ok()
        });
        match folder {
            Some(url) => AbsoluteUrl::new(base.standard(), url),
            None => self.follow(base),
        }
    }

    /// Returns true if `found`, a target of AFTER, is equivalent to `expected`, a result of
    /// [`ExpectedTargets::follow`].
    pub fn is_same(&self, expected: &AbsoluteUrl, found: &AbsoluteUrl) -> bool {
        let parts = |url: &AbsoluteUrl| {
            let link = with_viewed_file(url.as_str(), "")?;
            let link = AbsoluteUrl::new(url.standard(), Url::parse(&link).ok()?);
            Some((link, viewed_file_url(url)?))
        };
        if expected == found {
            return true;
        }
        match (parts(expected), parts(found)) {
            (Some((link, file)), Some((found_link, found_file))) => {
                self.is_same_link(&link, &found_link) && self.is_same_link(&file, &found_file)
            }
            _ => self.is_same_link(expected, found),
        }
    }

    /// As [`ExpectedTargets::is_same`], but for a file that the query names.
    fn is_same_link(&self, expected: &AbsoluteUrl, found: &AbsoluteUrl) -> bool {
        // The standards before WHATWG's keep what `follow` writes in another way: characters, dot segments.
        let parsed = |url: &AbsoluteUrl| Url::parse(url.as_str()).ok();
        let is_other_spelling = || {
            let url = parsed(expected);
            expected.standard() != Standard::Whatwg && url.is_some() && url == parsed(found)
        };
        if expected == found || is_other_spelling() {
            return true;
        }
        let below = |url| {
            let rest = self.below(url, self.after)?;
            Some(self.encoded(url.standard(), rest))
        };
        let (Some(expected), Some(found)) = (below(expected), below(found)) else { return false };
        let (expected, found) = (&*expected, &*found);
        let Some(files) = self.serving() else { return expected == found };
        let (expected, expected_fragment) = SitePath::split(expected);
        let (found, fragment) = SitePath::split(found);
        let served = |url: &SitePath<'_>| files.after.find(&url.path, &url.query);
        let is_same_query = || {
            expected.query == found.query
                || expected.query.is_empty() && matches!(served(&found), Some(Response::Query(_)))
        };
        let is_same_file = || match (served(&expected), served(&found)) {
            (Some(Response::Folder), Some(Response::Folder)) => {
                let folder = |path| real_path(&files.after, path);
                folder(&expected.path).trim_end_matches('/')
                    == folder(&found.path).trim_end_matches('/')
            }
            (Some(expected), Some(found)) => expected.file() == found.file(),
            // Servers that serve a page without its extension serve it with a slash after it, too.
            (None, Some(Response::Extension(file))) => {
                let name = expected.path.strip_suffix('/').filter(|name| *name == found.path);
                name.and_then(|name| files.after.with_extension(name)) == Some(file)
            }
            (None, Some(Response::Folder | Response::Index(_))) => {
                files.went_into(&expected.path, &found.path)
            }
            (expected_served, found_served) => {
                expected_served == found_served
                    && real_path(&files.after, &expected.path)
                        == real_path(&files.after, &found.path)
            }
        };
        expected_fragment == fragment && is_same_query() && is_same_file()
    }

    /// Returns true if `target`, a target of AFTER, is a file or directory of AFTER.
    pub fn is_in_after(&self, target: &AbsoluteUrl) -> bool {
        let served = self.below(target, self.after).and_then(|rest| {
            let (url, _) = SitePath::split(&rest);
            self.files.as_ref()?.after.find(&url.path, &url.query)
        });
        !matches!(served, None | Some(Response::Redirect))
    }

    /// Returns true if `target`, a target of BEFORE, is in the site, but is not a file; if `is_name`, also if
    /// it is a directory. Returns false if the files are not known.
    pub fn has_no_file(&self, target: &AbsoluteUrl, is_name: bool) -> bool {
        let (Some(files), Some(rest)) = (&self.files, self.below(target, self.before)) else {
            return false;
        };
        let (url, _) = SitePath::split(&rest);
        let found = files.before.find(&url.path, &url.query);
        found.is_none_or(|it| is_name && it == Response::Folder)
    }

    /// Returns true if the path `old` of BEFORE and `new` of AFTER lead from a root of the content to the same
    /// file, with the same query and fragment. The documents with these paths are at the first and second of
    /// `own`. Returns `None` if `old` leads to no file from a root.
    pub fn is_same_from_root(&self, old: &str, new: &str, own: [&AbsoluteUrl; 2]) -> Option<bool> {
        let files = self.files.as_ref()?;
        let ((old, old_fragment), (new, fragment)) = (SitePath::split(old), SitePath::split(new));
        let find = |index: &FileIndex, site: &SiteUrl, path: &str, own: &AbsoluteUrl| {
            let own = site.below(own.as_str())?;
            let Some(found) = index.in_content_roots(path, own) else {
                return index.with_name(path, own).map(str::to_owned);
            };
            let response = index.find(&found.path, "")?;
            response.file().map(str::to_owned)
        };
        let before = find(&files.before, self.before, &old.path, own[0])?;
        let expected = files.moved.files.get(&before).cloned().unwrap_or(before);
        let found = find(&files.after, self.after, &new.path, own[1]);
        let is_same = found.is_some_and(|found| found == expected);
        Some(is_same && old.query == new.query && old_fragment == fragment)
    }

    /// Returns true if the wiki links `names` of BEFORE and AFTER, in documents at the URLs `own`, lead to the
    /// same file.
    pub fn is_same_wiki(&self, names: [&str; 2], own: [&AbsoluteUrl; 2]) -> bool {
        let Some(files) = &self.files else { return names[0] == names[1] };
        let [own, own_after] = own;
        let own = self.before.below(own.as_str());
        let own_after = self.after.below(own_after.as_str());
        let before = files.before.wiki_file(names[0], own);
        let expected = before.map(|file| files.moved.files.get(file).map_or(file, |it| it));
        match expected {
            None => names[0] == names[1],
            expected => expected == files.after.wiki_file(names[1], own_after),
        }
    }

    /// Returns true if the path `new` of AFTER is the expected one for the path `old` of BEFORE. Both begin at
    /// the root of the site, or at `folder` in it, perhaps with a slash, and do not depend on the URL of the
    /// site.
    pub fn is_same_source_path(&self, folder: &str, [old, new]: [&str; 2]) -> bool {
        let target = |site: &SiteUrl, path: &str| {
            let path = path.strip_prefix('/').unwrap_or(path);
            let url = site.url_below(&format!("{folder}{path}")).ok()?;
            Some(AbsoluteUrl::new(Standard::Whatwg, url))
        };
        match (target(self.before, old), target(self.after, new)) {
            (Some(before), Some(after)) => {
                old.starts_with('/') == new.starts_with('/')
                    && self.is_same(&self.follow(&before), &after)
            }
            _ => old == new,
        }
    }

    /// `rest`, the part of a URL after the site's URL, percent-encoded as [`ExpectedTargets::follow`] does: the
    /// standards before WHATWG's encode nothing.
    fn encoded<'r>(&self, standard: Standard, rest: Cow<'r, str>) -> Cow<'r, str> {
        if standard == Standard::Whatwg {
            return rest;
        }
        let (url, fragment) = SitePath::split(&rest);
        let path = normalized_path(&url.path);
        let url = self.after.url_below(&format!("{path}{}{fragment}", url.query));
        let encoded = url.ok().and_then(|url| {
            let rest = self.after.below(url.as_str())?;
            Some(rest.to_owned())
        });
        encoded.map_or_else(|| rest.clone(), Cow::Owned)
    }

    /// Returns a key that is equal for all URLs of AFTER for which the server sends the same file, with the
    /// same query and fragment.
    pub fn canonical(&self, target: &AbsoluteUrl) -> String {
        let (Some(rest), Some(files)) = (self.below(target, self.after), &self.files) else {
            return target.to_string();
        };
        let (url, fragment) = SitePath::split(&rest);
        let path = files.after.normalized(&url.path);
        let served = files.after.find(&url.path, &url.query);
        let file = served.as_ref().and_then(Response::file);
        let path = file.unwrap_or_else(|| path.trim_end_matches('/'));
        let query = match served {
            Some(Response::Query(_)) => "",
            _ => &url.query,
        };
        format!("{}{path}{query}{fragment}", self.after.url())
    }

    /// The part of `target` after the site's URL `own`, or another URL of the site.
    fn below<'t>(&self, target: &'t AbsoluteUrl, own: &SiteUrl) -> Option<Cow<'t, str>> {
        let site_urls = std::iter::once(own).chain(self.also);
        SiteUrl::containing(site_urls, target.as_str()).map(|(_, rest)| rest)
    }
}
