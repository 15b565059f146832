//! Writes what the system holds in memory to the disk.

use std::io;
use std::path::Path;

/// Writes everything in the file system of `directory` to the disk. One call for all files: an `fsync`
/// for each of a hundred thousand files takes many minutes.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn sync_file_system(directory: &std::fs::File) -> io::Result<()> {
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

/// As [`sync_file_system`], for the directory at `path`. Does nothing on Windows, which has no such call and
/// cannot open directories as files.
///
/// # Errors
/// Returns an error if the directory cannot be opened, or the disk cannot be written.
pub fn sync_file_system_at(path: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    sync_file_system(&std::fs::File::open(path)?)?;
    let _ = path;
    Ok(())
}
