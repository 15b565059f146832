//! A parsed document: its charset, values, references and base URL.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT};

use super::encoding::{self, Charset, CharsetSource, LossyTranscoding, Transcoding};
use super::html::authority::{self, TooComplex};
use super::html::{AttributeValue, BaseOf, RowBase};
use super::reference::{self, Reference};
use super::text::Text;
use super::{Edit, Span, splice, template_markup};
use crate::url::{AbsoluteUrl, ResolveError};

/// What a caller can say about a document beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// The charset that is known from elsewhere (`--charset`, a header). A byte order mark is
    /// stronger.
    pub charset: Option<&'static Encoding>,
}

/// Why a document cannot be worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// Its bytes would not survive the way to UTF-8 and back.
    #[error(transparent)]
    Transcoding(#[from] LossyTranscoding),
    /// Parsing it would take too much memory or time.
    #[error(transparent)]
    TooComplex(#[from] TooComplex),
}

/// A parsed HTML document.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    working: Cow<'a, [u8]>,
    transcoding: Transcoding,
    /// The charset that references are decoded with.
    pub charset: Charset,
    /// The attribute values that hold URLs, in source order.
    pub values: Vec<AttributeValue>,
    /// All references, in source order.
    pub references: Vec<Reference>,
    /// Index in `values` of the `href` of the `base` element that counts.
    pub base: Option<usize>,
    /// That `base` element is in a `noscript`: browsers that run scripts do not see it.
    pub base_in_noscript: bool,
}

/// The base URL of a document, and what the `base` element did to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    /// The document base URL (HTML Standard section 2.4.3); `None` where nobody can know it.
    pub url: Option<AbsoluteUrl>,
    /// What became of the `base` element.
    pub element: BaseElement,
}

/// What became of the first `base` element with an `href`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseElement {
    /// There is none.
    Absent,
    /// It gives the base URL.
    Used,
    /// Its `href` is no URL.
    Bad(ResolveError),
    /// Its `href` has a scheme that the Standard does not allow there.
    ForbiddenScheme(String),
    /// Its `href` holds template markup: the base URL is not known.
    TemplateMarkup,
}

impl<'a> Document<'a> {
    /// Parses an HTML document.
    ///
    /// # Errors
    /// When the document is in an encoding that cannot be transcoded without loss.
    pub fn parse(bytes: &'a [u8], options: &ParseOptions) -> Result<Document<'a>, DocumentError> {
        let mut charset = encoding::sniff_charset(bytes, options.charset);
        let (mut working, mut transcoding) = encoding::working_bytes(bytes, charset.encoding)?;
        let mut findings = find_values(&working)?;
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
                findings = find_values(&working)?;
            }
        }
        let text_encoding = match transcoding {
            Transcoding::None => charset.encoding,
            Transcoding::Utf8From(_) => encoding_rs::UTF_8,
        };
        let decode = |span: Span| {
            let source = working.get(span.start..span.end).unwrap_or_default();
            Text::decode(source, text_encoding)
        };
        let values: Vec<AttributeValue> = findings
            .values
            .into_iter()
            .map(|raw| AttributeValue {
                base: match (raw.row.base, raw.codebase) {
                    (RowBase::Fallback, _) => BaseOf::Fallback,
                    (RowBase::Codebase, Some(span)) => {
                        BaseOf::Codebase(decode(span).as_str().to_owned())
                    }
                    _ => BaseOf::Document,
                },
                text: decode(raw.span),
                element: raw.element,
                attribute: raw.attribute,
                row: raw.row,
                span: raw.span,
                quote: raw.quote,
            })
            .collect();
        let references = values
            .iter()
            .enumerate()
            .flat_map(|(index, value)| {
                reference::references_in_text(value.text.as_str(), value.row, index)
            })
            .collect();
        Ok(Document {
            base: findings.base,
            base_in_noscript: findings.base_in_noscript,
            working,
            transcoding,
            charset,
            values,
            references,
        })
    }

    /// The document base URL, given the fallback base URL: the document's own URL unless something
    /// encloses it.
    pub fn base_url(&self, fallback: &AbsoluteUrl) -> BaseUrl {
        let with = |url: AbsoluteUrl, element| BaseUrl {
            url: Some(url),
            element,
        };
        let Some(value) = self.base.and_then(|at| self.values.get(at)) else {
            return with(fallback.clone(), BaseElement::Absent);
        };
        if template_markup::is_in(value.text.as_str()) {
            return BaseUrl {
                url: None,
                element: BaseElement::TemplateMarkup,
            };
        }
        match fallback.resolve(value.text.as_str(), self.charset.encoding) {
            Err(error) => with(fallback.clone(), BaseElement::Bad(error)),
            Ok(url) if matches!(url.scheme(), "data" | "javascript") => with(
                fallback.clone(),
                BaseElement::ForbiddenScheme(url.scheme().to_owned()),
            ),
            Ok(url) => with(url, BaseElement::Used),
        }
    }

    /// The value that holds a reference.
    pub fn value_of(&self, reference: &Reference) -> Option<&AttributeValue> {
        self.values.get(reference.value)
    }

    /// The decoded reference as the author wrote it.
    pub fn text_of(&self, reference: &Reference) -> &str {
        self.value_of(reference)
            .and_then(|value| value.text.as_str().get(reference.range.clone()))
            .unwrap_or("")
    }

    /// Where a reference stands in the working bytes.
    pub fn span_of(&self, reference: &Reference) -> Span {
        self.value_of(reference)
            .map_or(Span { start: 0, end: 0 }, |value| {
                let range = value.text.source_range(reference.range.clone());
                Span {
                    start: value.span.start + range.start,
                    end: value.span.start + range.end,
                }
            })
    }

    /// The bytes that spans count in: the source, or its UTF-8 form where that is worked on.
    pub fn working_bytes(&self) -> &[u8] {
        &self.working
    }

    /// The working bytes where they are not the source.
    pub fn transcoded(&self) -> Option<&[u8]> {
        (self.transcoding != Transcoding::None).then_some(&*self.working)
    }

    /// The document with `edits` (sorted, not overlapping) applied, in its own encoding.
    ///
    /// # Errors
    /// When a replacement holds what the encoding has no place for. URLs, being ASCII, never do.
    pub fn with_edits(&self, edits: &[Edit]) -> Result<Vec<u8>, DocumentError> {
        let spliced = splice(&self.working, edits);
        Ok(encoding::original_bytes(spliced, self.transcoding)?)
    }
}

fn find_values(working: &[u8]) -> Result<authority::Findings, TooComplex> {
    const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();
    let start = if working.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    authority::find_values(working, start)
}
