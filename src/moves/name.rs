//! Parses the paths of requests, and shows paths in messages.

use std::ffi::OsString;
use std::path::{Path, PathBuf, is_separator};

use rehref_site::{HERE, joined, os_string, path_bytes};

/// A path of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestPath {
    /// The path below the root; empty for the root itself.
    pub(super) path: PathBuf,
    /// True if the user wrote the path of a folder, with a slash or `.` at its end.
    pub(super) is_folder: bool,
}

impl RequestPath {
    /// Parses a path: `/` and `./` at its start mean the root, `..` the folder above. On Windows, names can have a
    /// backslash between them.
    ///
    /// # Errors
    /// Returns an error if the text is not a path in a tree: the end of a sentence about it.
    pub(super) fn parse(written: &[u8]) -> Result<RequestPath, String> {
        let mut path = PathBuf::new();
        let mut is_folder = true;
        for name in written.split(|&b| is_separator(char::from(b))) {
            is_folder = matches!(name, b"" | b"." | b"..");
            match name {
                b"" | b"." => {}
                b".." => {
                    if !path.pop() {
                        return Err("is outside the site".to_owned());
                    }
                }
                name => path = joined(&path, os_name(name)?),
            }
        }
        Ok(RequestPath { path, is_folder })
    }
}

/// A file name from its bytes.
fn os_name(name: &[u8]) -> Result<OsString, String> {
    let found = match HERE.problem(name) {
        Some(problem) => Err(problem),
        None => os_string(name.to_owned()).ok_or_else(|| HERE.not_unicode()),
    };
    found.map_err(|problem| {
        let name = String::from_utf8_lossy(name);
        format!("has the name `{name}`, which {problem}\nhelp: choose another name")
    })
}

/// Returns a path below the root as messages show it.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return "the root of the site".to_owned();
    }
    format!("`{}`", String::from_utf8_lossy(&path_bytes(path)))
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
            let expected = RequestPath { path: PathBuf::from(path), is_folder };
            assert_eq!(RequestPath::parse(written.as_bytes()), Ok(expected), "{written}");
        }
        for written in ["..", "../a", "a/../../b", "/.."] {
            let error = Err("is outside the site".to_owned());
            assert_eq!(RequestPath::parse(written.as_bytes()), error, "{written}");
        }
    }

    #[test]
    fn a_path_has_only_names_that_the_system_can_hold() {
        let error = RequestPath::parse(b"d/a\0b").unwrap_err();
        let system = HERE.system;
        assert_eq!(
            error.to_string(),
            format!(
                "has the name `a\0b`, which contains '\\0', which {system} does not allow in names\nhelp: choose another name"
            )
        );
        for name in ["con", "nul.html", "a:b", "a?", "a.", "d/a "] {
            let parsed = RequestPath::parse(name.as_bytes());
            assert_eq!(parsed.is_err(), cfg!(windows), "{name}");
        }
    }

    #[cfg(windows)]
    #[test]
    fn names_can_have_a_backslash_between_them() {
        for (written, path, is_folder) in
            [(r"a\b.html", "a/b.html", false), (r".\a\..\b\", "b", true), (r"\a/b", "a/b", false)]
        {
            let path = PathBuf::from(path);
            let parsed = RequestPath::parse(written.as_bytes()).unwrap();
            assert_eq!(parsed.path.as_os_str(), path.as_os_str(), "{written}");
            assert_eq!(parsed, RequestPath { path, is_folder }, "{written}");
        }
    }

    #[test]
    fn a_path_is_shown_in_backticks() {
        assert_eq!(shown(Path::new("a/b")), "`a/b`");
        assert_eq!(shown(Path::new("")), "the root of the site");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_utf8() {
        use rehref_site::folded;
        let written = RequestPath::parse(b"d/\xFC.html").unwrap();
        assert_eq!(path_bytes(&written.path), b"d/\xFC.html");
        assert_eq!(folded(&RequestPath::parse(b"D/\xDC").unwrap().path), b"d/\xDC");
    }
}
