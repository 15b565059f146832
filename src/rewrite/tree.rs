//! The pipeline over a tree: read, rewrite, write, one file as independent as the other.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rayon::prelude::*;

use super::directories::{finish_directories, make_directories};
use super::document::{OwnUrl, Rewritten, rewrite_document};
use super::plan::{Interrupted, Mode, Observer, Plan, RunError};
use super::report::{Changed, Failure, Problem, Report};
use crate::document::ParseOptions;
use crate::output::{self, WriteError};
use crate::site::{Entry, EntryKind};
use crate::url::{AbsoluteUrl, ParseError};

/// The name of the problem that a document could not be worked on and was kept as it is.
pub const KEPT_AS_IT_IS: &str = "kept-as-it-is";

/// How many files are in flight before results are handed to the observer, which bounds the memory
/// that diffs take.
const BATCH: usize = 1024;

/// Runs `plan`.
///
/// # Errors
/// Where nothing could be done at all; see [`RunError`].
pub fn run(plan: &Plan, observer: &dyn Observer) -> Result<Report, RunError> {
    let started = Instant::now();
    let mut report = Report::default();
    for error in &plan.walk.errors {
        report.errors.push(Failure {
            path: display(&error.path),
            message: error.source.to_string(),
        });
    }
    let mut entries: Vec<&Entry> = plan.walk.entries.iter().collect();
    report.unused_globs = plan.selection.unused_globs(&plan.walk.entries);
    let mut made = Vec::new();
    if let Mode::Copy(destination) = &plan.mode {
        let directories = make_directories(destination, &plan.walk.entries, &mut report)?;
        let blocked = directories.blocked;
        entries.retain(|entry| !blocked.iter().any(|path| entry.path.starts_with(path)));
        made = directories.made;
    }
    let files: Vec<&Entry> = entries
        .into_iter()
        .filter(|entry| entry.kind != EntryKind::Directory)
        .collect();
    observer.start(files.len());
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.threads)
        .build()?;
    let is_cancelled = || plan.cancel.load(Ordering::Relaxed);
    let mut done = 0;
    for batch in files.chunks(BATCH) {
        if is_cancelled() {
            break;
        }
        let outcomes: Vec<Option<Outcome>> = threads.install(|| {
            batch
                .par_iter()
                .map(|entry| {
                    if is_cancelled() {
                        return None;
                    }
                    let outcome = work_on(plan, entry);
                    observer.progress();
                    Some(outcome)
                })
                .collect()
        });
        for (entry, outcome) in batch.iter().zip(outcomes) {
            if let Some(outcome) = outcome {
                done += 1;
                record(&mut report, &display(&entry.path), outcome, observer)?;
            }
        }
    }
    if let Mode::Copy(destination) = &plan.mode {
        finish_directories(plan, destination, &made, &mut report);
    }
    report.seconds = started.elapsed().as_secs_f64();
    if done < files.len() {
        return Err(RunError::Interrupted(Box::new(Interrupted {
            report,
            done,
            files: files.len(),
            state: match plan.mode {
                Mode::Copy(_) => {
                    "OUT is not complete, but every file in it is; run it again with --force"
                }
                Mode::InPlace => {
                    "every document is either rewritten or as it was; run it again to go on"
                }
                Mode::DryRun | Mode::Diff => "nothing was written",
            },
        })));
    }
    Ok(report)
}

/// What became of one entry.
enum Outcome {
    Rewritten {
        result: Box<Rewritten>,
        diff: Vec<u8>,
    },
    /// A document that is copied as it is, and why.
    KeptAsItIs(String),
    Copied,
    Linked,
    /// Nothing was to be done.
    Untouched,
    /// A temporary file of another run.
    Leftover,
    Failed(String),
}

/// Why nothing became of a file.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
    #[error(transparent)]
    Panicked(#[from] Panicked),
    #[error("a device, pipe or socket; not copied")]
    Special,
}

/// A parser underneath panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error: the parser panicked")]
pub struct Panicked;

/// Does `work` on one document. The parsers underneath are not ours; should one panic, it costs
/// that document, not the run.
///
/// # Errors
/// When `work` panics.
pub fn with_backstop<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
}

fn work_on(plan: &Plan, entry: &Entry) -> Outcome {
    let worked = match (entry.kind, &plan.mode) {
        (EntryKind::Directory, _) => Ok(Outcome::Untouched),
        (EntryKind::Special, Mode::Copy(_)) => Err(FileError::Special),
        (EntryKind::Special, _) => Ok(Outcome::Untouched),
        (EntryKind::Leftover, _) => Ok(Outcome::Leftover),
        (EntryKind::Symlink, _) => link(plan, entry),
        (EntryKind::File, _) => {
            with_backstop(|| file(plan, entry)).unwrap_or_else(|panicked| Err(panicked.into()))
        }
    };
    worked.unwrap_or_else(|error| Outcome::Failed(error.to_string()))
}

fn link(plan: &Plan, entry: &Entry) -> Result<Outcome, FileError> {
    match &plan.mode {
        Mode::Copy(destination) => {
            let to = destination.root().join(&entry.path);
            output::copy_symlink(&plan.root.join(&entry.path), &to)?;
            Ok(Outcome::Linked)
        }
        _ => Ok(Outcome::Untouched),
    }
}

fn file(plan: &Plan, entry: &Entry) -> Result<Outcome, FileError> {
    let path = plan.root.join(&entry.path);
    let kind = plan.selection.document_kind(&plan.root, &entry.path);
    let Some(kind) = kind.map_err(FileError::Read)? else {
        return copy(plan, entry, &path, Outcome::Copied);
    };
    let bytes = fs::read(&path).map_err(FileError::Read)?;
    let url = AbsoluteUrl::new(plan.standard, plan.location.document_url(&entry.path)?);
    let options = ParseOptions {
        kind,
        ..plan.options
    };
    let result = match rewrite_document(&bytes, OwnUrl::unmoved(&url), &plan.policy, &options) {
        Ok(result) => result,
        Err(error) => {
            return copy(plan, entry, &path, Outcome::KeptAsItIs(error.to_string()));
        }
    };
    let mut diff = Vec::new();
    match (&plan.mode, &result.bytes) {
        (Mode::Copy(destination), Some(new)) => {
            let to = destination.root().join(&entry.path);
            let like = fs::metadata(&path).map_err(FileError::Read)?;
            output::write_file(&to, new, &like)?;
        }
        (Mode::Copy(destination), None) => {
            output::copy_file(&path, &destination.root().join(&entry.path))?;
        }
        (Mode::InPlace, Some(new)) => output::replace_file(&path, new)?,
        (Mode::Diff, Some(_)) => {
            diff = match result.transcoded {
                None => output::diff::unified(&entry.path, &bytes, &result.edits),
                Some(_) => output::diff::binary(&entry.path),
            };
        }
        (Mode::DryRun, _) | (_, None) => {}
    }
    let mut result = Box::new(result);
    result.bytes = result.bytes.map(|_| Vec::new());
    result.edits = Vec::new();
    result.transcoded = None;
    Ok(Outcome::Rewritten { result, diff })
}

fn copy(plan: &Plan, entry: &Entry, path: &Path, outcome: Outcome) -> Result<Outcome, FileError> {
    match (&plan.mode, outcome) {
        (Mode::Copy(destination), outcome) => {
            output::copy_file(path, &destination.root().join(&entry.path))?;
            Ok(outcome)
        }
        (_, Outcome::Copied) => Ok(Outcome::Untouched),
        (_, outcome) => Ok(outcome),
    }
}

fn record(
    report: &mut Report,
    path: &str,
    outcome: Outcome,
    observer: &dyn Observer,
) -> io::Result<()> {
    match outcome {
        Outcome::Rewritten { result, diff } => {
            report.documents.seen += 1;
            report.references += &result.references;
            if result.bytes.is_some() {
                report.documents.rewritten += 1;
                report.changed.push(Changed {
                    path: path.to_owned(),
                    references: result.references.rewritten,
                });
                observer.changed(path, result.references.rewritten, &diff)?;
            } else {
                report.documents.unchanged += 1;
            }
            report.add_complaints(path, result.complaints);
        }
        Outcome::KeptAsItIs(why) => {
            report.documents.seen += 1;
            report.documents.kept_as_they_are += 1;
            let problem = Problem::of_document(path, KEPT_AS_IT_IS, why);
            report.problems.push(problem);
        }
        Outcome::Copied => report.copied.files += 1,
        Outcome::Linked => report.copied.symlinks += 1,
        Outcome::Untouched => {}
        Outcome::Leftover => report.problems.push(Problem::of_document(
            path,
            "left-by-interrupted-run",
            "left by an interrupted run; not copied; remove it".to_owned(),
        )),
        Outcome::Failed(message) => report.errors.push(Failure {
            path: path.to_owned(),
            message,
        }),
    }
    Ok(())
}

pub(super) fn display(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    path.to_string_lossy().into_owned()
}
