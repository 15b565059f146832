//! Options of the public functions on one document.

use encoding_rs::Encoding;

use super::source::SourceForm;
use rehref_document::html::FurtherAttributes;
use rehref_document::html::further::BadAttribute;
use rehref_document::{DocumentKind, ParseOptions};

/// Options for parsing a document. By default it is HTML, in the charset that it declares.
///
/// ```
/// use rehref::{DocumentKind, PageOptions};
///
/// let style_sheet = PageOptions::from(DocumentKind::Css);
/// let old_page = PageOptions::default().with_charset("windows-1252");
/// let shop = PageOptions::default().with_json_ld(true).with_attributes(["img@data-src"])?;
/// # Ok::<(), rehref::BadAttribute>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageOptions {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// The label of the charset, such as the `charset` parameter of an HTTP `Content-Type`. It
    /// overrides what the document declares, but not a byte order mark. An unknown label is ignored.
    pub charset: Option<String>,
    /// True if JSON-LD (`script type=application/ld+json`) holds links.
    pub json_ld: bool,
    /// True if the RDFa attributes `about` and `resource` hold links.
    pub rdfa: bool,
    attributes: FurtherAttributes,
}

impl From<DocumentKind> for PageOptions {
    fn from(kind: DocumentKind) -> PageOptions {
        PageOptions { kind, ..PageOptions::default() }
    }
}

impl PageOptions {
    /// Returns the same options with this charset.
    #[must_use]
    pub fn with_charset(mut self, label: impl Into<String>) -> PageOptions {
        self.charset = Some(label.into());
        self
    }

    /// Returns the same options, with links in JSON-LD or without them.
    #[must_use]
    pub fn with_json_ld(self, json_ld: bool) -> PageOptions {
        PageOptions { json_ld, ..self }
    }

    /// Returns the same options, with links in the RDFa attributes `about` and `resource` or without them.
    #[must_use]
    pub fn with_rdfa(self, rdfa: bool) -> PageOptions {
        PageOptions { rdfa, ..self }
    }

    /// Returns the same options, with links in these attributes of HTML, SVG and MathML besides the usual ones. Each
    /// is written as for the command's `--attr`: `img@data-src`, `*@data-href` for any element, `*-*@src` for custom
    /// elements, and with a kind of value other than a URL: `a@data-list=urls` (or `srcset`, `css`).
    ///
    /// ```
    /// use rehref::PageOptions;
    ///
    /// let url = "https://example.org/".parse()?;
    /// let options = PageOptions::default().with_attributes(["img@data-src"])?;
    /// let html = rehref::absolute("<img data-src=a.png>", &url, &options)?;
    /// assert_eq!(html, "<img data-src=https://example.org/a.png>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The tables that are made of a list of attributes are kept until the program ends, one for each list.
    ///
    /// # Errors
    /// Returns an error if one is not an attribute, has links already, or there are more than 24.
    pub fn with_attributes<I>(mut self, attributes: I) -> Result<PageOptions, BadAttribute>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let attributes = attributes.into_iter().map(|it| it.as_ref().parse());
        let attributes = attributes.collect::<Result<Vec<_>, _>>()?;
        self.attributes = FurtherAttributes::new(&attributes, &[])?;
        Ok(self)
    }

    /// Returns the options for a document in this form.
    pub(super) fn parse_options<S: SourceForm + ?Sized>(&self) -> ParseOptions {
        let label = self.charset.as_deref();
        let given = label.and_then(|label| Encoding::for_label(label.as_bytes()));
        ParseOptions {
            kind: self.kind,
            charset: S::charset().or(given),
            json_ld: self.json_ld,
            rdfa: self.rdfa,
            attributes: self.attributes,
            component_attributes: self.attributes,
            ..ParseOptions::default()
        }
    }
}
