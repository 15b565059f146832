//! Collects the paths of a site that fast paths know, and finds where the URL of each is after the run.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::known_paths::{SimplePaths, is_ordinary};
use super::targets::SiteMapping;
use rehref_site::{Response, SitePath};

impl SimplePaths {
    /// Collects the paths of the site of `mapping`, as the general path maps them.
    pub(super) fn of(mapping: &SiteMapping) -> SimplePaths {
        let files = &mapping.files;
        let mut simple = SimplePaths {
            paths: FxHashMap::default(),
            has_queries: files.has_query_names() || mapping.moved.has_query_names(),
        };
        // Then the server sends a file for its own path.
        let is_direct = mapping.pretty.is_plain() && !files.has_forced_redirects();
        for path in files.files().filter(|path| is_ordinary(path)) {
            if is_direct && files.resolve_alias(path) == path {
                simple.add(path, mapping.moved.new_path_of_file(path))
            } else {
                simple.add_mapped(mapping, path)
            }
        }
        for folder in files.folders().filter(|path| is_ordinary(path)) {
            let slash = if folder.is_empty() { "" } else { "/" };
            simple.add_mapped(mapping, &format!("{folder}{slash}"));
        }
        simple
    }

    /// Adds `path` as the general path maps it.
    fn add_mapped(&mut self, mapping: &SiteMapping, path: &str) {
        let response = mapping.files.find(path, "");
        if matches!(response, None | Some(Response::Redirect)) {
            return;
        }
        match mapping.path_after(&SitePath::without_query(path)) {
            None => self.add(path, None),
            Some(new) if new.query.is_empty() => self.add(path, Some(&new.path)),
            Some(_) => {}
        }
    }

    /// The new path of the URL with this ordinary `path` in the site of `mapping`, if it is known.
    /// `has_query`: the URL has a query.
    pub(super) fn new_path<'p>(
        &'p self,
        mapping: &SiteMapping,
        path: &'p str,
        has_query: bool,
    ) -> Option<NewPath<'p>> {
        if has_query && self.has_queries {
            return None;
        }
        let known =
            self.known(path).map(|new| NewPath { path: Cow::Borrowed(new), is_online: false });
        known.or_else(|| new_path_of_missing(mapping, path))
    }
}

impl SiteMapping {
    /// The table of the paths whose URLs after the run are known; `None` where every path keeps its
    /// URL below that of the site.
    pub(super) fn simple_paths(&self) -> Option<&SimplePaths> {
        let is_kept = self.moved.is_empty() && self.pretty.is_plain();
        (!is_kept).then(|| self.known.simple.get_or_init(|| SimplePaths::of(self)))
    }
}

/// A path after the run, below the site's URL.
pub struct NewPath<'p> {
    pub(super) path: Cow<'p, str>,
    /// No file is there, and links from disk need the full URL.
    pub(super) is_online: bool,
}

/// The new path of `path` if no file is there: it moves with its folder. Missing paths are not in the table: a site may
/// name any number of them. `path` is ordinary, so it is normalized.
fn new_path_of_missing<'p>(mapping: &SiteMapping, path: &'p str) -> Option<NewPath<'p>> {
    let SiteMapping { files, pretty, .. } = mapping;
    let is_known = pretty.is_plain() || pretty.offline;
    if !is_known || files.knows(path) {
        return None;
    }
    Some(NewPath {
        path: match mapping.moved.follow_normalized(path) {
            Some(new) if is_ordinary(&new) => Cow::Owned(new),
            Some(_) => return None,
            None => Cow::Borrowed(path),
        },
        is_online: pretty.offline && !mapping.before.is_placeholder(),
    })
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
            moved: MovedUrls::new(moves, [("d".to_owned(), "e".to_owned())]),
            ..SiteMapping::unmoved(SiteUrl::parse("https://example.org/").unwrap().0)
        };
        let simple = SimplePaths::of(&mapping);
        let mut known = 0;
        for path in mapping.files.files().chain(["d/", "zipped.html"]) {
            let Some(found) = simple.known(path) else {
                continue;
            };
            let expected = mapping.path_after(&SitePath::without_query(path));
            assert_eq!(found, expected.as_ref().map_or(path, |it| &*it.path), "{path}");
            known += 1;
        }
        assert_eq!(simple.known("d/a.html"), Some("e/a.html"));
        assert_eq!(simple.known("d/"), Some("e/"));
        assert_eq!(simple.known("kept.html"), Some("kept.html"));
        assert!(known >= 6, "{known}");
    }
}
