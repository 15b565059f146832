//! Why requests cannot be carried out.

use std::fmt;
use std::path::{Path, PathBuf};

use super::name::shown;
use super::request::RequestOrigin;

/// Why a request cannot be carried out. All paths are below the root; an empty one is the root.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Nothing of that name is there.
    #[error("{origin}: {} is not there{}", shown(source_path), nearest_shown(nearest.as_deref()))]
    SourceMissing {
        /// The request.
        origin: RequestOrigin,
        /// What it wants to move.
        source_path: PathBuf,
        /// The nearest name that is there.
        nearest: Option<PathBuf>,
    },
    /// A pattern matches no file.
    #[error(
        "{origin}: matches no file; a pattern has to match the whole path below the root, like \
         `blog/a\\.html`"
    )]
    NoMatch {
        /// The request.
        origin: RequestOrigin,
    },
    /// Another request moves the same thing to somewhere else.
    #[error(
        "{origin}: {} cannot become both {} and {} ({first_origin})",
        shown(source_path),
        shown(target),
        shown(first_target)
    )]
    Contradiction {
        /// The request.
        origin: RequestOrigin,
        /// What both want to move.
        source_path: PathBuf,
        /// Where this one wants it.
        target: PathBuf,
        /// Where the first one wants it.
        first_target: PathBuf,
        /// The first one.
        first_origin: RequestOrigin,
    },
    /// A path leads out of the tree.
    #[error("{origin}: `{path}` is a path out of the tree")]
    OutOfTree {
        /// The request.
        origin: RequestOrigin,
        /// The path as it was written, or as a pattern makes it.
        path: String,
    },
    /// A path that no file can have on this system.
    #[error("{origin}: `{path}` holds a name that no file can have on this system")]
    BadName {
        /// The request.
        origin: RequestOrigin,
        /// The path as it was written, or as a pattern makes it.
        path: String,
    },
    /// A folder would move into itself.
    #[error(
        "{origin}: the folder {} cannot move into itself, to {}; move what is in it, with --regex",
        shown(source_path),
        shown(target)
    )]
    FolderIntoItself {
        /// The request.
        origin: RequestOrigin,
        /// The folder.
        source_path: PathBuf,
        /// Where it is to move.
        target: PathBuf,
    },
    /// Two things would move to one place.
    #[error(
        "{origin}: {} would move to {}, and so would {} ({first_origin})",
        shown(source_path),
        shown(target),
        shown(first_source)
    )]
    TwoSources {
        /// The request.
        origin: RequestOrigin,
        /// What it moves.
        source_path: PathBuf,
        /// The other thing that moves there.
        first_source: PathBuf,
        /// The request that moves the other thing.
        first_origin: RequestOrigin,
        /// The place.
        target: PathBuf,
    },
    /// Something is at the place already and stays there.
    #[error(
        "{origin}: {} cannot move to {}: target exists, a {obstacle}",
        shown(source_path),
        shown(target)
    )]
    TargetExists {
        /// The request.
        origin: RequestOrigin,
        /// What it moves.
        source_path: PathBuf,
        /// Where it is to move.
        target: PathBuf,
        /// What is there.
        obstacle: ExistingTarget,
    },
    /// The place is below one where a file is, or will be.
    #[error(
        "{origin}: {} cannot move to {}: {} would have to be a folder, and is a file{}",
        shown(source_path), shown(target), shown(file), arrival_shown(arrival.as_ref())
    )]
    FileInTheWay {
        /// The request.
        origin: RequestOrigin,
        /// What it moves.
        source_path: PathBuf,
        /// Where it is to move.
        target: PathBuf,
        /// The file's path.
        file: PathBuf,
        /// Where the file comes from and what moves it, where it is not there already.
        arrival: Option<(PathBuf, RequestOrigin)>,
    },
    /// The result would have two paths that differ in letter case only, on a file system that
    /// ignores it.
    #[error(
        "{origin}: {} and {} differ in letter case only, which this file system ignores",
        shown(target),
        shown(other)
    )]
    CaseClash {
        /// The request.
        origin: RequestOrigin,
        /// What the request makes.
        target: PathBuf,
        /// The other path.
        other: PathBuf,
    },
}

/// What is at a target and stays there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingTarget {
    /// A file, a symbolic link.
    File,
    /// A folder, where a folder is to move.
    Folder,
    /// A folder, where a file is to move, which could go into it.
    FolderToEnter,
}

impl fmt::Display for ExistingTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExistingTarget::File => "file that does not move itself",
            ExistingTarget::Folder => "folder that does not move itself",
            ExistingTarget::FolderToEnter => {
                "folder that does not move itself; to move into it, write a slash behind it"
            }
        })
    }
}

impl MoveError {
    /// The request that is refused.
    pub fn origin(&self) -> &RequestOrigin {
        match self {
            MoveError::SourceMissing { origin, .. }
            | MoveError::NoMatch { origin }
            | MoveError::Contradiction { origin, .. }
            | MoveError::OutOfTree { origin, .. }
            | MoveError::BadName { origin, .. }
            | MoveError::FolderIntoItself { origin, .. }
            | MoveError::TwoSources { origin, .. }
            | MoveError::TargetExists { origin, .. }
            | MoveError::FileInTheWay { origin, .. }
            | MoveError::CaseClash { origin, .. } => origin,
        }
    }
}

fn nearest_shown(nearest: Option<&Path>) -> String {
    match nearest {
        Some(nearest) => format!("; the nearest name is {}", shown(nearest)),
        None => String::new(),
    }
}

fn arrival_shown(arrival: Option<&(PathBuf, RequestOrigin)>) -> String {
    match arrival {
        Some((source, origin)) => format!(" that comes from {} ({origin})", shown(source)),
        None => String::new(),
    }
}
