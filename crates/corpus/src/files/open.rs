//! Opens files and directories of a tree without following symbolic links.
//!
//! The walk saw no symbolic link in their paths. One that another program has put there since could
//! have any target, outside the tree too.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Opens the regular file at `path` for reading; returns its metadata, too.
///
/// # Errors
/// Returns an error if the file cannot be opened, is not a regular file, or its path contains a symbolic link (where
/// the system can tell).
pub fn open_file(path: &Path) -> io::Result<(File, Metadata)> {
    let file = system::open_file(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata))
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub use system::open_directory;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{CWD, Mode, OFlags};

    pub(super) fn open_file(path: &Path) -> io::Result<File> {
        // A pipe that took the place of a file would block without NONBLOCK.
        open(path, OFlags::RDONLY | OFlags::NONBLOCK)
    }

    /// Opens the directory at `path`.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened, or its path holds a symbolic link (where the system can tell).
    pub fn open_directory(path: &Path) -> io::Result<File> {
        open(path, OFlags::RDONLY | OFlags::DIRECTORY)
    }

    fn open(path: &Path, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::CLOEXEC;
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            use rustix::fs::{ResolveFlags, openat2};
            use rustix::io::Errno;
            match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
                // Kernels before 5.6, and sandboxes that do not know the call.
                Err(Errno::NOSYS | Errno::PERM) => {}
                opened => return Ok(opened?.into()),
            }
        }
        #[cfg(target_vendor = "apple")]
        let flags = flags | OFlags::NOFOLLOW_ANY;
        Ok(rustix::fs::openat(CWD, path, flags | OFlags::NOFOLLOW, Mode::empty())?.into())
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) fn open_file(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

#[cfg(all(test, any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn symbolic_links_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir(root.join("d")).unwrap();
        fs::write(root.join("d/f"), "").unwrap();
        symlink("d", root.join("to d")).unwrap();
        symlink("f", root.join("d/to f")).unwrap();
        for (path, expected) in [("d/f", true), ("d/to f", false), ("to d/f", false), ("d", false)]
        {
            assert_eq!(open_file(&root.join(path)).is_ok(), expected, "{path}");
        }
        for (path, expected) in [("d", true), ("to d", false), ("d/f", false)] {
            assert_eq!(open_directory(&root.join(path)).is_ok(), expected, "{path}");
        }
    }

    #[test]
    fn a_pipe_does_not_block() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().canonicalize().unwrap().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert_eq!(open_file(&pipe).unwrap_err().to_string(), "not a regular file");
    }
}
