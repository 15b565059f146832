//! The directories of the output tree: made before what is in them, finished after.

use std::path::{Path, PathBuf};

use super::plan::{Plan, RunError};
use super::report::{Failure, Report};
use super::tree::display;
use crate::output::{self, Destination};
use crate::site::{Entry, EntryKind};

/// What became of the directories of a tree in OUT.
pub(super) struct Directories {
    /// New ones, the root first if it is; those that were there already keep mode and times.
    pub(super) made: Vec<PathBuf>,
    /// Those in whose place something else stands: nothing is written below them, since a symbolic
    /// link there could lead anywhere.
    pub(super) blocked: Vec<PathBuf>,
}

pub(super) fn make_directories(
    destination: &Destination,
    entries: &[Entry],
    report: &mut Report,
) -> Result<Directories, RunError> {
    let root_is_new = destination
        .make_directory(Path::new(""))
        .map_err(RunError::Destination)?;
    let mut made = Vec::new();
    if root_is_new {
        made.push(PathBuf::new());
    }
    let mut blocked: Vec<PathBuf> = Vec::new();
    for entry in directories(entries) {
        if blocked.iter().any(|path| entry.path.starts_with(path)) {
            continue;
        }
        match destination.make_directory(&entry.path) {
            Ok(is_new) => {
                report.copied.directories += 1;
                if is_new {
                    made.push(entry.path.clone());
                }
            }
            Err(error) => {
                report.errors.push(Failure {
                    path: display(&entry.path),
                    message: format!("{error}; nothing below it was written"),
                });
                blocked.push(entry.path.clone());
            }
        }
    }
    Ok(Directories { made, blocked })
}

/// Permissions and times of the new directories, deepest first, since writing into one changes it.
pub(super) fn finish_directories(
    plan: &Plan,
    destination: &Destination,
    made: &[PathBuf],
    report: &mut Report,
) {
    for path in made.iter().rev() {
        // Joining an empty path would add a slash.
        let below = |root: &Path| match path.as_os_str().is_empty() {
            true => root.to_owned(),
            false => root.join(path),
        };
        let (from, to) = (below(&plan.root), below(destination.root()));
        if let Err(error) = output::finish_directory(&from, &to) {
            report.errors.push(Failure {
                path: display(path),
                message: error.to_string(),
            });
        }
    }
}

fn directories(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Directory)
}
