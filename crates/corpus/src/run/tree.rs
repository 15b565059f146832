//! A run over a tree: reads, rewrites and writes every file independently of the others. Only digests
//! of other files need these, see [`super::file_changes`].

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::container;
use super::directories::{Directories, finish_directories, make_directories};
use super::entry::process;
use super::file_changes::{FileChanges, states_no_digests};
use super::outcome::{EntryReport, Outcome};
use super::plan::{Change, Interrupted, Mode, Observer, Plan, RunError};
use super::report::{Moved, Report};
use super::revisits::Revisits;
use crate::output::{
    Destination, Lock, NewTree, diff, remove_abandoned_beside, sync_file_system_at,
};
use crate::parallel::{self, QueueItem, in_order};
use rehref_document::ScriptTraits;
use rehref_site::{Entry, EntryKind, Spellings, diagnostic::display_path, plural::counted};

/// Runs `plan`: reads all documents, rewrites them, and writes the result.
///
/// # Errors
/// Returns an error if the run cannot start, or does not reach its end. Errors of single files are in the report.
pub fn run(plan: &Plan, observer: &dyn Observer) -> Result<Report, RunError> {
    let started = Instant::now();
    let mut report = Report::default();
    let _lock = match &plan.mode {
        Mode::InPlace => Some(lock(plan)?),
        _ => None,
    };
    for error in &plan.corpus.walk.errors {
        report.fail(&error.path, &error.source);
    }
    let entries = &plan.corpus.walk.entries;
    report.unused_globs = plan.corpus.selection.unused_globs(entries.iter().map(|it| &*it.path));
    if let Mode::Copy(destination) = &plan.mode {
        refuse_equal_names(plan, destination)?;
    }
    let directories = match plan.mode.new_tree() {
        Some(tree) => make_directories(plan, tree, &mut report)?,
        None => Directories::default(),
    };
    let mut files: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.kind != EntryKind::Directory)
        .filter(|entry| !directories.blocks(plan.new_path(&entry.path)))
        .collect();
    if let Mode::InPlace = plan.mode {
        // Later, the pages may be changed ones.
        plan.corpus.linked_files();
        files.sort_by_cached_key(|entry| {
            entry.kind == EntryKind::File && states_no_digests(&plan.corpus, &entry.path)
        });
    }
    let changes = FileChanges::new(plan);
    let revisits = Revisits::new(plan);
    observer.start(files.len());
    let mut is_interrupted = match revisits.prepare() {
        Ok(()) => false,
        // No file is begun then.
        Err(parallel::Error::Cancelled) => true,
        Err(error) => return Err(RunError::Parallel(error)),
    };
    let ended = in_order(
        &files,
        plan.corpus.thread_options(),
        |entry| {
            let value = process(plan, &changes, entry);
            observer.progress();
            let bytes = match &value {
                Outcome::Done(entry) => entry.diff.len(),
                Outcome::Deferred(_) => 0,
            };
            QueueItem { value, bytes }
        },
        |entry, outcome| {
            let done = match outcome {
                Outcome::Done(done) => Some(*done),
                Outcome::Deferred(format) => container::process(plan, &revisits, entry, format),
            };
            is_interrupted |= done.is_none();
            let done = done.unwrap_or_default();
            record(&mut report, plan, &entry.path, done, observer)
        },
    );
    let interrupted = match ended {
        Ok(()) if is_interrupted => Some((files.len() - 1, files.len())),
        Ok(()) => None,
        Err(parallel::Error::Interrupted { done, files }) => Some((done, files)),
        Err(other) => return Err(RunError::Parallel(other)),
    };
    if let Some(tree) = plan.mode.new_tree() {
        finish_directories(plan, tree, &directories.made, &mut report);
    }
    match &plan.mode {
        Mode::Copy(destination) => {
            report.copied.equal = destination.equal.load(Ordering::Relaxed);
            report.copied.linked = destination.linked.load(Ordering::Relaxed);
            report.copied.leftovers_removed = destination.leftovers.load(Ordering::Relaxed);
        }
        Mode::File(file) => {
            report.copied.leftovers_removed = remove_abandoned_beside(file.path());
        }
        _ => {}
    }
    // Until then a loss of power can leave old documents, or none, under the names of new ones.
    if matches!(plan.mode, Mode::InPlace)
        && report.documents.rewritten > 0
        && let Err(error) = sync_file_system_at(&plan.corpus.root)
    {
        let message = format!("the changes may not be on the disk yet: {error}");
        report.fail(&plan.corpus.root, message);
    }
    report.inserted_fragments = plan.corpus.inserted_fragments(&report.fragments);
    if report.references.rewritten > 0 {
        let selects_links = ScriptTraits::SELECTS_LINKS;
        report.scripts_selecting_links.extend(plan.corpus.scripts_with(selects_links));
    }
    report.offline.drop_files(|path| plan.corpus.loads_twin_of(path));
    report.drop_needless_warnings();
    report.seconds = started.elapsed().as_secs_f64();
    if let Some((done, files)) = interrupted {
        return Err(RunError::Interrupted(Box::new(Interrupted {
            report,
            done,
            files,
            state: match plan.mode {
                Mode::Copy(_) => {
                    "the output is incomplete, but each file in it is complete\nhelp: run the command again with --force"
                }
                Mode::File(_) => "the output was not written",
                Mode::InPlace => {
                    "every document is either rewritten or unchanged\nhelp: run the command again to continue"
                }
                Mode::Exchange(_) => "the site is unchanged",
                Mode::DryRun | Mode::Diff => "nothing was written",
            },
        })));
    }
    Ok(report)
}

/// Refuses an output directory whose file system ignores letter case, if two paths of the result differ only in that:
/// one file would replace the other.
fn refuse_equal_names(plan: &Plan, out: &Destination) -> Result<(), RunError> {
    let mut spellings = Spellings::default();
    let files = plan.corpus.walk.entries.iter();
    let files = files.filter(|it| it.kind != EntryKind::Directory && it.kind.is_of_site());
    let mut pairs = files.filter_map(|it| spellings.add(plan.new_path(&it.path)));
    let Some((one, other)) = pairs.next() else { return Ok(()) };
    if !out.ignores_case().map_err(RunError::destination)? {
        return Ok(());
    }
    let (out, one, other) = (out.root().display(), display_path(one), display_path(other));
    let more = match pairs.count() {
        0 => String::new(),
        more => format!(" (and of {} more)", counted(more, "pair")),
    };
    Err(RunError::Refused(format!(
        "{out} ignores letter case in names, and can hold only one of {one} and {other}{more}; nothing was written\nhelp: rename one of them, or choose another place for the output"
    )))
}

/// Keeps other runs from changing the site. Other files beside the only file of a site may change.
fn lock(plan: &Plan) -> Result<Lock, RunError> {
    let root = &plan.corpus.root;
    let path = match plan.corpus.walk.entries.as_slice() {
        [only] if only.kind == EntryKind::File => root.join(&only.path),
        _ => root.clone(),
    };
    let shown = path.display();
    let lock = Lock::take(&path).map_err(|error| RunError::Refused(format!("{shown}: {error}")))?;
    lock.ok_or_else(|| {
        RunError::Refused(format!(
            "another run of rehref is changing {shown}\nhelp: wait for the end of that run"
        ))
    })
}

/// Adds the report `entry` of the entry at the path `old`, and reports its change to `observer`.
fn record(
    report: &mut Report,
    plan: &Plan,
    old: &Path,
    entry: EntryReport,
    observer: &dyn Observer,
) -> io::Result<()> {
    let path = &*display_path(old);
    let moved_to = plan.moves.new_path(old).map(display_path);
    if let Some(to) = &moved_to {
        report.moved.push(Moved { from: path.to_owned(), to: to.clone() });
    }
    let EntryReport { report: part, changed: references, mut diff } = entry;
    report.add(part);
    if references.is_none() && moved_to.is_none() {
        return Ok(());
    }
    if let (Mode::Diff, None) = (&plan.mode, references) {
        diff = diff::renamed(old, plan.new_path(old));
    }
    observer.changed(&Change {
        path,
        moved_to: moved_to.as_deref(),
        references: references.unwrap_or(0),
        diff: &diff,
    })
}
