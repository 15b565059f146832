//! An archive: its documents rewritten, every other record copied as it is.
//!
//! Records are read one after the other, rewritten and compressed on several threads, and written in
//! order. What does not change is copied from the old file, with the gzip members as they are, and
//! nothing at all is written where no record changes. The memory that it takes is bounded by the
//! largest document, not by the archive.

mod copier;
mod worker;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::iter;
use std::ops::Range;
use std::path::Path;

use copier::Copier;
use worker::Worker;

use super::entry::{FileError, Outcome, copy};
use super::plan::{Mode, Plan};
use super::report::{Documents, References, skipped_document};
use crate::diagnostic::{Diagnostic, display_path};
use crate::output::{WriteError, diff, replace_stream};
use crate::parallel::{self, QueueItem, ThreadOptions, in_order_from};
use crate::plural::counted;
use crate::site::Entry;
use crate::warc::document::{Left, may_be_document};
use crate::warc::record::{Piece, Record, RecordKind, Records};
use crate::warc::{ArchiveError, Trouble};

/// What is done with the archives of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Archives {
    /// They are copied as they are.
    #[default]
    Copied,
    /// Their documents are rewritten; the site is what it is for all documents.
    Rewritten,
    /// Their documents are rewritten; to each of them the site is the server that it came from.
    RewrittenByServer,
}

/// What became of the records of an archive.
#[derive(Debug, Default)]
pub(super) struct ArchiveResult {
    pub(super) records: usize,
    pub(super) documents: Documents,
    pub(super) references: References,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) diff: Vec<u8>,
}

/// How the record of an archive is called: `crawl.warc.gz > https://example.org/`.
pub fn record_name(archive: &str, url: &str) -> String {
    format!("{archive} > {url}")
}

/// Why an archive could not be rewritten.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
    #[error("interrupted")]
    Interrupted,
}

/// Rewrites the archive `entry` on as many threads as `plan` says.
pub(super) fn work_on(plan: &Plan, entry: &Entry) -> Outcome {
    let kept = |error: String| {
        let path = plan.root.join(&entry.path);
        copy(plan, entry, &path, Outcome::Skipped(error))
    };
    let outcome = match archive(plan, entry) {
        Ok(result) => Ok(Outcome::Archive(Box::new(result))),
        Err(Error::Interrupted) => Ok(Outcome::Interrupted),
        Err(Error::Archive(error)) => kept(error.to_string()),
        Err(Error::File(error)) => Err(error),
        Err(other) => return Outcome::Failed(other.to_string()),
    };
    outcome.unwrap_or_else(|error| Outcome::Failed(error.to_string()))
}

fn archive(plan: &Plan, entry: &Entry) -> Result<ArchiveResult, Error> {
    let path = plan.root.join(&entry.path);
    let new_path = plan.new_path(&entry.path);
    let metadata = std::fs::metadata(&path).map_err(FileError::Read)?;
    // What was wrong with the archive must not look like trouble with the output.
    let mut ended = Ok(ArchiveResult::default());
    let mut write = |out: &mut dyn Write| match rewrite(plan, entry, &path, out) {
        Ok(result) => {
            let is_changed = result.documents.rewritten > 0;
            ended = Ok(result);
            Ok(is_changed)
        }
        Err(Error::Parallel(parallel::Error::Output(error))) => Err(error),
        Err(error) => {
            ended = Err(error);
            Ok(false)
        }
    };
    let written = match (plan.mode.new_tree(), &plan.mode) {
        (Some(tree), _) => tree.write_stream(new_path, &metadata, &mut write),
        (None, Mode::InPlace) => replace_stream(&path, &mut write),
        (None, _) => write(&mut io::sink()).map_err(WriteError::Read),
    };
    let is_written = written.map_err(FileError::Write)?;
    let mut result = ended?;
    if let (false, Some(tree)) = (is_written, plan.mode.new_tree()) {
        tree.copy_file(&path, new_path).map_err(FileError::Write)?;
    }
    if let (true, Mode::Diff) = (is_written, &plan.mode) {
        result.diff = diff::binary(&entry.path, new_path);
    }
    Ok(result)
}

/// What is to be done with a part of the archive.
enum Job {
    Document(Record),
    Copy(Range<u64>),
    Write(Vec<u8>),
    Failed(ArchiveError),
}

/// What was done.
struct Worked {
    output: Result<Output, ArchiveError>,
    /// Of a document.
    told: Option<Told>,
}

enum Output {
    Copy(Range<u64>),
    Write(Vec<u8>),
}

struct Told {
    name: String,
    end: End,
    references: References,
    diagnostics: Vec<Diagnostic>,
    wrong_digests: Vec<&'static str>,
}

/// What became of a document.
enum End {
    NoDocument,
    Rewritten,
    Unchanged,
    Skipped(String),
}

fn rewrite(
    plan: &Plan,
    entry: &Entry,
    path: &Path,
    out: &mut dyn Write,
) -> Result<ArchiveResult, Error> {
    let mut old = Copier::new(File::open(path).map_err(FileError::Read)?);
    let mut records = Records::open(path, true)?;
    let format = records.format();
    let mut left: BTreeMap<Left, usize> = BTreeMap::new();
    let mut result = ArchiveResult::default();
    let mut revisits = 0_usize;
    let mut last_asked = None;
    let mut failed = None;
    let threads = ThreadOptions {
        threads: plan.threads,
        cancel: &plan.cancel,
    };
    let worker = Worker {
        plan,
        archive: &display_path(&entry.path),
        format,
        needs_bytes: plan.mode.writes(),
    };
    let mut is_at_end = false;
    let completion = in_order_from(
        threads,
        iter::from_fn(|| {
            if is_at_end {
                return None;
            }
            let piece = records.next_piece(|number, head, start| {
                // A record that shares its gzip member may be asked for twice.
                let count = usize::from(last_asked.replace(number) != Some(number));
                if head.kind() == RecordKind::Revisit {
                    revisits += count;
                }
                may_be_document(head, start).unwrap_or_else(|why| {
                    *left.entry(why).or_default() += count;
                    false
                })
            });
            let (value, bytes) = match piece {
                Ok(None) => return None,
                Ok(Some(Piece::Held(record))) => {
                    let bytes = record.len();
                    (Job::Document(record), bytes)
                }
                Ok(Some(Piece::Passed(range))) => (Job::Copy(range), 0),
                Ok(Some(Piece::Member(bytes))) => {
                    let length = bytes.len();
                    (Job::Write(bytes), length)
                }
                // Not asked for, and nothing could be copied from it.
                Ok(Some(Piece::Hashed(record))) => {
                    is_at_end = true;
                    let error = ArchiveError {
                        record: record.number,
                        offset: 0,
                        trouble: Trouble::Read(io::ErrorKind::Unsupported.into()),
                    };
                    (Job::Failed(error), 0)
                }
                Err(error) => {
                    is_at_end = true;
                    (Job::Failed(error), 0)
                }
            };
            Some(QueueItem { value, bytes })
        }),
        |job| worker.work(job),
        |worked| {
            if let Some(told) = worked.told {
                result.add(told);
            }
            match worked.output {
                Ok(Output::Copy(range)) => old.pass(range, out),
                Ok(Output::Write(bytes)) if worker.needs_bytes => {
                    old.flush(out)?;
                    out.write_all(&bytes)
                }
                Ok(Output::Write(_)) => Ok(()),
                Err(error) => {
                    failed = Some(error);
                    Ok(())
                }
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if !completion.is_complete {
        return Err(Error::Interrupted);
    }
    // Where nothing changed nothing is written at all.
    if result.documents.rewritten > 0 && worker.needs_bytes {
        old.flush(out).map_err(parallel::Error::Output)?;
    }
    result.records = records.count();
    if revisits > 0 && result.documents.rewritten > 0 {
        let message = match revisits {
            1 => "1 revisit record may refer to a capture that was rewritten: \
                  its digest is left as it is"
                .to_owned(),
            _ => format!(
                "{revisits} revisit records may refer to captures that were rewritten: \
                 their digests are left as they are"
            ),
        };
        let warning = Diagnostic::warning(worker.archive, "revisit-records", message);
        result.diagnostics.push(warning);
    }
    for (why, count) in left {
        let (id, words) = why.words();
        let records = counted(count, "record");
        let message = format!("{records} {words}: copied without being looked into");
        let warning = Diagnostic::warning(worker.archive, id, message);
        result.diagnostics.push(warning);
    }
    Ok(result)
}

impl ArchiveResult {
    fn add(&mut self, told: Told) {
        let documents = &mut self.documents;
        match told.end {
            End::NoDocument => return,
            End::Rewritten => documents.rewritten += 1,
            End::Unchanged => documents.unchanged += 1,
            End::Skipped(why) => {
                documents.skipped += 1;
                self.diagnostics.push(skipped_document(&told.name, why));
            }
        }
        documents.seen += 1;
        self.references += &told.references;
        let diagnostics = told.diagnostics.into_iter();
        self.diagnostics
            .extend(diagnostics.map(|diagnostic| diagnostic.at_path(&told.name)));
        for name in told.wrong_digests {
            let message = format!("its {name} did not fit before; left as it is");
            let warning = Diagnostic::warning(&told.name, "wrong-digest", message);
            self.diagnostics.push(warning);
        }
    }
}
