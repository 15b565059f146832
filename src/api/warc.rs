//! Public types for WARC archives: reads their records one by one, and replaces the document in a record.

use std::collections::VecDeque;
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;

use crate::audit::tables::{DocumentRows, Tables};
use crate::corpus::RecordDocuments;
use crate::document::message::headers::Headers;
use crate::document::message::media_type::MediaType;
use crate::document::{DocumentError, DocumentKind, ParseOptions};
use crate::site::CaptureStatus;
use crate::url::Standard;
use crate::warc::ArchiveError;
use crate::warc::capture::{Capture, RecordSkipReason, may_hold_references};
use crate::warc::content::Content;
use crate::warc::index::capture_status;
use crate::warc::record::{Piece, Record, RecordHeader, Records};
use crate::warc::source::{ArchiveReader, ArchiveSource};

/// Reads the records of a WARC archive (`.warc`, `.warc.gz`), one by one: memory holds one of them.
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
    records: Records<ArchiveReader>,
    ready: VecDeque<WarcRecord>,
    is_done: bool,
}

/// A record of a WARC archive.
#[derive(Debug)]
#[non_exhaustive]
pub struct WarcRecord {
    /// Its number in the archive, from 1.
    pub number: usize,
    /// The bytes of the archive that hold it: of a compressed archive, its gzip member. `None` if it shares that
    /// with other records.
    pub place: Option<Range<u64>>,
    /// The `WARC-Type`: `response`, `request`, …
    pub record_type: String,
    /// The `WARC-Target-URI`, without its fragment, as the URL Standard serializes it.
    pub url: Option<String>,
    /// The status code of the HTTP response.
    pub status: Option<u16>,
    /// The media type of the content, in lower case and without parameters; empty if it is not known.
    pub media_type: String,
    /// The charset that the `Content-Type` declares.
    pub charset: Option<String>,
    /// The state of the URL in this record; `None` if it is not a capture, such as a request.
    pub capture: Option<CaptureState>,
    record: Option<Record>,
    skipped: Option<RecordSkipReason>,
}

/// The state of a URL in a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaptureState {
    /// The crawl has its content.
    Content,
    /// It redirects to this URL, which is without a fragment.
    Redirect(String),
    /// It is an error: its status code is 400 or more.
    Error,
}

/// The document in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WarcDocument {
    /// Its kind.
    pub kind: DocumentKind,
    /// Its base URL, unless it has a `base` element: the URL of the record, or that of the HTTP headers.
    pub base_url: String,
    /// Its bytes, without the codings of HTTP.
    pub content: Vec<u8>,
}

/// Why a record has no document although it should have one, or cannot be rewritten; the text says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(String);

impl RecordError {
    fn new(error: impl ToString) -> RecordError {
        RecordError(error.to_string())
    }
}

/// Makes the rows of the tables `links`, `anchors` and `pages`, of which queries audit a crawl.
#[derive(Debug)]
pub struct AuditTables(Tables);

impl AuditTables {
    /// The tables of a crawl.
    ///
    /// # Errors
    /// None is known.
    pub fn new() -> Result<AuditTables, RecordError> {
        Tables::new().map(AuditTables).map_err(RecordError::new)
    }

    /// The rows of a record: of its HTTP headers, where they hold references, and of its document.
    ///
    /// # Errors
    /// When the record cannot be decoded, or its document cannot be parsed.
    pub fn rows(&self, record: &WarcRecord) -> Result<DocumentRows, RecordError> {
        let mut rows = DocumentRows::default();
        let Some(record) = record.readable()? else {
            return Ok(rows);
        };
        let Some(capture) = Capture::of(record).map_err(RecordError::new)? else {
            return Ok(rows);
        };
        let options = ParseOptions::default();
        let documents = RecordDocuments::new(record, &capture, "", options, Standard::default());
        for document in documents.all() {
            let more = self.0.rows(&document);
            let more = more.map_err(|error: DocumentError| RecordError::new(error))?;
            rows.links.extend(more.links);
            if more.anchors.is_some() {
                rows = DocumentRows {
                    links: rows.links,
                    ..more
                };
            }
        }
        Ok(rows)
    }
}

impl WarcReader {
    /// Opens the archive at `path`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<WarcReader, ArchiveError> {
        Ok(WarcReader {
            records: Records::open(&ArchiveSource::file(path.as_ref()), false)?,
            ready: VecDeque::new(),
            is_done: false,
        })
    }

    /// Reads the next part of the archive into `ready`.
    fn read(&mut self) -> Result<bool, ArchiveError> {
        let ready = &mut self.ready;
        let piece = self.records.next_piece(|number, head, start| {
            let may_hold = may_hold_references(head, start);
            // A record that shares its gzip member is read twice.
            if ready.back().is_none_or(|last| last.number != number) {
                ready.push_back(WarcRecord::of(number, head, start, may_hold.err()));
            }
            may_hold == Ok(true)
        })?;
        let last = self.ready.back_mut();
        match (piece, last) {
            (None, _) => return Ok(false),
            (Some(Piece::Record(record)), Some(last)) => {
                last.place.clone_from(&record.place);
                last.record = Some(record);
            }
            (Some(Piece::Range(place)), Some(last)) => last.place = Some(place),
            _ => {}
        }
        Ok(true)
    }
}

impl Iterator for WarcReader {
    type Item = Result<WarcRecord, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Some(Ok(record));
            }
            if self.is_done {
                return None;
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) => self.is_done = true,
                // Nothing can be read after an error.
                Err(error) => {
                    self.is_done = true;
                    self.ready.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}

impl WarcRecord {
    fn of(
        number: usize,
        head: &RecordHeader,
        start: &[u8],
        skipped: Option<RecordSkipReason>,
    ) -> WarcRecord {
        let headers = match head.kind().has_http() {
            true => Headers::response(start),
            false => None,
        };
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
            number,
            place: None,
            record_type: head
                .value("WARC-Type")
                .unwrap_or_default()
                .trim()
                .to_owned(),
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

    /// The document of a response or resource; `None` if it has none, such as an image or a request.
    ///
    /// # Errors
    /// When the document cannot be decoded, or is only a part of one.
    pub fn document(&self) -> Result<Option<WarcDocument>, RecordError> {
        let Some(record) = self.readable()? else {
            return Ok(None);
        };
        let content = Content::of_document(record).map_err(RecordError::new)?;
        Ok(content.and_then(|content| {
            Some(WarcDocument {
                kind: content.kind?,
                base_url: content.base_url(record, Standard::default()).to_string(),
                content: content.bytes,
            })
        }))
    }
}

/// Replaces the document in a record of a WARC archive: `record` are the bytes at [`WarcRecord::place`], `content` is
/// the new document without the codings of HTTP. Codings stay, lengths and digests follow; revisit records that refer to
/// the record keep the old digest.
///
/// # Errors
/// When `record` is not one record with a document, or cannot be encoded.
pub fn with_content(record: &[u8], content: &[u8]) -> Result<Vec<u8>, RecordError> {
    let bytes = record;
    let mut records = Records::new(Cursor::new(bytes), false).map_err(RecordError::new)?;
    let format = records.format();
    let piece = records
        .next_piece(|_, _, _| true)
        .map_err(RecordError::new)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Check;

    fn response(url: &str, head: &str, body: &str) -> String {
        let block = format!("HTTP/1.1 {head}\r\n\r\n{body}");
        let length = block.len();
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    }

    fn records(archive: &str) -> Vec<WarcRecord> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.warc");
        std::fs::write(&path, archive).unwrap();
        let reader = WarcReader::open(&path).unwrap();
        reader.collect::<Result<_, _>>().unwrap()
    }

    const HTML: &str = "200 OK\r\nContent-Type: text/html; charset=windows-1252";

    #[test]
    fn records_come_with_their_places_and_documents() {
        let parts = [
            response("http://h/a#x", HTML, "<p>a"),
            response("http://h/b.png", "200 OK\r\nContent-Type: image/png", "png"),
            response("http://h/c", "301 Moved\r\nLocation: /a#y", ""),
            response("http://h/d", "206 x\r\nContent-Type: text/html", "<p>"),
            response("http://h/e", "404 x\r\nContent-Type: text/html", "<p>"),
        ];
        let archive = parts.concat();
        let records = records(&archive);
        let mut start = 0;
        for (record, part) in records.iter().zip(&parts) {
            let end = start + part.len() as u64;
            assert_eq!(record.place, Some(start..end));
            start = end;
        }
        let [page, image, redirect, part, error] = &records[..] else {
            panic!("{} records", records.len())
        };
        assert_eq!(page.url.as_deref(), Some("http://h/a"));
        assert_eq!(page.charset.as_deref(), Some("windows-1252"));
        assert_eq!(page.status, Some(200));
        let document = page.document().unwrap().unwrap();
        assert_eq!(document.content, b"<p>a");
        assert_eq!(document.base_url, "http://h/a");
        assert_eq!(image.media_type, "image/png");
        assert_eq!(image.document(), Ok(None));
        assert_eq!(image.capture, Some(CaptureState::Content));
        let to = CaptureState::Redirect("http://h/a".into());
        assert_eq!(redirect.capture, Some(to));
        assert!(part.document().is_err());
        assert_eq!(error.capture, Some(CaptureState::Error));
    }

    #[test]
    fn a_document_is_replaced_with_its_lengths() {
        let old = response("http://h/a", HTML, "<p>old");
        assert_eq!(
            with_content(old.as_bytes(), b"<p>old").unwrap(),
            old.as_bytes()
        );
        let new = with_content(old.as_bytes(), b"<p>newer").unwrap();
        let new = String::from_utf8(new).unwrap();
        assert_eq!(
            records(&new)[0].document().unwrap().unwrap().content,
            b"<p>newer"
        );
        let image = response("http://h/b", "200 OK\r\nContent-Type: image/png", "png");
        assert!(with_content(image.as_bytes(), b"x").is_err());
        assert!(with_content(b"", b"x").is_err());
    }

    #[test]
    fn rows_say_what_links_need() {
        let html = "<p id=b><a href='#b'><a href='#c'><a href='/x#y%20z'><a href='mailto:m@h'>\
            <link rel=preconnect href='/hint'><a href='//other/#12-34' data-rehref-ignore>\
            <a href='{{ x }}'><a href='/t#top'>";
        let records = records(&response("http://h/a", HTML, html));
        let rows = AuditTables::new().unwrap().rows(&records[0]).unwrap();
        assert_eq!(rows.anchors, Some(vec!["b".to_owned()]));
        let links: Vec<_> = rows
            .links
            .iter()
            .map(|link| {
                (
                    link.reference.as_str(),
                    link.finding,
                    link.target_url.as_deref(),
                    link.reports_target,
                    link.anchors.join(" "),
                )
            })
            .collect();
        assert_eq!(
            links,
            [
                (
                    "#c",
                    Some(Check::BrokenFragment),
                    None,
                    false,
                    String::new()
                ),
                (
                    "/x#y%20z",
                    None,
                    Some("http://h/x"),
                    true,
                    "y%20z y z".into()
                ),
                (
                    "//other/#12-34",
                    None,
                    Some("http://other/"),
                    false,
                    String::new()
                ),
                ("/t#top", None, Some("http://h/t"), true, String::new()),
            ]
        );
    }
}
