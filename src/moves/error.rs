//! Errors of moves that are impossible.

use std::path::{Path, PathBuf};

use super::name::{PathError, shown};
use super::request::RequestOrigin;
use rehref_site::joined;

/// A request that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {kind}")]
pub struct MoveError {
    /// Where the user wrote the request.
    pub origin: RequestOrigin,
    /// Why it cannot be carried out.
    pub kind: MoveErrorKind,
}

/// Why a request cannot be carried out. All paths are below the root; an empty path is the root.
///
/// `source_path` is the old path of what the request moves, `target` its new path; `first_` marks
/// the earlier request that this one conflicts with.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveErrorKind {
    /// The source does not exist.
    #[error("{} does not exist in SITE{}", shown(source_path), missing_hint(source_path, nearest.as_deref(), existing_target.as_deref()))]
    SourceMissing {
        source_path: PathBuf,
        /// The most similar path of the tree, if one is similar.
        nearest: Option<PathBuf>,
        /// The new path, if it exists.
        existing_target: Option<PathBuf>,
    },
    /// The file that is to have an anchor does not exist.
    #[error(
        "{} does not exist in SITE{}",
        shown(target),
        missing_hint(target, nearest.as_deref(), None)
    )]
    AnchorTargetMissing {
        target: PathBuf,
        /// The most similar path of the tree, if one is similar.
        nearest: Option<PathBuf>,
    },
    /// Git ignores the source, or a directory above it, so that it is not part of the site.
    #[error(
        "{} cannot move: git ignores {}; omit --gitignore, or move it with another program",
        shown(source_path),
        shown(ignored)
    )]
    SourceIgnored { source_path: PathBuf, ignored: PathBuf },
    /// The pattern matches no file.
    #[error(
        "no file matches the pattern; a pattern matches whole paths below the root, like `blog/a\\.html`"
    )]
    NoMatch,
    /// Requests by path move, or pin, all files that the pattern matches.
    #[error(
        "every file that matches the pattern moves with a file or directory given as OLD=NEW, which takes precedence; \
         move the directory in a second run"
    )]
    Overridden,
    /// An earlier request moves the same source to another target.
    #[error(
        "{} cannot move to both {} and {} ({first_origin})",
        shown(source_path),
        shown(target),
        shown(first_target)
    )]
    Contradiction {
        source_path: PathBuf,
        target: PathBuf,
        first_target: PathBuf,
        first_origin: RequestOrigin,
    },
    /// A path of the request is not a path in the tree.
    #[error("`{path}` {error}")]
    BadPath {
        /// The path as the user wrote it, or as a pattern makes it.
        path: String,
        error: PathError,
    },
    /// A folder would move into itself.
    #[error(
        "{} cannot move into itself, to {}; move its files with --regex",
        shown(source_path),
        shown(target)
    )]
    FolderIntoItself { source_path: PathBuf, target: PathBuf },
    /// An earlier request moves another source to the same target.
    #[error(
        "{} cannot move to {}: {} moves to the same path ({first_origin}); choose another name for one of them",
        shown(source_path),
        shown(target),
        shown(first_source)
    )]
    TwoSources {
        source_path: PathBuf,
        first_source: PathBuf,
        first_origin: RequestOrigin,
        target: PathBuf,
    },
    /// The target exists and does not move.
    #[error(
        "{} cannot move to {}: a {}",
        shown(source_path), shown(target), existing.with_advice(source_path, target, common.as_deref())
    )]
    TargetExists {
        source_path: PathBuf,
        target: PathBuf,
        existing: ExistingTarget,
        /// If a folder is there: a path below it that the source would take, too, if both became one.
        common: Option<PathBuf>,
    },
    /// Git ignores what exists at the target, or a directory above the target.
    #[error(
        "{} cannot move to {}: {} exists, and git ignores it; choose another name",
        shown(source_path),
        shown(target),
        shown(ignored)
    )]
    TargetIgnored { source_path: PathBuf, target: PathBuf, ignored: PathBuf },
    /// A folder above the target is, or becomes, a file.
    #[error(
        "{} cannot move to {}: {} is not a directory, but a file{}",
        shown(source_path), shown(target), shown(file), moved_from_hint(moved_from.as_ref())
    )]
    ParentIsFile {
        source_path: PathBuf,
        target: PathBuf,
        file: PathBuf,
        /// The old path of the file and the request that moves it, if it moves.
        moved_from: Option<(PathBuf, RequestOrigin)>,
    },
    /// The result would have two paths that differ only in letter case, on a file system that
    /// ignores letter case.
    #[error(
        "{} and {} differ only in letter case, which this file system ignores; choose another name",
        shown(target),
        shown(other)
    )]
    CaseConflict { target: PathBuf, other: PathBuf },
}

/// The kind of a target that exists and does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingTarget {
    /// A file or a symbolic link.
    File,
    /// A folder, and the source is a folder.
    Folder,
    /// A folder, and the source is a file, which could move into it.
    FolderForFile,
}

impl ExistingTarget {
    /// The paths that exist, and the paths to write instead. `from` and `to` are the paths of the request, `common` is a
    /// path that is in the way of one that would be moved there.
    fn with_advice(self, from: &Path, to: &Path, common: Option<&Path>) -> String {
        let inside = joined(to, from.file_name().unwrap_or_default());
        let is_elsewhere = inside != from;
        let is_outside = !to.as_os_str().is_empty() && is_elsewhere;
        let (from, to, inside) = (from.display(), to.to_string_lossy(), inside.display());
        match (self, common) {
            (ExistingTarget::FolderForFile, Some(common)) if is_elsewhere => {
                return format!(
                    "directory exists there, and {} in it, too; choose another name",
                    common.display()
                );
            }
            (ExistingTarget::Folder, Some(common)) if is_outside => {
                return format!(
                    "directory exists there and does not move; to move into it, write {from}={inside}; to merge the \
                     two is impossible, because {} exists",
                    common.display()
                );
            }
            _ => {}
        }
        match self {
            ExistingTarget::File => {
                "file exists there and does not move; choose another name".to_owned()
            }
            ExistingTarget::Folder if to.is_empty() => format!(
                "directory exists there and does not move; to move the files of {from} there, use --regex '{from}/(.*)=$1'"
            ),
            ExistingTarget::FolderForFile if to.is_empty() && is_elsewhere => {
                format!("directory exists there and does not move; write {from}={inside}")
            }
            ExistingTarget::Folder if is_outside => format!(
                "directory exists there and does not move; to move into it, write {from}={inside}; to merge the \
                 two, use --regex '{from}/(.*)={to}/$1'"
            ),
            ExistingTarget::FolderForFile if is_outside => {
                format!(
                    "directory exists there and does not move; to move into it, write {from}={to}/"
                )
            }
            ExistingTarget::Folder | ExistingTarget::FolderForFile => {
                "directory exists there and does not move; choose another name".to_owned()
            }
        }
    }
}

fn missing_hint(missing: &Path, nearest: Option<&Path>, target: Option<&Path>) -> String {
    let text = missing.to_string_lossy();
    let is_host =
        text.contains(':') || [".com", ".org", ".net"].iter().any(|end| text.ends_with(end));
    let target = target.filter(|target| nearest.is_none_or(|nearest| nearest == *target));
    match nearest {
        _ if text.contains(['*', '?', '[', '{']) => {
            "; `*`, `?`, `[` and `{` have no special meaning here: a directory moves with all its files, and \
             --regex moves files by pattern"
                .to_owned()
        }
        _ if is_host => "; moves are by path; for another URL of the site, give --url OLD --new-url NEW".to_owned(),
        nearest => match (target, nearest) {
            (Some(target), _) => format!(", but {} does; was it moved before?", shown(target)),
            (None, Some(nearest)) => format!("; the nearest name is {}", shown(nearest)),
            (None, None) => String::new(),
        },
    }
}

fn moved_from_hint(moved_from: Option<&(PathBuf, RequestOrigin)>) -> String {
    match moved_from {
        Some((old, origin)) => format!(" that moves there from {} ({origin})", shown(old)),
        None => String::new(),
    }
}
