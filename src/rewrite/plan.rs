//! What a run is to do, and who learns of it.

use std::io;
use std::path::Path;

use super::policy::Policy;
use super::report::Report;
use crate::corpus::{self, Corpus};
use crate::moves::Moves;
use crate::output::{Destination, NewTree, OutputFile, Stage, WriteError};
use crate::parallel;
use crate::site::SiteUrl;

/// What a run is to do.
#[derive(Debug)]
pub struct Plan {
    /// The site.
    pub corpus: Corpus,
    /// The URL of the root of the result.
    pub new_site_url: SiteUrl,
    /// Which files move where.
    pub moves: Moves,
    /// Where the result goes.
    pub mode: Mode,
    /// What happens to references.
    pub policy: Policy,
    /// What happens to archives.
    pub archives: Archives,
}

/// What happens to the archives of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Archives {
    /// They are copied.
    #[default]
    Copied,
    /// Their documents are rewritten; the site is the one of the run.
    Rewritten,
    /// Their documents are rewritten; to each document the site is the host it was retrieved from.
    RewrittenByServer,
}

impl Plan {
    /// Where the file or folder at `path` goes.
    pub fn new_path<'p>(&'p self, path: &'p Path) -> &'p Path {
        self.moves.new_path(path).unwrap_or(path)
    }
}

/// Where the result of a run goes.
#[derive(Debug)]
pub enum Mode {
    /// The whole tree is written to another place.
    Copy(Destination),
    /// The only file of the site is written to another place.
    File(OutputFile),
    /// Documents that change are replaced.
    InPlace,
    /// The whole tree is written beside the old one, to take its place.
    Exchange(Stage),
    /// Nothing is written.
    DryRun,
    /// Nothing is written; the observer gets the diffs.
    Diff,
}

impl Mode {
    /// The tree that is written, where a whole one is.
    pub fn new_tree(&self) -> Option<&dyn NewTree> {
        match self {
            Mode::Copy(destination) => Some(destination),
            Mode::File(file) => Some(file),
            Mode::Exchange(stage) => Some(stage),
            Mode::InPlace | Mode::DryRun | Mode::Diff => None,
        }
    }
}

impl Mode {
    /// Whether anything is written.
    pub fn writes(&self) -> bool {
        !matches!(self, Mode::DryRun | Mode::Diff)
    }
}

/// Watches a run that rewrites.
pub trait Observer: corpus::Observer {
    /// A file changes or moves, or would. Called in the order of the walk.
    ///
    /// # Errors
    /// An error ends the run.
    fn changed(&self, change: &Change<'_>) -> io::Result<()> {
        let _ = change;
        Ok(())
    }
}

/// What happens to a file.
#[derive(Clone, Copy, Debug)]
pub struct Change<'c> {
    /// Its path below the root.
    pub path: &'c str,
    /// Its new path.
    pub moved_to: Option<&'c str>,
    /// How many of its references change.
    pub references: usize,
    /// Its diff in [`Mode::Diff`], else empty.
    pub diff: &'c [u8],
}

/// Why a run could not begin or go on. Trouble with single files is in the report instead.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The output directory cannot be made.
    #[error("the output directory cannot be made: {0}")]
    Destination(#[source] WriteError),
    /// The threads cannot be started, or the observer gave up.
    #[error(transparent)]
    Parallel(parallel::Error),
    /// [`Corpus::cancel`] was set before all was done.
    #[error(transparent)]
    Interrupted(Box<Interrupted>),
}

/// A run that ended before its time; the message says what it leaves.
#[derive(Debug, thiserror::Error)]
#[error("interrupted after {done} of {files} files: {state}")]
pub struct Interrupted {
    /// What happened up to then.
    pub report: Report,
    /// How many files were worked on.
    pub done: usize,
    /// How many there are.
    pub files: usize,
    pub(super) state: &'static str,
}
