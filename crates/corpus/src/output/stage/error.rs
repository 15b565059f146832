//! Errors and warnings of replacing a tree in one step.

use std::io;
use std::path::PathBuf;

use crate::output::error::WriteError;

/// Why a tree cannot be replaced in one step. The tree is unchanged after each of these errors.
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_vendor = "apple")),
    expect(dead_code, reason = "no tree can be exchanged on this system")
)]
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The tree is the root of the file system.
    #[error(
        "{} has no parent directory to build the new tree in; use --out instead of --in-place",
        .0.display()
    )]
    NoParent(PathBuf),
    /// The root of the tree is a mount point.
    #[error(
        "{} is a mount point or a volume of its own, which cannot be exchanged with a new tree; \
         use --out instead of --in-place",
        .0.display()
    )]
    MountPoint(PathBuf),
    /// Another file system is mounted within the tree.
    #[error(
        "{} is a mount point, which would stay in the old tree; unmount it, or use --out \
         instead of --in-place",
        .0.display()
    )]
    MountWithin(PathBuf),
    /// Nothing can be created beside the tree.
    #[error(
        "cannot build the new tree beside the old one, in {}: {}; allow writing there, or \
         use --out instead of --in-place",
        .0.display(), .1
    )]
    Parent(PathBuf, #[source] io::Error),
    /// The directory that holds the tree lets only owners rename, and the tree is someone else's.
    #[error(
        "{} belongs to another user, and {} is a directory where only owners can rename (sticky \
         bit); run the command as the owner, or use --out instead of --in-place",
        .0.display(),
        .1.display()
    )]
    NotOurs(PathBuf, PathBuf),
    /// The new tree cannot have the owner of the old one.
    #[error(
        "cannot keep the owner and group of {} ({}); run the command as the owner, or use --out instead of \
         --in-place",
        .0.display(), .1
    )]
    Owner(PathBuf, #[source] io::Error),
    /// The system or the file system cannot exchange two directories.
    #[error(
        "two directories in {} cannot be exchanged in one step ({}), so an interrupted run could leave half a \
         tree; use --out instead of --in-place",
        .0.display(), .1
    )]
    CannotExchange(PathBuf, #[source] io::Error),
    /// Another process is replacing the tree.
    #[error("another run of rehref is changing {}; wait for the end of that run", .0.display())]
    Busy(PathBuf),
    /// Another directory has the path of the tree since the stage was created.
    #[error(
        "another program replaced {} during the run, so rehref did not change SITE; run the command again",
        .0.display()
    )]
    Replaced(PathBuf),
    /// A file or directory of the tree changed since the stage was created.
    #[error(
        "another program changed {} during the run, so nothing was moved; run the command again",
        .0.display()
    )]
    Changed(PathBuf),
    /// The root of the new tree cannot get the permissions and times of the old one.
    #[error(
        "cannot give the new tree the permissions and times of {}, which is unchanged: {}",
        .0.display(), .1
    )]
    Finish(PathBuf, #[source] WriteError),
    /// The new tree cannot be written to the disk.
    #[error("cannot write the new tree to the disk; {} is unchanged: {}", .0.display(), .1)]
    Sync(PathBuf, #[source] io::Error),
    /// The exchange failed.
    #[error(
        "{} cannot be exchanged with the new tree and is unchanged: {}; use --out instead of \
         --in-place",
        .0.display(), .1
    )]
    Exchange(PathBuf, #[source] io::Error),
    /// The tree cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
}

/// A warning after an exchange that succeeded.
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_vendor = "apple")),
    expect(dead_code, reason = "no tree can be exchanged on this system")
)]
#[derive(Debug, thiserror::Error)]
pub enum StageWarning {
    /// The old tree was not removed, or not all of it.
    #[error("cannot remove the old tree: {}; delete {}", .1, .0.display())]
    OldTree(PathBuf, #[source] io::Error),
    /// The current directory of this process is in the old tree.
    #[error("the working directory was in the old tree, which no longer exists; change to {} again", .0.display())]
    CurrentDirectory(PathBuf),
}
