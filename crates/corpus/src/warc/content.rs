//! The content of a record: its kind, its charset, its bytes.

use encoding_rs::Encoding;

use super::payload::{Payload, PayloadError};
use super::record::{Record, RecordHeader, RecordKind};
use rehref_document::{
    Document, DocumentKind, FileKind, ParseOptions, file_kind, message::headers::Headers,
    message::media_type::MediaType, message::reference_headers::REFERENCE_HEADERS, sniff_html,
};
use rehref_url::{AbsoluteUrl, Standard, Url};

/// Media types that servers send for files that they do not know.
const UNKNOWN_TYPES: &[&str] = &["", "application/octet-stream", "application/unknown", "unknown"];

pub(super) fn media_type(
    head: &RecordHeader,
    headers: Option<&Headers>,
    block: &[u8],
) -> MediaType {
    let value = match headers {
        Some(headers) => headers.value(block, "Content-Type"),
        None => head.value("Content-Type"),
    };
    MediaType::parse(&value.unwrap_or_default()).unwrap_or_default()
}

/// The kind of the content of a record, by its media type and its URL. Unlike a file, content of an
/// unknown kind can only be HTML.
pub(super) fn declared_content(media_type: &MediaType, url: &Url) -> FileKind {
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

/// Whether the content that a revisit record refers to may be a document, by the HTTP headers in its `block` or
/// else by its URL.
pub fn may_revisit_document(head: &RecordHeader, block: &[u8]) -> bool {
    let headers = Headers::response(block);
    let content_type = headers.and_then(|headers| headers.value(block, "Content-Type"));
    let media_type = MediaType::parse(&content_type.unwrap_or_default()).unwrap_or_default();
    head.url().is_some_and(|url| declared_content(&media_type, &url) != FileKind::Other)
}

/// What the headers of a response or resource declare of its content.
pub(super) struct DeclaredContent {
    pub(super) url: Url,
    /// The HTTP headers of a response.
    pub(super) headers: Option<Headers>,
    pub(super) kind: FileKind,
    media_type: MediaType,
}

impl DeclaredContent {
    /// `None` where `record` has no URL, or is no response or resource.
    pub(super) fn of(record: &Record) -> Option<DeclaredContent> {
        let (head, block) = (&record.head, record.block.as_slice());
        let is_capture = matches!(head.kind(), RecordKind::Response | RecordKind::Resource);
        let url = head.url().filter(|_| is_capture)?;
        let headers = http_headers(head, block);
        let media_type = media_type(head, headers.as_ref(), block);
        Some(DeclaredContent {
            kind: declared_content(&media_type, &url),
            url,
            headers,
            media_type,
        })
    }

    /// Decodes the payload in `block`.
    pub(super) fn payload(&self, block: &[u8]) -> Result<Payload, PayloadError> {
        match &self.headers {
            Some(headers) => {
                let body = block.get(headers.body..).unwrap_or_default();
                Payload::of(headers, block, body)
            }
            None => Ok(Payload::plain(block)),
        }
    }

    fn decoded(self, record: &Record) -> Result<Content, PayloadError> {
        let bytes = self.payload(&record.block)?.content;
        Ok(Content {
            kind: self.document_kind(&bytes),
            charset: self.charset(),
            bytes,
            url: self.url,
            headers: self.headers,
        })
    }

    /// The kind of the document `content`; `None` where it is not one.
    pub(super) fn document_kind(&self, content: &[u8]) -> Option<DocumentKind> {
        match self.kind {
            _ if content.is_empty() => None,
            FileKind::Document(kind) => Some(kind),
            FileKind::Unknown => sniff_html(content).then_some(DocumentKind::Html),
            FileKind::Other => None,
        }
    }

    /// The charset that the `Content-Type` declares.
    pub(super) fn charset(&self) -> Option<&'static Encoding> {
        let charset = self.media_type.parameter("charset")?;
        Encoding::for_label(charset.as_bytes())
    }
}

/// The fallback base URL of a document: the one that the HTTP headers of `record` give, or else `url`.
pub(super) fn base_url(
    url: &Url,
    headers: Option<&Headers>,
    record: &Record,
    standard: Standard,
) -> AbsoluteUrl {
    let block = record.block.as_slice();
    let record_url = AbsoluteUrl::new(standard, url.clone());
    let gives_base = |headers: &&Headers| {
        let mut rows = REFERENCE_HEADERS.iter().filter(|row| row.role.gives_base());
        rows.any(|row| headers.get(&record.block, row.name).is_some())
    };
    if headers.filter(gives_base).is_none() {
        return record_url;
    }
    let options = ParseOptions { kind: DocumentKind::Message, ..ParseOptions::default() };
    let base = Document::parse(
        block.get(..headers.map_or(0, |headers| headers.body)).unwrap_or_default(),
        &options,
    )
    .ok()
    .and_then(|document| {
        let scope = document.parts.first()?.scope;
        let base = document.base_urls(&record_url).into_iter().nth(scope)?;
        base.url.filter(AbsoluteUrl::is_hierarchical)
    });
    base.unwrap_or(record_url)
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
    /// The URL of the record, from which it was fetched.
    pub url: Url,
    headers: Option<Headers>,
}

impl Content {
    /// The content of `record`; `None` where it has no URL, or is another kind of record.
    ///
    /// # Errors
    /// When it cannot be decoded.
    pub fn of(record: &Record) -> Result<Option<Content>, PayloadError> {
        let declared = DeclaredContent::of(record);
        declared.map(|it| it.decoded(record)).transpose()
    }

    /// Like [`Content::of`], but `None`, without decoding it, also for content that is declared to be no document.
    ///
    /// # Errors
    /// When it cannot be decoded.
    pub fn of_document(record: &Record) -> Result<Option<Content>, PayloadError> {
        let declared = DeclaredContent::of(record).filter(|it| it.kind != FileKind::Other);
        declared.map(|it| it.decoded(record)).transpose()
    }

    /// The fallback base URL of the document in `record`, from which `self` was read: the one that the HTTP headers
    /// give, or else the URL of the record.
    pub fn base_url(&self, record: &Record, standard: Standard) -> AbsoluteUrl {
        base_url(&self.url, self.headers.as_ref(), record, standard)
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
