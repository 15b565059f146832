//! Index files: the files that a server sends for the URLs of folders.

use std::ffi::OsString;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::path::name_bytes;
use super::server::Server;
use super::site_url::SiteUrl;
use rehref_url::{ParseError, Url, percent_decoded};

/// The index files of a tree. If a folder has several, the server sends the first of them.
#[derive(Clone, Debug, Default)]
pub struct IndexFiles {
    /// The names that the server looks for, in order.
    names: Vec<Vec<u8>>,
    /// The index file of each folder, as the number of its name.
    sent: FxHashMap<OsString, usize>,
}

impl IndexFiles {
    /// Finds the index files among `files`, paths below the root of a site: files that `server` sends for
    /// folders.
    pub fn new(server: &Server, files: impl Iterator<Item = impl AsRef<Path>>) -> IndexFiles {
        let mut index = IndexFiles {
            names: server.index_names().map(percent_decoded).collect(),
            sent: FxHashMap::default(),
        };
        for file in files {
            let file = file.as_ref();
            if let (Some(number), Some(folder)) = (index.number(file), file.parent()) {
                let sent = index.sent.entry(folder.into()).or_insert(number);
                *sent = number.min(*sent);
            }
        }
        index
    }

    /// Returns true if the server sends the file at `path` for the URL of its folder.
    pub fn has(&self, path: &Path) -> bool {
        let Some(number) = self.number(path) else { return false };
        path.parent().and_then(|folder| self.sent.get(folder.as_os_str())) == Some(&number)
    }

    /// Returns the document URL of the file at `path` in a site at `site_url`. For an index file, this is the
    /// URL of its folder, because visitors read it there. On disk, where no server sends index files, every
    /// file has its own `file:` URL.
    ///
    /// # Errors
    /// Returns an error if the URL parser rejects the result. No path is known for which this happens.
    pub fn document_url(&self, site_url: &SiteUrl, path: &Path) -> Result<Url, ParseError> {
        match path.parent() {
            Some(folder) if self.has(path) && !site_url.is_on_disk() => site_url.folder_url(folder),
            _ => site_url.file_url(path),
        }
    }

    /// The number of the name of `path`; `None` if it is not the name of an index file.
    fn number(&self, path: &Path) -> Option<usize> {
        // Most files have other names, and to take their paths apart costs more.
        let bytes = path.as_os_str().as_encoded_bytes();
        let is_whole = |known: &[u8]| {
            let name = path.file_name().map(name_bytes);
            name.is_some_and(|name| *name == *known)
        };
        let mut names = self.names.iter();
        names.position(|known| bytes.ends_with(known) && is_whole(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::INDEX_NAMES;

    #[test]
    fn the_first_index_file_of_a_folder_has_the_url_of_the_folder() {
        let files = ["index.htm", "index.html", "a b/index.htm", "a b/x.html", "c/index.html/x"];
        let url = |names: &[&str], site_url: &str, path: &str| {
            let server = Server::default().with_index_names(names.iter().copied());
            let index = IndexFiles::new(&server, files.iter());
            let site_url = SiteUrl::parse(site_url).unwrap().0;
            let url = index.document_url(&site_url, Path::new(path)).unwrap();
            url.to_string()
        };
        for (names, path, expected) in [
            (INDEX_NAMES, "index.html", "https://h/s/"),
            (INDEX_NAMES, "index.htm", "https://h/s/index.htm"),
            (INDEX_NAMES, "a b/index.htm", "https://h/s/a%20b/"),
            (INDEX_NAMES, "a b/x.html", "https://h/s/a%20b/x.html"),
            (INDEX_NAMES, "c/index.html/x", "https://h/s/c/index.html/x"),
            (&["x.html"], "a b/x.html", "https://h/s/a%20b/"),
            (&[], "index.html", "https://h/s/index.html"),
        ] {
            assert_eq!(url(names, "https://h/s/", path), expected, "{names:?}");
        }
        assert_eq!(url(INDEX_NAMES, "file:///s/", "index.html"), "file:///s/index.html");
    }
}
