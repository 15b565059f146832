//! Removing a whole tree that is ours, its read-only directories too.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::mounts::first_mount;

/// Removes the tree at `root`. Links in it are not followed, and nothing is removed where another
/// file system is mounted in it.
///
/// # Errors
/// When something of it cannot be removed; the rest may be gone.
pub(super) fn remove_tree(root: &Path) -> io::Result<()> {
    if let Some(mount) = first_mount(root)? {
        return Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            format!("{} is a mount point", mount.display()),
        ));
    }
    match fs::remove_dir_all(root) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_directories(root);
            fs::remove_dir_all(root)
        }
        done => done,
    }
}

/// Lets the owner enter and change `directory` and all directories in it. What cannot be opened
/// stays as it is; the removal then says why.
fn open_directories(directory: &Path) {
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let _ = open_directory(&directory);
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        pending.extend(
            entries
                .flatten()
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

/// Through a handle where that can be had: what stands there may have become a symbolic link.
fn open_directory(directory: &Path) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = match rustix::fs::open(directory, flags, Mode::empty()) {
        Ok(handle) => File::from(handle),
        // Not even its owner may read it.
        Err(Errno::ACCESS) if fs::symlink_metadata(directory)?.is_dir() => {
            return fs::set_permissions(directory, Permissions::from_mode(0o700));
        }
        Err(error) => return Err(error.into()),
    };
    let mode = handle.metadata()?.permissions().mode() & 0o7777;
    handle.set_permissions(Permissions::from_mode(mode | 0o700))
}
