//! Two trees: every file and its counterpart.

#[cfg(all(test, unix))]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::archive::{ArchiveContext, verify_archive};
use super::document::{Context, DocumentComparison, verify_document};
use super::report::{Difference, DifferenceKind, FileDifferences, Report};
use crate::coding::{DECODED_LIMIT, decode};
use crate::corpus::Selection;
use crate::corpus::{Panicked, catch_panic};
use crate::diagnostic::{Diagnostic, display_path};
use crate::document::{DocumentKind, ParseOptions};
use crate::parallel::{self, QueueItem, ThreadOptions, in_order};
use crate::rewrite::Observer;
use crate::site::{CompressedPage, Entry, EntryKind, FileTree, SiteUrl, symlink_target};
use crate::url::{AbsoluteUrl, ParseError, Standard};
use crate::warc::is_archive_name;

/// What a verification is to do.
pub struct TreePlan<'p> {
    /// The tree that was.
    pub before: Side<'p>,
    /// The tree that is.
    pub after: Side<'p>,
    /// The standard that references are resolved by.
    pub standard: Standard,
    /// What is known of all documents.
    pub options: ParseOptions,
    /// What kind of document the file at a path of BEFORE is; `None` for one that no link is looked
    /// for in.
    pub kind: &'p (dyn Fn(&Path) -> io::Result<Option<DocumentKind>> + Sync),
    /// Which files are looked into: archives and compressed pages too, where it says so.
    pub selection: &'p Selection,
    /// The path in AFTER of the file at a path of BEFORE.
    pub counterpart: &'p (dyn Fn(&Path) -> PathBuf + Sync),
    /// Where a target of BEFORE should be in AFTER.
    pub follow: &'p (dyn Fn(&AbsoluteUrl) -> AbsoluteUrl + Sync),
    /// Whether two URLs, the expected target and that of AFTER, are the same.
    pub same: &'p (dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool + Sync),
    /// Whether the file at a path of AFTER may be there though BEFORE has none.
    pub may_be_extra: &'p (dyn Fn(&Path) -> bool + Sync),
    /// How many differences are told; all are counted.
    pub limit: usize,
    /// How many threads work; 0 for as many as there are cores.
    pub threads: usize,
    /// Looked at before each file: once it is set, no other is begun.
    pub cancel: &'p AtomicBool,
}

/// One of the two trees.
#[derive(Clone, Copy, Debug)]
pub struct Side<'p> {
    /// Its root directory.
    pub root: &'p Path,
    /// The URL of that.
    pub site_url: &'p SiteUrl,
    /// What is in it.
    pub walk: &'p FileTree,
}

/// Compares two trees as `plan` says.
///
/// # Errors
/// Where nothing could be done at all, or not all; see [`parallel::Error`]. Trouble with single files
/// is in the report instead.
pub fn verify_tree(
    plan: &TreePlan<'_>,
    observer: &dyn Observer,
) -> Result<Report, parallel::Error> {
    let started = Instant::now();
    let mut recorder = Recorder {
        report: Report::default(),
        left: plan.limit,
    };
    for side in [&plan.before, &plan.after] {
        let errors = side.walk.errors.iter().map(|error| {
            let path = display_path(&side.root.join(&error.path));
            Diagnostic::file_error(path, error.source.to_string())
        });
        recorder.report.errors.extend(errors);
    }
    let entries = plan.before.walk.entries.iter();
    let before: Vec<&Entry> = entries.filter(|entry| is_of_site(entry)).collect();
    let entries = plan.after.walk.entries.iter();
    let after: Vec<&Entry> = entries
        .filter(|entry| entry.kind != EntryKind::Directory)
        .collect();
    let kinds: HashMap<&Path, EntryKind> = after
        .iter()
        .map(|entry| (entry.path.as_path(), entry.kind))
        .collect();
    let counterparts: Vec<PathBuf> = before
        .iter()
        .map(|entry| (plan.counterpart)(&entry.path))
        .collect();
    let files: Vec<(&Entry, &PathBuf)> = before.iter().copied().zip(&counterparts).collect();
    observer.start(files.len());
    let threads = ThreadOptions {
        threads: plan.threads,
        cancel: plan.cancel,
    };
    in_order(
        &files,
        threads,
        |(entry, counterpart)| {
            let kind = kinds.get(counterpart.as_path()).copied();
            let outcome = compare(plan, entry, counterpart, kind);
            observer.progress();
            // Differences are few, or cut off at the limit.
            QueueItem {
                value: outcome,
                bytes: 0,
            }
        },
        |(entry, counterpart), outcome| {
            recorder.outcome(&entry.path, counterpart, outcome);
            Ok(())
        },
    )?;
    let expected: HashSet<&Path> = counterparts.iter().map(PathBuf::as_path).collect();
    for entry in &after {
        if !expected.contains(entry.path.as_path()) && !(plan.may_be_extra)(&entry.path) {
            let kind = DifferenceKind::ExtraFile;
            let difference = Difference::of_file(kind, "BEFORE has no such file");
            recorder.difference(&entry.path, None, Some(difference));
        }
    }
    let mut report = recorder.report;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Whether an entry of BEFORE has to be in AFTER.
fn is_of_site(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::File | EntryKind::Symlink)
}

/// What the comparison of a file with its counterpart gives.
enum Outcome {
    Document(DocumentComparison),
    File(Option<Difference>),
    Symlink(Option<Difference>),
    Missing(Difference),
    Failed(Diagnostic),
}

/// Why a file cannot be compared.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error("{}: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
}

fn compare(
    plan: &TreePlan<'_>,
    entry: &Entry,
    counterpart: &Path,
    kind: Option<EntryKind>,
) -> Outcome {
    let compared = match (entry.kind, kind) {
        (EntryKind::Symlink, Some(EntryKind::Symlink)) => symlinks(plan, entry, counterpart),
        (EntryKind::File, Some(EntryKind::File)) => files(plan, entry, counterpart),
        (_, None) => Ok(Outcome::Missing(Difference::of_file(
            DifferenceKind::MissingFile,
            "AFTER has no such file",
        ))),
        (kind, Some(_)) => Ok(Outcome::Missing(Difference::of_file(
            DifferenceKind::MissingFile,
            match kind {
                EntryKind::Symlink => "a symbolic link in BEFORE, none in AFTER",
                _ => "a file in BEFORE, none in AFTER",
            },
        ))),
    };
    compared.unwrap_or_else(|error| {
        Outcome::Failed(Diagnostic::file_error(
            display_path(&entry.path),
            error.to_string(),
        ))
    })
}

fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|source| FileError::Read {
        path: path.to_owned(),
        source,
    })
}

fn files(plan: &TreePlan<'_>, entry: &Entry, counterpart: &Path) -> Result<Outcome, FileError> {
    let path = plan.before.root.join(&entry.path);
    let path_after = plan.after.root.join(counterpart);
    let kind = (plan.kind)(&entry.path).map_err(|source| FileError::Read {
        path: path.clone(),
        source,
    })?;
    let is_archive = entry.path.file_name().is_some_and(is_archive_name);
    if is_archive && plan.selection.has(&entry.path) {
        return archives(plan, &path, &path_after);
    }
    if let Some(page) = plan.selection.compressed_page(&entry.path) {
        return compressed(plan, &page, &path, &path_after, counterpart);
    }
    let Some(kind) = kind else {
        let difference = first_difference(&path, &path_after)?.map(|offset| {
            let message = format!("not the same file: byte {offset} differs");
            Difference::of_file(DifferenceKind::Bytes, message)
        });
        return Ok(Outcome::File(difference));
    };
    let (before, after) = (read(&path)?, read(&path_after)?);
    documents(plan, kind, (&entry.path, &before), (counterpart, &after))
}

/// Two archives.
fn archives(plan: &TreePlan<'_>, path: &Path, path_after: &Path) -> Result<Outcome, FileError> {
    if first_difference(path, path_after)?.is_none() {
        return Ok(Outcome::File(None));
    }
    let context = ArchiveContext {
        options: plan.options,
        standard: plan.standard,
        follow: &|target| (plan.follow)(target),
        same: &|expected, found| (plan.same)(expected, found),
        limit: plan.limit,
    };
    match catch_panic(|| verify_archive(path, path_after, &context)) {
        Ok(Ok(verified)) => Ok(Outcome::Document(verified)),
        Ok(Err(error)) => Ok(changed(&error.to_string())),
        Err(panicked) => Ok(changed(&panicked.to_string())),
    }
}

/// Two compressed pages.
fn compressed(
    plan: &TreePlan<'_>,
    page: &CompressedPage,
    path: &Path,
    path_after: &Path,
    counterpart: &Path,
) -> Result<Outcome, FileError> {
    let (before, after) = (read(path)?, read(path_after)?);
    if before == after {
        return Ok(Outcome::File(None));
    }
    let decoded = |bytes: &[u8]| decode(page.coding, bytes, DECODED_LIMIT);
    let (before, after) = match (decoded(&before), decoded(&after)) {
        (Ok((before, _)), Ok((after, _))) => (before, after),
        (Err(error), _) | (_, Err(error)) => return Ok(changed(&error.to_string())),
    };
    let page_after = CompressedPage::of(counterpart);
    let page_after = page_after.as_ref().map_or(counterpart, |page| &page.page);
    documents(plan, page.kind, (&page.page, &before), (page_after, &after))
}

fn changed(why: &str) -> Outcome {
    let message = format!("changed, though it cannot be worked on: {why}");
    Outcome::File(Some(Difference::of_file(DifferenceKind::Bytes, message)))
}

/// Two documents, each with the path that its URL is made of.
fn documents(
    plan: &TreePlan<'_>,
    kind: DocumentKind,
    (path, before): (&Path, &[u8]),
    (path_after, after): (&Path, &[u8]),
) -> Result<Outcome, FileError> {
    let url = |side: &Side<'_>, path: &Path| -> Result<AbsoluteUrl, ParseError> {
        let url = side.site_url.document_url(path)?;
        Ok(AbsoluteUrl::new(plan.standard, url))
    };
    let context = Context {
        options: ParseOptions {
            kind,
            ..plan.options
        },
        before: &url(&plan.before, path)?,
        after: &url(&plan.after, path_after)?,
        follow: &|target| (plan.follow)(target),
        same: &|expected, found| (plan.same)(expected, found),
        limit: plan.limit,
    };
    let why = match catch_panic(|| verify_document(before, after, &context)) {
        Ok(Ok(verified)) => return Ok(Outcome::Document(verified)),
        Ok(Err(error)) => error.to_string(),
        Err(Panicked) => Panicked.to_string(),
    };
    let difference = (before != after).then(|| {
        let message = format!("changed, though BEFORE cannot be worked on: {why}");
        Difference::of_file(DifferenceKind::Bytes, message)
    });
    Ok(Outcome::File(difference))
}

/// The first byte, counted from 0, that two files have not in common.
fn first_difference(before: &Path, after: &Path) -> Result<Option<u64>, FileError> {
    const CHUNK: u64 = 1 << 16;
    let open = |path: &Path| {
        fs::File::open(path).map_err(|source| FileError::Read {
            path: path.to_owned(),
            source,
        })
    };
    let chunk = |file: &mut fs::File, path: &Path, buffer: &mut Vec<u8>| {
        buffer.clear();
        let read = file.take(CHUNK).read_to_end(buffer);
        read.map_err(|source| FileError::Read {
            path: path.to_owned(),
            source,
        })
    };
    let (mut old, mut new) = (open(before)?, open(after)?);
    let (mut old_bytes, mut new_bytes) = (Vec::new(), Vec::new());
    let mut offset = 0;
    loop {
        chunk(&mut old, before, &mut old_bytes)?;
        chunk(&mut new, after, &mut new_bytes)?;
        if old_bytes != new_bytes {
            let pairs = old_bytes.iter().zip(&new_bytes);
            let common = pairs.take_while(|(old, new)| old == new).count();
            return Ok(Some(offset + u64::try_from(common).unwrap_or(u64::MAX)));
        }
        if old_bytes.is_empty() {
            return Ok(None);
        }
        offset += u64::try_from(old_bytes.len()).unwrap_or(u64::MAX);
    }
}

fn symlinks(plan: &TreePlan<'_>, entry: &Entry, counterpart: &Path) -> Result<Outcome, FileError> {
    let text =
        |path: PathBuf| fs::read_link(&path).map_err(|source| FileError::Read { path, source });
    let before = text(plan.before.root.join(&entry.path))?;
    let after = text(plan.after.root.join(counterpart))?;
    let target = symlink_target(&entry.path, &before);
    let is_same = match (target, symlink_target(counterpart, &after)) {
        // Within the tree it is the file that counts.
        (Some(target), Some(found)) => found == (plan.counterpart)(&target),
        _ => before == after,
    };
    let difference = (!is_same).then(|| Difference {
        before: Some(display_path(&before)),
        after: Some(display_path(&after)),
        ..Difference::of_file(
            DifferenceKind::Symlink,
            "the symbolic link has another target",
        )
    });
    Ok(Outcome::Symlink(difference))
}

/// Puts results into the report.
struct Recorder {
    report: Report,
    /// How many differences may still be told.
    left: usize,
}

impl Recorder {
    fn outcome(&mut self, before: &Path, after: &Path, outcome: Outcome) {
        let moved = (before != after).then_some(before);
        match outcome {
            Outcome::Document(verified) => {
                self.report.documents += 1;
                self.report.references += verified.references;
                self.differences(after, moved, verified.differences, verified.count);
            }
            Outcome::File(difference) => {
                self.report.files += 1;
                self.difference(after, moved, difference);
            }
            Outcome::Symlink(difference) => {
                self.report.symlinks += 1;
                self.difference(after, moved, difference);
            }
            Outcome::Missing(difference) => self.difference(after, moved, Some(difference)),
            Outcome::Failed(failure) => self.report.errors.push(failure),
        }
    }

    fn difference(&mut self, path: &Path, moved: Option<&Path>, difference: Option<Difference>) {
        let count = usize::from(difference.is_some());
        self.differences(path, moved, difference.into_iter().collect(), count);
    }

    fn differences(
        &mut self,
        path: &Path,
        moved: Option<&Path>,
        mut differences: Vec<Difference>,
        count: usize,
    ) {
        if count == 0 {
            return;
        }
        differences.truncate(self.left);
        self.left -= differences.len();
        self.report.differences += count;
        self.report.different.push(FileDifferences {
            path: display_path(path),
            path_before: moved.map(display_path),
            count,
            differences,
        });
    }
}
