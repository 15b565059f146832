//! Paths on disk: canonical ones, and those below the root of a site.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the canonical path of `path`. On Windows, the path begins with `\\?\` only if it is invalid without
/// this prefix, because other programs, messages and `file:` URLs do not know the prefix.
///
/// # Errors
/// Returns an error if `path` does not exist or cannot be read.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    #[cfg(windows)]
    return dunce::canonicalize(path);
    #[cfg(not(windows))]
    path.canonicalize()
}

/// Returns the path below the root of `rest` in `folder`, with `/` between its names on every system.
pub fn joined(folder: &Path, rest: impl AsRef<Path>) -> PathBuf {
    if cfg!(not(windows)) || folder.as_os_str().is_empty() {
        return folder.join(rest);
    }
    let mut joined = folder.as_os_str().to_owned();
    joined.push("/");
    joined.push(rest.as_ref());
    joined.into()
}

/// Returns `path`, a path below the root, with `/` between its names on every system, as in URLs, globs and
/// reports. On Windows, `path` may have both separators.
pub fn with_slashes(path: PathBuf) -> PathBuf {
    let has_backslash = || path.as_os_str().as_encoded_bytes().contains(&b'\\');
    if cfg!(not(windows)) || !has_backslash() {
        return path;
    }
    let mut text = OsString::with_capacity(path.as_os_str().len());
    for component in path.components() {
        if !text.is_empty() {
            text.push("/");
        }
        text.push(component);
    }
    text.into()
}

/// Returns the host and the names in the `file:` URL of an absolute path of Windows, on a drive or a share; `None` for
/// other paths. The host of a drive is empty, and its first name is the drive.
pub(super) fn windows_url_parts(path: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
    let is_separator = |c: char| matches!(c, '\\' | '/');
    let verbatim = path.strip_prefix(r"\\?\");
    let share = match verbatim {
        Some(verbatim) => verbatim.strip_prefix(r"UNC\"),
        None => path.strip_prefix(is_separator).and_then(|rest| rest.strip_prefix(is_separator)),
    };
    let (host, rest) = match share {
        Some(share) => share.split_once(is_separator)?,
        None => {
            let rest = verbatim.unwrap_or(path);
            let is_drive =
                matches!(rest.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
            let is_absolute = rest.get(2..).is_some_and(|rest| rest.starts_with(is_separator));
            if !is_drive || !is_absolute {
                return None;
            }
            ("", rest)
        }
    };
    // Windows takes `.` and `?` for devices; in URLs, `localhost` is no host, so that the share would be lost.
    let is_host = share.is_none()
        || !["", ".", "?"].contains(&host) && !host.eq_ignore_ascii_case("localhost");
    let names = rest.split(is_separator).filter(|name| !name.is_empty());
    is_host.then_some((host, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_have_a_host_and_names() {
        for (path, expected) in [
            (r"C:\", Some(("", vec!["C:"]))),
            (r"C:\my site\a", Some(("", vec!["C:", "my site", "a"]))),
            ("c:/a/", Some(("", vec!["c:", "a"]))),
            (r"\\?\C:\a", Some(("", vec!["C:", "a"]))),
            (r"\\server\share\a", Some(("server", vec!["share", "a"]))),
            ("//server/share", Some(("server", vec!["share"]))),
            (r"\\?\UNC\server\share\a", Some(("server", vec!["share", "a"]))),
            (r"\\?\Volume{b75e2c83}\a", None),
            (r"\\.\COM1", None),
            (r"\\?\C:", None),
            (r"\\localhost\c$\a", None),
            (r"\\server", None),
            (r"C:a", None),
            (r"\a", None),
            ("a", None),
            ("", None),
        ] {
            let parts = windows_url_parts(path);
            let parts = parts.map(|(host, names)| (host, names.collect::<Vec<_>>()));
            assert_eq!(parts, expected, "{path}");
        }
    }

    #[test]
    fn paths_below_the_root_have_slashes_on_every_system() {
        let native = Path::new("a").join("b").join("c");
        assert_eq!(with_slashes(native).as_os_str(), "a/b/c");
        assert_eq!(joined(Path::new("a/b"), "c").as_os_str(), "a/b/c");
        assert_eq!(joined(Path::new(""), "c").as_os_str(), "c");
    }
}
