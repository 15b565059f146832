//! Parses a document of any kind.

use std::borrow::Cow;

use encoding_rs::{ISO_2022_JP, REPLACEMENT};

use super::budget::{self, Budget};
use super::document::{Document, text_encoding};
use super::document_error::DocumentError;
use super::document_kind::DocumentKind;
use super::encoding::{self, Charset, CharsetSource, Transcoding};
use super::extract;
use super::extract::extraction::Extraction;
use super::html::raw::{RawDocument, TooComplex};
use super::message::sniff;
use super::options::ParseOptions;
use super::position::Positions;
use super::xml;
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};

impl<'a> Document<'a> {
    /// Parses a document of the kind that `options` say.
    ///
    /// # Errors
    /// When the document is in an encoding that cannot be transcoded without loss, or would cost
    /// too much.
    pub fn parse(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        options.check_size(bytes.len())?;
        let document = match options.kind {
            _ if is_message(bytes, options) => Document::parse_message(bytes, options)?,
            DocumentKind::Html => Document::parse_html(bytes, options)?,
            // Browsers show an error in place of XHTML that is not well-formed, too.
            DocumentKind::Xml | DocumentKind::Xhtml => Document::parse_xml(bytes, options)?,
            DocumentKind::Markdown(dialect) => Document::parse_markdown(bytes, dialect, options)?,
            DocumentKind::Navigation(kind) => Document::parse_navigation(bytes, kind, options)?,
            _ => Document::parse_file(bytes, options)?,
        };
        budget::check(&document, options.memory)?;
        Ok(document)
    }

    /// A message is never transcoded: its parts have charsets of their own.
    fn parse_message(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, TooComplex> {
        let charset =
            Charset { encoding: encoding_rs::WINDOWS_1252, source: CharsetSource::Fallback };
        let found = extract::message(bytes, options)?;
        let working = Cow::Borrowed(bytes);
        Ok(Document::new(working, Transcoding::None, charset, found, options))
    }

    fn parse_html(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        let mut charset = encoding::sniff_charset(DocumentKind::Html, bytes, options.charset);
        let (mut working, mut transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let mut findings = find_values(&working, options)?;
        if charset.source == CharsetSource::Fallback
            && let Some(declared) = findings.declared_encoding
        {
            // Declared too late for the prescan ("change the encoding", HTML Standard 13.2.3.5).
            charset = Charset { encoding: declared, source: CharsetSource::Meta };
            if declared == ISO_2022_JP || declared == REPLACEMENT {
                (working, transcoding) = encoding::working_bytes(bytes, declared)?;
                findings = find_values(&working, options)?;
            }
        }
        let texts = text_encoding(charset, transcoding);
        let head_start = Some(findings.head_start);
        let found = extract::html(&working, findings, texts, charset.encoding, options)?;
        Ok(Document { head_start, ..Document::new(working, transcoding, charset, found, options) })
    }

    fn parse_xml(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        let charset = encoding::sniff_charset(DocumentKind::Xml, bytes, options.charset);
        let (working, transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let start = encoding::byte_order_mark(&working);
        let budget = Budget::new(working.len(), options.memory);
        let findings = xml::find(&working, start, budget.wanted(options));
        let findings = findings.map_err(|error| DocumentError::NotWellFormed {
            language: "XML",
            position: Positions::new(&working).of(error.offset),
            message: error.message,
        })?;
        let texts = text_encoding(charset, transcoding);
        let found = extract::xml(&working, findings, texts, charset.encoding, options)?;
        Ok(Document::new(working, transcoding, charset, found, options))
    }

    fn parse_markdown(
        bytes: &'a [u8],
        dialect: MarkdownDialect,
        options: &ParseOptions,
    ) -> Result<Document<'a>, DocumentError> {
        let charset = encoding::sniff_charset(options.kind, bytes, options.charset);
        let (working, transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let found = extract::markdown(&working, dialect, options)?;
        Ok(Document::new(working, transcoding, charset, found, options))
    }

    fn parse_navigation(
        bytes: &'a [u8],
        kind: NavigationKind,
        options: &ParseOptions,
    ) -> Result<Document<'a>, DocumentError> {
        let charset = encoding::sniff_charset(options.kind, bytes, options.charset);
        let (working, transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let not_well_formed = |at: usize, message: String| DocumentError::NotWellFormed {
            language: kind.language().name(),
            position: Positions::new(&working).of(at),
            message,
        };
        let text = std::str::from_utf8(&working)
            .map_err(|error| not_well_formed(error.valid_up_to(), "not UTF-8".to_owned()))?;
        let found = extract::navigation(text, kind, options)
            .map_err(|error| not_well_formed(error.at, error.message))??;
        Ok(Document::new(working, transcoding, charset, found, options))
    }

    fn parse_file(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        let charset = encoding::sniff_charset(options.kind, bytes, options.charset);
        let (working, transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let found = extract::file(&working, text_encoding(charset, transcoding), options)?;
        Ok(Document::new(working, transcoding, charset, found, options))
    }

    fn new(
        working: Cow<'a, [u8]>,
        transcoding: Transcoding,
        charset: Charset,
        found: Extraction,
        options: &ParseOptions,
    ) -> Document<'a> {
        let text = match &working {
            Cow::Borrowed(bytes) => simdutf8::basic::from_utf8(bytes).ok(),
            Cow::Owned(_) => None,
        };
        let is_utf8 = text.is_some() && charset.encoding == encoding_rs::UTF_8;
        let mut metadata = found.metadata;
        if let (Some(metadata), Transcoding::None, false) = (&mut metadata, transcoding, is_utf8) {
            metadata.malformed_at = encoding::malformed_at(&working, charset);
        }
        Document {
            working,
            text,
            transcoding,
            charset,
            containers: found.containers,
            references: found.references,
            simple: found.simple,
            fetch_options: found.fetch_options,
            policies: found.policies,
            scopes: found.scopes,
            parts: found.parts,
            unreadable: found.unreadable,
            head_start: None,
            templates: options.templates,
            no_url: options.no_url,
            page: None,
            metadata,
        }
    }
}

/// Whether the document is a message, by its kind or by how it begins.
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

fn find_values(working: &[u8], options: &ParseOptions) -> Result<RawDocument, TooComplex> {
    let start = encoding::byte_order_mark(working);
    options.engine.find_values(working, start, options.wanted())
}
