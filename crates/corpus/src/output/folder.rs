//! Directories that files are written to: each is opened once, without following symbolic links, and
//! what is written goes into the open directory. So a directory of the output that another program
//! exchanges with a symbolic link does not lead the run out of the output.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::WriteError;
use rehref_site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};
pub use system::Folder;

/// The final place of a file or link: a name in an open directory.
#[derive(Clone, Debug)]
pub struct Place {
    pub(super) folder: Arc<Folder>,
    /// The whole path, for messages.
    pub(super) path: PathBuf,
}

impl Place {
    /// Returns the place `path`, whose directory exists and whose path holds no symbolic link.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be opened.
    pub(super) fn open(path: &Path) -> Result<Place, WriteError> {
        let folder = Folder::open(folder_of(path)).map_err(WriteError::at(path))?;
        Ok(Place { folder: Arc::new(folder), path: path.to_owned() })
    }

    /// Returns the name in the directory.
    pub(super) fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    /// Makes something with `make`, which gets the directory and a temporary name.
    ///
    /// # Errors
    /// Returns an error if `make` fails.
    pub(super) fn temporary<T>(
        &self,
        mut make: impl FnMut(&Folder, &OsStr) -> io::Result<T>,
    ) -> Result<Temporary<'_, T>, WriteError> {
        let mut name = OsString::new();
        let made = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .suffix(TEMPORARY_SUFFIX)
            .disable_cleanup(true)
            // Chooses names only: the file is not made in this directory.
            .make_in("/", |path| {
                name = path.file_name().unwrap_or_default().to_owned();
                make(&self.folder, &name)
            });
        let made = made.map_err(WriteError::at(&self.path))?;
        Ok(Temporary { made: made.into_parts().0, place: self, name, is_persisted: false })
    }

    /// Creates a new file under a temporary name, which only its owner can read and write.
    ///
    /// # Errors
    /// Returns an error if it cannot be created.
    pub(super) fn temporary_file(&self) -> Result<Temporary<'_, File>, WriteError> {
        let file = self.temporary(Folder::create)?;
        // Other runs keep a locked file; not all file systems have locks.
        let _ = file.made.try_lock();
        Ok(file)
    }
}

/// Something new under a temporary name beside its place. Removed when dropped before
/// [`Temporary::persist`].
#[derive(Debug)]
pub(super) struct Temporary<'p, T> {
    /// The file, or `()` for a link.
    pub(super) made: T,
    place: &'p Place,
    name: OsString,
    is_persisted: bool,
}

impl<T> Temporary<'_, T> {
    /// Gives it its final name. Replaces an old file.
    ///
    /// # Errors
    /// Returns an error if something else than a file has the name, or renaming fails.
    pub(super) fn persist(mut self) -> Result<(), WriteError> {
        let place = self.place;
        match place.folder.rename(&self.name, place.name()) {
            Ok(()) => {
                self.is_persisted = true;
                Ok(())
            }
            Err(error) => match fs::symlink_metadata(&place.path) {
                Ok(found) if found.is_dir() => Err(WriteError::in_the_way(&place.path, &found)),
                _ => Err(WriteError::at(&place.path)(error)),
            },
        }
    }
}

impl<T> Drop for Temporary<'_, T> {
    fn drop(&mut self) {
        if !self.is_persisted {
            // An error has no reader here; the next run reports the leftover.
            let _ = self.place.folder.remove_file(&self.name);
        }
    }
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

/// A cache of the directory that was opened last, because most files are written beside the file before.
#[derive(Debug, Default)]
pub struct OpenFolders(Mutex<Option<Place>>);

impl OpenFolders {
    /// Returns the place `path`, as [`Place::open`].
    ///
    /// # Errors
    /// Returns an error if the directory cannot be opened.
    pub(super) fn place(&self, path: PathBuf) -> Result<Place, WriteError> {
        let last = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last()
            && folder_of(&last.path) == folder_of(&path)
        {
            return Ok(Place { folder: Arc::clone(&last.folder), path });
        }
        let place = Place::open(&path)?;
        *last() = Some(place.clone());
        Ok(place)
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod system {
    use std::ffi::OsStr;
    use std::fs::{File, FileTimes, Permissions};
    use std::io;
    use std::path::Path;

    use rustix::fs::{AtFlags, Mode, OFlags};

    use crate::files::open_directory;

    /// An open directory.
    #[derive(Debug)]
    pub struct Folder(File);

    impl Folder {
        /// Opens the directory `path`, whose path holds no symbolic link.
        pub(in crate::output) fn open(path: &Path) -> io::Result<Folder> {
            open_directory(path).map(Folder)
        }

        pub(in crate::output) fn set_permissions(
            &self,
            permissions: Permissions,
        ) -> io::Result<()> {
            self.0.set_permissions(permissions)
        }

        pub(in crate::output) fn set_times(&self, times: FileTimes) -> io::Result<()> {
            self.0.set_times(times)
        }

        /// Creates a file that only its owner can read and write.
        pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let mode = Mode::RUSR | Mode::WUSR;
            Ok(rustix::fs::openat(&self.0, name, flags, mode)?.into())
        }

        /// Creates a directory with this mode, without what the umask takes away.
        pub(in crate::output) fn make_directory(&self, name: &OsStr, mode: u32) -> io::Result<()> {
            let mode = Mode::from_bits_truncate(mode as rustix::fs::RawMode);
            Ok(rustix::fs::mkdirat(&self.0, name, mode)?)
        }

        pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
        }

        pub(in crate::output) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
        }

        pub(in crate::output) fn symlink(
            &self,
            target: &Path,
            name: &OsStr,
            _: &Path,
        ) -> io::Result<()> {
            Ok(rustix::fs::symlinkat(target, &self.0, name)?)
        }

        /// Creates another name of the file `original_name` in `original`.
        pub(in crate::output) fn link(
            &self,
            original: &Folder,
            original_name: &OsStr,
            name: &OsStr,
        ) -> io::Result<()> {
            let flags = AtFlags::empty();
            Ok(rustix::fs::linkat(&original.0, original_name, &self.0, name, flags)?)
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod system {
    use std::ffi::OsStr;
    use std::fs::{self, File, FileTimes, Permissions};
    use std::io;
    use std::path::{Path, PathBuf};

    /// A directory, by path, because this system cannot work in open directories.
    #[derive(Debug)]
    pub struct Folder(PathBuf);

    impl Folder {
        pub(in crate::output) fn open(path: &Path) -> io::Result<Folder> {
            Ok(Folder(path.to_owned()))
        }

        pub(in crate::output) fn set_permissions(
            &self,
            permissions: Permissions,
        ) -> io::Result<()> {
            fs::set_permissions(&self.0, permissions)
        }

        pub(in crate::output) fn set_times(&self, times: FileTimes) -> io::Result<()> {
            // Not every system opens directories.
            match File::open(&self.0) {
                Ok(directory) => directory.set_times(times),
                Err(_) => Ok(()),
            }
        }

        pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
            File::create_new(self.0.join(name))
        }

        #[cfg(unix)]
        pub(in crate::output) fn make_directory(&self, name: &OsStr, mode: u32) -> io::Result<()> {
            let mut builder = fs::DirBuilder::new();
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
            builder.create(self.0.join(name))
        }

        pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(from), self.0.join(to))
        }

        pub(in crate::output) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }

        pub(in crate::output) fn symlink(
            &self,
            target: &Path,
            name: &OsStr,
            original: &Path,
        ) -> io::Result<()> {
            let link = self.0.join(name);
            #[cfg(unix)]
            {
                let _ = original;
                std::os::unix::fs::symlink(target, link)
            }
            // Windows has two kinds of symbolic links.
            #[cfg(windows)]
            if fs::metadata(original).is_ok_and(|metadata| metadata.is_dir()) {
                std::os::windows::fs::symlink_dir(target, link)
            } else {
                std::os::windows::fs::symlink_file(target, link)
            }
        }

        pub(in crate::output) fn link(
            &self,
            original: &Folder,
            original_name: &OsStr,
            name: &OsStr,
        ) -> io::Result<()> {
            fs::hard_link(original.0.join(original_name), self.0.join(name))
        }
    }
}
