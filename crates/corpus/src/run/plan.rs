//! The plan of a run, its observer and its errors.

use std::io;
use std::path::Path;

use super::report::Report;
use crate::output::{Destination, NewTree, OutputFile, Stage, WriteError};
use crate::{Corpus, parallel};
use rehref_rewrite::Policy;
use rehref_site::{IndexFiles, Moves, Projects, SiteUrl, path_in_url};

/// The plan of a run: what to read, what to change, and where to write the result.
#[derive(Debug)]
pub struct Plan {
    /// The site before the run, and how to read it.
    pub corpus: Corpus,
    /// The moves of files and folders; often none.
    pub moves: Moves,
    /// The moves that were made before the run (`--already-moved`), if any.
    pub origins: Option<Origins>,
    /// The index files of the tree after the run.
    pub new_index_files: IndexFiles,
    /// The use of the result: for example, the run writes a new tree, or prints a diff.
    pub mode: Mode,
    /// The policy that decides how references are rewritten.
    pub policy: Policy,
    /// The policies for the documents of projects; see [`Policy::of_projects`].
    pub policies: Projects<Policy>,
    /// The treatment of archives: the run copies or rewrites them.
    pub archives: Archives,
}

/// The paths of files and folders before moves that the user has already made.
#[derive(Debug)]
pub struct Origins {
    /// The reverse moves, which map new paths to old paths.
    pub back: Moves,
    /// The index files before the move.
    pub index_files: IndexFiles,
}

/// The treatment of the archives of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Archives {
    /// Archives are copied unchanged.
    #[default]
    Copied,
    /// The documents in archives are rewritten; their site is the site of the run.
    Rewritten,
    /// The documents in archives are rewritten; the site of each is the host it was retrieved from.
    RewrittenByServer,
}

impl Plan {
    /// Returns the plan of a run that moves no file.
    pub fn new(corpus: Corpus, mode: Mode, policy: Policy) -> Plan {
        Plan {
            policies: policy.of_projects(),
            new_index_files: corpus.index_files.clone(),
            corpus,
            moves: Moves::default(),
            origins: None,
            mode,
            policy,
            archives: Archives::default(),
        }
    }

    /// Returns the URL of the root of the result.
    pub fn new_site_url(&self) -> &SiteUrl {
        self.policy.mapping().map_or(&self.corpus.site_url, |mapping| &mapping.after)
    }

    /// Returns the policy for references in the document at `path`.
    pub fn policy_of(&self, path: &Path) -> &Policy {
        let of_project = || self.policies.innermost(&path_in_url(path));
        if self.policies.is_empty() { &self.policy } else { of_project().unwrap_or(&self.policy) }
    }

    /// Returns the path of the file or folder at `path` before the run, and before moves that are done.
    pub fn old_path<'p>(&'p self, path: &'p Path) -> &'p Path {
        self.origins.as_ref().and_then(|it| it.back.new_path(path)).unwrap_or(path)
    }

    /// Returns the index files before the run, and before moves that are done.
    pub fn old_index_files(&self) -> &IndexFiles {
        self.origins.as_ref().map_or(&self.corpus.index_files, |it| &it.index_files)
    }

    /// Returns the path after the run of the file or folder at `path`.
    pub fn new_path<'p>(&'p self, path: &'p Path) -> &'p Path {
        self.moves.new_path(path).unwrap_or(path)
    }
}

/// The use of the result of a run: for example, the run writes a new tree, or prints a diff.
#[derive(Debug)]
pub enum Mode {
    /// The whole tree is written to another place.
    Copy(Destination),
    /// The only file of the site is written to another place.
    File(OutputFile),
    /// Documents that change are replaced.
    InPlace,
    /// The whole tree is written next to the old one, then replaces it.
    Exchange(Stage),
    /// Nothing is written.
    DryRun,
    /// Nothing is written; the observer gets the diffs.
    Diff,
}

impl Mode {
    /// Returns the new tree, if the run writes a whole tree.
    pub fn new_tree(&self) -> Option<&dyn NewTree> {
        match self {
            Mode::Copy(destination) => Some(destination),
            Mode::File(file) => Some(file),
            Mode::Exchange(stage) => Some(stage),
            Mode::InPlace | Mode::DryRun | Mode::Diff => None,
        }
    }

    /// Returns true if the run writes files.
    pub fn writes(&self) -> bool {
        !matches!(self, Mode::DryRun | Mode::Diff)
    }
}

/// An observer that is notified of the progress of a run.
pub trait Observer: Sync {
    /// The run will process `files` files.
    fn start(&self, files: usize) {
        let _ = files;
    }

    /// A file was processed. Called on any thread, in any order.
    fn progress(&self) {}

    /// A file changes or moves, or would. Called in the order of the walk.
    ///
    /// # Errors
    /// An error ends the run.
    fn changed(&self, change: &Change<'_>) -> io::Result<()> {
        let _ = change;
        Ok(())
    }
}

/// The change of a file, which the run made or would make.
#[derive(Clone, Copy, Debug)]
pub struct Change<'c> {
    /// The path of the file below the root.
    pub path: &'c str,
    /// The new path below the root; `None` if the file does not move.
    pub moved_to: Option<&'c str>,
    /// The number of references in the file that change.
    pub references: usize,
    /// The diff of the file in [`Mode::Diff`], else empty.
    pub diff: &'c [u8],
}

/// The error of a run that did not start, or did not reach its end. Errors of single files are in the report.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run did not start, for this reason; nothing was written.
    #[error("{0}")]
    Refused(String),
    /// The threads cannot be started, or the observer returned an error.
    #[error(transparent)]
    Parallel(parallel::Error),
    /// [`Corpus::cancel`] was set before the end.
    #[error(transparent)]
    Interrupted(Box<Interrupted>),
}

impl RunError {
    /// For `map_err`: the output directory cannot be created.
    pub(super) fn destination(error: WriteError) -> RunError {
        RunError::Refused(format!("cannot create the output directory: {error}"))
    }
}

/// The error of an interrupted run. Its message names the state of the output.
#[derive(Debug, thiserror::Error)]
#[error("interrupted after {done} of {files} files: {state}")]
pub struct Interrupted {
    /// The results up to the interruption.
    pub report: Report,
    /// The number of files that were processed.
    pub done: usize,
    /// The number of files that the run had to process.
    pub files: usize,
    pub(super) state: &'static str,
}
