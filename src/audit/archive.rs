//! The audit of an archive: its records are the site.
//!
//! It is read once for the URLs that it holds and once for its documents; where fragments lead
//! nowhere, a third time to say where they stand. The memory that takes grows with the number of
//! URLs and anchors, not with what is behind them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::iter;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use super::anchors::{AnchorIndex, FragmentStatus, PendingFragment};
use super::checks::Check;
use super::document_audit::{
    AuditContext, DocumentFindings, FragmentMode, LocatedFragments, Source,
};
use super::fast_path::SimplePaths;
use super::files::{FileNumber, FileNumbers};
use super::finding::Finding;
use super::fragments::FragmentShapes;
use super::resolved::SiteIndex;
use super::run::Audited;
use super::symlinks::DanglingSymlinks;
use crate::corpus::catch_panic;
use crate::document::{DocumentKind, ParseOptions};
use crate::parallel::{self, QueueItem, ThreadOptions, in_order_from};
use crate::plural::counted;
use crate::rewrite::archive::record_name;
use crate::site::SiteUrlError;
use crate::url::{AbsoluteUrl, Standard};
use crate::warc::ArchiveError;
use crate::warc::document::{Archived, Left, may_be_document};
use crate::warc::index::ArchiveIndex;
use crate::warc::record::{Piece, Record, Records};

/// An archive that is only read.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveSource<'a> {
    /// The file.
    pub path: &'a Path,
    /// What it is called in what is told.
    pub name: &'a str,
    /// What is known of all documents.
    pub options: ParseOptions,
    /// The standard that references are resolved by.
    pub standard: Standard,
    /// How many threads work; 0 for as many as there are cores.
    pub threads: usize,
    /// Looked at before each document.
    pub cancel: &'a AtomicBool,
}

/// Why an archive cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It is damaged.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The work cannot be done, or whoever takes the results gave up.
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
    /// No URL can stand for the archive.
    #[error(transparent)]
    NoUrl(#[from] SiteUrlError),
    /// It was cancelled.
    #[error("interrupted")]
    Interrupted,
}

/// A document of an archive, or the headers that it came with.
#[derive(Debug)]
pub struct ArchivedDocument<'d> {
    /// The number of its record, from 1.
    pub record: usize,
    /// What it is called: the archive and the URL of the record.
    pub name: &'d str,
    /// What it is relative to.
    pub own: &'d AbsoluteUrl,
    /// Its bytes, without codings.
    pub bytes: &'d [u8],
    /// How it is to be parsed.
    pub options: ParseOptions,
    /// Whether it is the headers of HTTP, which are a message without content.
    pub is_headers: bool,
    /// Whether it is what was asked for: no redirect, no error.
    pub is_success: bool,
}

impl ArchiveSource<'_> {
    /// The URLs that the archive holds.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn index(&self) -> Result<ArchiveIndex, ArchiveError> {
        let mut index = ArchiveIndex::default();
        let mut records = Records::open(self.path, false)?;
        let add = |index: &mut ArchiveIndex, head: &_, start: &[u8]| {
            index.add(head, start);
            false
        };
        while records
            .next_piece(|_, head, start| add(&mut index, head, start))?
            .is_some()
        {}
        Ok(index)
    }

    /// Does `work` on the documents whose records `is_wanted`, in parallel, and hands the results to
    /// `take` in the order of the archive, with the document's name; an error where it cannot be read.
    /// Says what documents were left out.
    ///
    /// # Errors
    /// When the archive is damaged, or `take` fails.
    pub fn each_document<T: Send>(
        &self,
        is_wanted: impl Fn(usize) -> bool + Sync,
        work: impl Fn(&ArchivedDocument<'_>) -> T + Sync,
        mut take: impl FnMut(&str, Result<T, String>) -> io::Result<()>,
    ) -> Result<BTreeMap<Left, usize>, SourceError> {
        let mut left: BTreeMap<Left, usize> = BTreeMap::new();
        let mut records = Records::open(self.path, false)?;
        let threads = ThreadOptions {
            threads: self.threads,
            cancel: self.cancel,
        };
        let (mut failed, mut last_asked) = (None, None);
        let completion = in_order_from(
            threads,
            iter::from_fn(|| {
                loop {
                    let piece = records.next_piece(|number, head, start| {
                        // A record that shares its gzip member may be asked for twice.
                        let count = usize::from(last_asked.replace(number) != Some(number));
                        is_wanted(number)
                            && may_be_document(head, start).unwrap_or_else(|why| {
                                *left.entry(why).or_default() += count;
                                false
                            })
                    });
                    match piece {
                        Ok(None) => return None,
                        Ok(Some(Piece::Held(record))) => {
                            let bytes = record.len();
                            let value = record;
                            return Some(QueueItem { value, bytes });
                        }
                        Ok(Some(Piece::Passed(_) | Piece::Member(_) | Piece::Hashed(_))) => {}
                        Err(error) => {
                            failed = Some(error);
                            return None;
                        }
                    }
                }
            }),
            |record| {
                let bytes = record.len();
                let value = self.document(&record, &work);
                QueueItem { value, bytes }
            },
            |(name, result)| match result {
                Ok(results) => results
                    .into_iter()
                    .try_for_each(|result| take(&name, Ok(result))),
                Err(error) => take(&name, Err(error)),
            },
        )?;
        match failed {
            Some(error) => Err(error.into()),
            None if completion.is_complete => Ok(left),
            None => Err(SourceError::Interrupted),
        }
    }

    fn document<T>(
        &self,
        record: &Record,
        work: &impl Fn(&ArchivedDocument<'_>) -> T,
    ) -> (String, Result<Vec<T>, String>) {
        let uri = record.head.target_uri().unwrap_or_default();
        let name = record_name(self.name, &uri);
        let archived = match Archived::of(record) {
            Ok(Some(archived)) => archived,
            Ok(None) => return (name, Ok(Vec::new())),
            Err(error) => return (name, Err(error.to_string())),
        };
        let url = AbsoluteUrl::new(self.standard, archived.url.clone());
        let headers = archived.headers(record).map(|headers| ArchivedDocument {
            record: record.number,
            name: &name,
            own: &url,
            bytes: headers,
            options: ParseOptions {
                kind: DocumentKind::Message,
                ..self.options
            },
            is_headers: true,
            is_success: false,
        });
        let own = archived.own(record, self.standard);
        let content = archived.kind.map(|kind| ArchivedDocument {
            record: record.number,
            name: &name,
            own: &own,
            bytes: archived.bytes(),
            options: ParseOptions {
                kind,
                charset: self.options.charset.or(archived.charset),
                ..self.options
            },
            is_headers: false,
            is_success: archived.is_success(),
        });
        let documents = headers.into_iter().chain(content);
        let results = catch_panic(|| documents.map(|it| work(&it)).collect());
        let results = results.map_err(|panicked| panicked.to_string());
        (name, results)
    }
}

/// Audits an archive. `progress` is called for every document.
///
/// # Errors
/// When it cannot be read to its end; trouble with single documents is in [`Audited::failures`].
pub fn audit_archive(
    source: &ArchiveSource<'_>,
    fragments: FragmentMode,
    progress: impl Fn() + Sync,
) -> Result<Audited, SourceError> {
    let site = SiteIndex::of_archive(source.index()?)?;
    let files = FileNumbers::new(&site.files);
    let examiner = AuditContext {
        site_url: AbsoluteUrl::new(source.standard, site.site_url.url().clone()),
        site: &site,
        is_published: true,
        fragments,
        symlinks: DanglingSymlinks::default(),
        anchors: AnchorIndex::new(files.len()),
        suggestions: OnceLock::new(),
        simple: SimplePaths::default(),
        needs_targets: false,
        files,
    };
    let mut run = Run {
        examiner: &examiner,
        audited: Audited::default(),
        found: Vec::new(),
        scripted: BTreeMap::new(),
        waiting: Vec::new(),
        again: BTreeSet::new(),
    };
    let left = source.each_document(
        |_| true,
        |document| {
            let examined = examiner.examine(run_source(&examiner, document), &document.options);
            progress();
            examined
                .map(|examined| (document.record, document.is_headers, examined))
                .map_err(|error| error.to_string())
        },
        |name, result| {
            match result.and_then(|examined| examined) {
                Ok((record, is_headers, examined)) => {
                    run.audited.documents += usize::from(!is_headers);
                    run.examined(record, examined);
                }
                Err(error) => run.audited.failures.push((name.into(), error)),
            }
            Ok(())
        },
    )?;
    for (why, count) in left {
        let message = format!(
            "{}, {}: not looked into",
            counted(count, "record"),
            why.words().1
        );
        let failures = &mut run.audited.failures;
        failures.push((source.name.into(), message));
    }
    run.join();
    let again = std::mem::take(&mut run.again);
    if !again.is_empty() {
        source.each_document(
            |record| again.contains(&record),
            |document| {
                let located = examiner.locate(run_source(&examiner, document), &document.options);
                (document.record, located.ok())
            },
            |_, result| {
                // What went wrong was told the first time.
                if let Ok((record, Some(located))) = result {
                    run.located(record, located);
                }
                Ok(())
            },
        )?;
    }
    Ok(run.finish())
}

fn run_source<'s>(examiner: &AuditContext<'_>, document: &'s ArchivedDocument<'_>) -> Source<'s> {
    let number = examiner.files.number(document.own.as_str());
    Source {
        name: document.name,
        // The page of an error is no target, whatever ids it has.
        number: number
            .filter(|_| document.is_success)
            .unwrap_or(FileNumber::MAX),
        bytes: document.bytes,
        own: document.own,
    }
}

/// What is known of the fragments that a row of the table serves.
#[derive(Debug)]
struct Scripted {
    count: usize,
    /// The first record with one.
    first: usize,
    place: Option<Finding>,
}

struct Run<'a> {
    examiner: &'a AuditContext<'a>,
    audited: Audited,
    found: Vec<(usize, Finding)>,
    scripted: BTreeMap<FragmentShapes, Scripted>,
    waiting: Vec<(usize, PendingFragment)>,
    /// The records that are to be read again.
    again: BTreeSet<usize>,
}

impl Run<'_> {
    fn examined(&mut self, record: usize, examined: DocumentFindings) {
        let audited = &mut self.audited;
        audited.references += examined.references;
        audited.external += examined.external;
        audited.ignored += examined.ignored;
        // Nothing is mended in archives.
        let findings = examined.findings.into_iter();
        self.found
            .extend(findings.map(|(finding, _)| (record, finding)));
        for (rows, count) in examined.scripted {
            self.scripted(rows, count, record);
        }
        let mut waiting = examined.waiting;
        waiting.sort_unstable();
        waiting.dedup();
        let waiting = waiting.into_iter();
        self.waiting.extend(waiting.map(|wanted| (record, wanted)));
        if examined.has_broken_fragments {
            self.again.insert(record);
        }
    }

    fn scripted(&mut self, rows: FragmentShapes, count: usize, record: usize) {
        let scripted = self.scripted.entry(rows).or_insert(Scripted {
            count: 0,
            first: record,
            place: None,
        });
        scripted.count += count;
        scripted.first = scripted.first.min(record);
    }

    /// Looks for the fragments that waited.
    fn join(&mut self) {
        for (record, wanted) in std::mem::take(&mut self.waiting) {
            match self.examiner.anchors.find(&wanted) {
                FragmentStatus::Anchor | FragmentStatus::Unknown => {}
                FragmentStatus::Redirected => self.scripted(FragmentShapes::REDIRECT, 1, record),
                FragmentStatus::Scripted(rows) => self.scripted(rows, 1, record),
                FragmentStatus::Missing => {
                    self.again.insert(record);
                }
            }
        }
        let firsts = self.scripted.values().map(|scripted| scripted.first);
        self.again.extend(firsts);
    }

    fn located(&mut self, record: usize, located: LocatedFragments) {
        self.audited.ignored += located.ignored;
        for (rows, place) in located.scripted {
            let scripted = self.scripted.get_mut(&rows);
            if let Some(scripted) = scripted.filter(|scripted| scripted.first == record) {
                scripted.place = Some(place);
            }
        }
        let lost = located.lost.into_iter();
        self.found.extend(lost.map(|lost| (record, lost.finding)));
    }

    fn finish(mut self) -> Audited {
        for (rows, scripted) in std::mem::take(&mut self.scripted) {
            let why = rows.first().map_or("", |row| row.why);
            let count = counted(scripted.count, "fragment");
            let message = format!("{count} without an anchor: {why}");
            // Where the author's ignore mark covers the first place, none is told.
            if let Some(place) = scripted.place {
                let finding = Finding {
                    check: Check::ScriptFragment,
                    message,
                    ..place
                };
                self.found.push((scripted.first, finding));
            } else {
                self.audited.ignored += 1;
            }
        }
        self.found
            .sort_by_key(|(record, finding)| (*record, finding.line, finding.column));
        let found = self.found.into_iter();
        self.audited.findings = found.map(|(_, finding)| (finding, None)).collect();
        self.audited
    }
}
