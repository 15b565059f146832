//! The documents of a WARC record: its HTTP headers and its content.

use super::document::{Role, SourceDocument};
use crate::warc::{Capture, Record};
use rehref_document::{DocumentKind, ParseOptions};
use rehref_url::{AbsoluteUrl, Standard};

/// The documents in a record: its HTTP headers and its content.
pub struct RecordDocuments<'r> {
    record: &'r Record,
    capture: &'r Capture,
    name: &'r str,
    options: ParseOptions,
    retrieval_url: AbsoluteUrl,
    fallback_base: AbsoluteUrl,
}

impl<'r> RecordDocuments<'r> {
    pub fn new(
        record: &'r Record,
        capture: &'r Capture,
        name: &'r str,
        options: ParseOptions,
        standard: Standard,
    ) -> RecordDocuments<'r> {
        RecordDocuments {
            record,
            capture,
            name,
            options,
            retrieval_url: AbsoluteUrl::new(standard, capture.url.clone()),
            fallback_base: capture.base_url(record, standard),
        }
    }

    /// Returns both documents that the record may have: its headers and its content.
    pub fn all(&self) -> impl Iterator<Item = SourceDocument<'_>> {
        self.headers().into_iter().chain(self.content())
    }

    /// Returns the HTTP headers, where they hold references.
    pub(crate) fn headers(&self) -> Option<SourceDocument<'_>> {
        let options = ParseOptions { kind: DocumentKind::Message, ..self.options };
        Some(SourceDocument {
            fallback_base: &self.retrieval_url,
            bytes: self.capture.headers(self.record)?,
            role: Role::Headers,
            ..self.content_as(options)
        })
    }

    /// Returns the content, where it is a document.
    pub(crate) fn content(&self) -> Option<SourceDocument<'_>> {
        Some(self.content_as(ParseOptions {
            kind: self.capture.kind?,
            charset: self.options.charset.or(self.capture.charset),
            ..self.options
        }))
    }

    /// Returns the content, read as a document by these `options`.
    pub(crate) fn content_as(&self, options: ParseOptions) -> SourceDocument<'_> {
        SourceDocument {
            name: self.name,
            item: self.record.number,
            index_key: self.capture.url.as_str(),
            retrieval_url: &self.retrieval_url,
            fallback_base: &self.fallback_base,
            page: None,
            bytes: self.capture.bytes(),
            options,
            role: if self.capture.is_success() { Role::Content } else { Role::ErrorBody },
        }
    }
}
