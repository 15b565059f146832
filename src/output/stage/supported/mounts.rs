//! Finds mount points: another file system within a tree is not part of the tree, and must not be
//! removed with it.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The first mount point at or below the canonical path `root`. Linux has a list of mounts, with bind
/// mounts. Elsewhere a walk compares the devices of the directories, also with the parent of `root`.
///
/// # Errors
/// When the tree has to be walked and cannot be.
pub(super) fn first_mount(root: &Path) -> io::Result<Option<PathBuf>> {
    let listed = fs::read("/proc/self/mountinfo").ok().and_then(|list| {
        mount_points(&list)
            .into_iter()
            .filter(|mount| mount.starts_with(root))
            .min()
    });
    match listed {
        Some(mount) => Ok(Some(mount)),
        None if other_device(root)? => Ok(Some(root.to_owned())),
        // The list is complete, and a walk over a big tree takes time.
        None if Path::new("/proc/self/mountinfo").exists() => Ok(None),
        None => first_other_device(root),
    }
}

/// Whether `root` is on another device than the directory that holds it.
fn other_device(root: &Path) -> io::Result<bool> {
    match root.parent() {
        Some(parent) => {
            Ok(fs::symlink_metadata(root)?.dev() != fs::symlink_metadata(parent)?.dev())
        }
        None => Ok(false),
    }
}

fn first_other_device(root: &Path) -> io::Result<Option<PathBuf>> {
    let device = fs::symlink_metadata(root)?.dev();
    for entry in WalkDir::new(root) {
        let entry = entry?;
        // Overlays give files other devices than their directories.
        if entry.file_type().is_dir() && entry.metadata()?.dev() != device {
            return Ok(Some(entry.into_path()));
        }
    }
    Ok(None)
}

/// The fifth field of each line of a `mountinfo` file, with its escapes (`\040`) decoded.
fn mount_points(list: &[u8]) -> Vec<PathBuf> {
    list.split(|&byte| byte == b'\n')
        .filter_map(|line| line.split(|&byte| byte == b' ').nth(4))
        .map(|field| std::ffi::OsString::from_vec(unescape(field)).into())
        .collect()
}

fn unescape(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        let escaped = match after {
            [
                a @ b'0'..=b'3',
                b @ b'0'..=b'7',
                c @ b'0'..=b'7',
                after @ ..,
            ] if first == b'\\' => {
                rest = after;
                Some((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'))
            }
            _ => None,
        };
        bytes.push(escaped.unwrap_or(first));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_are_read() {
        let list = b"22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/vda rw\n\
            30 22 0:5 /up\\040there /srv/my\\040site/up\\134x rw - tmpfs none rw\n\
            31 22 0:5 / /a\\9\\04 rw - tmpfs none rw\n\nshort line\n";
        let expected = ["/", "/srv/my site/up\\x", "/a\\9\\04"].map(PathBuf::from);
        assert_eq!(mount_points(list), expected);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_systems_mounts_are_found() {
        let proc = Path::new("/proc");
        assert_eq!(first_mount(proc).unwrap().as_deref(), Some(proc));
        assert!(other_device(proc).unwrap());
        let directory = tempfile::tempdir().unwrap();
        let below = directory.path().join("a");
        fs::create_dir(&below).unwrap();
        assert_eq!(first_mount(&below).unwrap(), None);
        assert_eq!(first_other_device(&below).unwrap(), None);
        assert!(first_other_device(Path::new("/")).unwrap().is_some());
    }
}
