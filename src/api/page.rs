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

/// A parsed document, which lists its links and can replace them.
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
    /// The name of the element that contains the link, after the elements and attributes around it: `a`, or
    /// `iframe srcdoc > img`. Empty for a link in a header of a message.
    pub element: Cow<'static, str>,
    /// The name of the attribute, or of the header of a message, that contains the link. Empty for a link in
    /// the text of an element.
    pub attribute: Cow<'static, str>,
    /// The reference as the author wrote it, with entities and other escapes decoded.
    pub reference: &'p str,
    /// The absolute URL that the reference resolves to, or the reason why it has none.
    pub target: Result<Url, NoTarget>,
    /// The bytes of the document that contain the reference. For a document in UTF-16 or ISO-2022-JP, the span
    /// counts bytes of the document in UTF-8.
    pub span: Span,
    /// The line and column at which the reference begins, both from 1.
    pub position: Position,
}

/// The reason why a link has no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTarget {
    /// The reference contains template markup (`{{ }}`), so its URL is not known yet.
    #[error("template markup")]
    TemplateMarkup,
    /// The reference is empty, at a place where an empty value is not a URL (`img src=""`).
    #[error("an empty value, which is not a URL here")]
    Empty,
    /// The reference is a fragment that means a place in its own document, whatever the base URL is
    /// (`usemap="#m"`).
    #[error("a fragment of its own document")]
    SameDocument,
    /// The reference is a name, not a URL (applet `code`, RDFa `[prefix:name]`).
    #[error("a name, not a URL")]
    RelativeOnly,
    /// The reference is relative, and its base URL is unknown (a `base` element with template markup).
    #[error("relative to an unknown base URL")]
    UnknownBase,
    /// The reference is not a valid URL.
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

    /// Returns a stable name for programs, such as `template-markup`: the `kind` that `rehref links` prints.
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

    /// Returns the URL against which the references of the document resolve: the `href` of its `base` element,
    /// or else the document's own URL. Returns `None` if the `base` element contains template markup.
    pub fn base_url(&self) -> Option<Url> {
        self.bases.first()?.url.clone().map(Url)
    }

    /// Returns the links of the document, in document order.
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

/// Returns the names that a fragment can indicate in the document `source`: the ids of all elements, and the
/// names of `a` and `map` elements, sorted and without duplicates.
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
