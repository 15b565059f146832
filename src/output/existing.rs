//! Files that the output has already, from an earlier run.

use std::fs::{self, Metadata};
use std::path::Path;

use super::atomic::has_permissions_of_copy;
use crate::site::{first_difference, with_file_bytes};

/// Whether the file `path` is what writing `contents` there would make, with the permissions of
/// `like`, but for the times.
pub(super) fn has_contents(path: &Path, contents: &[u8], like: &Metadata) -> bool {
    let size = u64::try_from(contents.len()).unwrap_or(u64::MAX);
    is_like(path, size, like)
        && with_file_bytes(path, |bytes, _| bytes == contents).unwrap_or(false)
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
