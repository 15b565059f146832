//! The output directory, checked before anything is written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::atomic::{self, Keep, Original};
use super::canonical_future::canonical_future;
use super::error::{DestinationError, WriteError};
use super::existing;
use super::folder::{OpenFolders, Place};
use super::lock::Lock;
use super::mounts::{Mounts, Overlap};
use super::new_tree::NewTree;
use rehref_site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};
use rehref_url::Spliced;

/// An output directory that passed the checks of [`Destination::check`].
#[derive(Debug)]
pub struct Destination {
    root: PathBuf,
    /// True if unchanged files are linked to the originals if possible, instead of copied.
    pub links: bool,
    /// Whether there were files before the run. Those that are equal to what would be written stay.
    is_in_use: bool,
    /// Keeps other runs from writing to the directory, once it exists.
    lock: OnceLock<Lock>,
    open_folders: OpenFolders,
    /// The number of temporary files of an interrupted run that were removed.
    pub(crate) leftovers: AtomicUsize,
    /// The number of files that were not written, since the directory had them already.
    pub(crate) equal: AtomicUsize,
    /// The number of files that were linked to the originals.
    pub(crate) linked: AtomicUsize,
}

impl Destination {
    /// Checks `out` as the output directory for the site at `site` (a canonical path). Nothing is
    /// written.
    ///
    /// # Errors
    /// Returns an error if writing there could damage something.
    pub fn check(site: &Path, out: &Path, force: bool) -> Result<Destination, DestinationError> {
        let root = checked_path(site, out)?;
        match Mounts::read().overlap(site, &root) {
            Some(Overlap::Inside) => {
                return refuse(
                    out,
                    "is inside the site, so the output would become input\nhelp: choose a place outside the site",
                );
            }
            Some(Overlap::Holds) => {
                let out = out.display();
                return Err(DestinationError(format!(
                    "the site is inside {out}, so the output could overwrite the site\nhelp: choose another place"
                )));
            }
            None => {}
        }
        let mut is_in_use = false;
        match fs::metadata(&root) {
            Ok(metadata) if !metadata.is_dir() => {
                return refuse(out, "is not a directory\nhelp: choose another place or remove it");
            }
            Ok(_) => {
                is_in_use = fs::read_dir(&root).map_err(io_error(out))?.next().is_some();
                if is_in_use && !force {
                    return refuse(
                        out,
                        "is not empty\nhelp: to write into the directory anyway, and replace files of the same name, add --force",
                    );
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(io_error(out)(error)),
        }
        Ok(Destination {
            root,
            links: false,
            is_in_use,
            lock: OnceLock::new(),
            open_folders: OpenFolders::default(),
            leftovers: AtomicUsize::default(),
            equal: AtomicUsize::default(),
            linked: AtomicUsize::default(),
        })
    }

    /// Returns true if there were files in the directory before the run.
    pub fn is_in_use(&self) -> bool {
        self.is_in_use
    }

    /// Returns true if the file system of the directory ignores letter case in names. Creates a temporary file
    /// to find out.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be made.
    pub fn ignores_case(&self) -> Result<bool, WriteError> {
        let existing = self.root.ancestors().find(|path| path.is_dir());
        let folder = existing.unwrap_or(&self.root);
        let probe = tempfile::Builder::new()
            .prefix(TEMPORARY_PREFIX)
            .suffix(TEMPORARY_SUFFIX)
            .tempfile_in(folder)
            .map_err(WriteError::at(&self.root))?;
        let name = probe.path().file_name().unwrap_or_default();
        let upper = name.to_string_lossy().to_ascii_uppercase();
        Ok(folder.join(upper).symlink_metadata().is_ok())
    }

    /// Keeps other runs from writing to the directory, which exists.
    fn lock(&self) -> Result<(), WriteError> {
        let lock = Lock::take(&self.root).map_err(WriteError::at(&self.root))?;
        let lock = lock.ok_or_else(|| WriteError::Busy(self.root.clone()))?;
        let _ = self.lock.set(lock);
        Ok(())
    }

    /// Counts a file that was not written if `is_equal`; returns that.
    fn stays(&self, is_equal: impl FnOnce() -> bool) -> bool {
        let stays = self.is_in_use && is_equal();
        self.equal.fetch_add(usize::from(stays), Ordering::Relaxed);
        stays
    }
}

impl NewTree for Destination {
    fn root(&self) -> &Path {
        &self.root
    }

    fn open(&self, to: &Path) -> Result<Place, WriteError> {
        self.open_folders.place(self.place(to)?)
    }

    /// A symbolic link that has the name of the directory is not followed, but an error. Temporary files
    /// that an interrupted run left in the directory are removed.
    fn make_directory(&self, from: &Path, to: &Path) -> Result<bool, WriteError> {
        let is_root = to.as_os_str().is_empty();
        if let (true, Some(parent)) = (is_root, self.root.parent()) {
            fs::create_dir_all(parent).map_err(WriteError::at(parent))?;
        }
        let path = self.place(to)?;
        // The path of the root is the user's; below it, no symbolic link is followed.
        let parent =
            if is_root { None } else { Some(self.open_folders.place(path.clone())?.folder) };
        let is_new = match atomic::make_directory(from, &path, parent.as_deref()) {
            Ok(()) => true,
            Err(WriteError::Write { path, source })
                if source.kind() == io::ErrorKind::AlreadyExists =>
            {
                match fs::symlink_metadata(&path).map_err(WriteError::at(&path))? {
                    found if found.is_dir() => false,
                    found => return Err(WriteError::in_the_way(&path, &found)),
                }
            }
            Err(error) => return Err(error),
        };
        if is_root {
            self.lock()?;
        }
        if !is_new {
            let removed =
                existing::remove_leftovers(&path, |_| true).map_err(WriteError::at(&path))?;
            self.leftovers.fetch_add(removed, Ordering::Relaxed);
        }
        Ok(is_new)
    }

    fn write_file(
        &self,
        to: &Path,
        contents: Spliced<'_>,
        like: Original<'_>,
    ) -> Result<(), WriteError> {
        let place = self.place(to)?;
        if self.stays(|| existing::has_contents(&place, contents, like.metadata)) {
            return Ok(());
        }
        self.write_stream(to, like, &mut atomic::in_memory(contents)).map(|_| ())
    }

    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let place = self.open(to)?;
        if self.links && atomic::link_file(from, &place).is_ok() {
            self.linked.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        if self.stays(|| existing::is_copy(&place.path, from)) {
            return Ok(());
        }
        atomic::copy_file(from, &place, Keep::Permissions)
    }
}

/// For `map_err`: the error of reading or creating `out`.
pub(super) fn io_error(out: &Path) -> impl Fn(io::Error) -> DestinationError + '_ {
    |error| DestinationError(format!("{}: {error}", out.display()))
}

/// Returns the error of `out`, which the message `why` follows.
pub(super) fn refuse<T>(out: &Path, why: &str) -> Result<T, DestinationError> {
    Err(DestinationError(format!("{} {why}", out.display())))
}

/// Returns the canonical path of `out`, which must not be the path of `site`.
pub(super) fn checked_path(site: &Path, out: &Path) -> Result<PathBuf, DestinationError> {
    let path = canonical_future(out).map_err(io_error(out))?;
    if path == site {
        return refuse(out, "is the site itself\nhelp: to change the site, use --in-place");
    }
    Ok(path)
}

#[cfg(test)]
mod letter_case {
    use super::*;
    use rehref_site::canonical;

    #[test]
    fn an_output_directory_is_probed_before_it_exists() {
        let directory = tempfile::tempdir().unwrap();
        let root = canonical(directory.path()).unwrap();
        fs::write(root.join("probe"), "").unwrap();
        let expected = root.join("PROBE").exists();
        let site = root.join("site");
        for out in ["out/deep", "."] {
            let destination = Destination::check(&site, &root.join(out), true);
            let ignores_case = destination.map(|it| it.ignores_case().unwrap());
            assert_eq!(ignores_case.ok(), (out != ".").then_some(expected), "{out}");
        }
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "the probe is gone");
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// `/dev/shm` is another file system nearly everywhere.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_linked_is_copied() {
        let here = tempfile::tempdir().unwrap();
        let site = here.path().canonicalize().unwrap();
        fs::write(site.join("a"), "a").unwrap();
        let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return };
        let out = elsewhere.path().canonicalize().unwrap().join("out");
        let destination =
            Destination { links: true, ..Destination::check(&site, &out, false).unwrap() };
        destination.make_directory(&site, Path::new("")).unwrap();
        let copied = destination.copy_file(&site.join("a"), Path::new("a"));
        assert!(copied.is_ok(), "{copied:?}");
        assert_eq!(fs::read(out.join("a")).unwrap(), b"a");
    }

    #[test]
    fn a_directory_exchanged_during_the_run_does_not_lead_out_of_the_output() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let [site, elsewhere, out] = ["site", "elsewhere", "out"].map(|name| root.join(name));
        fs::create_dir_all(site.join("d")).unwrap();
        fs::write(site.join("d/a"), "a").unwrap();
        fs::create_dir(&elsewhere).unwrap();
        for is_open in [false, true] {
            let out = out.join(is_open.to_string());
            let destination = Destination::check(&site, &out, false).unwrap();
            destination.make_directory(&site, Path::new("")).unwrap();
            let d = site.join("d");
            destination.make_directory(&d, Path::new("d")).unwrap();
            let (path, metadata) = (&d.join("a"), &fs::metadata(d.join("a")).unwrap());
            let like = Original { path, metadata };
            let write = |to: &str| destination.write_file(Path::new(to), b"b"[..].into(), like);
            if is_open {
                write("d/first").unwrap();
            }
            fs::rename(out.join("d"), out.join("old d")).unwrap();
            symlink(&elsewhere, out.join("d")).unwrap();
            // What is open is still the directory of the output.
            assert_eq!(write("d/b").is_ok(), is_open);
            let copied = destination.copy_file(&d.join("a"), Path::new("d/a"));
            assert_eq!(copied.is_ok(), is_open);
            let linked = destination.make_symlink(&d, Path::new("d/l"), Path::new("x"));
            assert_eq!(linked.is_ok(), is_open);
            let made = destination.make_directory(&d, Path::new("d/e"));
            assert!(is_open || made.is_err());
            assert!(destination.finish_directory(&d, Path::new("d")).is_err());
            assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
        }
    }
}
