//! Systems that can exchange two directories in one step.

mod removal;
mod renewal;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, DirEntry, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, lchown};
use std::path::{Path, PathBuf};

use rustix::fs::{RenameFlags, renameat_with};
use walkdir::WalkDir;

use removal::remove_tree;

use crate::output::atomic::{self, Keep, Original, WriteContents};
use crate::output::error::{StageError, WriteError};
use crate::output::existing::is_temporary;
use crate::output::folder::{OpenFolders, Place};
use crate::output::lock::try_lock;
use crate::output::mounts::first_mount;
use crate::output::new_tree::NewTree;
use crate::output::sync::sync_file_system;
use rehref_site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};

/// A new tree beside an old one. Dropped without [`Stage::exchange`], it is removed.
#[derive(Debug)]
pub struct Stage {
    /// The old tree.
    site: PathBuf,
    /// The new tree, while it is built.
    root: PathBuf,
    parent: File,
    /// The old root, locked so that no other run works on the tree.
    old: File,
    /// The new root, locked so that it does not count as a leftover.
    new: File,
    open_folders: OpenFolders,
    /// When the stage was created, by the clock of the file system.
    created: Time,
    is_exchanged: bool,
}

/// The way out for users whose tree cannot be exchanged.
const USE_OUT: &str = "use --out instead of --in-place";

/// Seconds and nanoseconds.
type Time = (i64, i64);

impl Stage {
    /// Creates an empty directory beside the directory `root` (a canonical path), which only its owner
    /// can enter until the exchange, and checks that the exchange will be possible. Until the stage is
    /// dropped, no other run can create one for this tree; so create it before reading the tree.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be exchanged with a new one; see [`StageError`].
    pub fn beside(root: &Path) -> Result<Stage, StageError> {
        let site = root.display();
        let refuse = |why| Err(StageError(format!("{why}\nhelp: {USE_OUT}")));
        let (Some(parent_path), Some(name)) = (root.parent(), root.file_name()) else {
            return refuse(format!("{site} has no parent directory to build the new tree in"));
        };
        match first_mount(root).map_err(io_error(root))? {
            Some(mount) if mount == root => {
                return refuse(format!(
                    "{site} is a mount point or a volume of its own, which cannot be exchanged with a new tree"
                ));
            }
            Some(mount) => {
                let mount = mount.display();
                return Err(StageError(format!(
                    "{mount} is a mount point, which would stay in the old tree\nhelp: unmount it, or {USE_OUT}"
                )));
            }
            None => {}
        }
        let old = File::open(root).map_err(io_error(root))?;
        let old_metadata = old.metadata().map_err(io_error(root))?;
        if !try_lock(&old) {
            return Err(StageError(format!(
                "another run of rehref is changing {site}\nhelp: wait for the end of that run"
            )));
        }
        let shown_parent = parent_path.display();
        let parent_error = |error| {
            format!(
                "cannot build the new tree beside the old one, in {shown_parent}: {error}\nhelp: allow writing there, or {USE_OUT}"
            )
        };
        let parent = File::open(parent_path).map_err(parent_error)?;
        let stage = EmptyDirectory::make(parent_path, name).map_err(parent_error)?;
        let trial = EmptyDirectory::make(parent_path, name).map_err(parent_error)?;
        let new = File::open(&trial.0).map_err(parent_error)?;
        // Not every file system has locks, and they only matter to users who start two runs at once.
        let _ = try_lock(&new);
        let ours = new.metadata().map_err(parent_error)?;
        if only_owners_rename(&parent.metadata().map_err(parent_error)?, &old_metadata, &ours) {
            return Err(StageError(format!(
                "{site} belongs to another user, and {shown_parent} is a directory where only owners can rename (sticky bit)\nhelp: run the command as the owner, or {USE_OUT}"
            )));
        }
        keep_owner(&old_metadata, &stage.0).map_err(|error| {
            let advice = format!("run the command as the owner, or {USE_OUT}");
            format!("cannot keep the owner and group of {site} ({error})\nhelp: {advice}")
        })?;
        if let Err(error) = exchange_in(&parent, &trial.0, &stage.0) {
            return refuse(format!(
                "two directories in {shown_parent} cannot be exchanged in one step ({error}), so an interrupted run \
                 could leave half a tree"
            ));
        }
        // After this exchange, which was a trial, the path of `trial` holds the spare directory.
        drop(trial);
        Ok(Stage {
            site: root.to_owned(),
            root: stage.keep(),
            parent,
            old,
            new,
            open_folders: OpenFolders::default(),
            created: changed_at(&ours),
            is_exchanged: false,
        })
    }

    /// Exchanges the new tree with the old one, gives its root the owner, group, mode and times of the
    /// old root, brings its contents into the directories of the old tree, and exchanges again. Each tree is on
    /// the disk before it comes to its place, so that a power cut leaves one of the two whole. Returns warnings.
    ///
    /// # Errors
    /// Returns an error if the exchange fails; then the old tree is unchanged, and the new one is removed. The overlay
    /// file systems of containers refuse only here, for a directory of the image.
    pub fn exchange(mut self) -> Result<Vec<String>, StageError> {
        let site = self.site.display();
        let found = fs::symlink_metadata(&self.site).map_err(io_error(&self.site))?;
        let old = self.old.metadata().map_err(io_error(&self.site))?;
        if atomic::file_id(&found) != atomic::file_id(&old) {
            return Err(StageError(format!(
                "another program replaced {site} during the run, so rehref did not change the site\nhelp: run the command again"
            )));
        }
        self.named(finish(&self.site, &self.root)).map_err(|error| {
            let of_site = format!("the permissions and times of {site}, which is unchanged");
            format!("cannot copy {of_site} to the new tree: {error}")
        })?;
        sync_file_system(&self.new).map_err(|error| {
            format!("cannot write the new tree to the disk; {site} is unchanged: {error}")
        })?;
        if let Some(path) = self.changed_path().map_err(io_error(&self.site))? {
            let path = path.display();
            return Err(StageError(format!(
                "another program changed {path} during the run, so nothing was moved\nhelp: run the command again"
            )));
        }
        exchange_in(&self.parent, &self.root, &self.site).map_err(|error| {
            format!(
                "{site} cannot be exchanged with the new tree and is unchanged: {error}\nhelp: {USE_OUT}"
            )
        })?;
        self.is_exchanged = true;
        let mut warnings = Vec::new();
        let synced = self.parent.sync_all();
        let renewed = synced.map_err(WriteError::at(&self.site)).and_then(|()| self.renew());
        let entered = std::env::current_dir().is_ok_and(|current| current.starts_with(&self.root));
        if let Err(error) = remove_tree(&self.root) {
            let old = self.root.display();
            warnings.push(format!("cannot remove the old tree: {error}\nhelp: delete {old}"));
        }
        if let (Err(error), true) = (renewed, entered) {
            let site = self.site.display();
            warnings.push(format!(
                "the working directory was in the old tree, which could not be kept ({error})\nhelp: change to {site} again"
            ));
        }
        Ok(warnings)
    }

    /// A file or directory of the old tree that changed since the stage was created. The new tree would lack
    /// the change.
    fn changed_path(&self) -> io::Result<Option<PathBuf>> {
        let mut now = None;
        for entry in WalkDir::new(&self.site) {
            let entry = entry?;
            let metadata = entry.metadata()?;
            let modified = (metadata.mtime(), metadata.mtime_nsec());
            // A hard link in the new tree changes the other time of a file. A new file or link, or one
            // that replaces another, changes its directory.
            let time =
                if metadata.is_dir() { modified.max(changed_at(&metadata)) } else { modified };
            if time <= self.created || metadata.is_symlink() {
                continue;
            }
            // Some files have a time in the future.
            let now = match now {
                Some(now) => now,
                None => *now.insert(self.now()?),
            };
            if time <= now {
                return Ok(Some(entry.into_path()));
            }
        }
        Ok(None)
    }

    /// The time by the clock of the file system.
    fn now(&self) -> io::Result<Time> {
        let parent = self.root.parent().unwrap_or(&self.root);
        let name = self.site.file_name().unwrap_or_default();
        let made = EmptyDirectory::make(parent, name)?;
        Ok(changed_at(&fs::symlink_metadata(&made.0)?))
    }

    /// Brings everything at `from`, a file or directory of the old tree, to the place `to` of the new one, as
    /// [`NewTree::copy_file`] does with each file. Nothing is left out, and no file is read.
    ///
    /// # Errors
    /// Returns an error if a part cannot be brought.
    pub fn keep_tree(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        self.add_tree(from, to, |_| false)
    }

    /// As [`Stage::keep_tree`], without the parts whose places, below the root, `is_there` knows.
    fn add_tree(
        &self,
        from: &Path,
        to: &Path,
        is_there: impl Fn(&Path) -> bool,
    ) -> Result<(), WriteError> {
        let mut directories = Vec::new();
        for entry in WalkDir::new(from) {
            let entry = entry.map_err(|error| WriteError::Read(error.into()))?;
            let below = entry.path().strip_prefix(from).unwrap_or(entry.path());
            let place = if below.as_os_str().is_empty() { to.to_owned() } else { to.join(below) };
            let is_there = is_there(&place);
            if entry.file_type().is_dir() {
                if !is_there {
                    self.make_directory(entry.path(), &place)?;
                }
                directories.push((entry.into_path(), place));
            } else if !is_there {
                self.copy_file(entry.path(), &place)?
            }
        }
        // Writing into a directory changes its times: the deepest first.
        for (from, to) in directories.iter().rev() {
            self.finish_directory(from, to)?;
        }
        Ok(())
    }

    /// `result`, whose error names the final place instead of the one in the stage.
    fn named<T>(&self, mut result: Result<T, WriteError>) -> Result<T, WriteError> {
        if let Err(WriteError::Write { path, .. } | WriteError::InTheWay { path, .. }) = &mut result
            && let Ok(relative) = path.strip_prefix(&self.root)
        {
            *path = self.site.join(relative);
        }
        result
    }
}

impl NewTree for Stage {
    fn root(&self) -> &Path {
        &self.root
    }

    fn open(&self, to: &Path) -> Result<Place, WriteError> {
        self.named(self.open_folders.place(self.place(to)?))
    }

    /// Only the owner can enter the directory until it is finished.
    fn make_directory(&self, _: &Path, to: &Path) -> Result<bool, WriteError> {
        if to.as_os_str().is_empty() {
            // The stage is its own root, which `exchange` finishes.
            return Ok(false);
        }
        let path = self.place(to)?;
        let made = DirBuilder::new().mode(0o700).create(&path);
        self.named(made.map_err(WriteError::at(&path)))?;
        Ok(true)
    }

    /// Keeps the owner, the group and the whole mode of `like`, too.
    fn write_stream(
        &self,
        to: &Path,
        like: Original<'_>,
        write: WriteContents<'_>,
    ) -> Result<bool, WriteError> {
        self.named(atomic::write_stream(&self.open(to)?, like, Keep::All, write))
    }

    /// Brings a file, symbolic link, pipe, ... into the new tree as a hard link. Where the system
    /// refuses that (another user's file, too many links), as a copy with the same owner, group, mode
    /// and times.
    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let path = self.place(to)?;
        self.named(match fs::hard_link(from, &path) {
            Ok(()) => Ok(()),
            Err(error) if fs::symlink_metadata(from).is_err() => Err(WriteError::Read(error)),
            // A copy would replace the file that exists.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(WriteError::at(&path)(error))
            }
            Err(_) => copy(from, &self.open(to)?),
        })
    }

    /// Keeps the owner of `from`, too.
    fn make_symlink(&self, from: &Path, to: &Path, target: &Path) -> Result<(), WriteError> {
        if fs::read_link(from).map_err(WriteError::Read)? == target {
            return self.copy_file(from, to);
        }
        self.named(make_symlink(target, &self.open(to)?, from))
    }

    /// Gives the directory the owner and group of `from`, too.
    fn finish_directory(&self, from: &Path, to: &Path) -> Result<(), WriteError> {
        self.named(finish(from, &self.place(to)?))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !self.is_exchanged {
            // An error has no reader here; the next run reports the leftover.
            let _ = remove_tree(&self.root);
        }
    }
}

/// Returns the stages that interrupted runs left beside `root` (a canonical path), sorted. Stages in use do not count.
/// The user may remove leftovers.
pub fn leftovers(root: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else { return Vec::new() };
    let prefix = prefix_of(name);
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let is_stage = |entry: &DirEntry| {
        is_temporary(&entry.file_name(), &prefix)
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && !is_locked(&entry.path())
    };
    let stages = entries.flatten().filter(is_stage);
    let mut found: Vec<PathBuf> = stages.map(|entry| entry.path()).collect();
    found.sort();
    found
}

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
        // Created here rather than by `tempfile`, whose errors name the temporary directory.
        tempfile::Builder::new()
            .prefix(&prefix_of(site))
            .suffix(TEMPORARY_SUFFIX)
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

fn is_locked(directory: &Path) -> bool {
    File::open(directory).is_ok_and(|directory| !try_lock(&directory))
}

/// Returns true if the sticky bit of `parent` keeps the owner of `ours`, the user of this process, from
/// renaming `old`.
fn only_owners_rename(parent: &Metadata, old: &Metadata, ours: &Metadata) -> bool {
    let us = ours.uid();
    parent.mode() & 0o1000 != 0 && us != 0 && us != parent.uid() && us != old.uid()
}

/// When the metadata changed.
fn changed_at(metadata: &Metadata) -> Time {
    (metadata.ctime(), metadata.ctime_nsec())
}

/// Exchanges two directories of `parent`, in one step.
fn exchange_in(parent: &File, one: &Path, other: &Path) -> io::Result<()> {
    let (one, other) = (one.file_name(), other.file_name());
    let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
    Ok(renameat_with(parent, one, parent, other, RenameFlags::EXCHANGE)?)
}

/// Copies a file or symbolic link that cannot be linked.
fn copy(from: &Path, to: &Place) -> Result<(), WriteError> {
    let kind = fs::symlink_metadata(from).map_err(WriteError::Read)?.file_type();
    if kind.is_symlink() {
        make_symlink(&fs::read_link(from).map_err(WriteError::Read)?, to, from)
    } else if kind.is_file() {
        atomic::copy_file(from, to, Keep::All)
    } else {
        Err(WriteError::Read(io::Error::new(
            io::ErrorKind::Unsupported,
            "a device, pipe or socket, which rehref cannot copy",
        )))
    }
}

/// As [`atomic::make_symlink`], with the owner and group of `from`.
fn make_symlink(target: &Path, to: &Place, from: &Path) -> Result<(), WriteError> {
    let old = fs::symlink_metadata(from).map_err(WriteError::Read)?;
    atomic::make_symlink(target, to, from)?;
    keep_owner(&old, &to.path).map_err(WriteError::Owner)
}

fn keep_owner(old: &Metadata, to: &Path) -> io::Result<()> {
    match atomic::differing_owner(old, &fs::symlink_metadata(to)?) {
        (None, None) => Ok(()),
        (owner, group) => lchown(to, owner, group),
    }
}

/// As [`atomic::finish_directory`], with the owner, the group and the whole mode of `from`.
fn finish(from: &Path, to: &Path) -> Result<(), WriteError> {
    let old = fs::metadata(from).map_err(WriteError::Read)?;
    let directory = File::open(to).map_err(WriteError::at(to))?;
    atomic::finish_directory(from, to)?;
    let like = Original { path: from, metadata: &old };
    Keep::All.apply(like, &directory, to)
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}
