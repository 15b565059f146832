//! A parsed document: its links and anchors.

use std::borrow::Cow;

use super::Url;
use super::options::PageOptions;
use super::source::{Source, SourceForm};
use rehref_document::reference::Class;
use rehref_document::{
    BaseUrl, Document, DocumentError, ParseOptions, Position, Positions, Reference, SkipReason,
};
use rehref_site::Location;
use rehref_url::{AbsoluteUrl, ResolveError, Span};

/// A parsed document.
#[derive(Debug)]
pub struct Page<'a> {
    pub(super) source: &'a [u8],
    pub(super) document: Document<'a>,
    pub(super) options: ParseOptions,
    bases: Vec<BaseUrl>,
    pub(super) url: AbsoluteUrl,
}

/// A link of a document: a reference, its place and its target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link<'p> {
    /// The name of the element, with the carriers around it (`iframe srcdoc > img`); empty in a header
    /// of a message.
    pub element: Cow<'static, str>,
    /// The attribute, or the header of a message; empty for text.
    pub attribute: Cow<'static, str>,
    /// The reference as the author wrote it, decoded.
    pub reference: &'p str,
    /// The URL that the reference resolves to, or why it has none.
    pub target: Result<Url, NoTarget>,
    /// The bytes of the document that hold the reference. For a document in UTF-16 or ISO-2022-JP,
    /// the bytes of its UTF-8 form.
    pub span: Span,
    /// Line and column of the first byte.
    pub position: Position,
}

/// Why a link has no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTarget {
    /// It holds template markup (`{{ }}`), so its URL is not known yet.
    #[error("template markup")]
    TemplateMarkup,
    /// It is empty in a place where an empty value is not a URL (`img src=""`).
    #[error("an empty value, which is not a URL here")]
    Empty,
    /// It is a fragment that means a place in its own document, whatever the base URL is (`usemap="#m"`).
    #[error("a fragment of its own document")]
    SameDocument,
    /// It is a name that is not a URL (applet `code`, RDFa `[prefix:name]`).
    #[error("a name, not a URL")]
    RelativeOnly,
    /// It is relative, and its base URL is unknown (a `base` element with template markup).
    #[error("relative to an unknown base URL")]
    UnknownBase,
    /// It is not a URL.
    #[error(transparent)]
    Invalid(ResolveError),
}

impl NoTarget {
    fn of(class: Class) -> NoTarget {
        match class {
            Class::Ordinary => NoTarget::UnknownBase,
            Class::TemplateMarkup => NoTarget::TemplateMarkup,
            Class::Empty => NoTarget::Empty,
            Class::SameDocument => NoTarget::SameDocument,
            Class::RelativeOnly => NoTarget::RelativeOnly,
        }
    }

    /// Returns the stable name for programs: the `kind` that `rehref links` prints.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            NoTarget::TemplateMarkup => SkipReason::TemplateMarkup.code(),
            NoTarget::Empty => SkipReason::Empty.code(),
            NoTarget::SameDocument => SkipReason::SameDocument.code(),
            NoTarget::RelativeOnly => SkipReason::RelativeOnly.code(),
            NoTarget::UnknownBase => SkipReason::UnknownBase.code(),
            NoTarget::Invalid(_) => "invalid",
        }
    }
}

impl<'a> Page<'a> {
    /// Parses the document `source`, whose own URL is `url`.
    ///
    /// ```
    /// use rehref::{NoTarget, Page};
    ///
    /// let url = "https://example.org/".parse()?;
    /// let page = Page::parse("<a href=b#c>B</a> <a href={{b}}>B</a>", &url, &Default::default())?;
    /// let targets: Vec<_> = page.links().map(|link| link.target).collect();
    /// assert_eq!(targets, [Ok("https://example.org/b#c".parse()?), Err(NoTarget::TemplateMarkup)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the document is malformed XML, is too complex, or cannot be decoded without loss.
    pub fn parse<S: Source<'a>>(
        source: S,
        url: &Url,
        options: &PageOptions,
    ) -> Result<Page<'a>, DocumentError> {
        Page::of(source.whole().bytes(), url, options.parse_options::<S::Form>())
    }

    pub(super) fn of(
        source: &'a [u8],
        url: &Url,
        options: ParseOptions,
    ) -> Result<Page<'a>, DocumentError> {
        let document = Document::parse(source, &options)?;
        let bases = document.base_urls(&url.0);
        Ok(Page { source, document, options, bases, url: url.0.clone() })
    }

    /// Returns the URL that the document's references are resolved against: the `href` of its `base` element, or else
    /// its own URL. `None` if the `base` element holds template markup.
    pub fn base_url(&self) -> Option<Url> {
        self.bases.first()?.url.clone().map(Url)
    }

    /// Returns the links, in document order.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        let mut positions = Positions::new(self.document.working_bytes());
        let references = self.document.references.iter();
        references.map(move |reference| self.link(reference, &mut positions))
    }

    fn link(&self, reference: &Reference, positions: &mut Positions<'_>) -> Link<'_> {
        let span = self.document.span_of(reference);
        let location = Location::of_reference(&self.document, reference, None);
        let target = match self.document.target_of(reference, &self.bases, &self.url) {
            Some(target) => target.map(Url).map_err(NoTarget::Invalid),
            None => Err(NoTarget::of(reference.class)),
        };
        Link {
            element: location.element,
            attribute: location.attribute,
            reference: self.document.text_of(reference),
            target,
            span,
            position: positions.of(span.start),
        }
    }
}

/// Returns the anchors of the document `source`, which fragments of links can indicate: the ids of all elements, and
/// the names of `a` and `map` elements. Sorted, without duplicates.
///
/// ```
/// let html = "<h1 id=top>Title</h1> <a name='notes'>Notes</a>";
/// assert_eq!(rehref::anchors(html, &Default::default())?, ["notes", "top"]);
/// # Ok::<(), rehref::DocumentError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Page::parse`].
pub fn anchors<'a, S: Source<'a>>(
    source: S,
    options: &PageOptions,
) -> Result<Vec<String>, DocumentError> {
    let options = ParseOptions { metadata: true, ..options.parse_options::<S::Form>() };
    let document = Document::parse(source.whole().bytes(), &options)?;
    let anchors = document.metadata.iter().flat_map(|it| it.anchors.iter());
    Ok(anchors.map(str::to_owned).collect())
}
