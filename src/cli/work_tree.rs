//! Uncommitted changes: what `--in-place` would mix with its own, so that git could not undo only these.

use super::working_directory::working_directory;
use std::ffi::OsStr;
use std::path::Path;

use super::exit::{CliError, usage_error};
use super::git::{Git, GitError};
use super::terminal;
use rehref_corpus::files::work_tree_of;
use rehref_site::plural::counted;

/// Refuses to change SITE, at `root`, in place if it is in a git work tree and has uncommitted changes. `file`: the
/// file in it that is the only one to be changed.
///
/// Asks the `git` program, since only git knows what its filters and ignore files make of a file; without
/// one, nobody undoes anything with git, and nothing is refused. A repository that came with a downloaded SITE cannot make
/// git run another program; see [`Git`].
pub(super) fn refuse_uncommitted(root: &Path, file: Option<&Path>) -> Result<(), CliError> {
    if work_tree_of(root).is_none() {
        return Ok(());
    }
    let of = file.map_or(OsStr::new("."), Path::as_os_str);
    match Git::in_folder(root).and_then(|git| git.changes(of)) {
        Err(GitError::NoGit) => Ok(()),
        Ok(changes) if changes.is_empty() => Ok(()),
        Ok(changes) => {
            let count = counted(changes.lines().count(), "uncommitted change");
            let first = changes.lines().next().unwrap_or_default().trim();
            usage_error(format!(
                "--in-place: the site has {count} ({first}), which git cannot tell apart from the changes of this run\nhelp: commit or stash first, or add --allow-dirty"
            ))
        }
        Err(GitError::Failed(error)) => {
            terminal::warning(format!(
                "git did not report whether the site has uncommitted changes: {error}"
            ));
            Ok(())
        }
    }
}

/// Adds the changes of a move in SITE, at `root`, to the index of its git work tree, as `git mv` does: `moved` are the
/// old and new paths of files below `root`.
///
/// # Errors
/// Returns an error if git fails. The move itself is done.
pub(super) fn stage<'p>(
    root: &Path,
    moved: impl Iterator<Item = (&'p Path, &'p Path)>,
) -> Result<(), CliError> {
    let staged = Git::in_folder(root).and_then(|git| git.stage(moved));
    staged.or_else(|error| {
        usage_error(format!(
            "the site is moved, but git could not stage the moves: {error}\nhelp: add them with git add"
        ))
    })
}

/// Adds the new file at `path` below `root` to the index.
///
/// # Errors
/// Returns an error if git fails. The move itself is done.
pub(super) fn add(root: &Path, path: &Path) -> Result<(), CliError> {
    let added = Git::in_folder(root).and_then(|git| git.add(path));
    added.or_else(|error| {
        usage_error(format!(
            "the site is moved, but git could not stage {}: {error}\nhelp: add it with git add",
            path.display()
        ))
    })
}

/// Refuses `--git` where the moves cannot be added to the index of a repository: where there is none, where it is not
/// that of the working directory, or where its own configuration names programs for the contents of files.
pub(super) fn refuse_staging(root: &Path) -> Result<(), CliError> {
    let Some(work_tree) = work_tree_of(root) else {
        return usage_error("--git: the site is not in a git work tree\nhelp: remove --git");
    };
    if !is_of_working_directory(&work_tree) {
        return usage_error(format!(
            "--git: the site is in the git work tree {}\nhelp: run the command in that directory, or remove --git",
            work_tree.display()
        ));
    }
    let git = Git::in_folder(root)
        .or_else(|error| usage_error(format!("--git: {error}\nhelp: remove --git")))?;
    match git.filters.as_slice() {
        [] => Ok(()),
        [filter, ..] => usage_error(format!(
            "--git: the configuration of the repository names the filter {}, a program that rehref does not run\nhelp: remove --git, and add the moves with git add",
            filter.display()
        )),
    }
}

/// Returns true if the working directory is in `work_tree`.
fn is_of_working_directory(work_tree: &Path) -> bool {
    working_directory().is_ok_and(|here| work_tree_of(&here).as_deref() == Some(work_tree))
}
