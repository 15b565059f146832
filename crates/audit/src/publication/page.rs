//! Compares the path of a page with a URL that the page says is its own.

use rehref_site::normalized_path;
use rehref_url::Url;

/// A URL that may be that of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) url: String,
    /// True if it follows from the name of a file. The page of the root has no name that its URL would have to end
    /// with.
    pub(super) is_sure: bool,
}

/// The path of a file, as in URLs, and the path at which a server serves the file: for an index file, its directory.
pub(super) struct Page<'p> {
    pub(super) file: &'p str,
    pub(super) served: &'p str,
}

impl Page<'_> {
    /// Returns the uppermost folder that has a URL, if this is the page at `url`, and the name of the page says so.
    pub(super) fn published_folder(&self, url: &Url) -> Option<PublishedFolder> {
        let folders = self.file.match_indices('/');
        folders.map(|(slash, _)| slash + 1).find_map(|end| {
            let below = Page { file: self.file.get(end..)?, served: self.served.get(end..)? };
            let root = below.root(url).filter(|root| root.is_sure)?;
            Some(PublishedFolder { path: self.file.get(..end)?.to_owned(), url: root.url })
        })
    }

    /// Returns the URL of the root, if this is the page at `url`.
    pub(super) fn root(&self, url: &Url) -> Option<Root> {
        if url.query().is_some() {
            return None;
        }
        let whole = without_tail(url.as_str());
        let origin = whole.get(..whole.len().checked_sub(url.path().len())?)?;
        let path = normalized_path(url.path());
        let bare = self.file.rsplit_once('.').map_or(self.file, |(bare, _)| bare);
        // Many servers send `guide.html` for `guide` and for `guide/`.
        let names = [self.file, self.served, self.served.trim_end_matches('/'), bare];
        let slashed = format!("{bare}/");
        let mut names = names.into_iter().chain([slashed.as_str()]);
        let start = names.find_map(|name| {
            let start = path.strip_suffix(name).filter(|start| start.ends_with('/'))?;
            Some((start, !name.is_empty()))
        });
        start.map(|(start, is_sure)| Root { url: format!("{origin}{start}"), is_sure })
    }
}

/// A folder of a site, and the URL that the folder has if a page below it is at the URL that it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PublishedFolder {
    /// The path of the folder in URLs, with a slash at its end.
    pub(super) path: String,
    /// The URL.
    pub(super) url: String,
}

/// Returns the URL without its query and its fragment.
pub(super) fn without_tail(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

/// Returns the scheme and the host of a URL, with the slash after them.
pub(super) fn origin(url: &str) -> &str {
    let mut slashes = url.match_indices('/').map(|(at, _)| at);
    slashes.nth(2).and_then(|end| url.get(..=end)).unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_of_a_page_without_its_path_is_the_url_of_the_root() {
        for (file, served, url, expected) in [
            ("a/b.html", "a/b.html", "https://h/s/a/b.html#x", "https://h/s/"),
            ("a/b.html", "a/b.html", "https://h/a/b", "https://h/"),
            ("a/b.html", "a/b.html", "https://h/a/b/", "https://h/"),
            ("a/index.html", "a/", "https://h/s/a/", "https://h/s/"),
            ("a/index.html", "a/", "https://h/s/a", "https://h/s/"),
            ("a/index.html", "a/", "https://h/s/a/index.html", "https://h/s/"),
            ("a%20b.html", "a%20b.html", "https://h/%61 b.html", "https://h/"),
            ("index.html", "", "https://h/s/index.html", "https://h/s/"),
            ("index.html", "", "https://h/s/", "https://h/s/?"),
            ("index.html", "", "https://h/s/x.html", ""),
            ("a/b.html", "a/b.html", "https://h/aa/b.html", ""),
            ("b.html", "b.html", "https://h/aab.html", ""),
            ("a/b.html", "a/b.html", "https://h/a/b.html?p", ""),
        ] {
            let url = Url::parse(url).unwrap();
            let root = Page { file, served }.root(&url);
            let root = root.map(|it| it.url + if it.is_sure { "" } else { "?" });
            assert_eq!(root.unwrap_or_default(), expected, "{file} {url}");
        }
    }

    #[test]
    fn a_folder_is_published_where_its_pages_say() {
        for (file, served, url, expected) in [
            ("s/a.html", "s/a.html", "https://h/a.html", "s/ https://h/"),
            ("s/a.html", "s/a.html", "https://h/d/a", "s/ https://h/d/"),
            ("s/a/index.html", "s/a/", "https://h/a/", "s/ https://h/"),
            ("p/s/a/b.html", "p/s/a/b.html", "https://h/a/b.html", "p/s/ https://h/"),
            ("s/index.html", "s/", "https://h/index.html", "s/ https://h/"),
            // Every URL of a folder is one of this page.
            ("s/index.html", "s/", "https://h/", ""),
            ("s/a.html", "s/a.html", "https://h/b.html", ""),
            ("a.html", "a.html", "https://h/b/c.html", ""),
            ("s/a.html", "s/a.html", "https://h/a.html?p", ""),
        ] {
            let url = Url::parse(url).unwrap();
            let found = Page { file, served }.published_folder(&url);
            let found = found.map(|it| format!("{} {}", it.path, it.url));
            assert_eq!(found.unwrap_or_default(), expected, "{file} {url}");
        }
    }
}
