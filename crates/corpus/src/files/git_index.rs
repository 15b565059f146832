//! The index of git: which files it tracks.

use std::fs;
use std::path::{Path, PathBuf};

/// The largest index that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The bits of an entry's flags that hold the length of its name, and the length that stands for longer ones.
const NAME_LENGTH: u16 = 0xFFF;

/// Returns the directory in which git keeps the HEAD and the index of `work_tree`. If there are several work
/// trees, the rest is in another directory. Returns `None` if `.git` is a file that does not name the
/// directory.
pub fn git_directory(work_tree: &Path) -> Option<PathBuf> {
    let directory = work_tree.join(".git");
    if !directory.is_file() {
        return Some(directory);
    }
    let text = fs::read_to_string(&directory).ok()?;
    Some(work_tree.join(text.trim().strip_prefix("gitdir: ")?))
}

/// The index of the work tree that a folder is in.
pub(super) struct GitIndex {
    bytes: Vec<u8>,
    /// The folder's path in the work tree.
    prefix: PathBuf,
}

impl GitIndex {
    /// Returns the index of `work_tree`, which holds `folder` (both canonical paths), if it can be read.
    pub(super) fn of(work_tree: &Path, folder: &Path) -> Option<GitIndex> {
        let index = git_directory(work_tree)?.join("index");
        let is_small = fs::metadata(&index).is_ok_and(|it| it.is_file() && it.len() <= LARGEST);
        let bytes = is_small.then(|| fs::read(&index).ok()).flatten()?;
        let prefix = folder.strip_prefix(work_tree).ok()?.to_owned();
        Some(GitIndex { bytes, prefix })
    }

    /// Returns true if git tracks the file at `path` below the folder. In the versions 2 and 3 of the format
    /// (gitformat-index), a name stands whole between its length and a NUL.
    pub(super) fn has(&self, path: &Path) -> bool {
        let path = self.prefix.join(path);
        let parts = path.components().map(|it| it.as_os_str().as_encoded_bytes());
        let name = parts.collect::<Vec<_>>().join(&b'/');
        let length = u16::try_from(name.len()).unwrap_or(NAME_LENGTH).min(NAME_LENGTH);
        memchr::memmem::find_iter(&self.bytes, &name).any(|at| {
            let flags = at.checked_sub(2).and_then(|start| self.bytes.get(start..at));
            let flags = flags.and_then(|it| Some(u16::from_be_bytes(it.try_into().ok()?)));
            let is_whole = self.bytes.get(at + name.len()) == Some(&0);
            is_whole && flags.is_some_and(|flags| flags & NAME_LENGTH == length)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_between_its_length_and_nul() {
        let bytes = b"DIRC..\0\x05a/b.c\0\0\0\x0fdocs/api/x.md.y\0\0".to_vec();
        let index = |prefix: &str| GitIndex { bytes: bytes.clone(), prefix: PathBuf::from(prefix) };
        for (prefix, path, expected) in [
            ("", "a/b.c", true),
            ("", "b.c", false),
            ("a", "b.c", true),
            ("docs", "api/x.md", false),
            ("docs/api", "x.md.y", true),
        ] {
            assert_eq!(index(prefix).has(Path::new(path)), expected, "{prefix} {path}");
        }
    }
}
