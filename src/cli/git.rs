//! Runs the `git` program, so that no repository can make it run another one.
//!
//! The configuration of a repository can name programs: filters, hooks, a monitor of files, helpers that fetch what a
//! partial clone lacks. [`Git`] turns all of them off, and uses no command that looks into a repository within another.
//! What users configured for themselves, outside of the repository, still counts.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use super::likely_site::configured_by;
use super::working_directory::argument;

/// Settings that start no program.
const SETTINGS: &[(&str, &str)] = &[("core.fsmonitor", "false"), ("core.hooksPath", "/dev/null")];

/// The start of a revision of git on the command line.
pub(super) const REVISION: &str = "git:";

/// The reason git has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum GitError {
    /// There is no git program.
    #[error("the program git is not installed, or not in PATH")]
    NoGit,
    /// The message.
    #[error("{0}")]
    Failed(String),
}

/// The old and the new path of a file, as git writes them.
pub(super) type Rename = (Vec<u8>, Vec<u8>);

/// An entry of the index: its mode and object, as git writes them: `100644 e69de29…`.
type IndexEntry = String;

/// Git in the work tree that a folder is in.
pub(super) struct Git<'f> {
    folder: &'f Path,
    /// The names of the filters that the repository itself configures, which are programs. Git does not run them here.
    pub(super) filters: Vec<OsString>,
    /// The file to use for the index of the repository.
    index: Option<&'f Path>,
}

impl<'f> Git<'f> {
    /// Git in `folder`.
    ///
    /// # Errors
    /// Returns an error if there is no git, or it refuses the repository.
    pub(super) fn in_folder(folder: &'f Path) -> Result<Git<'f>, GitError> {
        let git = Git { folder, filters: Vec::new(), index: None };
        let listed = git.run(&["config", "--show-scope", "-z", "--name-only", "--list"], &[])?;
        let mut words = listed.split(|byte| *byte == 0);
        let mut filters = Vec::new();
        while let (Some(scope), Some(key)) = (words.next(), words.next()) {
            let name = key.strip_prefix(b"filter.").and_then(|rest| {
                let end = rest.iter().rposition(|byte| *byte == b'.')?;
                rest.get(..end)
            });
            if let (b"local" | b"worktree", Some(name)) = (scope, name) {
                filters.push(os_string(name));
            }
        }
        filters.sort();
        filters.dedup();
        Ok(Git { filters, ..git })
    }

    /// Returns the changes that are not committed, a line each, in `of`: a path below the folder.
    pub(super) fn changes(&self, of: &OsStr) -> Result<String, GitError> {
        let status =
            ["--literal-pathspecs", "status", "--porcelain", "--ignore-submodules=all", "--"];
        let status: Vec<&OsStr> = status.map(OsStr::new).into_iter().chain([of]).collect();
        let changes = self.run(&status, &[])?;
        Ok(String::from_utf8_lossy(&changes).into_owned())
    }

    /// Writes the files that `revision` has in `folder`, a path in the work tree, in each directory above it, and beside the
    /// configuration of a generator, to the directory `to`. The folder of this is the root of the work tree. Changes neither the work tree nor its index.
    ///
    /// # Errors
    /// Returns an error if git fails, or the revision has no file in `folder`.
    pub(super) fn export(&self, revision: &str, folder: &Path, to: &Path) -> Result<(), GitError> {
        let temporary = tempfile::tempdir().map_err(|it| GitError::Failed(it.to_string()))?;
        let index = temporary.path().join("index");
        let own = Git { index: Some(&index), folder: self.folder, filters: self.filters.clone() };
        let read = own.run(&["read-tree", &format!("{revision}:")], &[]);
        read.map_err(|error| match error {
            GitError::Failed(text) if text.contains("Not a valid object name") => {
                let fetch = match (revision.split_once('/'), revision.split_once(['~', '^'])) {
                    (Some((remote, branch)), None) => {
                        format!("git fetch --depth 1 {remote} {branch}:refs/remotes/{revision}")
                    }
                    (_, Some(_)) => "git fetch --deepen 10".to_owned(),
                    _ => format!("git fetch --depth 1 origin tag {revision}, or for a branch: git fetch --depth 1 origin {revision}:{revision}"),
                };
                GitError::Failed(format!(
                    "no such revision in this repository (`git log` and `git branch` list them)\nhelp: in a shallow clone, fetch it first: {fetch}"
                ))
            }
            error => error,
        })?;
        let (mut wanted, mut has_files) = (Vec::new(), false);
        let listed = own.run(&["ls-files", "-z"], &[])?;
        let name_of =
            |path: &[u8]| PathBuf::from(os_string(path.strip_suffix(b"\0").unwrap_or(path)));
        let paths = || listed.split_inclusive(|byte| *byte == 0);
        let names = paths().map(name_of).filter(|it| configured_by(it).is_some());
        let projects: Vec<PathBuf> = names.filter_map(|it| Some(it.parent()?.to_owned())).collect();
        for path in paths() {
            let name = name_of(path);
            let is_in_folder = name.starts_with(folder);
            has_files |= is_in_folder;
            // The project that publishes the folder may be beside it.
            let is_of_project =
                |it: &Path| folder.starts_with(it) || projects.iter().any(|at| at == it);
            if is_in_folder || name.parent().is_some_and(is_of_project) {
                wanted.extend_from_slice(path);
            }
        }
        if !has_files && self.ignores(folder) {
            let here = argument(&self.folder.join(folder));
            return Err(GitError::Failed(format!(
                "git ignores {}, so no revision has it\nhelp: build the old state in another work tree, and pass its directory: git worktree add --detach /tmp/old {revision}\nhelp: for the next time, keep a list of what is published: rehref compare {here} {here} --record FILE",
                folder.display()
            )));
        }
        if !has_files {
            return Err(GitError::Failed(format!(
                "no file in {}\nhelp: for another directory of the revision, write git:{revision}:DIRECTORY",
                folder.display()
            )));
        }
        let mut prefix = OsString::from("--prefix=");
        prefix.push(to.join(""));
        let checkout = ["checkout-index", "-z", "--stdin"].map(OsStr::new);
        own.run(&[&checkout[..], &[&prefix]].concat(), &wanted)?;
        Ok(())
    }

    /// Returns true if git ignores `path`.
    pub(super) fn ignores(&self, path: &Path) -> bool {
        self.run(&["check-ignore", "-q", "--", &path.to_string_lossy()], &[]).is_ok()
    }

    /// Returns true if `name` is the name of a revision.
    pub(super) fn has_revision(&self, name: &str) -> bool {
        self.run(&["rev-parse", "--verify", "-q", "--end-of-options", name], &[]).is_ok()
    }

    /// Returns the old and new paths below the folder of the files that were renamed since the last commit, as git
    /// finds them.
    pub(super) fn renames(&self) -> Result<Vec<Rename>, GitError> {
        self.renames_since(&["HEAD"])
    }

    /// Returns those that the last commit renamed.
    pub(super) fn last_renames(&self) -> Result<Vec<Rename>, GitError> {
        self.renames_since(&["HEAD~1", "HEAD"])
    }

    fn renames_since(&self, states: &[&str]) -> Result<Vec<Rename>, GitError> {
        let options = [
            "diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--find-renames",
            "--diff-filter=R", "--name-status", "--relative", "-z",
        ];
        let listed = self.run(&[&options[..], states, &["--", "."]].concat(), &[])?;
        let mut words = listed.split(|byte| *byte == 0);
        let mut renames = Vec::new();
        while let (Some(_), Some(old), Some(new)) = (words.next(), words.next(), words.next()) {
            renames.push((old.to_owned(), new.to_owned()));
        }
        Ok(renames)
    }

    /// Adds to the index what a move did below the folder: the new places of files (`moved` are old and new paths), and
    /// the new bytes of the files that git tracks.
    pub(super) fn stage<'p>(
        &self,
        moved: impl Iterator<Item = (&'p Path, &'p Path)>,
    ) -> Result<(), GitError> {
        let prefix = self.run(&["rev-parse", "--show-prefix"], &[])?;
        let prefix = prefix.strip_suffix(b"\n").unwrap_or(&prefix).to_owned();
        let tracked = self.tracked()?;
        // Entries that move along a chain leave their old places before others come there.
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for (old, new) in moved {
            let Some(entry) = tracked.get(&*path_in_git(old)) else { continue };
            let object = entry.split(' ').nth(1).unwrap_or_default();
            push_entry(&mut removed, &format!("0 {object}"), &prefix, &path_in_git(old));
            push_entry(&mut added, entry, &prefix, &path_in_git(new));
        }
        removed.append(&mut added);
        self.run(&["update-index", "-z", "--index-info"], &removed)?;
        let differ =
            ["diff-files", "--name-only", "-z", "--relative", "--ignore-submodules=all", "--", "."];
        let differ = self.run(&differ, &[])?;
        let mut changed = Vec::new();
        for path in differ.split(|byte| *byte == 0).filter(|it| !it.is_empty()) {
            // A directory could be a repository, into which git would look.
            let metadata = self.folder.join(os_string(path)).symlink_metadata();
            if metadata.is_ok_and(|it| it.is_file() || it.is_symlink()) {
                changed.extend_from_slice(path);
                changed.push(0);
            }
        }
        self.run(&["update-index", "-z", "--stdin"], &changed)?;
        Ok(())
    }

    /// Adds the file at `path` below the folder to the index.
    pub(super) fn add(&self, path: &Path) -> Result<(), GitError> {
        let path = path_in_git(path);
        self.run(&["update-index", "--add", "-z", "--stdin"], &[&path, &b"\0"[..]].concat())?;
        Ok(())
    }

    /// The files below the folder that are in the index, with their entries.
    fn tracked(&self) -> Result<BTreeMap<Vec<u8>, IndexEntry>, GitError> {
        let listed = self.run(&["ls-files", "--stage", "-z"], &[])?;
        let mut tracked = BTreeMap::new();
        for line in listed.split(|byte| *byte == 0) {
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let (entry, path) = line.split_at(tab);
            let entry = String::from_utf8_lossy(entry).into_owned();
            // Others are in conflict, or repositories.
            if let Some(entry) = entry.strip_suffix(" 0")
                && !entry.starts_with("160000")
            {
                tracked.insert(path.get(1..).unwrap_or_default().to_owned(), entry.to_owned());
            }
        }
        Ok(tracked)
    }

    /// Runs git with this input; returns what it prints.
    fn run(&self, arguments: &[impl AsRef<OsStr>], stdin: &[u8]) -> Result<Vec<u8>, GitError> {
        let mut git = Command::new("git");
        git.args(["--no-optional-locks", "-C"]).arg(self.folder);
        git.args(arguments);
        // Objects that a partial clone lacks are not fetched: that would start what the configuration names.
        git.envs(self.index.map(|index| ("GIT_INDEX_FILE", index)));
        git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        let off = self.filters.iter().flat_map(|name| {
            let key = move |end: &str| {
                let mut key = OsString::from("filter.");
                key.push(name);
                key.push(end);
                key
            };
            [
                (key(".clean"), ""),
                (key(".smudge"), ""),
                (key(".process"), ""),
                (key(".required"), "false"),
            ]
        });
        let settings = SETTINGS.iter().map(|(key, value)| (OsString::from(key), *value));
        let mut count = 0;
        for (key, value) in settings.chain(off) {
            git.env(format!("GIT_CONFIG_KEY_{count}"), key);
            git.env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
        git.env("GIT_CONFIG_COUNT", count.to_string());
        let piped = git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|_| GitError::NoGit)?;
        let input = child.stdin.take();
        let output = thread::scope(|scope| {
            scope.spawn(move || {
                // If git stops reading, its own message says why.
                let _ = input.map(|mut input| input.write_all(stdin));
            });
            child.wait_with_output()
        });
        let output = output.map_err(|error| GitError::Failed(error.to_string()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let error = String::from_utf8_lossy(&output.stderr);
        Err(GitError::Failed(error.lines().next().unwrap_or_default().to_owned()))
    }
}

/// Appends a line for `git update-index --index-info`.
fn push_entry(lines: &mut Vec<u8>, entry: &str, prefix: &[u8], path: &[u8]) {
    for part in [entry.as_bytes(), b"\t", prefix, path, b"\0"] {
        lines.extend_from_slice(part);
    }
}

/// The path as git writes it.
fn path_in_git(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes().to_owned();
    if cfg!(windows) {
        bytes.into_iter().map(|it| if it == b'\\' { b'/' } else { it }).collect()
    } else {
        bytes
    }
}

/// A path or a name that git wrote.
fn os_string(bytes: &[u8]) -> OsString {
    let named = rehref_site::os_string(bytes.to_owned());
    named.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned().into())
}
