//! The directories of the output tree: created before the files in them, finished after them.

use std::path::{Path, PathBuf};

use super::plan::{Plan, RunError};
use super::report::Report;
use crate::output::NewTree;
use rehref_site::{Directory, EntryKind};

/// The directories of the output tree.
#[derive(Default)]
pub(super) struct Directories {
    /// The new directories, parents first. Directories that existed before keep mode and times.
    pub(super) made: Vec<Directory>,
    /// Paths at which something else exists. Nothing is written below them, since a symbolic link
    /// there could have any target.
    blocked: Vec<PathBuf>,
}

impl Directories {
    /// Returns true if nothing may be written at `path`.
    pub(super) fn blocks(&self, path: &Path) -> bool {
        self.blocked.iter().any(|blocked| path.starts_with(blocked))
    }
}

/// Creates the directories of the output tree, and reports those that cannot be created.
pub(super) fn make_directories(
    plan: &Plan,
    tree: &dyn NewTree,
    report: &mut Report,
) -> Result<Directories, RunError> {
    let mut result = Directories::default();
    let root = Directory::unmoved(Path::new(""));
    let root_is_new = tree.make_directory(&original(plan, &root), &root.path);
    if root_is_new.map_err(RunError::destination)? {
        result.made.push(root);
    }
    for directory in directories(plan) {
        if result.blocks(&directory.path) {
            continue;
        }
        match tree.make_directory(&original(plan, &directory), &directory.path) {
            Ok(is_new) => {
                report.copied.directories += 1;
                if is_new {
                    result.made.push(directory);
                }
            }
            Err(error) => {
                let message = format!("{error}; no file in this directory was written");
                report.fail(&directory.path, message);
                result.blocked.push(directory.path);
            }
        }
    }
    Ok(result)
}

/// Gives the new directories the permissions and times of the old ones, deepest first, since writing
/// into a directory changes its times. A directory without an old one is like the root.
pub(super) fn finish_directories(
    plan: &Plan,
    tree: &dyn NewTree,
    made: &[Directory],
    report: &mut Report,
) {
    for directory in made.iter().rev() {
        let from = original(plan, directory);
        if let Err(error) = tree.finish_directory(&from, &directory.path) {
            report.fail(&directory.path, error);
        }
    }
}

/// The path of the directory of the site that `directory` is like.
fn original(plan: &Plan, directory: &Directory) -> PathBuf {
    let old = directory.old.as_deref().unwrap_or(Path::new(""));
    plan.corpus.root.join(old)
}

/// The directories of the result, parents first.
fn directories(plan: &Plan) -> Vec<Directory> {
    let entries = &plan.corpus.walk.entries;
    if !plan.moves.is_empty() {
        return plan.moves.directories(entries);
    }
    entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Directory)
        .map(|entry| Directory::unmoved(&entry.path))
        .collect()
}
