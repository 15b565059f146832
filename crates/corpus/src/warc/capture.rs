//! Captures: the records that hold documents, or HTTP headers with references.

use encoding_rs::Encoding;

use super::content::DeclaredContent;
use super::digest::DigestFormat;
use super::integrity::{
    BodyForms, Pair, digest_fits, length_fits, new_digests, with_length, with_length_of,
};
use super::payload::{Payload, PayloadError};
use super::record::{Record, RecordHeader, RecordKind};
use crate::coding::DECODED_LIMIT;
use rehref_document::message::{
    chunked::Chunked, headers::Headers, reference_headers::REFERENCE_HEADERS,
};
use rehref_document::{Document, DocumentKind, FileKind, ParseOptions, sniff_html};
use rehref_url::{AbsoluteUrl, Standard, Url};

const BLOCK_DIGEST: &str = "WARC-Block-Digest";
/// The name of the header field with the digest of the payload: the HTTP body of a response, or the block of a
/// resource.
pub const PAYLOAD_DIGEST: &str = "WARC-Payload-Digest";

/// The reason why rehref skips a record that is intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordSkipReason {
    /// The record is one of several segments.
    Segment,
    /// The record holds a part of a resource: `206 Partial Content`.
    Partial,
    /// The record is larger than [`DECODED_LIMIT`].
    TooLarge,
    /// The record is a response from an `http:` or `https:` URL without a status line.
    NoStatus,
}

impl RecordSkipReason {
    /// Returns the code of the warning, and its text after "3 records".
    pub fn code_and_text(self) -> (&'static str, &'static str) {
        match self {
            RecordSkipReason::Segment => ("segmented-record", "in several segments"),
            RecordSkipReason::Partial => ("partial-record", "with only part of a resource"),
            RecordSkipReason::TooLarge => ("large-record", "too large to process"),
            RecordSkipReason::NoStatus => ("no-status-line", "without an HTTP status line"),
        }
    }
}

/// Returns true if a record may contain references, so that it must be read whole. `start` is the start of its
/// block.
///
/// # Errors
/// Returns the reason to skip a record that may contain references.
pub fn may_hold_references(head: &RecordHeader, start: &[u8]) -> Result<bool, RecordSkipReason> {
    let Some(declared) = DeclaredContent::of(head, start) else { return Ok(false) };
    let headers = declared.headers.as_ref();
    if headers.is_none() && head.kind() == RecordKind::Response {
        let is_http = matches!(declared.url.scheme(), "http" | "https");
        return if is_http && !start.is_empty() {
            Err(RecordSkipReason::NoStatus)
        } else {
            Ok(false)
        };
    }
    let has = |name: &str| headers.is_some_and(|it| it.get(start, name).is_some());
    let body = declared.body(start);
    let is_coded = has("Transfer-Encoding") || has("Content-Encoding");
    // Headers longer than `start`: only the whole record can show what it holds.
    let is_cut = headers.is_some_and(|headers| !headers.is_ended);
    let is_document = match declared.kind {
        FileKind::Document(_) => !body.is_empty() || is_cut,
        FileKind::Other => false,
        FileKind::Unknown => is_coded || is_cut || sniff_html(body),
    };
    if !is_document && !REFERENCE_HEADERS.iter().any(|row| has(row.name)) {
        return Ok(false);
    }
    if head.value("WARC-Segment-Number").is_some() {
        return Err(RecordSkipReason::Segment);
    }
    if is_document && declared.status() == Some(206) {
        return Err(RecordSkipReason::Partial);
    }
    let length = head.content_length().and_then(|it| usize::try_from(it).ok());
    if length.is_some_and(|length| length <= DECODED_LIMIT) {
        Ok(true)
    } else {
        Err(RecordSkipReason::TooLarge)
    }
}

fn has_references(headers: &Headers, source: &[u8]) -> bool {
    let mut rows = REFERENCE_HEADERS.iter();
    rows.any(|row| headers.get(source, row.name).is_some())
}

/// A response or resource, with its content decoded.
#[derive(Debug)]
pub struct Capture {
    /// The URL of the record, from which it was fetched.
    pub url: Url,
    /// The kind of the document; `None` if the content is not a document.
    pub kind: Option<DocumentKind>,
    /// The charset that the HTTP header `Content-Type` declares.
    pub charset: Option<&'static Encoding>,
    /// The HTTP headers of a response.
    headers: Option<Headers>,
    payload: Payload,
}

impl Capture {
    /// Returns the capture in `record`; `None` if neither its document nor its HTTP headers can contain
    /// references.
    ///
    /// # Errors
    /// Returns an error if the payload cannot be decoded.
    pub fn of(record: &Record) -> Result<Option<Capture>, PayloadError> {
        let has_document =
            |it: &DeclaredContent| it.kind != FileKind::Other && it.status() != Some(206);
        let capture = Capture::decoded(record, has_document)?;
        Ok(capture.filter(|it| it.kind.is_some() || it.headers(record).is_some()))
    }

    /// Returns the capture in `record`, whatever its content is; `None` if the record has no URL, or is not a
    /// response or resource.
    ///
    /// # Errors
    /// Returns an error if the payload cannot be decoded.
    pub fn of_any(record: &Record) -> Result<Option<Capture>, PayloadError> {
        Capture::decoded(record, |_| true)
    }

    /// The capture in `record`, without content unless it `is_wanted`.
    fn decoded(
        record: &Record,
        is_wanted: impl Fn(&DeclaredContent) -> bool,
    ) -> Result<Option<Capture>, PayloadError> {
        let Some(declared) = DeclaredContent::of(&record.head, &record.block) else {
            return Ok(None);
        };
        let payload = if is_wanted(&declared) {
            declared.payload(&record.block)?
        } else {
            Payload::plain(&[])
        };
        Ok(Some(Capture {
            kind: declared.document_kind(&payload.content),
            charset: declared.charset(),
            url: declared.url,
            headers: declared.headers,
            payload,
        }))
    }

    /// Returns the HTTP headers with their empty line, as a message without content, if they contain
    /// references.
    pub fn headers<'r>(&self, record: &'r Record) -> Option<&'r [u8]> {
        let headers = self.headers.as_ref()?;
        has_references(headers, &record.block).then(|| self.all_headers(record))
    }

    /// Returns the fallback base URL of the document in `record`, from which `self` was read: the base URL of the HTTP
    /// headers, or else the URL of the record.
    pub fn base_url(&self, record: &Record, standard: Standard) -> AbsoluteUrl {
        let record_url = AbsoluteUrl::new(standard, self.url.clone());
        let gives_base = |headers: &Headers| {
            let mut rows = REFERENCE_HEADERS.iter().filter(|row| row.role.gives_base());
            rows.any(|row| headers.get(&record.block, row.name).is_some())
        };
        if !self.headers.as_ref().is_some_and(gives_base) {
            return record_url;
        }
        let options = ParseOptions { kind: DocumentKind::Message, ..ParseOptions::default() };
        let document = Document::parse(self.all_headers(record), &options).ok();
        let base = document.and_then(|document| {
            let scope = document.parts.first()?.scope;
            let base = document.base_urls(&record_url).into_iter().nth(scope)?;
            base.url.filter(AbsoluteUrl::is_hierarchical)
        });
        base.unwrap_or(record_url)
    }

    /// Returns true if the response is not a redirect or an error. A resource always succeeds.
    pub fn is_success(&self) -> bool {
        let mut headers = self.headers.iter();
        headers.all(|headers| headers.status_code() < 300)
    }

    /// Returns the content, without the codings of HTTP.
    pub fn bytes(&self) -> &[u8] {
        &self.payload.content
    }

    /// Returns the content as [`Capture::bytes`] does, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.payload.content
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
        // Compressed again, a body has other bytes, also if its links are as before: after `absolute` and `relative`.
        let is_coded_like = || {
            let (old, new) = (&self.payload, &rewritten.payload);
            old.is_coded_like(new, before.body, after.body)
        };
        if before.body != after.body && !is_coded_like() {
            differences.push(if before.content == after.content {
                "the body differs, although the content does not"
            } else {
                "the body has other content codings than in the old tree"
            });
        }
        // Headers with references are documents, which are compared as such.
        let has_headers = self.headers(old).is_some() && rewritten.headers(new).is_some();
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

    /// Returns the HTTP headers with the `Content-Length` 0, if they contain references.
    pub fn headers_with_zero_length(&self, record: &Record) -> Option<Vec<u8>> {
        Some(with_length_of(self.headers(record)?, "0"))
    }

    /// Replaces the HTTP headers and the bytes of the document in `record`, from which `self` was read;
    /// `None` keeps them. The codings stay the same. Lengths and digests become those of the new
    /// contents, except those that were wrong before, which do not change. Returns the names of the
    /// fields with a wrong digest.
    ///
    /// # Errors
    /// Returns an error if a digest of it is of an unknown algorithm, or the encoder fails.
    pub fn replace(
        &self,
        record: &mut Record,
        headers: Option<&[u8]>,
        bytes: Option<&[u8]>,
    ) -> Result<Vec<&'static str>, PayloadError> {
        let old = &record.block;
        let before = self.body_forms(record);
        let old_body = before.body;
        let body = match bytes {
            Some(bytes) => {
                let encoded = self.payload.body_with(old_body, bytes);
                encoded
                    .map_err(|error| PayloadError(format!("cannot compress the body: {error}")))?
            }
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
        let mut block =
            if body == old_body { headers.to_vec() } else { with_length(headers, &before, &new) };
        block.extend_from_slice(new.body);
        let mut wrong_digests = Vec::new();
        let mut values = vec![("Content-Length", block.len().to_string())];
        for (name, pairs) in [
            (BLOCK_DIGEST, vec![(old.as_slice(), block.as_slice())]),
            (PAYLOAD_DIGEST, before.paired(&new)),
        ] {
            let Some(value) = record.head.value(name) else { continue };
            let value = value.trim();
            if !DigestFormat::knows(value) {
                return Err(PayloadError(format!(
                    "the header {name} uses an unsupported algorithm"
                )));
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
        for start in ["GET / HTTP/1.1", "http/1.1 200 OK", "HTTP/1.1 200OK", "ICY 200 OK"] {
            let block = format!("{start}\r\n\r\n<p>");
            assert_eq!(response("", &block), Err(RecordSkipReason::NoStatus), "{start}");
        }
        assert_eq!(response("", ""), Ok(false));
        assert_eq!(response("\r\nWARC-Segment-Number: 1", html), Err(RecordSkipReason::Segment));
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
