//! Systems that can exchange two directories in one step.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, fchown, lchown};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FlockOperation, RenameFlags, flock, renameat_with};
use rustix::io::Errno;

use super::mounts::first_mount;
use super::removal::remove_tree;
use super::{Exchanged, StageError, StageWarning};
use crate::output::{WriteError, atomic};
use crate::site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};

/// A new tree beside an old one. Dropped without [`Stage::exchange`], it is removed.
#[derive(Debug)]
pub struct Stage {
    root: PathBuf,
    path: PathBuf,
    parent: File,
    /// The old root; the lock on it keeps other runs away.
    old: File,
    /// The new root; the lock on it says that this is no leftover.
    new: File,
    in_place: bool,
}

impl Stage {
    /// Makes an empty directory beside the directory `root` (a canonical path), which only its owner
    /// can enter until it is exchanged, and checks that the exchange will be possible. Until the
    /// stage is dropped no other is made for this tree, so make it before reading the tree.
    ///
    /// # Errors
    /// When the tree cannot be exchanged with a new one; see [`StageError`].
    pub fn beside(root: &Path) -> Result<Stage, StageError> {
        let (Some(parent_path), Some(name)) = (root.parent(), root.file_name()) else {
            return Err(StageError::NoParent(root.to_owned()));
        };
        match first_mount(root).map_err(io_error(root))? {
            Some(mount) if mount == root => return Err(StageError::MountPoint(mount)),
            Some(mount) => return Err(StageError::MountWithin(mount)),
            None => {}
        }
        let old = File::open(root).map_err(io_error(root))?;
        let old_metadata = old.metadata().map_err(io_error(root))?;
        if let Err(Errno::WOULDBLOCK) = lock(&old) {
            return Err(StageError::Busy(root.to_owned()));
        }
        let parent_error = |source| StageError::Parent {
            parent: parent_path.to_owned(),
            source,
        };
        let parent = File::open(parent_path).map_err(parent_error)?;
        let stage = EmptyDirectory::make(parent_path, name).map_err(parent_error)?;
        let trial = EmptyDirectory::make(parent_path, name).map_err(parent_error)?;
        let new = File::open(&trial.0).map_err(parent_error)?;
        // Not every file system has locks; they only help those who run two at once.
        let _ = lock(&new);
        let ours = new.metadata().map_err(parent_error)?;
        if only_owners_rename(
            &parent.metadata().map_err(parent_error)?,
            &old_metadata,
            &ours,
        ) {
            return Err(StageError::NotOurs {
                root: root.to_owned(),
                parent: parent_path.to_owned(),
            });
        }
        keep_owner(&old_metadata, &stage.0).map_err(|source| StageError::Owner {
            root: root.to_owned(),
            source,
        })?;
        exchange_in(&parent, &trial.0, &stage.0).map_err(|source| StageError::CannotExchange {
            parent: parent_path.to_owned(),
            source,
        })?;
        // The directory whose owner was tried out is at this path now, and goes.
        drop(trial);
        Ok(Stage {
            root: root.to_owned(),
            path: stage.keep(),
            parent,
            old,
            new,
            in_place: false,
        })
    }

    /// The root of the new tree, to be filled.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the directory `to` (below the root), whose parent is there; only its owner can enter it
    /// until it is finished.
    ///
    /// # Errors
    /// When it cannot be made, or something stands there.
    pub fn make_directory(&self, to: &Path) -> Result<(), WriteError> {
        let path = self.place(to)?;
        DirBuilder::new()
            .mode(0o700)
            .create(path)
            .map_err(self.error_at(to))
    }

    /// Brings the file, symbolic link, pipe, ... `from` of the old tree into the new one as `to`
    /// (below the root): as a hard link, or where the system refuses that (another user's file, too
    /// many links) as a copy with the same owner, group, mode and times. A symbolic link keeps its
    /// words, whatever they mean in the new place.
    ///
    /// # Errors
    /// When neither works, its owner cannot be kept, or something stands at `to`.
    pub fn link_or_copy(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let path = self.place(to)?;
        match fs::hard_link(from, &path) {
            Ok(()) => Ok(()),
            Err(error) if fs::symlink_metadata(from).is_err() => Err(WriteError::Read(error)),
            // A copy would replace what stands there.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(self.error_at(to)(error))
            }
            Err(_) => copy(from, &path).map_err(|error| self.named(error)),
        }
    }

    /// Writes `contents` as the file `to` (below the root), with the owner, group and mode of `like`,
    /// the file that it is made from.
    ///
    /// # Errors
    /// When any step fails.
    pub fn write_file(
        &self,
        to: &Path,
        contents: &[u8],
        like: &Metadata,
    ) -> Result<(), WriteError> {
        let path = self.place(to)?;
        atomic::write_file(&path, contents, like)
            .and_then(|()| keep_owner_and_mode(like, &path))
            .map_err(|error| self.named(error))
    }

    /// As [`Stage::write_file`], with contents that `write` writes bit by bit, and says in the end
    /// whether they are wanted at all. Says whether the file is there.
    ///
    /// # Errors
    /// When any step fails.
    pub fn write_stream(
        &self,
        to: &Path,
        like: &Metadata,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>,
    ) -> Result<bool, WriteError> {
        let path = self.place(to)?;
        let is_there = atomic::write_stream(&path, like, write).map_err(|it| self.named(it))?;
        if is_there {
            keep_owner_and_mode(like, &path).map_err(|error| self.named(error))?;
        }
        Ok(is_there)
    }

    /// Makes the symbolic link `to` (below the root) with these words and the owner of the link
    /// `from`.
    ///
    /// # Errors
    /// When any step fails, or something stands at `to`.
    pub fn make_symlink(&self, from: &Path, to: &Path, words: &Path) -> Result<(), WriteError> {
        let path = self.place(to)?;
        let old = fs::symlink_metadata(from).map_err(WriteError::Read)?;
        atomic::make_symlink(words, &path, from)
            .and_then(|()| keep_owner(&old, &path).map_err(WriteError::Owner))
            .map_err(|error| self.named(error))
    }

    /// Gives the directory `to` (below the root) the owner, group, mode and times of `from`, once all
    /// is written in it.
    ///
    /// # Errors
    /// When any step fails.
    pub fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let path = self.place(to)?;
        finish(from, &path).map_err(|error| self.named(error))
    }

    /// Puts the new tree in the place of the old one, with the owner, group, mode and times of the
    /// old root, and removes the old tree. The new tree is on the disk before that, and the exchange
    /// is before the removal begins, so that a power cut too leaves one of the two whole.
    ///
    /// # Errors
    /// When it is not possible; then the old tree is as it was, and the new one is removed. The
    /// overlays of containers refuse only here, for a directory that came with the image.
    pub fn exchange(mut self) -> Result<Exchanged, StageError> {
        let root = || self.root.clone();
        let there = fs::symlink_metadata(&self.root).map_err(io_error(&self.root))?;
        let old = self.old.metadata().map_err(io_error(&self.root))?;
        if (there.dev(), there.ino()) != (old.dev(), old.ino()) {
            return Err(StageError::Replaced(root()));
        }
        finish(&self.root, &self.path).map_err(|error| StageError::Finish {
            root: root(),
            source: self.named(error),
        })?;
        sync_file_system(&self.new).map_err(|source| StageError::Sync {
            root: root(),
            source,
        })?;
        let entered = std::env::current_dir().is_ok_and(|current| current.starts_with(&self.root));
        exchange_in(&self.parent, &self.path, &self.root).map_err(|source| {
            StageError::Exchange {
                root: root(),
                source,
            }
        })?;
        self.in_place = true;
        let mut warnings = Vec::new();
        if let Err(source) = self
            .parent
            .sync_all()
            .and_then(|()| remove_tree(&self.path))
        {
            warnings.push(StageWarning::OldTree {
                path: self.path.clone(),
                source,
            });
        }
        if entered {
            warnings.push(StageWarning::CurrentDirectory(self.root.clone()));
        }
        Ok(Exchanged { warnings })
    }

    /// Where `to` is while the tree is built.
    fn place(&self, to: &Path) -> Result<PathBuf, WriteError> {
        let is_below = to
            .components()
            .all(|component| matches!(component, Component::Normal(_)));
        if is_below {
            Ok(self.path.join(to))
        } else {
            Err(WriteError::at(to)(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a path below the root",
            )))
        }
    }

    /// For `map_err`: names the place where `to` will be.
    fn error_at(&self, to: &Path) -> impl Fn(io::Error) -> WriteError {
        let path = self.root.join(to);
        move |source| WriteError::at(&path)(source)
    }

    /// The error with the place where something will be for the one where it is now.
    fn named(&self, mut error: WriteError) -> WriteError {
        if let WriteError::Write { path, .. } | WriteError::InTheWay { path, .. } = &mut error
            && let Ok(relative) = path.strip_prefix(&self.path)
        {
            *path = self.root.join(relative);
        }
        error
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !self.in_place {
            // Nobody is left to tell; the next run finds it among the leftovers.
            let _ = remove_tree(&self.path);
        }
    }
}

/// The stages of interrupted runs beside `root` (a canonical path), sorted; not those that a run is
/// working on. They may be removed.
pub fn leftovers(root: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else {
        return Vec::new();
    };
    let (prefix, suffix) = (prefix_of(name), TEMPORARY_SUFFIX);
    let is_stage = |name: &OsStr| {
        name.to_str()
            .and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(suffix))
            .is_some_and(|random| {
                random.len() == RANDOM_LENGTH && random.bytes().all(|b| b.is_ascii_alphanumeric())
            })
    };
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| {
            is_stage(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_dir())
        })
        .map(|entry| entry.path())
        .filter(|path| !is_locked(path))
        .collect();
    found.sort();
    found
}

/// The random characters in a stage's name.
const RANDOM_LENGTH: usize = 6;

/// The name must fit into the 143 bytes that the strictest file systems allow.
const LONGEST_SITE_NAME: usize = 100;

fn prefix_of(site: &OsStr) -> String {
    let mut site = site.to_string_lossy().into_owned();
    while site.len() > LONGEST_SITE_NAME {
        site.pop();
    }
    format!("{TEMPORARY_PREFIX}{site}-")
}

/// A new directory, removed when dropped while it is empty.
struct EmptyDirectory(PathBuf);

impl EmptyDirectory {
    fn make(parent: &Path, site: &OsStr) -> io::Result<EmptyDirectory> {
        // Made here and not by `tempfile`, whose errors name the temporary directory.
        tempfile::Builder::new()
            .prefix(&prefix_of(site))
            .suffix(TEMPORARY_SUFFIX)
            .rand_bytes(RANDOM_LENGTH)
            .disable_cleanup(true)
            .make_in(parent, |path| DirBuilder::new().mode(0o700).create(path))
            .map(|made| EmptyDirectory(made.path().to_owned()))
    }

    fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.0)
    }
}

impl Drop for EmptyDirectory {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = fs::remove_dir(&self.0);
        }
    }
}

fn lock(directory: &File) -> Result<(), Errno> {
    flock(directory, FlockOperation::NonBlockingLockExclusive)
}

fn is_locked(directory: &Path) -> bool {
    File::open(directory).is_ok_and(|directory| lock(&directory) == Err(Errno::WOULDBLOCK))
}

/// Whether the sticky bit of `parent` keeps us, who made `ours`, from renaming `old` in it.
fn only_owners_rename(parent: &Metadata, old: &Metadata, ours: &Metadata) -> bool {
    let us = ours.uid();
    parent.mode() & 0o1000 != 0 && us != 0 && us != parent.uid() && us != old.uid()
}

/// Exchanges two directories in `parent`, which both are named by paths in it.
fn exchange_in(parent: &File, one: &Path, other: &Path) -> io::Result<()> {
    let name = |path: &Path| -> OsString { path.file_name().unwrap_or_default().to_owned() };
    renameat_with(
        parent,
        name(one),
        parent,
        name(other),
        RenameFlags::EXCHANGE,
    )?;
    Ok(())
}

/// Everything that was written to the file system of `directory` is on the disk afterwards. One call
/// for all: one `fsync` for each of a hundred thousand files takes many minutes.
fn sync_file_system(directory: &File) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    rustix::fs::syncfs(directory)?;
    #[cfg(target_vendor = "apple")]
    {
        rustix::fs::sync();
        directory.sync_all()?;
    }
    Ok(())
}

/// The copy for which `fs::hard_link` was no way.
fn copy(from: &Path, to: &Path) -> Result<(), WriteError> {
    let metadata = fs::symlink_metadata(from).map_err(WriteError::Read)?;
    if metadata.is_symlink() {
        let words = fs::read_link(from).map_err(WriteError::Read)?;
        atomic::make_symlink(&words, to, from)?;
        keep_owner(&metadata, to).map_err(WriteError::Owner)
    } else if metadata.is_file() {
        atomic::copy_file(from, to)?;
        keep_owner_and_mode(&metadata, to)
    } else {
        Err(WriteError::Read(io::Error::new(
            io::ErrorKind::Unsupported,
            "a device, pipe or socket, which cannot be copied",
        )))
    }
}

/// Unlike a copy, what replaces a file keeps all bits of its mode, as its owner does not change.
fn keep_owner_and_mode(old: &Metadata, to: &Path) -> Result<(), WriteError> {
    keep_owner(old, to).map_err(WriteError::Owner)?;
    // After the owner, since a change of owner takes the set-user-ID bit away.
    fs::set_permissions(to, old.permissions()).map_err(WriteError::at(to))
}

fn keep_owner(old: &Metadata, to: &Path) -> io::Result<()> {
    match differing_owner(old, &fs::symlink_metadata(to)?) {
        (None, None) => Ok(()),
        (owner, group) => lchown(to, owner, group),
    }
}

fn differing_owner(old: &Metadata, new: &Metadata) -> (Option<u32>, Option<u32>) {
    let differing = |old: u32, new: u32| (old != new).then_some(old);
    (
        differing(old.uid(), new.uid()),
        differing(old.gid(), new.gid()),
    )
}

fn finish(from: &Path, to: &Path) -> Result<(), WriteError> {
    let old = fs::metadata(from).map_err(WriteError::Read)?;
    let directory = File::open(to).map_err(WriteError::at(to))?;
    let new = directory.metadata().map_err(WriteError::at(to))?;
    let (owner, group) = differing_owner(&old, &new);
    if owner.is_some() || group.is_some() {
        fchown(&directory, owner, group).map_err(WriteError::Owner)?;
    }
    atomic::finish_directory(from, to)?;
    directory
        .set_permissions(old.permissions())
        .map_err(WriteError::at(to))
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> StageError + '_ {
    move |source| StageError::Io {
        path: path.to_owned(),
        source,
    }
}
