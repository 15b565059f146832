//! Removing a whole tree of our own, with its read-only directories.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::output::mounts::first_mount;

/// Removes the tree at `root`. Symbolic links are not followed. Nothing is removed if another file
/// system is mounted in the tree.
///
/// # Errors
/// Returns an error if a part cannot be removed; other parts may be gone.
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

/// Lets the owner enter and change `directory` and all directories in it. Errors are ignored here; the
/// removal reports them.
fn open_directories(directory: &Path) {
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let _ = open_directory(&directory);
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        pending.extend(
            entries
                .flatten()
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

/// Lets the owner enter and change `directory`, through a handle if possible: another program may have
/// replaced it with a symbolic link.
fn open_directory(directory: &Path) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = match rustix::fs::open(directory, flags, Mode::empty()) {
        Ok(handle) => File::from(handle),
        // Its owner may not even read it.
        Err(Errno::ACCESS) if fs::symlink_metadata(directory)?.is_dir() => {
            return fs::set_permissions(directory, Permissions::from_mode(0o700));
        }
        Err(error) => return Err(error.into()),
    };
    let mode = handle.metadata()?.permissions().mode() & 0o7777;
    handle.set_permissions(Permissions::from_mode(mode | 0o700))
}
