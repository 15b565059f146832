//! Captures: the records that hold documents, or HTTP headers with references.

use std::io;

use encoding_rs::Encoding;

use super::digest::DigestFormat;
use super::integrity::{
    BodyForms, Pair, digest_fits, length_fits, new_digests, with_length, with_length_of,
};
use super::payload::{Payload, PayloadError};
use super::record::{Record, RecordHeader, RecordKind};
use crate::coding::DECODED_LIMIT;
use crate::document::message::chunked::Chunked;
use crate::document::message::headers::Headers;
use crate::document::message::media_type::MediaType;
use crate::document::message::reference_headers::REFERENCE_HEADERS;
use crate::document::{Document, DocumentKind, ParseOptions};
use crate::site::{FileKind, file_kind, sniff_html};
use crate::url::{AbsoluteUrl, Standard, Url};

const BLOCK_DIGEST: &str = "WARC-Block-Digest";
/// The field with the digest of the payload: the HTTP body of a response, the block of a resource.
pub const PAYLOAD_DIGEST: &str = "WARC-Payload-Digest";

/// Media types that servers send for files that they do not know.
const UNKNOWN_TYPES: &[&str] = &[
    "",
    "application/octet-stream",
    "application/unknown",
    "unknown",
];

/// The reason to skip an intact record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordSkipReason {
    /// It is one of several segments.
    Segment,
    /// It holds a part of a resource: `206 Partial Content`.
    Partial,
    /// It is larger than [`DECODED_LIMIT`].
    TooLarge,
    /// It is a response from an `http:` or `https:` URL without a status line.
    NoStatus,
}

impl RecordSkipReason {
    /// The code of the remark, and its text after "3 records".
    pub fn code_and_text(self) -> (&'static str, &'static str) {
        match self {
            RecordSkipReason::Segment => ("segmented-record", "in several segments"),
            RecordSkipReason::Partial => ("partial-record", "with only part of a resource"),
            RecordSkipReason::TooLarge => ("large-record", "too large to process"),
            RecordSkipReason::NoStatus => ("no-status-line", "without an HTTP status line"),
        }
    }
}

/// Whether a record may hold references, so that it must be read whole. `start` is the start of its
/// block.
///
/// # Errors
/// The reason to skip a record that may hold some.
pub fn may_hold_references(head: &RecordHeader, start: &[u8]) -> Result<bool, RecordSkipReason> {
    let Some(url) = head.url() else {
        return Ok(false);
    };
    let headers = match head.kind() {
        RecordKind::Response => match Headers::response(start) {
            None if matches!(url.scheme(), "http" | "https") && !start.is_empty() => {
                return Err(RecordSkipReason::NoStatus);
            }
            None => return Ok(false),
            headers => headers,
        },
        RecordKind::Resource => None,
        _ => return Ok(false),
    };
    let has = |name: &str| headers.iter().any(|it| it.get(start, name).is_some());
    let body = headers.as_ref().map_or(0, |headers| headers.body);
    let body = start.get(body..).unwrap_or_default();
    let is_coded = has("Transfer-Encoding") || has("Content-Encoding");
    // Headers longer than `start`: only the whole record can show what it holds.
    let is_cut = headers.as_ref().is_some_and(|headers| !headers.is_ended);
    let is_document = match declared_content(&media_type(head, headers.as_ref(), start), &url) {
        FileKind::Document(_) => !body.is_empty() || is_cut,
        FileKind::Other => false,
        FileKind::Unknown => is_coded || is_cut || sniff_html(body),
    };
    if !is_document && !REFERENCE_HEADERS.iter().any(|row| has(row.name)) {
        return Ok(false);
    }
    if head.is_segment() {
        return Err(RecordSkipReason::Segment);
    }
    if is_document && headers.is_some_and(|headers| headers.status_code() == 206) {
        return Err(RecordSkipReason::Partial);
    }
    let length = head
        .content_length()
        .and_then(|it| usize::try_from(it).ok());
    match length.is_some_and(|length| length <= DECODED_LIMIT) {
        true => Ok(true),
        false => Err(RecordSkipReason::TooLarge),
    }
}

/// Whether the content that a revisit record refers to may be a document, by the HTTP headers in its `block` or
/// else by its URL.
pub fn may_revisit_document(head: &RecordHeader, block: &[u8]) -> bool {
    let headers = Headers::response(block);
    let content_type = headers.and_then(|headers| headers.value(block, "Content-Type"));
    let media_type = MediaType::parse(&content_type.unwrap_or_default()).unwrap_or_default();
    head.url()
        .is_some_and(|url| declared_content(&media_type, &url) != FileKind::Other)
}

fn has_references(headers: &Headers, source: &[u8]) -> bool {
    let mut rows = REFERENCE_HEADERS.iter();
    rows.any(|row| headers.get(source, row.name).is_some())
}

fn media_type(head: &RecordHeader, headers: Option<&Headers>, block: &[u8]) -> MediaType {
    let value = match headers {
        Some(headers) => headers.value(block, "Content-Type"),
        None => head.value("Content-Type"),
    };
    MediaType::parse(&value.unwrap_or_default()).unwrap_or_default()
}

/// The kind of the content of a record, by its media type and its URL. Unlike a file, content of an
/// unknown kind can only be HTML.
fn declared_content(media_type: &MediaType, url: &Url) -> FileKind {
    let essence = media_type.essence.as_str();
    match media_type.document_kind() {
        // The boundary of its parts is in the HTTP headers, which the content does not have.
        Some(DocumentKind::Message) if !essence.starts_with("message/") => {
            return FileKind::Other;
        }
        Some(kind) => return FileKind::Document(kind),
        None => {}
    }
    let name = url.path().rsplit('/').next().unwrap_or_default();
    let is_unknown = UNKNOWN_TYPES.contains(&essence);
    match file_kind(name.as_ref()) {
        declared if is_unknown => declared,
        FileKind::Document(kind) if essence == "text/plain" && kind.plain_text().is_some() => {
            FileKind::Document(kind)
        }
        _ => FileKind::Other,
    }
}

/// The media type of the content of a response or resource, in lower case and without parameters; that of HTML,
/// XHTML and CSS also where only the URL or the content shows it. `start` is the start of the block.
pub fn media_type_of(head: &RecordHeader, start: &[u8]) -> String {
    let headers = http_headers(head, start);
    let media_type = media_type(head, headers.as_ref(), start);
    let body = headers.as_ref().map_or(0, |headers| headers.body);
    let body = start.get(body..).unwrap_or_default();
    let known = match head.url().map(|url| declared_content(&media_type, &url)) {
        Some(FileKind::Document(DocumentKind::Html)) => "text/html",
        Some(FileKind::Document(DocumentKind::Xhtml)) => "application/xhtml+xml",
        Some(FileKind::Document(DocumentKind::Css)) => "text/css",
        Some(FileKind::Unknown) if sniff_html(body) => "text/html",
        _ => return media_type.essence,
    };
    known.to_owned()
}

fn http_headers(head: &RecordHeader, block: &[u8]) -> Option<Headers> {
    match head.kind() {
        RecordKind::Response => Headers::response(block),
        _ => None,
    }
}

/// The content of a response or resource, whatever it is.
#[derive(Debug)]
pub struct Content {
    /// The kind of the document; `None` where it is not one.
    pub kind: Option<DocumentKind>,
    /// The charset that its `Content-Type` declares.
    pub charset: Option<&'static Encoding>,
    /// The bytes, without the codings of HTTP.
    pub bytes: Vec<u8>,
}

/// The content of `record`; `None` where it has no URL, or is another kind of record.
///
/// # Errors
/// When it cannot be decoded.
pub fn content_of(record: &Record) -> Result<Option<Content>, PayloadError> {
    let (head, block) = (&record.head, record.block.as_slice());
    let is_capture = matches!(head.kind(), RecordKind::Response | RecordKind::Resource);
    let Some(url) = head.url().filter(|_| is_capture) else {
        return Ok(None);
    };
    let headers = http_headers(head, block);
    let media_type = media_type(head, headers.as_ref(), block);
    let bytes = match &headers {
        Some(headers) => {
            let body = block.get(headers.body..).unwrap_or_default();
            Payload::of(headers, block, body)?.content
        }
        None => block.to_vec(),
    };
    let kind = match declared_content(&media_type, &url) {
        FileKind::Document(kind) => Some(kind),
        FileKind::Unknown => sniff_html(&bytes).then_some(DocumentKind::Html),
        FileKind::Other => None,
    };
    let charset = media_type.parameter("charset");
    Ok(Some(Content {
        kind,
        charset: charset.and_then(|label| Encoding::for_label(label.as_bytes())),
        bytes,
    }))
}

/// A response or resource with references: in its document, in its HTTP headers, or in both.
#[derive(Debug)]
pub struct Capture {
    /// The URL of the record, from which it was fetched.
    pub url: Url,
    /// The kind of the document; `None` where only the headers have references.
    pub kind: Option<DocumentKind>,
    /// The charset that its `Content-Type` declares.
    pub charset: Option<&'static Encoding>,
    /// The HTTP headers of a response.
    headers: Option<Headers>,
    payload: Payload,
}

/// Why a record cannot be written with other contents.
#[derive(Debug, thiserror::Error)]
pub enum UnwritableError {
    /// The field of this name has a digest that cannot be computed.
    #[error("the header {0} uses an unsupported algorithm")]
    UnknownDigest(&'static str),
    /// The encoder failed.
    #[error("cannot be compressed: {0}")]
    Encode(#[from] io::Error),
}

impl Capture {
    /// The capture in `record`; `None` where it cannot hold references.
    ///
    /// # Errors
    /// When the payload cannot be decoded.
    pub fn of(record: &Record) -> Result<Option<Capture>, PayloadError> {
        let (head, block) = (&record.head, record.block.as_slice());
        let Some(url) = head.url() else {
            return Ok(None);
        };
        let headers = match head.kind() {
            RecordKind::Response => Headers::response(block),
            RecordKind::Resource => None,
            _ => return Ok(None),
        };
        let media_type = media_type(head, headers.as_ref(), block);
        let declared = declared_content(&media_type, &url);
        let payload = match &headers {
            _ if declared == FileKind::Other => Payload::plain(&[]),
            Some(headers) if headers.status_code() == 206 => Payload::plain(&[]),
            Some(headers) => {
                let body = block.get(headers.body..).unwrap_or_default();
                Payload::of(headers, block, body)?
            }
            None => Payload::plain(block),
        };
        let kind = match declared {
            _ if payload.content.is_empty() => None,
            FileKind::Document(kind) => Some(kind),
            FileKind::Unknown => sniff_html(&payload.content).then_some(DocumentKind::Html),
            FileKind::Other => None,
        };
        let has_references = |headers: &Headers| has_references(headers, block);
        if kind.is_none() && !headers.as_ref().is_some_and(has_references) {
            return Ok(None);
        }
        let charset = media_type.parameter("charset");
        Ok(Some(Capture {
            url,
            kind,
            charset: charset.and_then(|label| Encoding::for_label(label.as_bytes())),
            headers,
            payload,
        }))
    }

    /// The HTTP headers with their empty line, where they hold references: a message without content.
    pub fn headers<'r>(&self, record: &'r Record) -> Option<&'r [u8]> {
        let headers = self.headers.as_ref()?;
        has_references(headers, &record.block).then(|| self.all_headers(record))
    }

    /// The fallback base URL of the document: the one that the HTTP headers give, or else the URL of
    /// the record.
    pub fn base_url(&self, record: &Record, standard: Standard) -> AbsoluteUrl {
        let record_url = AbsoluteUrl::new(standard, self.url.clone());
        let gives_base = |headers: &&Headers| {
            let mut rows = REFERENCE_HEADERS.iter().filter(|row| row.role.gives_base());
            rows.any(|row| headers.get(&record.block, row.name).is_some())
        };
        if self.headers.as_ref().filter(gives_base).is_none() {
            return record_url;
        }
        let options = ParseOptions {
            kind: DocumentKind::Message,
            ..ParseOptions::default()
        };
        let base = Document::parse(self.all_headers(record), &options)
            .ok()
            .and_then(|document| {
                let scope = document.parts.first()?.scope;
                let base = document.base_urls(&record_url).into_iter().nth(scope)?;
                base.url.filter(AbsoluteUrl::is_hierarchical)
            });
        base.unwrap_or(record_url)
    }

    /// Whether the response is not a redirect or an error. A resource always succeeds.
    pub fn is_success(&self) -> bool {
        let mut headers = self.headers.iter();
        headers.all(|headers| headers.status_code() < 300)
    }

    /// The bytes of the document, without the codings of HTTP.
    pub fn bytes(&self) -> &[u8] {
        &self.payload.content
    }

    /// The HTTP headers with their empty line; empty for a resource.
    fn all_headers<'r>(&self, record: &'r Record) -> &'r [u8] {
        let body = self.headers.as_ref().map_or(0, |headers| headers.body);
        record.block.get(..body).unwrap_or_default()
    }

    /// All forms of the body of `record`, from which `self` was read.
    fn body_forms<'b>(&'b self, record: &'b Record) -> BodyForms<'b> {
        let start = self.all_headers(record).len();
        BodyForms {
            body: record.block.get(start..).unwrap_or_default(),
            unchunked: self.payload.unchunked(),
            content: &self.payload.content,
        }
    }

    /// Describes how `new`, from which `rewritten` was read, differs from the record that
    /// [`Capture::replace`] would have made of `old`, from which `self` was read. References are not
    /// compared.
    pub fn differences(
        &self,
        old: &Record,
        rewritten: &Capture,
        new: &Record,
    ) -> Vec<&'static str> {
        let (before, after) = (self.body_forms(old), rewritten.body_forms(new));
        let pairs = before.paired(&after);
        let headers = [self.all_headers(old), rewritten.all_headers(new)];
        let mut differences = Vec::new();
        if before.content == after.content {
            if before.body != after.body {
                differences.push("the body differs, although the content does not");
            }
        } else if !self
            .payload
            .is_coded_like(&rewritten.payload, before.body, after.body)
        {
            differences.push("the body has different codings");
        }
        let has_headers = self.headers(old).is_some() || rewritten.headers(new).is_some();
        let [old_headers, new_headers] = headers.map(|headers| with_length_of(headers, "0"));
        if !has_headers && old_headers != new_headers {
            differences.push("the HTTP headers differ");
        }
        if !length_fits(headers, &pairs) {
            differences.push("the Content-Length is not the length of the body");
        }
        let block: [Pair<'_>; 1] = [(&old.block, &new.block)];
        for (name, pairs, message) in [
            (BLOCK_DIGEST, &block[..], "the WARC-Block-Digest is wrong"),
            (PAYLOAD_DIGEST, &pairs, "the WARC-Payload-Digest is wrong"),
        ] {
            let [old, new] = [old, new].map(|record| record.head.value(name));
            if !digest_fits(old.as_deref(), new.as_deref(), pairs) {
                differences.push(message);
            }
        }
        differences
    }

    /// The HTTP headers, where they hold references, with the `Content-Length` 0.
    pub fn headers_with_zero_length(&self, record: &Record) -> Option<Vec<u8>> {
        Some(with_length_of(self.headers(record)?, "0"))
    }

    /// Replaces the HTTP headers and the bytes of the document in `record`, from which `self` was read;
    /// `None` keeps them. The codings stay the same. Lengths and digests become those of the new
    /// contents, except those that were wrong before, which do not change. Returns the names of the
    /// fields with a wrong digest.
    ///
    /// # Errors
    /// See [`UnwritableError`].
    pub fn replace(
        &self,
        record: &mut Record,
        headers: Option<&[u8]>,
        bytes: Option<&[u8]>,
    ) -> Result<Vec<&'static str>, UnwritableError> {
        let old = &record.block;
        let before = self.body_forms(record);
        let old_body = before.body;
        let body = match bytes {
            Some(bytes) => self.payload.body_with(old_body, bytes)?,
            None => old_body.to_vec(),
        };
        let bytes = bytes.unwrap_or(&self.payload.content);
        let old_unchunked = self.payload.unchunked();
        let unchunked = old_unchunked.and_then(|_| Chunked::parse(&body));
        let new = BodyForms {
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
        for (name, pairs) in [
            (BLOCK_DIGEST, vec![(old.as_slice(), block.as_slice())]),
            (PAYLOAD_DIGEST, before.paired(&new)),
        ] {
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
        record.head = record.head.with_values(&values);
        record.block = block;
        Ok(wrong_digests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls [`may_hold_references`] on a record with these fields and this block.
    fn may_hold(fields: &str, block: &str) -> Result<bool, RecordSkipReason> {
        let head = format!("WARC/1.0\r\n{fields}\r\n\r\n");
        may_hold_references(&RecordHeader::new(head.into_bytes(), 0), block.as_bytes())
    }

    #[test]
    fn a_revisit_is_of_a_document_by_its_headers_or_its_url() {
        for (name, block, expected) in [
            ("a.png", "", false),
            (
                "a.png",
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
                true,
            ),
            (
                "a",
                "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n",
                false,
            ),
            ("a", "HTTP/1.1 304 Not Modified\r\n\r\n", true),
            ("a.css", "", true),
        ] {
            let head = format!("WARC/1.0\r\nWARC-Target-URI: http://h/{name}\r\n\r\n");
            let found = may_revisit_document(&RecordHeader::parse(&head), block.as_bytes());
            assert_eq!(found, expected, "{name} {block}");
        }
    }

    #[test]
    fn only_records_that_may_hold_references_are_read_whole() {
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
