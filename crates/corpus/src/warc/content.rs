//! The content of a record as its headers declare it: its media type, its kind, its charset.

use encoding_rs::Encoding;

use super::payload::{Payload, PayloadError};
use super::record::{RecordHeader, RecordKind};
use rehref_document::message::{headers::Headers, media_type::MediaType};
use rehref_document::{DocumentKind, FileKind, file_kind, sniff_html};
use rehref_url::Url;

/// Media types that servers send for files that they do not know.
const UNKNOWN_TYPES: &[&str] = &["", "application/octet-stream", "application/unknown", "unknown"];

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
        FileKind::Document(kind @ DocumentKind::Lines(_)) if essence == "text/plain" => {
            FileKind::Document(kind)
        }
        _ => FileKind::Other,
    }
}

/// Returns the media type of the content of a response or resource, in lower case and without parameters.
/// Recognizes HTML, XHTML and CSS also by the URL or the content. `start` is the start of the block.
pub fn media_type_of(head: &RecordHeader, start: &[u8]) -> String {
    let Some(declared) = DeclaredContent::of(head, start) else { return String::new() };
    let known = match declared.kind {
        FileKind::Document(DocumentKind::Html) => "text/html",
        FileKind::Document(DocumentKind::Xhtml) => "application/xhtml+xml",
        FileKind::Document(DocumentKind::Css) => "text/css",
        FileKind::Unknown if sniff_html(declared.body(start)) => "text/html",
        _ => return declared.media_type.essence,
    };
    known.to_owned()
}

/// Returns true if the content that a revisit record refers to may be a document, by the HTTP headers in its `block` or
/// else by its URL.
pub fn may_revisit_document(head: &RecordHeader, block: &[u8]) -> bool {
    let headers = Headers::response(block);
    let content_type = headers.and_then(|headers| headers.value(block, "Content-Type"));
    let media_type = MediaType::parse(&content_type.unwrap_or_default()).unwrap_or_default();
    head.url().is_some_and(|url| declared_content(&media_type, &url) != FileKind::Other)
}

/// The content of a response or resource, as its headers declare it.
pub(super) struct DeclaredContent {
    pub(super) url: Url,
    /// The HTTP headers of a response.
    pub(super) headers: Option<Headers>,
    pub(super) kind: FileKind,
    media_type: MediaType,
}

impl DeclaredContent {
    /// `None` where the record has no URL, or is not a response or resource. `block` may be cut off after the HTTP headers.
    pub(super) fn of(head: &RecordHeader, block: &[u8]) -> Option<DeclaredContent> {
        let (headers, content_type) = match head.kind() {
            RecordKind::Response => {
                let headers = Headers::response(block);
                let of_headers = |headers: &Headers| headers.value(block, "Content-Type");
                let content_type = headers.as_ref().map(of_headers);
                (headers, content_type.unwrap_or_else(|| head.value("Content-Type")))
            }
            RecordKind::Resource => (None, head.value("Content-Type")),
            _ => return None,
        };
        let url = head.url()?;
        let media_type = MediaType::parse(&content_type.unwrap_or_default()).unwrap_or_default();
        Some(DeclaredContent {
            kind: declared_content(&media_type, &url),
            url,
            headers,
            media_type,
        })
    }

    /// Returns the status code of a response.
    pub(super) fn status(&self) -> Option<u16> {
        self.headers.as_ref().map(Headers::status_code)
    }

    /// Returns the part of `block` after the HTTP headers.
    pub(super) fn body<'b>(&self, block: &'b [u8]) -> &'b [u8] {
        let start = self.headers.as_ref().map_or(0, |headers| headers.body);
        block.get(start..).unwrap_or_default()
    }

    /// Decodes the payload in `block`.
    pub(super) fn payload(&self, block: &[u8]) -> Result<Payload, PayloadError> {
        let body = self.body(block);
        match &self.headers {
            Some(headers) => Payload::of(headers, block, body),
            None => Ok(Payload::plain(body)),
        }
    }

    /// Returns the kind of the document `content`; `None` where it is not one.
    pub(super) fn document_kind(&self, content: &[u8]) -> Option<DocumentKind> {
        match self.kind {
            _ if content.is_empty() => None,
            FileKind::Document(kind) => Some(kind),
            FileKind::Unknown => sniff_html(content).then_some(DocumentKind::Html),
            FileKind::Other => None,
        }
    }

    /// Returns the charset that the `Content-Type` declares.
    pub(super) fn charset(&self) -> Option<&'static Encoding> {
        let charset = self.media_type.parameter("charset")?;
        Encoding::for_label(charset.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revisit_is_of_a_document_by_its_headers_or_its_url() {
        for (name, block, expected) in [
            ("a.png", "", false),
            ("a.png", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", true),
            ("a", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n", false),
            ("a", "HTTP/1.1 304 Not Modified\r\n\r\n", true),
            ("a.css", "", true),
        ] {
            let head = format!("WARC/1.0\r\nWARC-Target-URI: http://h/{name}\r\n\r\n");
            let found = may_revisit_document(&RecordHeader::parse(&head), block.as_bytes());
            assert_eq!(found, expected, "{name} {block}");
        }
    }
}
