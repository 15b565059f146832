//! Files that the output has already, from an earlier run.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::Duration;

use super::atomic::has_permissions_of_copy;
use super::folder::{Folder, folder_of};
use crate::files::{first_difference, open_file, with_file_bytes};
use rehref_site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};
use rehref_url::Spliced;

/// Returns true if the file `path` is what writing `contents` there would make, with the permissions of
/// `like`, but for the times.
pub(super) fn has_contents(path: &Path, contents: Spliced<'_>, like: &Metadata) -> bool {
    let size = u64::try_from(contents.len()).unwrap_or(u64::MAX);
    is_like(path, size, like)
        && with_file_bytes(path, |bytes, _| contents == *bytes).unwrap_or(false)
}

/// Returns true if the file `path` is what copying `from` there would make, but for the times.
pub(super) fn is_copy(path: &Path, from: &Path) -> bool {
    let original = fs::metadata(from);
    original.is_ok_and(|like| is_like(path, like.len(), &like))
        && matches!(first_difference(from, path), Ok(None))
}

/// Returns true if `path` is a regular file of this size with the permissions of a copy of `like`.
fn is_like(path: &Path, size: u64, like: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| {
        found.is_file() && found.len() == size && has_permissions_of_copy(&found, like)
    })
}

/// Removes the temporary files that an interrupted run left in the directory `path`, if `may_remove` returns `true`:
/// another run may be writing one. Returns their number.
///
/// # Errors
/// Returns an error if the directory cannot be read, or a file not be removed.
pub(super) fn remove_leftovers(
    path: &Path,
    may_remove: impl Fn(&Path) -> bool,
) -> io::Result<usize> {
    let mut removed = 0;
    let folder = Folder::open(path)?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let is_leftover =
            is_temporary(&entry.file_name(), TEMPORARY_PREFIX) && !entry.file_type()?.is_dir();
        if is_leftover && may_remove(&entry.path()) {
            match folder.remove_file(&entry.file_name()) {
                Ok(()) => removed += 1,
                // Another run was faster.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(removed)
}

/// Removes the temporary files beside the file `path` that no run is writing: a run locks each file right after
/// creating it. Returns their number; a file that cannot be read or removed stays.
pub fn remove_abandoned_beside(path: &Path) -> usize {
    let is_abandoned = |path: &Path| {
        let opened = open_file(path);
        opened.is_ok_and(|(file, metadata)| {
            let age = metadata.modified().ok().and_then(|it| it.elapsed().ok());
            age.is_some_and(|age| age > LONGEST_UNLOCKED) && file.try_lock().is_ok()
        })
    };
    remove_leftovers(folder_of(path), is_abandoned).unwrap_or(0)
}

/// The age at which a file that a run is writing is certainly locked.
const LONGEST_UNLOCKED: Duration = Duration::from_secs(60);

/// Returns true if it is a name as temporary files of this crate have that begin with `prefix`.
pub(super) fn is_temporary(name: &OsStr, prefix: &str) -> bool {
    let name = name.to_str();
    let random = name.and_then(|name| name.strip_prefix(prefix)?.strip_suffix(TEMPORARY_SUFFIX));
    random.is_some_and(|random| {
        random.len() == 6 && random.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

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
            let removed = remove_leftovers(&path, |_| true).unwrap();
            assert_eq!(removed, usize::from(is_ours), "{name}");
            assert_eq!(directory.path().join(name).exists(), !is_ours, "{name}");
        }
        fs::create_dir(directory.path().join(".rehref-a1B2c3.tmp")).unwrap();
        assert_eq!(remove_leftovers(&path, |_| true).unwrap(), 0);
    }

    #[test]
    fn what_another_run_is_writing_beside_a_file_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().canonicalize().unwrap();
        let leftover = path.join(".rehref-a1B2c3.tmp");
        let old = SystemTime::now() - 2 * LONGEST_UNLOCKED;
        for (is_locked, modified, removed) in
            [(true, old, 0), (false, SystemTime::now(), 0), (false, old, 1)]
        {
            let file = fs::File::create(&leftover).unwrap();
            file.set_modified(modified).unwrap();
            if is_locked {
                file.lock().unwrap();
            }
            assert_eq!(remove_abandoned_beside(&path.join("out.html")), removed);
            assert_eq!(leftover.exists(), removed == 0);
        }
    }
}
