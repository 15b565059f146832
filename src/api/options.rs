//! Options of the public functions on one document.

use encoding_rs::Encoding;

use super::source::SourceForm;
use rehref_document::html::FurtherAttributes;
use rehref_document::html::further::BadAttribute;
use rehref_document::{DocumentKind, ParseOptions};

/// Options for parsing a document. By default, rehref parses HTML, in the charset that the document declares.
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
    /// The kind of the document; HTML by default.
    pub kind: DocumentKind,
    /// The label of the charset, such as the `charset` parameter of an HTTP `Content-Type`. This charset
    /// overrides the declaration in the document, but not a byte order mark. An unknown label is ignored.
    pub charset: Option<String>,
    /// True if rehref reads links in JSON-LD (`script type=application/ld+json`); false by default.
    pub json_ld: bool,
    /// True if rehref reads links in the RDFa attributes `about` and `resource`; false by default.
    pub rdfa: bool,
    attributes: FurtherAttributes,
}

impl From<DocumentKind> for PageOptions {
    fn from(kind: DocumentKind) -> PageOptions {
        PageOptions { kind, ..PageOptions::default() }
    }
}

impl PageOptions {
    /// Returns these options with another [`charset`](PageOptions::charset).
    #[must_use]
    pub fn with_charset(mut self, label: impl Into<String>) -> PageOptions {
        self.charset = Some(label.into());
        self
    }

    /// Returns these options with another value of [`json_ld`](PageOptions::json_ld).
    #[must_use]
    pub fn with_json_ld(self, json_ld: bool) -> PageOptions {
        PageOptions { json_ld, ..self }
    }

    /// Returns these options with another value of [`rdfa`](PageOptions::rdfa).
    #[must_use]
    pub fn with_rdfa(self, rdfa: bool) -> PageOptions {
        PageOptions { rdfa, ..self }
    }

    /// Returns these options with more attributes of HTML, SVG and MathML in which rehref reads links. Write an
    /// attribute as for the command's `--attr`: `img@data-src`, `*@data-href` for any element, or `*-*@src` for
    /// custom elements. Add the kind of a value that is not a single URL: `a@data-list=urls`, `srcset` or
    /// `css`.
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
    /// rehref keeps one table in memory for each distinct list of attributes, until the program ends.
    ///
    /// # Errors
    /// Returns an error if a text does not name an attribute, if rehref already reads the attribute, or if
    /// there are more than 24 attributes.
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
