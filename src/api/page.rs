//! Public functions on one document: they list and rewrite its links.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::Url;
use rehref_document::{
    BaseUrl, Document, DocumentError, DocumentKind, Fix, Fixes, ParseOptions, Position, Positions,
    Reference, SkipReason,
};
use rehref_rewrite::{DocumentUrls, Policy, SitePolicy, rewrite_document};
use rehref_site::Location;
use rehref_url::{AbsoluteUrl, RelativeForm, Span};

/// Options for parsing a document. By default it is HTML, in the charset that it declares.
///
/// ```
/// use rehref::{DocumentKind, PageOptions};
///
/// let style_sheet = PageOptions::from(DocumentKind::Css);
/// let old_page = PageOptions::default().with_charset("windows-1252");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageOptions {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// The label of the charset, such as the `charset` parameter of an HTTP `Content-Type`. It
    /// overrides what the document declares, but not a byte order mark. An unknown label is ignored.
    pub charset: Option<String>,
}

impl From<DocumentKind> for PageOptions {
    fn from(kind: DocumentKind) -> PageOptions {
        PageOptions { kind, ..PageOptions::default() }
    }
}

impl PageOptions {
    /// The same options with this charset.
    #[must_use]
    pub fn with_charset(mut self, label: impl Into<String>) -> PageOptions {
        self.charset = Some(label.into());
        self
    }

    fn parse_options(&self) -> ParseOptions {
        let charset = self.charset.as_deref();
        ParseOptions {
            kind: self.kind,
            charset: charset.and_then(|label| Encoding::for_label(label.as_bytes())),
            ..ParseOptions::default()
        }
    }
}

/// The error returned by [`relative`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RelativeError {
    /// The document cannot be parsed.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// No site can be published at the URL; the text says why.
    #[error("{0}")]
    SiteUrl(String),
}

/// The error returned by [`rewrite`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// The document cannot be parsed.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The place of a link cannot have its replacement, even escaped: a space in a `srcset`, a letter that the charset
    /// of the document lacks. The first such link of the document.
    #[error("line {}, column {}: {message}", position.line, position.column)]
    Replacement {
        /// Line and column of the link.
        position: Position,
        /// The replacement, and what is wrong with it.
        message: String,
    },
}

/// A parsed document.
#[derive(Debug)]
pub struct Page<'a> {
    document: Document<'a>,
    bases: Vec<BaseUrl>,
    url: AbsoluteUrl,
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
    pub text: &'p str,
    /// The URL that the reference resolves to; `None` if the reference is not resolved (template
    /// markup, an invalid URL, an unknown base).
    pub target: Option<Url>,
    /// The bytes of the document that hold the reference. Of a document in UTF-16 or ISO-2022-JP,
    /// the bytes of its UTF-8 form.
    pub span: Span,
    /// Line and column of the first byte.
    pub position: Position,
}

impl<'a> Page<'a> {
    /// Parses the document `bytes`, whose own URL is `url`.
    ///
    /// # Errors
    /// When the document is malformed XML, is too complex, or cannot be decoded without loss.
    pub fn parse(
        bytes: &'a [u8],
        url: &Url,
        options: &PageOptions,
    ) -> Result<Page<'a>, DocumentError> {
        let document = Document::parse(bytes, &options.parse_options())?;
        Ok(Page { bases: document.base_urls(&url.0), document, url: url.0.clone() })
    }

    /// The URL that the document's references are resolved against: the `href` of its `base` element,
    /// or else its own URL. `None` if the `base` element holds template markup.
    pub fn base_url(&self) -> Option<Url> {
        self.bases.first()?.url.clone().map(Url)
    }

    /// The links, in document order.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        let mut positions = Positions::new(self.document.working_bytes());
        let references = self.document.references.iter();
        references.map(move |reference| self.link(reference, &mut positions))
    }

    fn link(&self, reference: &Reference, positions: &mut Positions<'_>) -> Link<'_> {
        let span = self.document.span_of(reference);
        let location = Location::of_reference(&self.document, reference, None);
        let target = self.document.target_of(reference, &self.bases, &self.url);
        Link {
            element: location.element,
            attribute: location.attribute,
            text: self.document.text_of(reference),
            target: target.and_then(Result::ok).map(Url),
            span,
            position: positions.of(span.start),
        }
    }
}

/// The anchors of the document `bytes`, which fragments of links can indicate: the ids of all elements, and the names
/// of `a` and `map` elements. Sorted, without duplicates.
///
/// ```
/// let html = b"<h1 id=top>Title</h1> <a name='notes'>Notes</a>";
/// assert_eq!(rehref::anchors(html, &Default::default())?, ["notes", "top"]);
/// # Ok::<(), rehref::error::DocumentError>(())
/// ```
///
/// # Errors
/// As [`Page::parse`].
pub fn anchors(bytes: &[u8], options: &PageOptions) -> Result<Vec<String>, DocumentError> {
    let options = ParseOptions { metadata: true, ..options.parse_options() };
    let document = Document::parse(bytes, &options)?;
    let anchors = document.metadata.iter().flat_map(|it| it.anchors.iter());
    Ok(anchors.map(str::to_owned).collect())
}

/// Makes every link of the document `bytes`, whose own URL is `url`, absolute. Returns `None` if
/// nothing changes. No byte outside the links changes.
///
/// ```
/// let url = "https://example.org/docs/".parse()?;
/// let html = b"<p><a href='guide.html'>Guide</a>";
/// let absolute = rehref::absolute(html, &url, &Default::default())?.unwrap();
/// assert_eq!(absolute, b"<p><a href='https://example.org/docs/guide.html'>Guide</a>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Page::parse`].
pub fn absolute(
    bytes: &[u8],
    url: &Url,
    options: &PageOptions,
) -> Result<Option<Vec<u8>>, DocumentError> {
    apply(bytes, url, &Policy::absolute(), options)
}

/// Makes the links of the document `bytes` into its own site relative. `url` is the document's own
/// URL, `site` the URL of the directory at which its site is published. A `base` element loses its
/// `href`. Returns `None` if nothing changes.
///
/// ```
/// use rehref::RelativeForm;
///
/// let url = "https://example.org/docs/a.html".parse()?;
/// let site = "https://example.org/".parse()?;
/// let html = b"<a href='https://example.org/b.html'>";
/// let relative = rehref::relative(html, &url, &Default::default(), &site, RelativeForm::Path)?;
/// assert_eq!(relative.unwrap(), b"<a href='../b.html'>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Page::parse`]; also when `site` cannot be the URL of a site, such as a `mailto:` URL.
pub fn relative(
    bytes: &[u8],
    url: &Url,
    options: &PageOptions,
    site: &Url,
    form: RelativeForm,
) -> Result<Option<Vec<u8>>, RelativeError> {
    let policy = SitePolicy::relative(site.as_str(), form);
    let policy = policy.map_err(|error| RelativeError::SiteUrl(error.to_string()))?;
    let policy = Policy::site(policy);
    Ok(apply(bytes, url, &policy, options)?)
}

/// Replaces each link of the document `bytes`, whose own URL is `url`, with the reference that
/// `replacement` returns for it; `None` keeps the link. The new reference is escaped for its place. The links of a
/// list, such as a `srcset`, are replaced together or not at all. Returns `None` if nothing changes.
///
/// ```
/// let url = "https://example.org/".parse()?;
/// let html = b"<img srcset='a.png 1x, b.png 2x'>";
/// let moved = rehref::rewrite(html, &url, &Default::default(), |link| {
///     Some(format!("/images/{}", link.text))
/// })?;
/// assert_eq!(moved.unwrap(), b"<img srcset='/images/a.png 1x, /images/b.png 2x'>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Page::parse`], and when a replacement cannot be written at the place of its link.
pub fn rewrite(
    bytes: &[u8],
    url: &Url,
    options: &PageOptions,
    mut replacement: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<Option<Vec<u8>>, RewriteError> {
    let page = Page::parse(bytes, url, options)?;
    let fixes = page.links().filter_map(|link| {
        let fix = Fix {
            span: link.span,
            reference: link.text.to_owned(),
            replacement: replacement(&link)?,
        };
        Some((url.as_str().to_owned(), fix))
    });
    let policy = Policy::Fix(Fixes::new(fixes));
    let urls = DocumentUrls::unmoved(&url.0);
    let rewritten = rewrite_document(bytes, urls, &policy, &options.parse_options())?;
    let code = SkipReason::Inexpressible.code();
    let refused = rewritten.diagnostics.iter().find(|it| it.code == code);
    if let Some((refused, position)) = refused.and_then(|it| Some((it, it.location.position?))) {
        return Err(RewriteError::Replacement { position, message: refused.message.to_string() });
    }
    Ok(rewritten.into_bytes(bytes))
}

fn apply(
    bytes: &[u8],
    url: &Url,
    policy: &Policy,
    options: &PageOptions,
) -> Result<Option<Vec<u8>>, DocumentError> {
    let urls = DocumentUrls::unmoved(&url.0);
    let rewritten = rewrite_document(bytes, urls, policy, &options.parse_options())?;
    Ok(rewritten.into_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces all links of `html` with `replacement`.
    fn replace(html: &str, replacement: &str) -> Result<Option<Vec<u8>>, RewriteError> {
        let url = "https://example.org/".parse().unwrap();
        rewrite(html.as_bytes(), &url, &PageOptions::default(), |_| Some(replacement.to_owned()))
    }

    #[test]
    fn a_link_in_a_header_never_ends_it() {
        let url = "https://example.org/".parse().unwrap();
        let message = b"Content-Type: text/html\nLink: <x>\n\n<p>";
        let options = PageOptions::from(DocumentKind::Message);
        for with in ["a\r\nX-Other: b", "\n"] {
            let replaced = rewrite(message, &url, &options, |_| Some(with.to_owned()));
            assert!(replaced.is_err(), "{with}");
        }
    }

    #[test]
    fn a_link_in_a_conditional_comment_never_ends_it() {
        for with in ["-->", "a--", "--!>x"] {
            let html = "<!--[if IE]><a href=x>y</a><![endif]-->";
            assert!(replace(html, with).is_err(), "{with}");
        }
    }

    /// Escaped where the syntax has escapes, refused with the place where it has none.
    #[test]
    fn a_replacement_is_the_new_link_or_an_error() {
        const PAGES: [&str; 9] = [
            "<img srcset='a.png 1x, b.png 2x'>",
            "<meta http-equiv=refresh content=\"0; url='a.html'\">",
            "<a href=x>y</a>",
            "<a href='x' ping='p q'>y</a>",
            "<style>a{background:url(x.png)}</style>",
            "<style>a{background:url('x.png')}</style>",
            "<meta charset=windows-1252><a href=x>y</a>",
            "<script type=importmap>{\"imports\":{\"a\":\"./x.js\"}}</script>",
            "<iframe srcdoc=\"<img srcset='a.png 1x'>\"></iframe>",
        ];
        const NEW: [&str; 16] = [
            "new", "./n", "a b", "a'b", "a\"b", "a,b", ",a", "ü", "\u{4e2d}", "a)b", "a\\b",
            "&amp;", "", " x ", "a\nb", "></style></script>",
        ];
        let url = "https://example.org/".parse().unwrap();
        let texts = |html: &[u8]| -> Vec<String> {
            let page = Page::parse(html, &url, &PageOptions::default()).unwrap();
            page.links().map(|link| link.text.to_owned()).collect()
        };
        let mut refused = Vec::new();
        for html in PAGES {
            for new in NEW {
                match replace(html, new) {
                    Ok(changed) => {
                        let changed =
                            changed.unwrap_or_else(|| panic!("{html}: {new:?} was ignored"));
                        let expected = vec![new.to_owned(); texts(html.as_bytes()).len()];
                        assert_eq!(texts(&changed), expected, "{html} {new:?}");
                    }
                    Err(error) => {
                        assert!(error.to_string().contains(new), "{error}");
                        refused.push((html, new));
                    }
                }
            }
        }
        assert!(refused.contains(&(PAGES[0], "a b")) && refused.contains(&(PAGES[6], "ü")));
        assert!(refused.contains(&(PAGES[7], "new")) && !refused.contains(&(PAGES[7], "./n")));
        assert!(refused.len() < PAGES.len() * NEW.len() / 2, "{refused:?}");
    }
}
