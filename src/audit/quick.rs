//! The way of the many: references whose target is plain to see, and there.
//!
//! Nearly all references of a site are relative paths of ordinary characters to files that exist.
//! For them no URL is made: the path is put together from that of the base's folder, and looked up.
//! Whatever is not as plain as that goes the ordinary way; a test says that both find the same.

use rustc_hash::FxHashMap;

use super::files::{FileNumber, Files};
use crate::document::BaseUrl;
use crate::site::FileIndex;
use crate::url::{AbsoluteUrl, Standard};

/// The paths below the site's URL at which there is a file and nothing to be said about it.
#[derive(Debug, Default)]
pub(super) struct PlainPaths {
    files: FxHashMap<Box<str>, FileNumber>,
}

impl PlainPaths {
    /// Those of `index`: its files that are no symbolic links, and its folders with a slash, where
    /// they have an index file.
    pub(super) fn new(index: &FileIndex, files: &Files<'_>) -> PlainPaths {
        let mut plain = PlainPaths::default();
        if index.has_forced_redirects() {
            return plain;
        }
        let mut add = |path: String, file: &str| {
            if index.real(file) == file
                && let Some(number) = files.number(file)
            {
                plain.files.insert(path.into(), number);
            }
        };
        for file in index.files() {
            add(file.to_owned(), file);
        }
        for folder in index.folders() {
            let slash = if folder.is_empty() { "" } else { "/" };
            let path = format!("{folder}{slash}");
            // By a rule, or by a query, another file may be sent.
            if let Some(crate::site::Served::Index(file)) = index.find(&path, "") {
                add(path, file);
            }
        }
        plain
    }
}

/// What plain references of a document are relative to.
#[derive(Debug)]
pub(super) struct PlainBase {
    /// The path of the folder below the site's URL, with a slash at its end unless it is the root.
    folder: String,
    /// Where paths are put together.
    path: String,
}

/// Where a plain reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlainTarget<'r> {
    pub(super) file: FileNumber,
    /// The fragment without its `#`, if there is one.
    pub(super) fragment: Option<&'r str>,
}

impl PlainBase {
    /// That of a document whose base URL is `base`; `None` where none of its references are plain.
    pub(super) fn new(base: &BaseUrl, own: &AbsoluteUrl, site: &AbsoluteUrl) -> Option<PlainBase> {
        let base = base.url.as_ref()?;
        if base.standard() != Standard::Whatwg || base.scheme() != own.scheme() {
            return None;
        }
        let path = base.as_str().strip_prefix(site.as_str())?;
        let path = path.split(['?', '#']).next()?;
        let folder = path
            .rfind('/')
            .map_or("", |slash| path.get(..=slash).unwrap_or(""));
        // What a `..` takes away has to be a name.
        let is_plain = !folder.starts_with('/') && !folder.contains("//");
        is_plain.then(|| PlainBase {
            folder: folder.to_owned(),
            path: String::new(),
        })
    }

    /// Where `reference` leads, if it is plain and there is a file.
    pub(super) fn target<'r>(
        &mut self,
        paths: &PlainPaths,
        reference: &'r str,
    ) -> Option<PlainTarget<'r>> {
        let (path, fragment) = match memchr::memchr(b'#', reference.as_bytes()) {
            None => (reference, None),
            Some(at) => (reference.get(..at)?, Some(reference.get(at + 1..)?)),
        };
        if path.is_empty() || !fragment.is_none_or(is_plain_fragment) {
            return None;
        }
        let mut folder = self.folder.as_str();
        let mut rest = path;
        while let Some(after) = rest.strip_prefix("../") {
            folder = folder.strip_suffix('/')?;
            folder = match folder.rfind('/') {
                Some(slash) => folder.get(..=slash)?,
                None => "",
            };
            rest = after;
        }
        if !is_plain_path(rest) {
            return None;
        }
        self.path.clear();
        self.path.push_str(folder);
        self.path.push_str(rest);
        let file = *paths.files.get(self.path.as_str())?;
        Some(PlainTarget { file, fragment })
    }
}

/// Whether a path is made of ordinary names with a slash between, none of which is dots only.
fn is_plain_path(path: &str) -> bool {
    let mut previous = b'/';
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {}
            // Neither an empty name nor one that begins with a dot, nor two dots.
            b'/' | b'.' if matches!(previous, b'/' | b'.') => return false,
            b'/' | b'.' => {}
            _ => return false,
        }
        previous = byte;
    }
    previous != b'.'
}

/// Whether a fragment has only characters that RFC 3986 allows there; escapes of control characters
/// and of letters beyond ASCII are for a closer look.
fn is_plain_fragment(fragment: &str) -> bool {
    let bytes = fragment.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {}
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+'
            | b',' | b';' | b'=' | b':' | b'@' | b'/' | b'?' => {}
            b'%' => match (bytes.get(at + 1), bytes.get(at + 2)) {
                (Some(b'2'..=b'6'), Some(low)) if low.is_ascii_hexdigit() => at += 2,
                _ => return false,
            },
            _ => return false,
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_parts() {
        for (path, expected) in [
            ("a/b.html", true),
            ("", true),
            ("a/", true),
            ("a.b/c", true),
            ("/a", false),
            ("a//b", false),
            ("./a", false),
            ("a/../b", false),
            ("a/.b", false),
            ("a.", false),
            ("a b", false),
            ("a?b", false),
            ("a:b", false),
            ("%61", false),
        ] {
            assert_eq!(is_plain_path(path), expected, "{path}");
        }
        for (fragment, expected) in [
            ("impl-Borrow%3CT%3E", true),
            ("a:b@c", true),
            ("a b", false),
            ("%0A", false),
            ("%7F", false),
            ("%E2%80%8B", false),
            ("%4", false),
            ("a#b", false),
            ("ü", false),
        ] {
            assert_eq!(is_plain_fragment(fragment), expected, "{fragment}");
        }
    }
}
