//! The pipeline over a tree: read, rewrite, write, one file as independent as the other.

use std::io;
use std::path::Path;
use std::time::Instant;

use super::container;
use super::directories::{finish_directories, make_directories};
use super::entry::{Outcome, work_on};
use super::plan::{Change, Interrupted, Mode, Observer, Plan, RunError};
use super::report::{Changed, Moved, Report, skipped_document};
use crate::diagnostic::{Diagnostic, display_path};
use crate::output::diff;
use crate::parallel::{self, QueueItem, in_order};
use crate::site::{Entry, EntryKind};

/// Runs `plan`.
///
/// # Errors
/// Where nothing could be done at all; see [`RunError`].
pub fn run(plan: &Plan, observer: &dyn Observer) -> Result<Report, RunError> {
    let started = Instant::now();
    let mut report = Report::default();
    for error in &plan.corpus.walk.errors {
        let message = error.source.to_string();
        let error = Diagnostic::file_error(display_path(&error.path), message);
        report.errors.push(error);
    }
    let mut entries: Vec<&Entry> = plan.corpus.walk.entries.iter().collect();
    report.unused_globs = plan
        .corpus
        .selection
        .unused_globs(&plan.corpus.walk.entries);
    let mut made = Vec::new();
    if let Some(tree) = plan.mode.new_tree() {
        let directories = make_directories(plan, tree, &mut report)?;
        let blocked = directories.blocked;
        entries.retain(|entry| {
            let path = plan.new_path(&entry.path);
            !blocked.iter().any(|blocked| path.starts_with(blocked))
        });
        made = directories.made;
    }
    let files: Vec<&Entry> = entries
        .into_iter()
        .filter(|entry| entry.kind != EntryKind::Directory)
        .collect();
    observer.start(files.len());
    let mut is_interrupted = false;
    let ended = in_order(
        &files,
        plan.corpus.thread_options(),
        |entry| {
            let outcome = work_on(plan, entry);
            observer.progress();
            let bytes = outcome.diff().len();
            QueueItem {
                value: outcome,
                bytes,
            }
        },
        |entry, outcome| {
            let outcome = match outcome {
                Outcome::Deferred => container::work_on(plan, entry),
                other => other,
            };
            is_interrupted |= matches!(outcome, Outcome::Interrupted);
            record(&mut report, plan, &entry.path, outcome, observer)
        },
    );
    let interrupted = match ended {
        Ok(()) if is_interrupted => Some((files.len() - 1, files.len())),
        Ok(()) => None,
        Err(parallel::Error::Interrupted { done, files }) => Some((done, files)),
        Err(other) => return Err(RunError::Parallel(other)),
    };
    if let Some(tree) = plan.mode.new_tree() {
        finish_directories(plan, tree, &made, &mut report);
    }
    report.seconds = started.elapsed().as_secs_f64();
    if let Some((done, files)) = interrupted {
        return Err(RunError::Interrupted(Box::new(Interrupted {
            report,
            done,
            files,
            state: match plan.mode {
                Mode::Copy(_) => {
                    "OUT is not complete, but every file in it is; run it again with --force"
                }
                Mode::File(_) => "OUT was not written",
                Mode::InPlace => {
                    "every document is either rewritten or as it was; run it again to go on"
                }
                Mode::Exchange(_) => "SITE is as it was",
                Mode::DryRun | Mode::Diff => "nothing was written",
            },
        })));
    }
    Ok(report)
}

fn record(
    report: &mut Report,
    plan: &Plan,
    old: &Path,
    outcome: Outcome,
    observer: &dyn Observer,
) -> io::Result<()> {
    let path = &*display_path(old);
    let new = plan.new_path(old);
    let moved_to = (new != old).then(|| display_path(new));
    if let Some(to) = &moved_to {
        report.moved.push(Moved {
            from: path.to_owned(),
            to: to.clone(),
        });
    }
    let mut diff = Vec::new();
    let mut references = None;
    match outcome {
        Outcome::Rewritten {
            result,
            diff: documents,
        } => {
            diff = documents;
            report.documents.seen += 1;
            report.references += &result.references;
            if result.bytes.is_some() {
                references = Some(result.references.rewritten);
                report.documents.rewritten += 1;
                report.changed.push(Changed {
                    path: path.to_owned(),
                    references: result.references.rewritten,
                });
            } else {
                report.documents.unchanged += 1;
            }
            report.add_diagnostics(path, result.diagnostics);
        }
        Outcome::Skipped(why) => {
            report.documents.seen += 1;
            report.documents.skipped += 1;
            report.diagnostics.push(skipped_document(path, why));
        }
        Outcome::Copied => report.copied.files += 1,
        Outcome::CompressedCopied => {
            report.compressed_skipped += 1;
            report.copied.files += usize::from(plan.mode.new_tree().is_some());
        }
        Outcome::Linked => report.copied.symlinks += 1,
        Outcome::Relinked { diff: words } => {
            references = Some(1);
            diff = words;
        }
        Outcome::Archive(result) => {
            report.archives.seen += 1;
            report.archives.records += result.records;
            report.documents += &result.documents;
            report.references += &result.references;
            report.diagnostics.extend(result.diagnostics);
            diff = result.diff;
            if result.documents.rewritten > 0 {
                references = Some(result.references.rewritten);
                report.archives.rewritten += 1;
                report.changed.push(Changed {
                    path: path.to_owned(),
                    references: result.references.rewritten,
                });
            }
        }
        Outcome::Untouched | Outcome::Deferred | Outcome::Interrupted => {}
        Outcome::Leftover => report.diagnostics.push(Diagnostic::warning(
            path,
            "left-by-interrupted-run",
            "left by an interrupted run; not copied; remove it",
        )),
        Outcome::Failed(message) => {
            report.errors.push(Diagnostic::file_error(path, message));
        }
    }
    if references.is_none() && moved_to.is_none() {
        return Ok(());
    }
    if let (Mode::Diff, None) = (&plan.mode, references) {
        diff = diff::renamed(old, new);
    }
    observer.changed(&Change {
        path,
        moved_to: moved_to.as_deref(),
        references: references.unwrap_or(0),
        diff: &diff,
    })
}
