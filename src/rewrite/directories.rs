//! The directories of the output tree: created before the files in them, finished after them.

use std::path::{Path, PathBuf};

use super::plan::{Plan, RunError};
use super::report::Report;
use crate::diagnostic::{Diagnostic, display_path};
use crate::moves::Directory;
use crate::output::NewTree;
use crate::site::EntryKind;

/// The directories of the output tree.
pub(super) struct Directories {
    /// The new directories, parents first. Directories that existed before keep mode and times.
    pub(super) made: Vec<Directory>,
    /// Paths at which something else exists. Nothing is written below them, since a symbolic link
    /// there could have any target.
    pub(super) blocked: Vec<PathBuf>,
}

pub(super) fn make_directories(
    plan: &Plan,
    tree: &dyn NewTree,
    report: &mut Report,
) -> Result<Directories, RunError> {
    let root_is_new = tree
        .make_directory(Path::new(""))
        .map_err(RunError::Destination)?;
    let mut made = Vec::new();
    if root_is_new {
        made.push(Directory {
            path: PathBuf::new(),
            old: Some(PathBuf::new()),
        });
    }
    let mut blocked: Vec<PathBuf> = Vec::new();
    for directory in directories(plan) {
        if blocked.iter().any(|path| directory.path.starts_with(path)) {
            continue;
        }
        match tree.make_directory(&directory.path) {
            Ok(is_new) => {
                report.copied.directories += 1;
                if is_new {
                    made.push(directory);
                }
            }
            Err(error) => {
                let message = format!("{error}; nothing below it was written");
                let path = display_path(&directory.path);
                report.errors.push(Diagnostic::file_error(path, message));
                blocked.push(directory.path);
            }
        }
    }
    Ok(Directories { made, blocked })
}

/// Permissions and times of the new directories, deepest first, since writing into one changes it.
/// One that is new in the site is like the root.
pub(super) fn finish_directories(
    plan: &Plan,
    tree: &dyn NewTree,
    made: &[Directory],
    report: &mut Report,
) {
    for directory in made.iter().rev() {
        let old = directory.old.as_deref().unwrap_or(Path::new(""));
        // Joining an empty path would add a slash.
        let from = match old.as_os_str().is_empty() {
            true => plan.corpus.root.clone(),
            false => plan.corpus.root.join(old),
        };
        if let Err(error) = tree.finish_directory(&from, &directory.path) {
            let path = display_path(&directory.path);
            let error = Diagnostic::file_error(path, error.to_string());
            report.errors.push(error);
        }
    }
}

/// The directories of the result, parents first.
fn directories(plan: &Plan) -> Vec<Directory> {
    let entries = &plan.corpus.walk.entries;
    if !plan.moves.is_empty() {
        return plan.moves.directories(entries);
    }
    let directories = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Directory);
    directories
        .map(|entry| Directory {
            path: entry.path.clone(),
            old: Some(entry.path.clone()),
        })
        .collect()
}
