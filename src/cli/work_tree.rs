//! Uncommitted changes: what `--in-place` would mix with its own, so that git could not undo only these.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::exit::{CliError, usage_error};
use super::terminal;
use rehref_corpus::files::work_tree_of;
use rehref_site::canonical;
use rehref_site::plural::counted;

/// Refuses to change SITE, at `root`, in place if it is in a git work tree and has uncommitted changes. `file`: the
/// file in it that is the only one to be changed.
///
/// Asks the `git` program, since only git knows what its filters and ignore files make of a file; without
/// one, nobody undoes anything with git, and nothing is refused. The configuration of a repository can name
/// programs that git runs. So git runs only in the repository of the working directory, in which its
/// user runs git anyway, and never in one that came with a downloaded SITE; there, nothing is proven, and
/// the run is refused.
pub(super) fn refuse_uncommitted(root: &Path, file: Option<&Path>) -> Result<(), CliError> {
    let Some(work_tree) = work_tree_of(root) else {
        return Ok(());
    };
    let here = std::env::current_dir().and_then(|here| canonical(&here));
    if here.ok().and_then(|here| work_tree_of(&here)) != Some(work_tree.clone()) {
        return match git(&work_tree, &["--version"]) {
            Answer::NoGit => Ok(()),
            Answer::Text(_) | Answer::Failed(_) => usage_error(format!(
                "--in-place: SITE is in the git work tree {}, which may have uncommitted changes; run the \
                 command in that directory, or add --allow-dirty",
                work_tree.display()
            )),
        };
    }
    // A name may have the characters of a pattern.
    let status = [
        "--literal-pathspecs",
        "status",
        "--porcelain",
        "--ignore-submodules=all",
        "--",
    ];
    let status = status.iter().map(OsStr::new);
    let of = file.map_or(OsStr::new("."), Path::as_os_str);
    let status: Vec<&OsStr> = status.chain([of]).collect();
    match git(root, &status) {
        Answer::NoGit => Ok(()),
        Answer::Text(changes) if changes.is_empty() => Ok(()),
        Answer::Text(changes) => {
            let count = counted(changes.lines().count(), "uncommitted change");
            let first = changes.lines().next().unwrap_or_default().trim();
            usage_error(format!(
                "--in-place: SITE has {count} ({first}), which git cannot tell apart from the changes of this \
                 run; commit or stash first, or add --allow-dirty"
            ))
        }
        Answer::Failed(error) => {
            terminal::warning(format!(
                "git does not say whether SITE has uncommitted changes: {error}"
            ));
            Ok(())
        }
    }
}

/// Adds the changes of a move in SITE, at `root`, to the index of its git work tree, as `git mv` does: `moved` are the
/// old and new paths of files below `root`.
///
/// # Errors
/// When SITE is in no git work tree, or git fails. The move itself is done.
pub(super) fn stage<'p>(
    root: &Path,
    moved: impl Iterator<Item = (&'p Path, &'p Path)>,
) -> Result<(), CliError> {
    let mut paths = Vec::new();
    for path in moved.flat_map(|(old, new)| [old, new]) {
        paths.extend_from_slice(path.as_os_str().as_encoded_bytes());
        paths.push(0);
    }
    let add = |arguments: &[&str], stdin: &[u8]| {
        let mut git = Command::new("git");
        git.args(["-c", "core.fsmonitor=false", "--literal-pathspecs", "-C"])
            .arg(root)
            .arg("add")
            .args(arguments);
        run_with(git, stdin)
    };
    let from_stdin = ["--all", "--pathspec-from-file=-", "--pathspec-file-nul"];
    let added = add(&from_stdin, &paths);
    // The documents whose links changed.
    let updated = added.and_then(|()| add(&["--update", "--", "."], &[]));
    updated.or_else(|error| {
        usage_error(format!(
            "SITE is moved, but git did not take the moves: {error}; add them with git add"
        ))
    })
}

/// Refuses `--git` where the moves cannot be added to the index of a repository.
pub(super) fn refuse_without_repository(root: &Path) -> Result<(), CliError> {
    match work_tree_of(root) {
        Some(_) => Ok(()),
        None => usage_error("--git: SITE is in no git work tree; omit --git"),
    }
}

/// Runs `git` with this input.
fn run_with(mut git: Command, stdin: &[u8]) -> Result<(), String> {
    let piped = git
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // If git stops reading, its own message says why.
        let _ = input.write_all(stdin);
    }
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(error.lines().next().unwrap_or_default().to_owned())
}

enum Answer {
    /// There is no git program.
    NoGit,
    /// The output of git.
    Text(String),
    /// Why it failed.
    Failed(String),
}

/// Runs git in `folder`. It takes no lock, starts no daemon and asks nobody.
fn git(folder: &Path, arguments: &[impl AsRef<OsStr>]) -> Answer {
    let output = Command::new("git")
        .args(["--no-optional-locks", "-c", "core.fsmonitor=false", "-C"])
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output();
    match output {
        Err(_) => Answer::NoGit,
        Ok(output) if output.status.success() => {
            Answer::Text(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => {
            let error = String::from_utf8_lossy(&output.stderr);
            Answer::Failed(error.lines().next().unwrap_or_default().to_owned())
        }
    }
}
