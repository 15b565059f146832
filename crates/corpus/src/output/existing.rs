//! Files that the output has already, from an earlier run.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use super::atomic::has_permissions_of_copy;
use super::folder::Folder;
use crate::files::{first_difference, with_file_bytes};
use rehref_site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};
use rehref_url::Spliced;

/// Whether the file `path` is what writing `contents` there would make, with the permissions of
/// `like`, but for the times.
pub(super) fn has_contents(path: &Path, contents: Spliced<'_>, like: &Metadata) -> bool {
    let size = u64::try_from(contents.len()).unwrap_or(u64::MAX);
    is_like(path, size, like)
        && with_file_bytes(path, |bytes, _| contents == *bytes).unwrap_or(false)
}

/// Whether the file `path` is what copying `from` there would make, but for the times.
pub(super) fn is_copy(path: &Path, from: &Path) -> bool {
    let original = fs::metadata(from);
    original.is_ok_and(|like| is_like(path, like.len(), &like))
        && matches!(first_difference(from, path), Ok(None))
}

/// Whether `path` is a regular file of this size with the permissions of a copy of `like`.
fn is_like(path: &Path, size: u64, like: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| {
        found.is_file() && found.len() == size && has_permissions_of_copy(&found, like)
    })
}

/// Removes the temporary files that an interrupted run left in the directory `path`, which no other run
/// is writing to. Returns their number.
///
/// # Errors
/// When the directory cannot be read, or a file not be removed.
pub(super) fn remove_leftovers(path: &Path) -> io::Result<usize> {
    let mut removed = 0;
    let folder = Folder::open(path)?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if is_temporary(&entry.file_name()) && !entry.file_type()?.is_dir() {
            folder.remove_file(&entry.file_name())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Whether it is a name as temporary files of this crate have.
fn is_temporary(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| {
        name.strip_prefix(TEMPORARY_PREFIX)?
            .strip_suffix(TEMPORARY_SUFFIX)
    });
    random.is_some_and(|random| {
        random.len() == 6 && random.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_leftovers_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().canonicalize().unwrap();
        for (name, is_ours) in [
            (".rehref-a1B2c3.tmp", true),
            (".rehref-site-a1B2c3.tmp", false),
            (".rehref-.tmp", false),
            (".rehref-a1B2c3.tmp.html", false),
            ("rehref-a1B2c3.tmp", false),
        ] {
            fs::write(directory.path().join(name), "").unwrap();
            let removed = remove_leftovers(&path).unwrap();
            assert_eq!(removed, usize::from(is_ours), "{name}");
            assert_eq!(directory.path().join(name).exists(), !is_ours, "{name}");
        }
        fs::create_dir(directory.path().join(".rehref-a1B2c3.tmp")).unwrap();
        assert_eq!(remove_leftovers(&path).unwrap(), 0);
    }
}
