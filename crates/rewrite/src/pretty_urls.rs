//! Spells the URLs of index files and folders. A URL changes only where a file on disk proves that
//! a server answers the new one.

use std::borrow::Cow;

use rehref_site::{FileIndex, Response, SitePath};

/// The form in which a run writes the URLs of index files and folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrettyUrls {
    /// True if URLs name the file itself, so that links work from disk, without a server that maps a folder to
    /// its index file.
    pub offline: bool,
    /// Whether to add or remove the names of index files.
    pub index: IndexNames,
    /// Whether to add or remove the trailing slash of a folder's URL.
    pub trailing_slash: TrailingSlash,
}

/// The change to make to the names of index files in URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexNames {
    /// None.
    #[default]
    Keep,
    /// `a/index.html` becomes `a/`.
    Strip,
    /// `a/` becomes `a/index.html`.
    Add,
}

/// The change to the trailing slash of a folder's URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrailingSlash {
    /// None.
    #[default]
    Keep,
    /// `a` becomes `a/` where `a` is a folder.
    Add,
    /// `a/` becomes `a` where `a` is a folder with an index file, or `a.html` exists.
    Remove,
}

impl PrettyUrls {
    /// Returns true if all URLs keep their spelling.
    pub fn is_plain(self) -> bool {
        self == PrettyUrls::default()
    }

    /// Returns the new spelling of `place`; `None` if it does not change.
    pub(super) fn write(
        self,
        files: &FileIndex,
        place: &SitePath<'_>,
    ) -> Option<SitePath<'static>> {
        if self.is_plain() {
            return None;
        }
        let path = &*place.path;
        let served = files.find(path, &place.query);
        if !self.offline {
            return Some(place.with_path(self.path(files, path, served)?));
        }
        let file = spelled(files, path, served.as_ref()?.file()?);
        Some(match served {
            Some(Response::Query(_)) => SitePath::without_query(&file),
            _ => place.with_path(file),
        })
    }

    fn path(self, files: &FileIndex, path: &str, served: Option<Response<'_>>) -> Option<String> {
        let name_start = path.rfind('/').map_or(0, |slash| slash + 1);
        let folder = path.get(..name_start).unwrap_or_default();
        let is_slashed = path.ends_with('/');
        let name = path.strip_suffix('/').unwrap_or(path);
        let with_extension = || {
            let resolved = files.resolve_symlinks(name);
            let name = match &resolved {
                Some(resolved) => Cow::Borrowed(&*resolved.path),
                None => files.normalized(name),
            };
            files.with_extension(&name).is_some()
        };
        let is_doubtful = self.trailing_slash != TrailingSlash::Keep && with_extension();
        match served {
            Some(Response::File(file)) if self.index == IndexNames::Strip => {
                let bare = folder.trim_end_matches('/');
                let stripped = match self.trailing_slash {
                    TrailingSlash::Remove => bare,
                    _ => folder,
                };
                let resolved = files.resolve_symlinks(bare);
                let canonical = resolved.as_ref().map_or(bare, |resolved| &resolved.path);
                (files.index_of(canonical) == Some(file)).then(|| stripped.to_owned())
            }
            Some(Response::Index(file)) if self.index == IndexNames::Add => {
                Some(spelled(files, path, file))
            }
            // Whether a server maps `a` to `a.html` or to `a/index.html` does not show on disk.
            Some(Response::Index(_) | Response::Folder) if is_doubtful => None,
            Some(Response::Index(_) | Response::Folder)
                if self.trailing_slash == TrailingSlash::Add && !is_slashed && !path.is_empty() =>
            {
                Some(format!("{path}/"))
            }
            Some(Response::Index(_))
                if self.trailing_slash == TrailingSlash::Remove && is_slashed =>
            {
                Some(name.to_owned())
            }
            None if self.trailing_slash == TrailingSlash::Remove && is_slashed => {
                with_extension().then(|| name.to_owned())
            }
            _ => None,
        }
    }
}

/// The path of `file`, which serves `path`, through the symbolic links that `path` goes through.
fn spelled(files: &FileIndex, path: &str, file: &str) -> String {
    match files.resolve_symlinks(path) {
        Some(resolved) => files.spell_through(file, resolved.links.into_iter()),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::{Entry, EntryKind};
    use std::path::Path;

    fn files() -> FileIndex {
        let entries: Vec<Entry> = [
            ("a", EntryKind::Directory),
            ("a/index.html", EntryKind::File),
            ("a b", EntryKind::Directory),
            ("a b/x.html", EntryKind::File),
            ("b", EntryKind::Directory),
            ("b/x%20y.html", EntryKind::File),
            ("index.html", EntryKind::File),
            ("index.html?p=1", EntryKind::File),
            ("b/index.html@p=2.html", EntryKind::File),
            ("list?a b", EntryKind::File),
            ("list?c%2Fd", EntryKind::File),
            ("style.css?v=1.css", EntryKind::File),
            ("css?family=M%3A400,700", EntryKind::File),
            ("a/index.html@f=%3Ax,", EntryKind::File),
            ("b/%3Ax,%2F.html", EntryKind::File),
            ("b/x%3A,", EntryKind::File),
            ("b/x:,", EntryKind::File),
            ("page?id=3", EntryKind::File),
            ("page@id=4.html", EntryKind::File),
            ("page", EntryKind::File),
            ("plain.html", EntryKind::File),
            ("~u.html", EntryKind::File),
            ("two.html", EntryKind::File),
            ("two", EntryKind::Directory),
            ("two/index.html", EntryKind::File),
        ]
        .into_iter()
        .map(|(path, kind)| Entry { path: path.into(), kind })
        .collect();
        FileIndex::new(Path::new("/nowhere"), &entries)
    }

    fn written(pretty: PrettyUrls, place: &str) -> String {
        let (path, query) = match place.find('?') {
            Some(at) => place.split_at(at),
            None => (place, ""),
        };
        let place = SitePath { path: path.into(), query: query.into() };
        let place = pretty.write(&files(), &place).unwrap_or(place);
        format!("{}{}", place.path, place.query)
    }

    #[test]
    fn offline() {
        let pretty = PrettyUrls { offline: true, ..PrettyUrls::default() };
        for (place, expected) in [
            ("", "index.html"),
            ("?q=1", "index.html?q=1"),
            ("a", "a/index.html"),
            ("a/", "a/index.html"),
            ("a/index.html?v=2", "a/index.html?v=2"),
            ("b/", "b/"),
            ("plain", "plain.html"),
            ("plain.html", "plain.html"),
            ("missing", "missing"),
            ("a%20b/x", "a%20b/x.html"),
            ("%7Eu.html", "~u.html"),
            ("b/x%20y.html", "b/x%2520y.html"),
            ("page?id=3", "page%3Fid=3"),
            ("page?id=4", "page@id=4.html"),
            ("page?id=5", "page?id=5"),
            ("?p=1", "index.html%3Fp=1"),
            ("b/?p=2", "b/index.html@p=2.html"),
            ("list?a%20b", "list%3Fa%20b"),
            ("list?c%2fd", "list%3Fc%252Fd"),
            ("style.css?v=1", "style.css%3Fv=1.css"),
            ("css?family=M%3A400%2C700", "css%3Ffamily=M%253A400,700"),
            ("css?family=M:400,700", "css%3Ffamily=M%253A400,700"),
            ("a/?f=:x%2c", "a/index.html@f=%253Ax,"),
            ("b/%3Ax%2C%2f.html", "b/%253Ax,%252F.html"),
            ("b/:x,/.html", "b/:x,/.html"),
            ("b/x%3A%2C", "b/x:,"),
            ("b/%3ax,%2F.html?q", "b/%253Ax,%252F.html?q"),
        ] {
            assert_eq!(written(pretty, place), expected, "{place}");
        }
    }

    #[test]
    fn pretty_urls() {
        use IndexNames as Index;
        use TrailingSlash as Slash;
        for (index, trailing_slash, place, expected) in [
            (Index::Strip, Slash::Keep, "index.html", ""),
            (Index::Strip, Slash::Keep, "a/index.html?q", "a/?q"),
            (Index::Strip, Slash::Keep, "b/index.html", "b/index.html"),
            (Index::Strip, Slash::Keep, "a b/x.html", "a b/x.html"),
            (Index::Strip, Slash::Remove, "a/index.html", "a"),
            (Index::Strip, Slash::Remove, "index.html", ""),
            (Index::Add, Slash::Keep, "a/", "a/index.html"),
            (Index::Add, Slash::Keep, "a", "a/index.html"),
            (Index::Add, Slash::Keep, "b/", "b/"),
            (Index::Add, Slash::Keep, "", "index.html"),
            (Index::Keep, Slash::Add, "a", "a/"),
            (Index::Keep, Slash::Add, "b", "b/"),
            (Index::Keep, Slash::Add, "plain", "plain"),
            (Index::Keep, Slash::Add, "", ""),
            (Index::Keep, Slash::Remove, "a/", "a"),
            (Index::Keep, Slash::Remove, "b/", "b/"),
            (Index::Keep, Slash::Remove, "plain/", "plain"),
            (Index::Keep, Slash::Remove, "", ""),
            (Index::Keep, Slash::Remove, "two/", "two/"),
            (Index::Keep, Slash::Add, "two", "two"),
        ] {
            let pretty = PrettyUrls { offline: false, index, trailing_slash };
            assert_eq!(written(pretty, place), expected, "{index:?} {trailing_slash:?} {place}");
        }
    }
}
