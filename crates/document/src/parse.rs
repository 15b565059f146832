//! A parsed document: its charset, containers, references and scopes.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT};

use super::budget::{self, Budget};
use super::container::{Container, ContainerKind, span_in};
use super::encoding::{self, Charset, CharsetSource, LossyTranscoding, Transcoding};
use super::extract::{self, Extraction, UnreadableContainer};
use super::fetch_option::FetchOption;
use super::html::engine;
use super::html::raw::{RawDocument, TooComplex};
use super::html::scanner::DeclineReason;
use super::message::Part;
use super::message::parts::entities;
use super::message::sniff;
use super::metadata::Metadata;
use super::options::{DocumentKind, ParseOptions};
use super::reference::{Class, Reference, sort_references};
use super::scope::Scope;
use super::simple::SimpleReference;
use super::{Position, Positions, TemplateDialects, xml};
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};
use rehref_url::{AbsoluteUrl, Edit, Span, splice};

/// A document that cannot be parsed or edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Transcoding to UTF-8 and back would change the bytes of the document.
    #[error(transparent)]
    Transcoding(#[from] LossyTranscoding),
    /// The document is not well-formed.
    #[error("not well-formed {language} at {}:{}: {message}", .position.line, .position.column)]
    NotWellFormed {
        /// The language: XML, YAML or TOML.
        language: &'static str,
        /// The position at which the parser fails.
        position: Position,
        /// The description of the error.
        message: String,
    },
    /// A changed reference fills a line, which would be read as a delimiter between the parts of the
    /// message.
    #[error(
        "a rewritten link would look like the delimiter between the parts of the message; give the message another boundary"
    )]
    Delimiter,
    /// With its new links, the document would be read in another charset, in which other bytes of it mean
    /// something else.
    #[error(
        "with the new links, browsers would read the document as {after} instead of {before}; declare its \
         charset (in HTML, with a meta element at the start of the head)"
    )]
    Charset {
        /// The charset that the document is read in.
        before: &'static str,
        /// The charset that it would be read in.
        after: &'static str,
    },
    /// Parsing the document would take too much memory or time.
    #[error(transparent)]
    TooComplex(#[from] TooComplex),
    /// The document is larger than `ParseOptions::max_size`.
    #[error("too large: {size} bytes, and --max-document-size is {limit}")]
    AboveLimit {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
}

impl DocumentError {
    /// The stable name of the fault of a malformed document, which is the name of a check of the
    /// audit; `None` if the document is intact, but its edits cannot be written.
    pub fn malformation(&self) -> Option<&'static str> {
        match self {
            DocumentError::NotWellFormed { .. } => Some("not-well-formed"),
            DocumentError::TooComplex(_) | DocumentError::AboveLimit { .. } => Some("too-complex"),
            DocumentError::Transcoding(_) => Some("wrong-charset"),
            DocumentError::Delimiter | DocumentError::Charset { .. } => None,
        }
    }

    /// The place of the fault in the document; `None` if it is no single place.
    pub fn position(&self) -> Option<Position> {
        match self {
            DocumentError::NotWellFormed { position, .. } => Some(*position),
            _ => None,
        }
    }

    /// The message without the position.
    pub fn reason(&self) -> String {
        match self {
            DocumentError::NotWellFormed {
                language, message, ..
            } => {
                format!("not well-formed {language}: {message}")
            }
            other => other.to_string(),
        }
    }
}

/// A parsed document.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    working: Cow<'a, [u8]>,
    /// The working bytes as text, where they are the document's own bytes, in UTF-8.
    text: Option<&'a str>,
    transcoding: Transcoding,
    /// The charset that its texts are decoded with.
    pub charset: Charset,
    /// The pieces of text that hold references; parents come first.
    pub containers: Vec<Container>,
    /// All references that are not in `simple`, in the order of their places.
    pub references: Vec<Reference>,
    /// The simple references, in the order of their places; only with [`ParseOptions::simple`].
    pub simple: Vec<SimpleReference>,
    /// The values that say how browsers load a file: its digests, its CORS mode.
    pub fetch_options: Vec<FetchOption>,
    /// The containers that hold a Content Security Policy.
    pub policies: Vec<usize>,
    /// The parts with a base URL of their own, parents first; the first is the document itself.
    pub scopes: Vec<Scope>,
    /// The parts of a message, each after the part around it; the first is the message itself.
    /// Empty for other documents.
    pub parts: Vec<Part>,
    /// The containers that cannot be read, and so hold no references.
    pub unreadable: Vec<UnreadableContainer>,
    /// The byte of the working bytes where a new `base` element would come first in the head;
    /// `None` in a document that is not HTML.
    pub head_start: Option<usize>,
    /// The template markup that makes a reference unknown.
    pub templates: TemplateDialects,
    /// As in [`ParseOptions`].
    pub no_url: bool,
    /// See [`Document::at_page`].
    pub(super) page: Option<AbsoluteUrl>,
    /// Metadata that the audit collects; only with [`ParseOptions::metadata`].
    pub metadata: Option<Metadata>,
}

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

    /// Sets the URL of the page that a generator makes of a document in Markdown, where it does not follow from the URL
    /// of the document. Against it browsers resolve the URLs that the generator leaves alone.
    #[must_use]
    pub fn at_page(self, page: Option<&AbsoluteUrl>) -> Document<'a> {
        Document {
            page: page.cloned(),
            ..self
        }
    }

    /// A message is never transcoded: its parts have charsets of their own.
    fn parse_message(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, TooComplex> {
        let charset = Charset {
            encoding: encoding_rs::WINDOWS_1252,
            source: CharsetSource::Fallback,
        };
        let found = extract::message(bytes, options)?;
        let working = Cow::Borrowed(bytes);
        Ok(Document::new(
            working,
            Transcoding::None,
            charset,
            found,
            options,
        ))
    }

    fn parse_html(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        let mut charset = encoding::sniff_charset(DocumentKind::Html, bytes, options.charset);
        let (mut working, mut transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let mut findings = find_values(&working, options)?;
        if charset.source == CharsetSource::Fallback
            && let Some(declared) = findings.declared_encoding
        {
            // Declared too late for the prescan ("change the encoding", HTML Standard 13.2.3.5).
            charset = Charset {
                encoding: declared,
                source: CharsetSource::Meta,
            };
            if declared == ISO_2022_JP || declared == REPLACEMENT {
                (working, transcoding) = encoding::working_bytes(bytes, declared)?;
                findings = find_values(&working, options)?;
            }
        }
        let texts = text_encoding(charset, transcoding);
        let head_start = Some(findings.head_start);
        let found = extract::html(&working, findings, texts, charset.encoding, options)?;
        Ok(Document {
            head_start,
            ..Document::new(working, transcoding, charset, found, options)
        })
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

    /// The text of a simple reference.
    pub fn text_of_simple(&self, simple: &SimpleReference) -> &str {
        let span = simple.span();
        match self.text {
            Some(text) => span.of_str(text),
            // Its characters are ASCII.
            None => std::str::from_utf8(span.of(&self.working)).unwrap_or(""),
        }
    }

    /// Removes the simple references from the document and returns them.
    pub fn take_simple(&mut self) -> Vec<SimpleReference> {
        std::mem::take(&mut self.simple)
    }

    /// Adds simple references of the document to its ordinary references.
    pub fn put_back(&mut self, simple: impl IntoIterator<Item = SimpleReference>) {
        let before = self.references.len();
        for simple in simple {
            let index = self.containers.len();
            let (container, reference) =
                simple.into_reference(&self.working, self.charset.encoding, index);
            self.containers.push(container);
            self.references.push(reference);
        }
        if self.references.len() > before {
            sort_references(&mut self.references, &self.containers);
        }
    }

    /// The container that holds a reference.
    pub fn container_of(&self, reference: &Reference) -> Option<&Container> {
        self.containers.get(reference.container)
    }

    /// The decoded reference as the author wrote it.
    pub fn text_of(&self, reference: &Reference) -> &str {
        let container = self.container_of(reference);
        container.map_or("", |it| reference.span.of_str(it.text.as_str()))
    }

    /// The encoding of the bytes that the container at `index` stands in.
    pub fn encoding_around(&self, mut index: usize) -> &'static Encoding {
        while let Some(container) = self.containers.get(index) {
            match (container.parent, &container.kind) {
                (Some(parent), _) => index = parent,
                (None, ContainerKind::Part(_)) => return container.query_encoding,
                (None, _) => break,
            }
        }
        text_encoding(self.charset, self.transcoding)
    }

    /// The text of a reference before the first template markup or placeholder in it.
    pub fn known_part(&self, reference: &Reference) -> &str {
        let text = self.text_of(reference);
        if reference.class != Class::TemplateMarkup {
            return text;
        }
        let end = self.templates.find(text).or_else(|| text.find('{'));
        end.and_then(|end| text.get(..end)).unwrap_or("")
    }

    /// The span of a reference in the working bytes.
    pub fn span_of(&self, reference: &Reference) -> Span {
        span_in(&self.containers, reference.container, reference.span)
    }

    /// The bytes that spans count in: the source, or UTF-8 for a transcoded document.
    pub fn working_bytes(&self) -> &[u8] {
        &self.working
    }

    /// The working bytes of a transcoded document.
    pub fn transcoded(&self) -> Option<&[u8]> {
        (self.transcoding != Transcoding::None).then_some(&*self.working)
    }

    /// Whether its source with edits applied is what [`Document::with_edits`] returns, without an error.
    pub fn is_plain(&self) -> bool {
        self.transcoding == Transcoding::None && self.parts.len() < 2
    }

    /// The document with `edits` (sorted, not overlapping) applied, in its own encoding.
    ///
    /// # Errors
    /// When a replacement holds a character that the encoding does not have (never in URLs, which are
    /// ASCII), or when it would divide a part of a message.
    pub fn with_edits(&self, edits: &[Edit]) -> Result<Vec<u8>, DocumentError> {
        let spliced = splice(&self.working, edits);
        if let [message, _, ..] = self.parts.as_slice()
            && entities(&spliced, &message.media_type, usize::MAX).len() != self.parts.len()
        {
            return Err(DocumentError::Delimiter);
        }
        Ok(encoding::original_bytes(spliced, self.transcoding)?)
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

/// The encoding of the texts within the working bytes.
fn text_encoding(charset: Charset, transcoding: Transcoding) -> &'static Encoding {
    match transcoding {
        Transcoding::None => charset.encoding,
        Transcoding::Utf8From(_) => encoding_rs::UTF_8,
    }
}

/// The reason why the scanner declines an HTML document; `None` if it reads the document. An engine is
/// chosen separately for each document within the document.
///
/// # Errors
/// When the document is in an encoding that cannot be transcoded without loss.
pub fn explain_engine(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<Option<DeclineReason>, DocumentError> {
    let charset = encoding::sniff_charset(DocumentKind::Html, bytes, options.charset);
    let (working, _) = encoding::working_bytes(bytes, charset.encoding)?;
    let start = encoding::byte_order_mark(&working);
    Ok(engine::explain(&working, start, options.wanted()))
}

fn find_values(working: &[u8], options: &ParseOptions) -> Result<RawDocument, TooComplex> {
    let start = encoding::byte_order_mark(working);
    options.engine.find_values(working, start, options.wanted())
}
