//! Public types for WARC archives: reads their records one by one, and replaces the document in a record.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, Cursor};
use std::ops::Range;
use std::path::Path;

use rehref_audit::tables::{DocumentRows, Tables};
use rehref_corpus::warc::ArchiveError;
use rehref_corpus::warc::capture::{Capture, RecordSkipReason, may_hold_references};
use rehref_corpus::warc::index::capture_status;
use rehref_corpus::warc::record::{Piece, Record, RecordHeader, Records};
use rehref_corpus::warc::sequence::{ArchiveSequence, Step};
use rehref_corpus::warc::source::{ArchiveReader, read_range};
use rehref_corpus::{ContainerError, RecordDocuments, archives_in, container_format};
use rehref_document::message::headers::Headers;
use rehref_document::message::media_type::MediaType;
use rehref_document::{DocumentKind, ParseOptions};
use rehref_site::CaptureStatus;
use rehref_url::Standard;

/// A reader of a WARC archive (`.warc`, `.warc.gz`), or of all archives in a WACZ file (`.wacz`). Iterates over
/// the records, and keeps one record in memory.
///
/// If a record is damaged, the iterator returns an error, and then the next readable records.
///
/// ```no_run
/// for record in rehref::WarcReader::open("crawl.warc.gz")? {
///     let record = record?;
///     if let (Some(url), Some(document)) = (&record.url, record.document()?) {
///         println!("{url}: {} bytes of {:?}", document.content.len(), document.kind);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WarcReader {
    records: ArchiveSequence,
    ready: VecDeque<WarcRecord>,
}

/// A record of a WARC archive: its headers, and its content in memory.
#[derive(Debug)]
#[non_exhaustive]
pub struct WarcRecord {
    /// The name of the archive in the WACZ file. `None` if the archive is not in a WACZ file.
    pub archive: Option<String>,
    /// The number of the record in the file, from 1. In a WACZ file, the count continues from one archive to
    /// the next.
    pub number: usize,
    /// The byte range of the record in the archive. In a compressed archive, this is the gzip member of the
    /// record; `None` if other records share this member.
    pub place: Option<Range<u64>>,
    /// The value of the header `WARC-Type`: `response`, `request` and others.
    pub record_type: String,
    /// The URL in the header `WARC-Target-URI`, without its fragment, in the form in which the URL Standard
    /// serializes it. `None` if the record has no valid URL.
    pub url: Option<String>,
    /// The status code of the HTTP response, such as 200. `None` if the record is not an HTTP response.
    pub status: Option<u16>,
    /// The media type of the content, in lower case and without parameters, such as `text/html`. Empty if it is
    /// not known.
    pub media_type: String,
    /// The charset that the HTTP header `Content-Type` declares. `None` if it declares none.
    pub charset: Option<String>,
    /// The result of the capture: content, a redirect or an error. `None` if the record is not a capture, such
    /// as a request.
    pub capture: Option<CaptureState>,
    record: Option<Record>,
    skipped: Option<RecordSkipReason>,
}

/// The result of a capture of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaptureState {
    /// The record has the content of the URL.
    Content,
    /// The server redirected to this URL, which is without its fragment.
    Redirect(String),
    /// The server answered with an error: a status code of 400 or more.
    Error,
}

/// The document in a record, decoded and ready for the functions on documents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WarcDocument {
    /// The kind of the document, such as HTML.
    pub kind: DocumentKind,
    /// The URL against which the references of the document resolve, unless it has a `base` element: the URL of
    /// the record, or of its HTTP headers.
    pub base_url: String,
    /// The bytes of the document, after decoding the transfer and content codings of HTTP, such as gzip.
    pub content: Vec<u8>,
}

/// The reason why the document of a record cannot be read or rewritten, as a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(String);

impl RecordError {
    fn new(error: impl ToString) -> RecordError {
        RecordError(error.to_string())
    }
}

/// Creates the rows of three tables (`links`, `anchors` and `pages`), with which a database can audit a crawl.
#[derive(Debug)]
pub struct AuditTables(Tables);

impl AuditTables {
    /// Prepares the checks whose results the rows contain.
    ///
    /// # Errors
    /// No error is known at present.
    pub fn new() -> Result<AuditTables, RecordError> {
        Tables::new().map(AuditTables).map_err(RecordError::new)
    }

    /// Returns the rows for the links and anchors in the HTTP headers and in the document of `record`.
    ///
    /// # Errors
    /// Returns an error if the record cannot be decoded, or its document cannot be parsed.
    pub fn rows(&self, record: &WarcRecord) -> Result<DocumentRows, RecordError> {
        let mut rows = DocumentRows::default();
        let Some(record) = record.readable()? else { return Ok(rows) };
        let Some(capture) = Capture::of(record).map_err(RecordError::new)? else { return Ok(rows) };
        let options = ParseOptions::default();
        let documents = RecordDocuments::new(record, &capture, "", options, Standard::default());
        for document in documents.all() {
            let mut more = self.0.rows(&document).map_err(RecordError::new)?;
            rows.links.append(&mut more.links);
            if more.anchors.is_some() {
                more.links = rows.links;
                rows = more;
            }
        }
        Ok(rows)
    }
}

impl WarcReader {
    /// Returns true if the extension of `path` is that of an archive: `.warc`, `.warc.gz` or `.wacz`.
    #[must_use]
    pub fn has_archive_name(path: impl AsRef<Path>) -> bool {
        let name = path.as_ref().file_name();
        name.and_then(container_format).is_some()
    }

    /// Opens the archive or WACZ file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is a WACZ file whose archives cannot be found.
    pub fn open(path: impl AsRef<Path>) -> Result<WarcReader, ContainerError> {
        Ok(WarcReader {
            records: ArchiveSequence::new(archives_in(path.as_ref())?, false),
            ready: VecDeque::new(),
        })
    }

    /// Reads the next part into `ready`; `false` at the end.
    fn read(&mut self) -> Result<bool, ArchiveError> {
        let ready = &mut self.ready;
        let archive = self.records.entry_name().map(str::to_owned);
        let step = self.records.next(|number, head, start| {
            let may_hold = may_hold_references(head, start);
            // A record that shares its gzip member is read twice.
            if ready.back().is_none_or(|last| last.number != number) {
                ready.push_back(WarcRecord {
                    archive: archive.clone(),
                    ..WarcRecord::of(number, head, start, may_hold.err())
                });
            }
            may_hold == Ok(true)
        })?;
        let last = self.ready.back_mut();
        match (step, last) {
            (None, _) => return Ok(false),
            (Some(Step::Piece(Piece::Record(record))), Some(last)) => {
                last.place.clone_from(&record.place);
                last.record = Some(record);
            }
            (Some(Step::Piece(Piece::Range(place))), Some(last)) => last.place = Some(place),
            _ => {}
        }
        Ok(true)
    }
}

impl Iterator for WarcReader {
    type Item = Result<WarcRecord, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match self.read() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.ready.clear();
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

/// A reader that copies the bytes of single records from an archive.
#[derive(Debug)]
pub struct WarcBytes(ArchiveReader);

impl WarcBytes {
    /// Opens the archive at `path`, or the archive called `archive` in the WACZ file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it does not contain this archive.
    pub fn open(
        path: impl AsRef<Path>,
        archive: Option<&str>,
    ) -> Result<WarcBytes, ContainerError> {
        let mut sources = archives_in(path.as_ref())?.into_iter();
        let source = sources.find(|source| source.entry_name() == archive);
        let source = source.ok_or_else(|| {
            ContainerError::Other(format!("has no archive {}", archive.unwrap_or_default()))
        })?;
        let reader = source.open().map_err(|error| source.unreadable(error))?;
        Ok(WarcBytes(reader))
    }

    /// Returns the bytes of the record at `place`, a [`WarcRecord::place`]. In a compressed archive of a WACZ
    /// file, reading is fastest in the order of the records.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read, or if the archive ends before `place` does.
    pub fn read(&mut self, place: &Range<u64>) -> io::Result<Vec<u8>> {
        read_range(&mut self.0, place)
    }
}

impl WarcRecord {
    fn of(
        number: usize,
        head: &RecordHeader,
        start: &[u8],
        skipped: Option<RecordSkipReason>,
    ) -> WarcRecord {
        let headers = if head.kind().has_http() { Headers::response(start) } else { None };
        let content_type = match &headers {
            Some(headers) => headers.value(start, "Content-Type"),
            None => head.value("Content-Type"),
        };
        let media_type = MediaType::parse(&content_type.unwrap_or_default()).unwrap_or_default();
        let capture = capture_status(head, start).map(|(_, status)| match status {
            // Only indexes list captures.
            CaptureStatus::Content | CaptureStatus::Listed => CaptureState::Content,
            CaptureStatus::Redirect(to) => CaptureState::Redirect(to.into()),
            CaptureStatus::Error(_) => CaptureState::Error,
        });
        WarcRecord {
            archive: None,
            number,
            place: None,
            record_type: head.value("WARC-Type").unwrap_or_default().trim().to_owned(),
            url: head.url().map(|url| url.as_str().to_owned()),
            status: headers.as_ref().map(Headers::status_code),
            charset: media_type.parameter("charset"),
            media_type: media_type.essence,
            capture,
            record: None,
            skipped,
        }
    }

    /// The record, if it may hold references.
    fn readable(&self) -> Result<Option<&Record>, RecordError> {
        if let Some(reason) = self.skipped {
            let (_, text) = reason.code_and_text();
            return Err(RecordError(format!("a record {text}")));
        }
        Ok(self.record.as_ref())
    }

    /// Returns the document of a response or resource record. Returns `None` if the record contains no document
    /// that rehref reads, such as an image or a request.
    ///
    /// # Errors
    /// Returns an error if the document cannot be decoded, or if the record contains only a part of it.
    pub fn document(&self) -> Result<Option<WarcDocument>, RecordError> {
        let Some(record) = self.readable()? else { return Ok(None) };
        let content = Capture::of(record).map_err(RecordError::new)?;
        Ok(content.and_then(|content| {
            Some(WarcDocument {
                kind: content.kind?,
                base_url: content.base_url(record, Standard::default()).to_string(),
                content: content.into_bytes(),
            })
        }))
    }
}

/// Replaces the document in a record of a WARC archive, and returns the new record. `record` contains the bytes
/// at [`WarcRecord::place`], and `content` the new document without the codings of HTTP. The new record uses
/// the same codings, and has new lengths and digests. The digests of revisit records that refer to this record
/// are not updated.
///
/// # Errors
/// Returns an error if `record` is not one record with a document, or cannot be encoded.
pub fn with_content(record: &[u8], content: &[u8]) -> Result<Vec<u8>, RecordError> {
    let bytes = record;
    let mut records = Records::new(Cursor::new(bytes), false).map_err(RecordError::new)?;
    let format = records.format();
    let piece = records.next_piece(|_, _, _| true).map_err(RecordError::new)?;
    let Some(Piece::Record(mut record)) = piece else {
        return Err(RecordError::new("not the bytes of a record"));
    };
    let capture = Capture::of(&record).map_err(RecordError::new)?;
    let Some(capture) = capture.filter(|capture| capture.kind.is_some()) else {
        return Err(RecordError::new("the record has no document"));
    };
    if capture.bytes() == content {
        return Ok(bytes.to_vec());
    }
    let replaced = capture.replace(&mut record, None, Some(content));
    replaced.map_err(RecordError::new)?;
    record.write(format).map_err(RecordError::new)
}
