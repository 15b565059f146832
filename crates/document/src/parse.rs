//! Parses a document of any kind.

use std::borrow::Cow;

use encoding_rs::{UTF_8, WINDOWS_1252};

use super::binary_content::is_binary_content;
use super::budget;
use super::document::Document;
use super::document_error::DocumentError;
use super::document_kind::DocumentKind;
use super::encoding::{self, Charset, CharsetSource};
use super::extract::{Extractor, Place};
use super::message::http_coding::is_compressed;
use super::message::sniff;
use super::options::ParseOptions;

impl<'a> Document<'a> {
    /// Parses a document of the kind [`ParseOptions::kind`].
    ///
    /// # Errors
    /// Returns an error if the document is in an encoding that cannot be transcoded without loss, or would cost too
    /// much.
    pub fn parse(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        options.check_size(bytes.len())?;
        if is_binary_content(bytes) {
            return Err(match is_compressed(bytes) {
                true => DocumentError::Compressed,
                false => DocumentError::Binary,
            });
        }
        let document = if is_message(bytes, options) {
            let mut extractor = Extractor::new(bytes.len(), options);
            extractor.message(bytes)?;
            // A message is never transcoded: its parts have charsets of their own.
            let charset = Charset { encoding: WINDOWS_1252, source: CharsetSource::Fallback };
            Document::extracted(extractor, Cow::Borrowed(bytes), charset, options)?
        } else {
            let charset = encoding::sniff_charset(options.kind, bytes, options.charset);
            Document::parse_in(bytes, charset, options)?
        };
        budget::check(&document, options.memory)?;
        Ok(document)
    }

    /// Parses a document that is not a message in this charset.
    fn parse_in(
        bytes: &'a [u8],
        mut charset: Charset,
        options: &ParseOptions,
    ) -> Result<Document<'a>, DocumentError> {
        let working = encoding::working_bytes(bytes, charset.encoding)?;
        let mut extractor = Extractor::new(working.len(), options);
        // Queries in other documents are in UTF-8, whatever their charset.
        let query_encoding = match options.kind {
            DocumentKind::Html | DocumentKind::Xhtml | DocumentKind::Xml => charset.encoding,
            _ => UTF_8,
        };
        let texts = match working {
            Cow::Borrowed(_) => charset.encoding,
            Cow::Owned(_) => UTF_8,
        };
        let place = Place::of_document(&working, texts, query_encoding);
        let declared = extractor.read(options.kind, place)?;
        // Declared too late for the prescan ("change the encoding", HTML Standard 13.2.3.5).
        if charset.source == CharsetSource::Fallback
            && let Some(encoding) = declared
        {
            let is_same = encoding == charset.encoding;
            charset = Charset { encoding, source: CharsetSource::Meta };
            if !is_same {
                return Document::parse_in(bytes, charset, options);
            }
        }
        Document::extracted(extractor, working, charset, options)
    }

    /// The document with the contents that `extractor` found in its working bytes.
    fn extracted(
        extractor: Extractor,
        working: Cow<'a, [u8]>,
        charset: Charset,
        options: &ParseOptions,
    ) -> Result<Document<'a>, DocumentError> {
        let mut found = extractor.in_order()?;
        let text = match &working {
            Cow::Borrowed(bytes) => simdutf8::basic::from_utf8(bytes).ok(),
            Cow::Owned(_) => None,
        };
        let is_utf8 = text.is_some() && charset.encoding == UTF_8;
        if let (Some(metadata), Cow::Borrowed(bytes), false) =
            (&mut found.metadata, &working, is_utf8)
        {
            metadata.malformed_at = encoding::malformed_at(bytes, charset);
        }
        let (templates, no_url) = (options.templates, options.no_url);
        Ok(Document { working, text, charset, templates, no_url, ..found })
    }
}

/// Returns true if the document is a message, by its kind or by how it begins.
fn is_message(bytes: &[u8], options: &ParseOptions) -> bool {
    match options.kind {
        DocumentKind::Message => true,
        DocumentKind::Html | DocumentKind::Xhtml | DocumentKind::Xml | DocumentKind::Css => {
            sniff::begins_with_headers(bytes)
                || options.message && sniff::may_begin_with_headers(bytes)
        }
        _ => false,
    }
}
