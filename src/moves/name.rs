//! Parses the paths of requests, shows paths in messages and compares them without letter case.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::site::{name_bytes, path_bytes};

/// A path of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestPath {
    /// The path below the root; empty for the root itself.
    pub(super) path: PathBuf,
    /// Whether the user wrote the path of a folder, with a slash or `.` at its end.
    pub(super) is_folder: bool,
}

/// Why a text is not a path in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// `..` escapes the root.
    #[error("is outside the site")]
    OutsideTree,
    /// The system does not allow one of the names.
    #[error("contains a name that this system does not allow")]
    InvalidName,
}

impl RequestPath {
    /// Parses a path: `/` and `./` at its start mean the root, `..` the folder above.
    pub(super) fn parse(written: &[u8]) -> Result<RequestPath, PathError> {
        let mut path = PathBuf::new();
        let mut is_folder = true;
        for name in written.split(|&b| b == b'/') {
            is_folder = matches!(name, b"" | b"." | b"..");
            match name {
                b"" | b"." => {}
                b".." => {
                    if !path.pop() {
                        return Err(PathError::OutsideTree);
                    }
                }
                name => path.push(os_name(name).ok_or(PathError::InvalidName)?),
            }
        }
        Ok(RequestPath { path, is_folder })
    }
}

/// A file name from its bytes; `None` if the system does not allow it or would read it as something
/// else than one name.
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

/// A path below the root as messages show it.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return "the root of the site".to_owned();
    }
    format!("`{}`", String::from_utf8_lossy(&path_bytes(path)))
}

/// A key of a path, equal for all paths that are one on a file system that ignores letter case.
pub(super) fn folded(path: &Path) -> Vec<u8> {
    let bytes = path_bytes(path);
    match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => bytes.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_parsed_from_the_root_on() {
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
            let expected = RequestPath {
                path: PathBuf::from(path),
                is_folder,
            };
            assert_eq!(
                RequestPath::parse(written.as_bytes()),
                Ok(expected),
                "{written}"
            );
        }
        for (written, error) in [
            ("..", PathError::OutsideTree),
            ("../a", PathError::OutsideTree),
            ("a/../../b", PathError::OutsideTree),
            ("/..", PathError::OutsideTree),
            ("a\0b", PathError::InvalidName),
        ] {
            assert_eq!(
                RequestPath::parse(written.as_bytes()),
                Err(error),
                "{written}"
            );
        }
    }

    #[test]
    fn a_path_is_shown_in_backticks_and_folded_to_lower_case() {
        assert_eq!(shown(Path::new("a/b")), "`a/b`");
        assert_eq!(shown(Path::new("")), "the root of the site");
        assert_eq!(folded(Path::new("Ä/B")), "ä/b".as_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_utf8() {
        let written = RequestPath::parse(b"d/\xFC.html").unwrap();
        assert_eq!(path_bytes(&written.path), b"d/\xFC.html");
        assert_eq!(
            folded(&RequestPath::parse(b"D/\xDC").unwrap().path),
            b"d/\xDC"
        );
    }
}
