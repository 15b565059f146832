//! The files on disk, and the file of each URL.

use std::collections::BTreeMap;
use std::path::Path;

use url::Url;

/// Names of files that stand for their folder, the best first.
const INDEX_NAMES: &[&str] = &["index.html", "index.htm", "index.xhtml"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    SymbolicLink,
    Folder,
}

/// The files, symbolic links and folders of a tree, by their paths inside it.
#[derive(Debug)]
pub struct Files {
    entries: BTreeMap<String, Kind>,
}

/// The target of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Not into the site.
    Outside,
    /// Into the site, where nothing is.
    Missing,
    /// A file, or a symbolic link whatever is behind it.
    File(String),
    /// A folder, and the file that stands for it.
    Folder { path: String, index: Option<String> },
}

impl Files {
    /// Reads a tree. Names have to be UTF-8.
    pub fn of(root: &Path) -> Files {
        let mut entries = BTreeMap::new();
        for entry in walkdir::WalkDir::new(root) {
            let entry = entry.expect("the tree can be read");
            let path = entry.path().strip_prefix(root).expect("it is below");
            let path = path.to_str().expect("names are UTF-8").to_string();
            let kind = match entry.file_type() {
                kind if kind.is_symlink() => Kind::SymbolicLink,
                kind if kind.is_dir() => Kind::Folder,
                _ => Kind::File,
            };
            entries.insert(path, kind);
        }
        Files { entries }
    }

    /// Files and symbolic links, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter();
        entries.filter(|(_, kind)| **kind != Kind::Folder).map(|(path, _)| path.as_str())
    }

    pub fn contains(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    pub fn is_symbolic_link(&self, path: &str) -> bool {
        self.entries.get(path) == Some(&Kind::SymbolicLink)
    }

    /// Where `target` leads in a site published at `site`, which ends with a slash. Queries do not
    /// choose files.
    pub fn place(&self, site: &Url, target: &Url) -> Place {
        let here = target.scheme() == site.scheme()
            && target.host() == site.host()
            && target.port() == site.port();
        let Some(path) = target.path().strip_prefix(site.path()).filter(|_| here) else {
            return Place::Outside;
        };
        let Some(path) = decode_path(path) else { return Place::Missing };
        let (name, slash) = match path.strip_suffix('/') {
            Some(name) => (name, true),
            None => (path.as_str(), path.is_empty()),
        };
        match self.entries.get(name) {
            Some(Kind::Folder) => {
                Place::Folder { index: self.index_of(name), path: name.to_string() }
            }
            Some(_) if !slash => Place::File(path),
            _ => Place::Missing,
        }
    }

    fn index_of(&self, folder: &str) -> Option<String> {
        let mut candidates = INDEX_NAMES.iter().map(|name| match folder {
            "" => (*name).to_string(),
            _ => format!("{folder}/{name}"),
        });
        candidates.find(|path| self.entries.get(path).is_some_and(|k| *k != Kind::Folder))
    }
}

/// The path of a file from the path of a URL; nothing where no file can have that name.
fn decode_path(path: &str) -> Option<String> {
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(b'/' | 0) => return None,
            Some(escaped) => {
                decoded.push(escaped);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    let decoded = String::from_utf8(decoded).ok()?;
    (!decoded.contains("//") && !decoded.starts_with('/')).then_some(decoded)
}
