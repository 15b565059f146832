//! Paths as people write them in a request, and as they are in a tree.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::site::name_bytes;

/// A path below the root, from what was written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The path; empty for the root itself.
    pub(super) path: PathBuf,
    /// Whether it was written as a folder, with a slash (or `.`) at its end.
    pub(super) is_folder: bool,
}

/// Why something written is no path in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadPath {
    /// It leads out of the tree.
    OutOfTree,
    /// A name in it is none on this system.
    BadName,
}

/// Reads a path: `/` and `./` at its start mean the root, `..` is followed as far as the root.
pub(super) fn read(written: &[u8]) -> Result<Written, BadPath> {
    let mut path = PathBuf::new();
    let mut is_folder = true;
    for name in written.split(|&b| b == b'/') {
        is_folder = matches!(name, b"" | b"." | b"..");
        match name {
            b"" | b"." => {}
            b".." => {
                if !path.pop() {
                    return Err(BadPath::OutOfTree);
                }
            }
            name => path.push(os_name(name).ok_or(BadPath::BadName)?),
        }
    }
    Ok(Written { path, is_folder })
}

/// A name as the system has it; `None` where it would mean something else, or cannot be one.
fn os_name(name: &[u8]) -> Option<&OsStr> {
    let name = bytes_name(name)?;
    let mut components = Path::new(name).components();
    let is_name = components.next() == Some(Component::Normal(name))
        && components.next().is_none()
        && !name_bytes(name).contains(&0);
    is_name.then_some(name)
}

#[cfg(unix)]
fn bytes_name(name: &[u8]) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn bytes_name(name: &[u8]) -> Option<&OsStr> {
    std::str::from_utf8(name).ok().map(OsStr::new)
}

/// A path below the root as bytes, its names separated by `/` on every system.
pub(super) fn slashed(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(path.as_os_str().len());
    for component in path.components() {
        if !bytes.is_empty() {
            bytes.push(b'/');
        }
        bytes.extend_from_slice(&name_bytes(component.as_os_str()));
    }
    bytes
}

/// A path for a message.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return "the root of the site".to_owned();
    }
    format!("`{}`", String::from_utf8_lossy(&slashed(path)))
}

/// What a path has in common with those that a file system which ignores letter case takes for the
/// same.
pub(super) fn folded(path: &Path) -> Vec<u8> {
    let bytes = slashed(path);
    match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => bytes.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_written() {
        for (written, path, is_folder) in [
            ("a.html", "a.html", false),
            ("./a.html", "a.html", false),
            ("/a.html", "a.html", false),
            ("a//b/./c", "a/b/c", false),
            ("a/b/", "a/b", true),
            ("a/.", "a", true),
            ("a/../b", "b", false),
            ("a/b/..", "a", true),
            (".", "", true),
            ("/", "", true),
            ("./#x", "#x", false),
            (" a", " a", false),
        ] {
            let expected = Written {
                path: PathBuf::from(path),
                is_folder,
            };
            assert_eq!(read(written.as_bytes()), Ok(expected), "{written}");
        }
        for (written, error) in [
            ("..", BadPath::OutOfTree),
            ("../a", BadPath::OutOfTree),
            ("a/../../b", BadPath::OutOfTree),
            ("/..", BadPath::OutOfTree),
            ("a\0b", BadPath::BadName),
        ] {
            assert_eq!(read(written.as_bytes()), Err(error), "{written}");
        }
    }

    #[test]
    fn paths_shown_and_folded() {
        assert_eq!(shown(Path::new("a/b")), "`a/b`");
        assert_eq!(shown(Path::new("")), "the root of the site");
        assert_eq!(folded(Path::new("Ä/B")), "ä/b".as_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8() {
        let written = read(b"d/\xFC.html").unwrap();
        assert_eq!(slashed(&written.path), b"d/\xFC.html");
        assert_eq!(folded(&read(b"D/\xDC").unwrap().path), b"d/\xDC");
    }
}
