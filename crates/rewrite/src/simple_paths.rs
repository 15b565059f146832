//! The table of the paths of a site, with their paths after the run.

use std::borrow::Cow;

use super::targets::{NewPaths, SiteMapping};
use rehref_site::{Response, SitePath, SitePaths};
use rehref_url::simple::is_path;

/// A path after the run, below the site's URL.
pub(super) struct NewPath<'p> {
    pub(super) path: Cow<'p, str>,
    /// No file is there, and links from disk need the full URL.
    pub(super) is_online: bool,
}

impl SiteMapping {
    /// Returns true if every path keeps its URL below that of the site.
    pub(super) fn keeps_paths(&self) -> bool {
        self.moved.is_empty() && self.pretty.is_plain()
    }

    fn new_paths(&self) -> &NewPaths {
        let new_paths = || SitePaths::of(&self.files, |path| self.new_path_of_known(path));
        self.known.new_paths.get_or_init(new_paths)
    }

    /// The path after the run of the file or folder at `path`; the outer `None` where the general path has to find it.
    fn new_path_of_known(&self, path: &str) -> Option<Option<Box<str>>> {
        let files = &self.files;
        // Then the server sends a file for its own path.
        let is_direct = self.pretty.is_plain() && !files.has_forced_redirects();
        let new: Option<Box<str>> =
            if is_direct && files.file(path).is_some() && files.resolve_alias(path) == path {
                self.moved.new_path_of_file(path).map(Box::from)
            } else if matches!(files.find(path, ""), None | Some(Response::Redirect)) {
                return None;
            } else {
                match self.path_after(&SitePath::without_query(path)) {
                    Some(new) if !new.query.is_empty() => return None,
                    new => new.map(|new| new.path.into()),
                }
            };
        let new = new.filter(|new| **new != *path);
        new.as_deref().is_none_or(is_path).then_some(new)
    }

    /// The path after the run of the file or folder at `path`, if the table has it.
    fn known_path<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        Some(self.new_paths().get(path)?.as_deref().unwrap_or(path))
    }

    /// Returns the path after the run of the URL with this simple `path`; `None` where the general path has to find
    /// it.
    pub(super) fn new_path<'p>(&'p self, path: &'p str, has_query: bool) -> Option<NewPath<'p>> {
        if self.keeps_paths() {
            return Some(NewPath { path: path.into(), is_online: false });
        }
        if has_query && (self.files.has_query_names() || self.moved.has_query_names()) {
            return None;
        }
        match self.known_path(path) {
            Some(new) => Some(NewPath { path: new.into(), is_online: false }),
            None => self.new_path_of_missing(path),
        }
    }

    /// The new path of `path` if no file is there: it moves with its folder. Missing paths are not in the table: a site
    /// may name any number of them. `path` is simple, so it is normalized.
    fn new_path_of_missing<'p>(&self, path: &'p str) -> Option<NewPath<'p>> {
        let is_known = self.pretty.is_plain() || self.pretty.offline;
        if !is_known || self.files.knows(path) {
            return None;
        }
        let path = match self.moved.follow_normalized(path) {
            Some(new) if is_path(&new) => Cow::Owned(new),
            Some(_) => return None,
            None => Cow::Borrowed(path),
        };
        Some(NewPath { path, is_online: self.pretty.offline && !self.before.is_placeholder() })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use rehref_site::MovedUrls;
    use rehref_site::{Entry, EntryKind, FileIndex, SiteUrl};

    #[test]
    fn files_have_the_paths_that_the_general_path_gives_them() {
        let entries = [
            ("d", EntryKind::Directory),
            ("d/a.html", EntryKind::File),
            ("d/index.html", EntryKind::File),
            ("d/with space.html", EntryKind::File),
            ("kept.html", EntryKind::File),
            ("renamed.html", EntryKind::File),
            ("to a space.html", EntryKind::File),
            ("zipped.html.gz", EntryKind::File),
        ];
        let entries = entries.map(|(path, kind)| Entry { path: path.into(), kind });
        let mut files = FileIndex::new(Path::new("/nowhere"), &entries);
        let alias = (Path::new("zipped.html.gz"), "zipped.html".into());
        files.add_compressed([alias].into_iter());
        let moves = [
            ("d/a.html", "e/a.html"),
            ("d/index.html", "e/index.html"),
            ("kept.html", "kept.html"),
            ("renamed.html", "new.html"),
            ("to%20a%20space.html", "a%20space.html"),
            ("zipped.html.gz", "packed.html.gz"),
        ];
        let moves = moves.map(|(old, new)| (old.to_owned(), new.to_owned()));
        let mapping = SiteMapping {
            files,
            moved: MovedUrls::new(moves, [("d".to_owned(), "e".to_owned())]).into(),
            ..SiteMapping::unmoved(SiteUrl::parse("https://example.org/").unwrap().0)
        };
        let mut known = 0;
        for path in mapping.files.files().chain(["d/", "zipped.html"]) {
            let Some(found) = mapping.known_path(path) else { continue };
            let expected = mapping.path_after(&SitePath::without_query(path));
            assert_eq!(found, expected.as_ref().map_or(path, |it| &*it.path), "{path}");
            known += 1;
        }
        assert_eq!(mapping.known_path("d/a.html"), Some("e/a.html"));
        assert_eq!(mapping.known_path("d/"), Some("e/"));
        assert_eq!(mapping.known_path("kept.html"), Some("kept.html"));
        assert!(known >= 6, "{known}");
    }
}
