//! An archive: its documents rewritten, every other record copied as it is.
//!
//! Records are read one after the other, rewritten and compressed on several threads, and written in
//! order. What does not change is copied from the old file, with the gzip members as they are, and
//! nothing at all is written where no record changes. The memory that it takes is bounded by the
//! largest document, not by the archive.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::document::{Complaint, OwnUrl, rewrite_document};
use super::entry::{FileError, Outcome, copy, with_backstop};
use super::plan::{Mode, Plan};
use super::policy::{BasePolicy, Form, Policy};
use super::report::{Documents, Problem, References};
use super::targets::{Site, Targets};
use super::tree::{KEPT_AS_IT_IS, display};
use crate::archive::ArchiveError;
use crate::archive::document::{Archived, Left, may_be_document};
use crate::archive::record::{Format, Piece, Record, Records};
use crate::document::{DocumentKind, ParseOptions};
use crate::output::{WriteError, diff, replace_stream};
use crate::parallel::{self, Crew, Done, in_order_from};
use crate::site::{Entry, FileIndex, Location};
use crate::url::{AbsoluteUrl, Url};

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
    pub(super) problems: Vec<Problem>,
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
        copy(plan, entry, &path, Outcome::KeptAsItIs(error))
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
    complaints: Vec<Complaint>,
    wrong_digests: Vec<&'static str>,
}

/// What became of a document.
enum End {
    NoDocument,
    Rewritten,
    Unchanged,
    Kept(String),
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
    let mut failed = None;
    let crew = Crew {
        threads: plan.threads,
        cancel: &plan.cancel,
    };
    let worker = Worker {
        plan,
        archive: &display(&entry.path),
        format,
        needs_bytes: plan.mode.writes(),
    };
    let mut is_at_end = false;
    let is_all = in_order_from(
        crew,
        || {
            if is_at_end {
                return None;
            }
            let piece = records.next_piece(|_, head, start| {
                may_be_document(head, start).unwrap_or_else(|why| {
                    *left.entry(why).or_default() += 1;
                    false
                })
            });
            match piece {
                Ok(None) => None,
                Ok(Some(Piece::Held(record))) => {
                    let bytes = record.len();
                    Some((Job::Document(record), bytes))
                }
                Ok(Some(Piece::Passed(range))) => Some((Job::Copy(range), 0)),
                Ok(Some(Piece::Member(bytes))) => {
                    let length = bytes.len();
                    Some((Job::Write(bytes), length))
                }
                Err(error) => {
                    is_at_end = true;
                    Some((Job::Failed(error), 0))
                }
            }
        },
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
    if !is_all {
        return Err(Error::Interrupted);
    }
    // Where nothing changed nothing is written at all.
    if result.documents.rewritten > 0 && worker.needs_bytes {
        old.flush(out).map_err(parallel::Error::Output)?;
    }
    result.records = records.count();
    for (why, count) in left {
        let (id, words) = why.words();
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("{count} record{plural} {words}: copied without being looked into");
        let problem = Problem::of_document(worker.archive, id, message);
        result.problems.push(problem);
    }
    Ok(result)
}

struct Worker<'w> {
    plan: &'w Plan,
    archive: &'w str,
    format: Format,
    needs_bytes: bool,
}

impl Worker<'_> {
    fn work(&self, job: Job) -> Done<Worked> {
        let nothing_told = |output| Worked { output, told: None };
        let result = match job {
            Job::Copy(range) => nothing_told(Ok(Output::Copy(range))),
            Job::Write(bytes) => nothing_told(Ok(Output::Write(bytes))),
            Job::Failed(error) => nothing_told(Err(error)),
            Job::Document(record) => self.record(record),
        };
        let bytes = match &result.output {
            Ok(Output::Write(bytes)) => bytes.len(),
            _ => 0,
        };
        Done { result, bytes }
    }

    fn record(&self, mut record: Record) -> Worked {
        let uri = record.head.target_uri().unwrap_or_default();
        let mut told = Told {
            name: record_name(self.archive, &uri),
            end: End::NoDocument,
            references: References::default(),
            complaints: Vec::new(),
            wrong_digests: Vec::new(),
        };
        let rewritten = with_backstop(|| self.document(&record, &mut told));
        let (number, place) = (record.number, record.place.clone());
        told.end = match rewritten.unwrap_or_else(|panicked| Err(panicked.to_string())) {
            Ok(None) => told.end,
            Ok(Some(new)) => {
                match new
                    .of
                    .replace(&record, new.headers.as_deref(), new.content.as_deref())
                {
                    Ok(changed) => {
                        record = changed.record;
                        told.wrong_digests = changed.wrong_digests;
                        End::Rewritten
                    }
                    Err(error) => End::Kept(error.to_string()),
                }
            }
            Err(message) => End::Kept(message),
        };
        if let End::Kept(_) = told.end {
            told.references = References::default();
            told.complaints.clear();
        }
        let output = match (place, &told.end) {
            (Some(place), End::NoDocument | End::Unchanged | End::Kept(_)) => {
                Ok(Output::Copy(place))
            }
            _ if !self.needs_bytes => Ok(Output::Write(Vec::new())),
            (place, _) => record
                .write(self.format)
                .map(Output::Write)
                .map_err(|error| ArchiveError {
                    record: number,
                    offset: place.map_or(0, |place| place.start),
                    trouble: crate::archive::Trouble::Read(error),
                }),
        };
        Worked {
            output,
            told: Some(told),
        }
    }

    /// What is new in `record`, where anything is.
    fn document(&self, record: &Record, told: &mut Told) -> Result<Option<New>, String> {
        let plan = self.plan;
        let archived = Archived::of(record).map_err(|error| error.to_string())?;
        let Some(archived) = archived else {
            return Ok(None);
        };
        let policy = policy_for(plan, &archived.url);
        let mut rewrite = |bytes: &[u8], own: &AbsoluteUrl, policy: &Policy, options| {
            let result = rewrite_document(bytes, OwnUrl::unmoved(own), policy, &options)
                .map_err(|error| error.to_string())?;
            told.references += &result.references;
            told.complaints.extend(result.complaints);
            Ok::<_, String>(result.bytes)
        };
        let headers = match archived.headers(record) {
            None => None,
            Some(headers) => {
                let own = AbsoluteUrl::new(plan.standard, archived.url.clone());
                let options = ParseOptions {
                    kind: DocumentKind::Message,
                    ..plan.options
                };
                // No element can be put into headers.
                let policy = match policy.base {
                    BasePolicy::Set(_) => Cow::Owned(Policy {
                        base: BasePolicy::Keep,
                        ..policy.clone().into_owned()
                    }),
                    _ => Cow::Borrowed(&*policy),
                };
                rewrite(headers, &own, &policy, options)?
            }
        };
        let content = match archived.kind {
            None => None,
            Some(kind) => {
                let own = archived.own(record, plan.standard);
                let options = ParseOptions {
                    kind,
                    charset: plan.options.charset.or(archived.charset),
                    ..plan.options
                };
                rewrite(archived.bytes(), &own, &policy, options)?
            }
        };
        told.end = End::Unchanged;
        let is_new = headers.is_some() || content.is_some();
        Ok(is_new.then_some(New {
            of: archived,
            headers,
            content,
        }))
    }
}

/// What is new in a record.
struct New {
    of: Archived,
    headers: Option<Vec<u8>>,
    content: Option<Vec<u8>>,
}

/// The policy for a document that was got from `url`. What the files of the tree prove says nothing
/// of it.
fn policy_for<'p>(plan: &'p Plan, url: &Url) -> Cow<'p, Policy> {
    let policy = &plan.policy;
    let (Form::Relative(_), Some(site)) = (policy.form, policy.targets.site()) else {
        return Cow::Borrowed(policy);
    };
    let server = || {
        let root = url.resolve("/", encoding_rs::UTF_8).ok()?;
        Some(Location::published_at(root.as_str()).ok()?.0)
    };
    let location = match plan.selection.archives {
        Archives::RewrittenByServer => server(),
        Archives::Rewritten | Archives::Copied => None,
    };
    let location = location.unwrap_or_else(|| site.before.clone());
    Cow::Owned(Policy {
        targets: Targets::of(Site {
            before: location.clone(),
            also: site.also.clone(),
            after: location,
            files: FileIndex::default(),
            moved: Default::default(),
            pretty: Default::default(),
        }),
        ..policy.clone()
    })
}

impl ArchiveResult {
    fn add(&mut self, told: Told) {
        let documents = &mut self.documents;
        match told.end {
            End::NoDocument => return,
            End::Rewritten => documents.rewritten += 1,
            End::Unchanged => documents.unchanged += 1,
            End::Kept(why) => {
                documents.kept_as_they_are += 1;
                let problem = Problem::of_document(&told.name, KEPT_AS_IT_IS, why);
                self.problems.push(problem);
            }
        }
        documents.seen += 1;
        self.references += &told.references;
        let complaints = told.complaints.into_iter();
        self.problems
            .extend(complaints.map(|complaint| Problem::of(&told.name, complaint)));
        for name in told.wrong_digests {
            let message = format!("its {name} did not fit before; left as it is");
            let problem = Problem::of_document(&told.name, "wrong-digest", message);
            self.problems.push(problem);
        }
    }
}

/// Copies ranges of the old file; those that follow each other, at once and as late as can be.
struct Copier {
    file: File,
    pending: Range<u64>,
}

impl Copier {
    fn new(file: File) -> Copier {
        Copier {
            file,
            pending: 0..0,
        }
    }

    fn pass(&mut self, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        if self.pending.end == range.start {
            self.pending.end = range.end;
            return Ok(());
        }
        self.flush(out)?;
        self.pending = range;
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let pending = std::mem::replace(&mut self.pending, 0..0);
        let length = pending.end - pending.start;
        if length == 0 {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(pending.start))?;
        let copied = io::copy(&mut (&self.file).take(length), out)?;
        match copied == length {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
