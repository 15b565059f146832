//! Writes what the system holds in memory to the disk.

use std::fs::File;
use std::io;

/// Writes everything in the file system of `directory` to the disk. One call for all files: an `fsync`
/// for each of a hundred thousand files takes many minutes. Does nothing where the system has no such call.
pub fn sync_file_system(directory: &File) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    rustix::fs::syncfs(directory)?;
    #[cfg(target_vendor = "apple")]
    {
        rustix::fs::sync();
        directory.sync_all()?;
    }
    let _ = directory;
    Ok(())
}
