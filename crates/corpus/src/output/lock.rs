//! A lock on a directory or file: two runs that write to one tree would leave a mixture of both.

use std::fs::File;
use std::io;
use std::path::Path;

/// A lock on a directory or file, held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _open: Option<File>,
}

impl Lock {
    /// Locks `path`, a directory or file whose path holds no symbolic link; `None` if another process
    /// (or another part of this one) has the lock. Where the system or the file system has no locks,
    /// nothing is locked.
    ///
    /// # Errors
    /// Returns an error if `path` cannot be opened.
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let open = if path.is_dir() {
                crate::files::open_directory(path)?
            } else {
                crate::files::open_file(path)?.0
            };
            Ok(try_lock(&open).then_some(Lock { _open: Some(open) }))
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = path;
            Ok(Some(Lock { _open: None }))
        }
    }
}

/// Locks an open directory or file, until it is closed; `false` if another process has the lock.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn try_lock(open: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let locked = flock(open, FlockOperation::NonBlockingLockExclusive);
    locked != Err(rustix::io::Errno::WOULDBLOCK)
}
