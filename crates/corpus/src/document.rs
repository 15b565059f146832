//! A document as the readers of a corpus see it.

use rehref_document::{Document, DocumentError, ParseOptions};
use rehref_url::AbsoluteUrl;

/// A document that was read from a file or a record, or only its HTTP headers.
#[derive(Clone, Copy, Debug)]
pub struct SourceDocument<'d> {
    /// The name of the document in messages and reports: its path below the root, or for a record the archive
    /// and the URL, `crawl.warc.gz > https://example.org/`.
    pub name: &'d str,
    /// The number of the file in the walk, or of the record in its archive. A record may contain two documents:
    /// its headers and its content.
    pub item: usize,
    /// The key of the document in the index of the site: the path of the page in URLs, or for a record its
    /// whole URL.
    pub index_key: &'d str,
    /// The URL from which the document was retrieved: the site's URL plus the path of the file (for an index
    /// file, of its folder), or the URL of the record.
    pub retrieval_url: &'d AbsoluteUrl,
    /// The base URL for a document that declares none: the retrieval URL, or the base URL in the HTTP
    /// headers of the record (RFC 2557 section 4.2).
    pub fallback_base: &'d AbsoluteUrl,
    /// The URL of the page that a generator makes of the document; see [`Document::at_page`].
    pub page: Option<&'d AbsoluteUrl>,
    /// The bytes of the document, without content codings.
    pub bytes: &'d [u8],
    /// The options to parse the document: its kind, and its charset if something outside the document declares
    /// it.
    pub options: ParseOptions,
    /// The role of the document in its site: content, the body of an error, or HTTP headers.
    pub role: Role,
}

impl<'d> SourceDocument<'d> {
    /// Parses the document with `options`.
    ///
    /// # Errors
    /// Returns the errors of [`Document::parse`].
    pub fn parse(&self, options: &ParseOptions) -> Result<Document<'d>, DocumentError> {
        Ok(Document::parse(self.bytes, options)?.at_page(self.page))
    }
}

/// The role of a document in its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A page, a style sheet, a feed: it can be the target of links.
    Content,
    /// The body of a recorded redirect or error: its links count, but it is the target of none.
    ErrorBody,
    /// The HTTP headers of a record, which hold references but are not a document of the site.
    Headers,
}
