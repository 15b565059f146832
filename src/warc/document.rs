//! The documents among the records of an archive.

use std::io;

use encoding_rs::Encoding;

use super::bodies::{
    Bodies, Pair, digest_fits, length_fits, new_digests, with_length, with_length_of,
};
use super::chunked::Chunked;
use super::digest::DigestFormat;
use super::http::{Message, Payload, PayloadError};
use super::record::{Record, RecordHeader, RecordKind};
use crate::coding::DECODED_LIMIT;
use crate::document::message::headers::Headers;
use crate::document::message::media_type::MediaType;
use crate::document::message::reference_headers::REFERENCE_HEADERS;
use crate::document::{Document, DocumentKind, ParseOptions};
use crate::site::{FileKind, file_kind, sniff_html};
use crate::url::{AbsoluteUrl, Standard, Url};

/// Media types that say nothing: servers send them for what they do not know.
const UNKNOWN_TYPES: &[&str] = &[
    "",
    "application/octet-stream",
    "application/unknown",
    "unknown",
];

/// What a record holds, as far as its headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredContent {
    /// A document.
    Document(DocumentKind),
    /// Something else.
    Other,
    /// HTML, if it begins like that.
    Unknown,
}

/// Why a document in an archive is left as it is, though nothing is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordSkipReason {
    /// Its record is one of several segments.
    Segment,
    /// It is a part of a resource: `206 Partial Content`.
    Partial,
    /// It is larger than anything that is held in memory.
    TooLarge,
    /// It is a response that does not begin with a status line of HTTP.
    NoStatus,
}

impl RecordSkipReason {
    /// A short stable name, and what to say of such records.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            RecordSkipReason::Segment => ("segmented-record", "in several segments"),
            RecordSkipReason::Partial => ("partial-record", "of a part of a resource"),
            RecordSkipReason::TooLarge => ("large-record", "too large to be looked into"),
            RecordSkipReason::NoStatus => ("no-status-line", "without a status line of HTTP"),
        }
    }
}

/// Whether a record is to be held: it is a document, or may be one. `start` is the start of its
/// block. An error says why a document is left as it is.
///
/// # Errors
/// See [`RecordSkipReason`].
pub fn may_hold_references(head: &RecordHeader, start: &[u8]) -> Result<bool, RecordSkipReason> {
    let Some(url) = url_of(head) else {
        return Ok(false);
    };
    let message = match head.kind() {
        RecordKind::Response => match Message::parse(start) {
            None if is_http(&url) && !start.is_empty() => return Err(RecordSkipReason::NoStatus),
            None => return Ok(false),
            message => message,
        },
        RecordKind::Resource => None,
        _ => return Ok(false),
    };
    let body = message.as_ref().map_or(0, |it| it.headers().body);
    let body = start.get(body..).unwrap_or_default();
    let is_plain = message.as_ref().is_none_or(|message| {
        let codings = ["Transfer-Encoding", "Content-Encoding"];
        let mut codings = codings.iter();
        !codings.any(|name| message.headers().get(start, name).is_some())
    });
    let holds = holds(&media_type(head, message.as_ref(), start), &url);
    // Headers longer than what is seen of them: it will show when all is there.
    let is_cut = message.as_ref().is_some_and(|it| !it.headers().is_ended);
    let is_document = match holds {
        DeclaredContent::Document(_) => !body.is_empty() || is_cut,
        DeclaredContent::Other => false,
        DeclaredContent::Unknown => !is_plain || is_cut || sniff_html(body),
    };
    let has_references = message
        .as_ref()
        .is_some_and(|message| has_references(message.headers(), start));
    if !is_document && !has_references {
        return Ok(false);
    }
    if head.is_segment() {
        return Err(RecordSkipReason::Segment);
    }
    if is_document && message.is_some_and(|message| message.status() == 206) {
        return Err(RecordSkipReason::Partial);
    }
    let is_too_large = head
        .content_length()
        .and_then(|length| usize::try_from(length).ok())
        .is_none_or(|length| length > DECODED_LIMIT);
    match is_too_large {
        true => Err(RecordSkipReason::TooLarge),
        false => Ok(true),
    }
}

/// Whether what was got from `url` came by HTTP.
fn is_http(url: &Url) -> bool {
    let schemes = ["http:", "https:"];
    schemes
        .iter()
        .any(|scheme| url.as_str().starts_with(scheme))
}

/// Whether headers hold references.
fn has_references(headers: &Headers, source: &[u8]) -> bool {
    let mut rows = REFERENCE_HEADERS.iter();
    rows.any(|row| headers.get(source, row.name).is_some())
}

/// The URL of a record, without fragment; `None` where nothing could be relative to it.
pub fn url_of(head: &RecordHeader) -> Option<Url> {
    let uri = head.target_uri()?;
    let uri = uri.split('#').next()?;
    Url::parse(uri).ok().filter(|url| !url.is_opaque())
}

fn media_type(head: &RecordHeader, message: Option<&Message>, block: &[u8]) -> MediaType {
    let value = match message {
        Some(message) => message.headers().value(block, "Content-Type"),
        None => head.value("Content-Type"),
    };
    MediaType::parse(&value.unwrap_or_default()).unwrap_or_default()
}

fn holds(media_type: &MediaType, url: &Url) -> DeclaredContent {
    let essence = media_type.essence.as_str();
    match media_type.document_kind() {
        // Its parts are divided as the headers of HTTP say, which are not in it.
        Some(DocumentKind::Message) if !essence.starts_with("message/") => {
            return DeclaredContent::Other;
        }
        Some(kind) => return DeclaredContent::Document(kind),
        None => {}
    }
    let name = url.path().rsplit('/').next().unwrap_or_default();
    if essence == "text/plain" && url.path() == "/robots.txt" {
        return DeclaredContent::Document(DocumentKind::Robots);
    }
    if !UNKNOWN_TYPES.contains(&essence) {
        return DeclaredContent::Other;
    }
    match file_kind(name.as_ref()) {
        FileKind::Document(kind) => DeclaredContent::Document(kind),
        FileKind::Other => DeclaredContent::Other,
        FileKind::Unknown => DeclaredContent::Unknown,
    }
}

/// What a record has in which references stand: a document, headers, or both.
#[derive(Debug)]
pub struct Capture {
    /// The URL of the record, which it was got from.
    pub url: Url,
    /// What the document is; `None` where only the headers have references.
    pub kind: Option<DocumentKind>,
    /// What its `Content-Type` says of its charset.
    pub charset: Option<&'static Encoding>,
    message: Option<Message>,
    payload: Payload,
}

/// Why a record cannot be written with other contents.
#[derive(Debug, thiserror::Error)]
pub enum UnwritableError {
    /// A digest that cannot be computed here.
    #[error("its {0} is by an algorithm that is not known here")]
    UnknownDigest(&'static str),
    /// The encoder failed.
    #[error("cannot be compressed: {0}")]
    Encode(#[from] io::Error),
}

/// A record with other contents.
#[derive(Debug)]
pub struct RewrittenRecord {
    /// The record.
    pub record: Record,
    /// The digests that were wrong before; they are as they were.
    pub wrong_digests: Vec<&'static str>,
}

impl Capture {
    /// What is in `record`; `None` where no reference can be.
    ///
    /// # Errors
    /// When its payload cannot be decoded.
    pub fn of(record: &Record) -> Result<Option<Capture>, PayloadError> {
        let (head, block) = (&record.head, record.block.as_slice());
        let Some(url) = url_of(head) else {
            return Ok(None);
        };
        let message = match head.kind() {
            RecordKind::Response => Message::parse(block),
            RecordKind::Resource => None,
            _ => return Ok(None),
        };
        let media_type = media_type(head, message.as_ref(), block);
        let has_headers = message
            .as_ref()
            .is_some_and(|it| has_references(it.headers(), block));
        let holds = holds(&media_type, &url);
        let is_partial = message.as_ref().is_some_and(|it| it.status() == 206);
        let payload = match &message {
            _ if holds == DeclaredContent::Other || is_partial => Payload::plain(&[]),
            Some(message) => {
                let body = block
                    .get(message.body(block.len()).range())
                    .unwrap_or_default();
                Payload::of(message.headers(), block, body)?
            }
            None => Payload::plain(block),
        };
        let kind = match holds {
            _ if payload.content.is_empty() => None,
            DeclaredContent::Document(kind) => Some(kind),
            DeclaredContent::Unknown => sniff_html(&payload.content).then_some(DocumentKind::Html),
            DeclaredContent::Other => None,
        };
        if kind.is_none() && !has_headers {
            return Ok(None);
        }
        let charset = media_type.parameter("charset");
        Ok(Some(Capture {
            url,
            kind,
            charset: charset.and_then(|label| Encoding::for_label(label.as_bytes())),
            message: message.filter(|_| has_headers || kind.is_some()),
            payload,
        }))
    }

    /// The headers of HTTP with the empty line behind them, where references are in them. They are a
    /// message without content.
    pub fn headers<'r>(&self, record: &'r Record) -> Option<&'r [u8]> {
        let message = self.message.as_ref()?;
        let headers = record.block.get(..message.headers().body)?;
        has_references(message.headers(), headers).then_some(headers)
    }

    /// What the references of the document are relative to, by standard: the URL of the record, or
    /// what the headers of HTTP make of it.
    pub fn base_url(&self, record: &Record, standard: Standard) -> AbsoluteUrl {
        let own = AbsoluteUrl::new(standard, self.url.clone());
        let Some(headers) = self.headers(record) else {
            return own;
        };
        let message = Headers::parse(headers, 0..headers.len());
        let mut rows = REFERENCE_HEADERS.iter().filter(|row| row.role.gives_base());
        if !rows.any(|row| message.get(headers, row.name).is_some()) {
            return own;
        }
        let options = ParseOptions {
            kind: DocumentKind::Message,
            ..ParseOptions::default()
        };
        let base = Document::parse(headers, &options)
            .ok()
            .and_then(|document| {
                let scope = document.parts.first()?.scope;
                let base = document.base_urls(&own).into_iter().nth(scope)?;
                base.url.filter(AbsoluteUrl::is_hierarchical)
            });
        base.unwrap_or(own)
    }

    /// Whether it came with a status that says that it is what was asked for: no redirect, no error.
    pub fn is_success(&self) -> bool {
        let status = self.message.as_ref().map(Message::status);
        status.is_none_or(|status| status < 300)
    }

    /// Its bytes, without the codings that they were sent in.
    pub fn bytes(&self) -> &[u8] {
        &self.payload.content
    }

    /// The headers of HTTP with the empty line behind them, whatever is in them.
    fn all_headers<'r>(&self, record: &'r Record) -> &'r [u8] {
        let body = self.message.as_ref().map_or(0, |it| it.headers().body);
        record.block.get(..body).unwrap_or_default()
    }

    /// The body of `record`, which this is in, in all its forms.
    fn bodies<'b>(&'b self, record: &'b Record) -> Bodies<'b> {
        let start = self.all_headers(record).len();
        Bodies {
            body: record.block.get(start..).unwrap_or_default(),
            unchunked: self.payload.unchunked(),
            content: &self.payload.content,
        }
    }

    /// What in the record `new`, which `rewritten` is in, is not as [`Capture::replace`] would have made
    /// it of `old`, which this is in. References, in documents and in headers, are not looked at.
    pub fn differences(
        &self,
        old: &Record,
        rewritten: &Capture,
        new: &Record,
    ) -> Vec<&'static str> {
        let (before, after) = (self.bodies(old), rewritten.bodies(new));
        let pairs = before.paired(&after);
        let headers = [self.all_headers(old), rewritten.all_headers(new)];
        let mut differences = Vec::new();
        if before.content == after.content {
            if before.body != after.body {
                differences.push("its body differs, though its content does not");
            }
        } else if !self
            .payload
            .is_coded_as(&rewritten.payload, before.body, after.body)
        {
            differences.push("its body is not coded as it was");
        }
        let has_references = self.headers(old).is_some() || rewritten.headers(new).is_some();
        let [old_headers, new_headers] = headers.map(|headers| with_length_of(headers, "0"));
        if !has_references && old_headers != new_headers {
            differences.push("its HTTP headers differ");
        }
        if !length_fits(headers, &pairs) {
            differences.push("its Content-Length does not fit its body");
        }
        let block: [Pair<'_>; 1] = [(&old.block, &new.block)];
        for (name, pairs, message) in [
            (
                "WARC-Block-Digest",
                &block[..],
                "its WARC-Block-Digest does not fit",
            ),
            (
                "WARC-Payload-Digest",
                &pairs,
                "its WARC-Payload-Digest does not fit",
            ),
        ] {
            let [was, is] = [old, new].map(|record| record.head.value(name));
            if !digest_fits(was.as_deref(), is.as_deref(), pairs) {
                differences.push(message);
            }
        }
        differences
    }

    /// The headers of HTTP, where references are in them, as they are but for the length of the body.
    pub fn headers_with_zero_length(&self, record: &Record) -> Option<Vec<u8>> {
        Some(with_length_of(self.headers(record)?, "0"))
    }

    /// The record, which this is in, with other `headers` and other `bytes` as its document, where they
    /// are given: in the same codings, with lengths and digests that fit. What did not fit before is
    /// left as it was.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn replace(
        &self,
        record: &Record,
        headers: Option<&[u8]>,
        bytes: Option<&[u8]>,
    ) -> Result<RewrittenRecord, UnwritableError> {
        let old = &record.block;
        let before = self.bodies(record);
        let old_body = before.body;
        let body = match bytes {
            Some(bytes) => self.payload.body_with(old_body, bytes)?,
            None => old_body.to_vec(),
        };
        let bytes = bytes.unwrap_or(&self.payload.content);
        let unchunked = self.payload.unchunked();
        let unchunked = unchunked.and_then(|_| Chunked::parse(&body));
        let new = Bodies {
            body: &body,
            unchunked: unchunked.as_ref().map(|chunked| &*chunked.data),
            content: bytes,
        };
        let headers = headers.unwrap_or(self.all_headers(record));
        let mut block = match body == old_body {
            true => headers.to_vec(),
            false => with_length(headers, &before, &new),
        };
        block.extend_from_slice(new.body);
        let mut wrong_digests = Vec::new();
        let mut values = vec![("Content-Length", block.len().to_string())];
        let of_block: Vec<Pair<'_>> = vec![(old, &block)];
        let digests = [
            ("WARC-Block-Digest", of_block),
            ("WARC-Payload-Digest", before.paired(&new)),
        ];
        for (name, pairs) in digests {
            let Some(value) = record.head.value(name) else {
                continue;
            };
            let value = value.trim();
            if !DigestFormat::knows(value) {
                return Err(UnwritableError::UnknownDigest(name));
            }
            match new_digests(value, &pairs).next() {
                Some(value) => values.push((name, value)),
                None => wrong_digests.push(name),
            }
        }
        let head = record.head.with_values(&values);
        let record = Record {
            number: record.number,
            place: record.place.clone(),
            head,
            block,
            tail: record.tail.clone(),
        };
        Ok(RewrittenRecord {
            record,
            wrong_digests,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a record with these fields and this block may be a document.
    fn may_hold(fields: &str, block: &str) -> Result<bool, RecordSkipReason> {
        let head = format!("WARC/1.0\r\n{fields}\r\n\r\n");
        may_hold_references(&RecordHeader::new(head.into_bytes(), 0), block.as_bytes())
    }

    #[test]
    fn what_is_looked_into() {
        let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>";
        let unknown = |url: &str, block: &str| {
            let fields =
                format!("WARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Length: 9");
            may_hold(&fields, block)
        };
        assert_eq!(unknown("http://h/a.html", "text"), Ok(true));
        assert_eq!(unknown("http://h/a.html", ""), Ok(false));
        assert_eq!(unknown("http://h/a", "text"), Ok(false));
        assert_eq!(unknown("http://h/a", "<html>"), Ok(true));
        assert_eq!(unknown("http://h/a.js", "<html>"), Ok(false));
        assert_eq!(unknown("urn:uuid:1", "<html>"), Ok(false));
        let response = |more: &str, block: &str| {
            let fields = format!(
                "WARC-Type: response\r\nWARC-Target-URI: http://h/x\r\nContent-Length: 9{more}"
            );
            may_hold(&fields, block)
        };
        let sent = |headers: &str, body: &str| {
            response("", &format!("HTTP/1.1 200 OK\r\n{headers}\r\n{body}"))
        };
        for (headers, body, expected) in [
            ("Content-Type: TEXT/HTML; charset=x\r\n", "<p>", true),
            ("Content-Type: image/svg+xml\r\n", "<svg/>", true),
            ("Content-Type: image/png\r\n", "<p>", false),
            ("Content-Type: image/png\r\nLink: <a>\r\n", "", true),
            ("Content-Type: multipart/related\r\n", "x", false),
            ("", "<p>", true),
            ("", "p", false),
            ("Content-Encoding: gzip\r\n", "?", true),
            ("Location: /a\r\n", "", true),
        ] {
            assert_eq!(sent(headers, body), Ok(expected), "{headers}");
        }
        let cut = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a";
        assert_eq!(response("", cut), Ok(true));
        for start in [
            "GET / HTTP/1.1",
            "http/1.1 200 OK",
            "HTTP/1.1 200OK",
            "ICY 200 OK",
        ] {
            let block = format!("{start}\r\n\r\n<p>");
            assert_eq!(
                response("", &block),
                Err(RecordSkipReason::NoStatus),
                "{start}"
            );
        }
        assert_eq!(response("", ""), Ok(false));
        assert_eq!(
            response("\r\nWARC-Segment-Number: 1", html),
            Err(RecordSkipReason::Segment)
        );
        let part = html.replace("200 OK", "206 Partial Content");
        assert_eq!(response("", &part), Err(RecordSkipReason::Partial));
        let large = may_hold(
            "WARC-Type: response\r\nWARC-Target-URI: http://h/x\r\nContent-Length: 999999999999",
            html,
        );
        assert_eq!(large, Err(RecordSkipReason::TooLarge));
        for kind in ["revisit", "request", "metadata", "conversion"] {
            let fields = format!("WARC-Type: {kind}\r\nWARC-Target-URI: http://h/a.html");
            assert_eq!(may_hold(&fields, html), Ok(false), "{kind}");
        }
    }
}
