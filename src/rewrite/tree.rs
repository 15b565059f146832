//! The pipeline over a tree: walk, read, rewrite, write, one file as independent as the other.

use std::fs;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::document::{Rewritten, rewrite_document};
use super::report::{Changed, Failure, Problem, Report, UnusedGlob};
use crate::document::{DocumentKind, ParseOptions};
use crate::output::{self, Destination, WriteError};
use crate::site::{self, Entry, EntryKind, FileKind, Globs, Location, SNIFF_LENGTH};
use crate::url::{AbsoluteUrl, ParseError, Standard};

/// What a run is to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The site's root directory.
    pub root: PathBuf,
    /// The URL of the root.
    pub location: Location,
    /// Where the result goes.
    pub mode: Mode,
    /// Which documents are rewritten.
    pub selection: Selection,
    /// The standard that references are resolved by.
    pub standard: Standard,
    /// What is known of all documents.
    pub options: ParseOptions,
    /// How many threads work; 0 for as many as there are cores.
    pub threads: usize,
    /// Looked at before each file: once it is set, the files in flight are finished and no other is
    /// begun.
    pub cancel: Arc<AtomicBool>,
}

/// Where the result of a run goes.
#[derive(Clone, Debug)]
pub enum Mode {
    /// The whole tree is written to another place.
    Copy(Destination),
    /// Documents that change are replaced.
    InPlace,
    /// Nothing is written.
    DryRun,
    /// Nothing is written; the observer gets the diffs.
    Diff,
}

/// Which files are documents to be rewritten, by their paths below the root.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only these, where given.
    pub include: Option<Globs>,
    /// Not these.
    pub exclude: Globs,
    /// These are HTML whatever their name says.
    pub html: Globs,
}

impl Selection {
    /// Globs that match nothing, which is more often a mistake than not.
    fn unused_globs(&self, entries: &[Entry]) -> Vec<UnusedGlob> {
        [
            ("--include", self.include.as_ref()),
            ("--exclude", Some(&self.exclude)),
            ("--html", Some(&self.html)),
        ]
        .into_iter()
        .filter_map(|(option, globs)| Some((option, globs?)))
        .flat_map(|(option, globs)| {
            let paths = entries.iter().map(|entry| entry.path.as_path());
            let unused = globs.without_match(paths).into_iter();
            unused.map(move |glob| UnusedGlob {
                option,
                glob: glob.to_owned(),
            })
        })
        .collect()
    }
}

/// Learns of the progress of a run. The methods but `progress` are called in the order of the walk.
pub trait Observer: Sync {
    /// The walk is done; so many files will be worked on.
    fn start(&self, files: usize) {
        let _ = files;
    }
    /// A file is done (from any thread, in any order).
    fn progress(&self) {}
    /// A document changes, or would (not in [`Mode::Copy`]); with its diff in [`Mode::Diff`].
    ///
    /// # Errors
    /// An error ends the run.
    fn changed(&self, path: &str, references: usize, diff: &[u8]) -> io::Result<()> {
        let _ = (path, references, diff);
        Ok(())
    }
}

/// Why a run could not begin or go on. Trouble with single files is in the report instead.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The output directory cannot be made.
    #[error("the output directory cannot be made: {0}")]
    Destination(#[source] WriteError),
    /// The threads cannot be started.
    #[error("threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The observer gave up.
    #[error(transparent)]
    Observer(#[from] io::Error),
    /// [`Plan::cancel`] was set before all was done.
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
    state: &'static str,
}

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
    let walk = site::walk(&plan.root);
    let mut report = Report::default();
    for error in walk.errors {
        report.errors.push(Failure {
            path: display(&error.path),
            message: error.source.to_string(),
        });
    }
    let mut entries = walk.entries;
    report.unused_globs = plan.selection.unused_globs(&entries);
    let mut made = Vec::new();
    if let Mode::Copy(destination) = &plan.mode {
        let directories = make_directories(destination, &entries, &mut report)?;
        let blocked = directories.blocked;
        entries.retain(|entry| !blocked.iter().any(|path| entry.path.starts_with(path)));
        made = directories.made;
    }
    let files: Vec<&Entry> = entries
        .iter()
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
    let kind = document_kind(plan, &entry.path, &path).map_err(FileError::Read)?;
    let Some(kind) = kind else {
        return copy(plan, entry, &path, Outcome::Copied);
    };
    let bytes = fs::read(&path).map_err(FileError::Read)?;
    let url = AbsoluteUrl::new(plan.standard, plan.location.document_url(&entry.path)?);
    let options = ParseOptions {
        kind,
        ..plan.options
    };
    let result = match rewrite_document(&bytes, &url, &options) {
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

/// What kind of document the file at `relative` is; `None` where it is none, or none to be
/// rewritten. Files whose name says nothing are read from `path`, as far as sniffing goes.
fn document_kind(plan: &Plan, relative: &Path, path: &Path) -> io::Result<Option<DocumentKind>> {
    let selection = &plan.selection;
    if selection.exclude.is_match(relative)
        || selection
            .include
            .as_ref()
            .is_some_and(|include| !include.is_match(relative))
    {
        return Ok(None);
    }
    if selection.html.is_match(relative) {
        return Ok(Some(DocumentKind::Html));
    }
    match site::kind_of_name(relative.file_name().unwrap_or_default()) {
        FileKind::Document(kind) => Ok(Some(kind)),
        FileKind::Other => Ok(None),
        FileKind::Unknown => {
            let mut start = Vec::new();
            let limit = u64::try_from(SNIFF_LENGTH).unwrap_or(u64::MAX);
            fs::File::open(path)?.take(limit).read_to_end(&mut start)?;
            Ok(site::sniff_html(&start).then_some(DocumentKind::Html))
        }
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

/// What became of the directories of a tree in OUT.
struct Directories {
    /// New ones, the root first if it is; those that were there already keep mode and times.
    made: Vec<PathBuf>,
    /// Those in whose place something else stands: nothing is written below them, since a symbolic
    /// link there could lead anywhere.
    blocked: Vec<PathBuf>,
}

fn make_directories(
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
fn finish_directories(
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

fn display(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    path.to_string_lossy().into_owned()
}
