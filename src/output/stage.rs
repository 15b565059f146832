//! A new tree that is built beside an old one and takes its place in one step.
//!
//! A process that is killed at any moment, or a machine that loses power, leaves at the tree's path
//! the old tree or the new one, whole. What it may also leave is the stage beside it, which
//! [`leftovers`] finds.
//!
//! - Unchanged files are in both trees at once, as hard links. Nothing in this crate writes into a
//!   file that is there (it writes a new one and renames), so neither tree changes the other.
//! - The new tree's root is another directory than the old one's. A process whose current directory
//!   is in the old tree, the user's shell for one, stays in the old tree and must enter the path
//!   again; [`StageWarning::CurrentDirectory`] says so.
//! - What others write into the old tree while the new one is built is lost.

use std::io;
use std::path::PathBuf;

use super::WriteError;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod mounts;
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod removal;
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod supported;
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[path = "stage/unsupported.rs"]
mod supported;
#[cfg(all(
    test,
    any(target_os = "linux", target_os = "android", target_vendor = "apple")
))]
mod tests;

pub use supported::{Stage, leftovers};

/// Why a tree cannot be replaced in one step. In every case it is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// It is the root of the file system.
    #[error(
        "there is no place beside {} to build the new tree; use --out instead of --in-place",
        .0.display()
    )]
    NoParent(PathBuf),
    /// Another file system begins at the tree's root.
    #[error(
        "{} is a mount point or a volume of its own, which cannot be exchanged with a new tree; \
         use --out instead of --in-place",
        .0.display()
    )]
    MountPoint(PathBuf),
    /// Another file system begins within the tree.
    #[error(
        "{} is a mount point, which would stay behind in the old tree; unmount it, or use --out \
         instead of --in-place",
        .0.display()
    )]
    MountWithin(PathBuf),
    /// Nothing can be made beside the tree.
    #[error(
        "cannot build the new tree beside the old one, in {}: {source}; allow writing there, or \
         use --out instead of --in-place",
        .parent.display()
    )]
    Parent {
        /// The directory that holds the tree.
        parent: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The directory that holds the tree lets only owners rename, and the tree is someone else's.
    #[error(
        "{} belongs to another user, and {} is a directory where only owners can rename (sticky \
         bit); run this as the owner, or use --out instead of --in-place",
        .root.display(),
        .parent.display()
    )]
    NotOurs {
        /// The tree.
        root: PathBuf,
        /// The directory that holds it.
        parent: PathBuf,
    },
    /// The new tree could not belong to whom the old one belongs.
    #[error(
        "the owner and group of {} cannot be kept ({source}); run this as the owner, or use --out \
         instead of --in-place",
        .root.display()
    )]
    Owner {
        /// The tree.
        root: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system or the file system has no such operation.
    #[error(
        "two directories in {} cannot be exchanged in one step ({source}), so that an interrupted \
         run could leave half a tree; use --out instead of --in-place",
        .parent.display()
    )]
    CannotExchange {
        /// The directory that holds the tree.
        parent: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process is replacing the tree.
    #[error("another run of rehref is working on {}; start this one when that has ended", .0.display())]
    Busy(PathBuf),
    /// The tree is not the one it was when the stage was made.
    #[error(
        "{} was replaced by another program during the run, so it was left alone; run this again",
        .0.display()
    )]
    Replaced(PathBuf),
    /// The root of the new tree cannot be made like the old one's.
    #[error("the new tree cannot be finished, {} is as it was: {source}", .root.display())]
    Finish {
        /// The tree.
        root: PathBuf,
        /// Why.
        source: WriteError,
    },
    /// The new tree cannot be brought to the disk.
    #[error("the new tree cannot be stored safely, {} is as it was: {source}", .root.display())]
    Sync {
        /// The tree.
        root: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The last step failed.
    #[error(
        "the new tree could not take the place of {}, which is as it was: {source}; use --out \
         instead of --in-place",
        .root.display()
    )]
    Exchange {
        /// The tree.
        root: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something that was needed cannot be read.
    #[error("{}: {source}", .path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The new tree is in its place.
#[derive(Debug)]
#[must_use]
pub struct Exchanged {
    /// What the user should know all the same.
    pub warnings: Vec<StageWarning>,
}

/// What is not as it should be although the new tree is in its place.
#[derive(Debug, thiserror::Error)]
pub enum StageWarning {
    /// The old tree, or a part of it, is still there.
    #[error("the old tree could not be removed: {source}; what is left of it is {}", .path.display())]
    OldTree {
        /// Where it is now.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// This process was started within the tree.
    #[error("the current directory was in the old tree, which is gone; enter {} again", .0.display())]
    CurrentDirectory(PathBuf),
}
