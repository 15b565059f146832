//! Extracts a crawl from its archives to a tree of files that opens from disk.
//!
//! The first pass reads the headers of all records, and decides which record has the content of which URL (`index`)
//! and which file it becomes (`files`, `names`). The second pass writes the files, each document by the policy of a relative
//! site whose URLs are those of the files. A URL that only redirects becomes a page that redirects.

mod files;
mod index;
mod names;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use encoding_rs::{Encoding, UTF_8};

use files::Files;
use index::{CrawlIndex, RecordPlace};

use super::outcome::DISK_FULL;
use super::report::{ExtractedCounts, Report};
use crate::coding::is_plausible_size;
use crate::files::open_file;
use crate::output::{Destination, NewTree, Original, WriteError};
use crate::parallel::{self, QueueItem, in_order_from};
use crate::warc::{ArchiveError, ArchiveSource, Capture, Record, RecordSkipReason, Records};
use crate::warc_counts::skipped;
use crate::{Corpus, Observer, SkipError, catch_panic};
use rehref_document::encoding::{CharsetSource, sniff_charset};
use rehref_document::{DocumentKind, ParseOptions};
use rehref_rewrite::{DocumentUrls, Policy, rewrite_document};
use rehref_site::{
    Diagnostic, SiteUrl, diagnostic::display_path, redirects::stub, string_table::StringNumber,
};
use rehref_url::{AbsoluteUrl, RelativeForm, Url};

/// The error of a crawl that cannot be extracted.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The output directory cannot be created.
    #[error("cannot create the output directory: {0}")]
    Destination(#[source] WriteError),
    /// The threads cannot be started, or the run was interrupted.
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
}

/// The URL that stands for the output directory. No page links to it: the domain `.invalid` does not exist.
const OUTPUT_URL: &str = "https://extracted.invalid/";

/// An archive of the crawl.
struct Archive<'c> {
    /// The number in the crawl.
    number: usize,
    /// The path of its file below the root.
    path: &'c Path,
    source: ArchiveSource,
}

/// Extracts the archives of `corpus` to `destination`.
///
/// # Errors
/// Returns an error if the run cannot start, or is interrupted. Errors of single archives and files are in the report.
pub fn extract(
    corpus: &Corpus,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Report, ExtractError> {
    let started = Instant::now();
    let mut report = Report::default();
    let archives = find_archives(corpus, &mut report);
    let index = read_index(&archives, &mut report);
    let (output, _) = SiteUrl::parse(OUTPUT_URL).map_err(|error| {
        // Never happens: the URL is a constant.
        parallel::Error::Output(io::Error::other(error))
    })?;
    let first_page = index.first_page;
    let extracted = report.extracted.insert(ExtractedCounts {
        errors: index.errors,
        unresolved_revisits: index.unresolved_revisits,
        ..ExtractedCounts::default()
    });
    let files = Files::new(index, output.clone());
    let first_page = first_page.and_then(|url| files.paths.path_of(url));
    extracted.first_page = first_page.map(str::to_owned);
    extracted.redirect_pages = files.redirects.len();
    make_directories(corpus, destination, &files, &mut report)?;
    // A file may have several archives, one after the other. Files without any do not count.
    let mut paths: Vec<&Path> = archives.iter().map(|archive| archive.path).collect();
    paths.dedup();
    let sizes = paths.into_iter().filter_map(|path| {
        let (_, metadata) = open_file(&corpus.root.join(path)).ok()?;
        Some(metadata.len())
    });
    let run = Run {
        corpus,
        destination,
        policy: &files.policy(output.clone()),
        output,
        files: &files,
        read: sizes.sum(),
        written: AtomicU64::new(0),
    };
    observer.start(files.records());
    for archive in &archives {
        run.archive(archive, observer, &mut report)?;
        if run.is_too_much() {
            report.fail(archive.path, run.too_much());
            if let Some(extracted) = &mut report.extracted {
                extracted.first_page = None;
            }
            break;
        }
    }
    run.redirect_pages(&archives, &mut report);
    report.archives.seen = corpus.archives().count();
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// The WARC archives of the crawl, also those in WACZ files. A file whose archives cannot be found is an error of the
/// report.
fn find_archives<'c>(corpus: &'c Corpus, report: &mut Report) -> Vec<Archive<'c>> {
    let mut archives = Vec::new();
    for (path, format) in corpus.archives() {
        match format.archives(&corpus.root.join(path)) {
            Ok(sources) => {
                let numbered = (archives.len()..).zip(sources);
                archives.extend(numbered.map(|(number, source)| Archive { number, path, source }));
            }
            Err(error) => report.fail(path, error),
        }
    }
    archives
}

/// Reads the headers of all records. A damaged archive is an error of the report; the records before the damage
/// counts.
fn read_index(archives: &[Archive<'_>], report: &mut Report) -> CrawlIndex {
    let mut index = CrawlIndex::default();
    for archive in archives {
        let mut read = || -> Result<usize, ArchiveError> {
            let mut records = Records::open(&archive.source, false)?;
            let mut add = |record, head: &_, start: &[u8]| {
                let _ = index.add(RecordPlace::new(archive.number, record), head, start);
                false
            };
            records.next_record(&mut add)?;
            Ok(records.count())
        };
        match read() {
            Ok(records) => report.archives.records += records,
            Err(error) => report.fail(archive.path, error),
        }
        let too_large = std::mem::take(&mut index.too_large).len();
        if too_large > 0 {
            let warning = skipped(RecordSkipReason::TooLarge, too_large);
            report.diagnostics.push(warning.at_path(&display_path(archive.path)));
        }
    }
    index.finish();
    index
}

/// Creates the directories of the output, with the permissions of that of the archives.
fn make_directories(
    corpus: &Corpus,
    destination: &Destination,
    files: &Files,
    report: &mut Report,
) -> Result<(), ExtractError> {
    let root = &corpus.root;
    let made = destination.make_directory(root, Path::new(""));
    made.map_err(ExtractError::Destination)?;
    let ancestors = files.all().flat_map(|path| Path::new(path).ancestors().skip(1));
    let directories: BTreeSet<&Path> = ancestors.filter(|it| *it != Path::new("")).collect();
    for directory in directories {
        match destination.make_directory(root, directory) {
            Ok(_) => report.copied.directories += 1,
            Err(error) => report.errors.push(unwritten(&directory.to_string_lossy(), &error)),
        }
    }
    Ok(())
}

/// The error of a file of the output.
fn unwritten(path: &str, error: &WriteError) -> Diagnostic {
    let mut diagnostic = Diagnostic::file_error(path, error.to_string());
    if error.is_disk_full() {
        diagnostic.code = DISK_FULL;
    }
    diagnostic
}

struct Run<'r> {
    corpus: &'r Corpus,
    destination: &'r Destination,
    files: &'r Files,
    policy: &'r Policy,
    output: SiteUrl,
    /// The number of bytes of the archives.
    read: u64,
    /// The number of bytes of the files so far.
    written: AtomicU64,
}

impl Run<'_> {
    /// Returns true if the files take more bytes than any crawl: revisits can make many files of one record, and the
    /// codings of HTTP a large file of a small record.
    fn is_too_much(&self) -> bool {
        !is_plausible_size(self.read, self.written.load(Ordering::Relaxed))
    }

    /// The error of a crawl whose files take too many bytes.
    fn too_much(&self) -> String {
        let (written, read) = (self.written.load(Ordering::Relaxed), self.read);
        format!(
            "the files of the crawl are larger than rehref extracts: at least {written} bytes from {read}; the output is incomplete"
        )
    }

    /// Writes the files of the records of an archive.
    fn archive(
        &self,
        archive: &Archive<'_>,
        observer: &dyn Observer,
        report: &mut Report,
    ) -> Result<(), ExtractError> {
        let path = self.corpus.root.join(archive.path);
        // The first pass has reported archives that cannot be read.
        let (Ok((_, metadata)), Ok(mut records)) =
            (open_file(&path), Records::open(&archive.source, false))
        else {
            return Ok(());
        };
        let is_wanted = |record: usize, _: &_, _: &[u8]| {
            let place = RecordPlace::new(archive.number, record);
            !self.files.of_record(place).is_empty()
        };
        let records = iter::from_fn(|| {
            let value = records.next_record(is_wanted).ok()??;
            Some(QueueItem { bytes: value.size(), value })
        });
        let completion = in_order_from(
            self.corpus.thread_options(),
            records,
            |record: Record| {
                let like = Original { path: &path, metadata: &metadata };
                let value = self.record(archive, &record, like);
                observer.progress();
                QueueItem { value, bytes: 0 }
            },
            |part| {
                report.add(part);
                if self.is_too_much() { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) }
            },
        );
        if self.is_too_much() {
            return Ok(());
        }
        Ok(completion?.of_all(self.files.records())?)
    }

    /// Writes the files with the content of `record`.
    fn record(&self, archive: &Archive<'_>, record: &Record, like: Original<'_>) -> Report {
        let mut report = Report::default();
        let files = self.files.of_record(RecordPlace::new(archive.number, record.number));
        let decoded = catch_panic(|| Capture::of_any(record).map_err(SkipError::coding));
        let decoded = decoded.map_err(SkipError::coding).flatten();
        let archive = display_path(archive.path);
        for (_, url) in files {
            if self.is_too_much() {
                break;
            }
            let name = format!("{archive} > {}", self.files.paths.url(*url));
            let content = match &decoded {
                Ok(Some(content)) => content,
                Ok(None) => continue,
                Err(error) => {
                    report.add_skipped(&name, error);
                    continue;
                }
            };
            let write = || self.file(record, content, *url, &name, like, &mut report);
            if let Err(panicked) = catch_panic(write) {
                report.add_skipped(&name, &SkipError::coding(panicked));
            }
        }
        report
    }

    fn file(
        &self,
        record: &Record,
        content: &Capture,
        number: StringNumber,
        name: &str,
        like: Original<'_>,
        report: &mut Report,
    ) {
        let mut bytes = Cow::Borrowed(content.bytes());
        let paths = &self.files.paths;
        let path = paths.path_of(number).unwrap_or_default();
        if let Some(kind) = content.kind {
            let standard = self.corpus.standard;
            // A revisit has the content of another URL.
            let url = paths.url(number);
            let before = match Url::parse(url) {
                Ok(other) if url != content.url.as_str() => AbsoluteUrl::new(standard, other),
                _ => content.base_url(record, standard),
            };
            let after = paths.file_of(number);
            let after = after.map_or_else(|| before.clone(), |it| AbsoluteUrl::new(standard, it));
            let urls = DocumentUrls { after: &after, ..DocumentUrls::unmoved(&before) };
            let options = ParseOptions {
                kind,
                charset: self.corpus.options.charset.or(content.charset),
                ..self.corpus.options
            };
            match rewrite_document(&bytes, urls, self.policy, &options) {
                Ok(mut result) => {
                    report.documents.seen += 1;
                    let mut diagnostics = std::mem::take(&mut result.diagnostics);
                    for diagnostic in &mut diagnostics {
                        // The path of the file instead.
                        diagnostic.message = diagnostic.message.replace(OUTPUT_URL, "").into();
                    }
                    report.add_diagnostics(name, diagnostics);
                    report.references += &result.references;
                    report.offline.fetch_options_removed += result.fetch_options_removed;
                    match result.into_bytes(&bytes) {
                        Some(changed) => {
                            report.documents.rewritten += 1;
                            bytes = changed.into();
                        }
                        None => report.documents.unchanged += 1,
                    }
                }
                // The file is written unchanged, so its links stay as recorded.
                Err(error) => report.add_skipped(name, &error.into()),
            }
            if let Some(mark) = charset_mark(&bytes, kind, content.charset) {
                bytes = [mark, &bytes].concat().into();
            }
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.written.fetch_add(length, Ordering::Relaxed);
        if !self.is_too_much() {
            report.copied.files += usize::from(content.kind.is_none());
            self.write(path, &bytes, like, report);
        }
    }

    fn write(&self, path: &str, bytes: &[u8], like: Original<'_>, report: &mut Report) {
        if let Err(error) = self.destination.write_file(Path::new(path), bytes.into(), like) {
            report.errors.push(unwritten(path, &error));
        }
    }

    /// Writes the pages that redirect.
    fn redirect_pages(&self, archives: &[Archive<'_>], report: &mut Report) {
        let Some(archive) = archives.first() else { return };
        let like = self.corpus.root.join(archive.path);
        let Ok((_, metadata)) = open_file(&like) else { return };
        let like = Original { path: &like, metadata: &metadata };
        let paths = &self.files.paths;
        let absolute = |url| AbsoluteUrl::new(self.corpus.standard, url);
        for (path, to) in &self.files.redirects {
            let (path, to) = (paths.path(*path), paths.file_of(*to));
            let own = self.output.file_url(Path::new(path)).ok();
            let reference = own
                .zip(to)
                .and_then(|(own, to)| absolute(own).relativize(&absolute(to), RelativeForm::Path));
            if let Some(reference) = reference {
                self.write(path, stub(&reference).as_bytes(), like, report);
            }
        }
    }
}

/// A byte order mark for an HTML document or style sheet that is UTF-8 by its HTTP headers only: a file on disk has
/// none, and a browser would guess.
fn charset_mark(
    bytes: &[u8],
    kind: DocumentKind,
    declared: Option<&'static Encoding>,
) -> Option<&'static [u8]> {
    if !matches!(kind, DocumentKind::Html | DocumentKind::Css)
        || declared != Some(UTF_8)
        || bytes.is_ascii()
    {
        return None;
    }
    let own = sniff_charset(kind, bytes, None);
    let is_known = own.encoding == UTF_8 && own.source != CharsetSource::Fallback;
    (!is_known).then_some("\u{FEFF}".as_bytes())
}
