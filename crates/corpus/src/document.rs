//! A document as the readers of a corpus see it.

use rehref_document::{Document, DocumentError, ParseOptions};
use rehref_url::AbsoluteUrl;

/// A document, or the headers that came with one, read out of a file or a record.
#[derive(Clone, Copy, Debug)]
pub struct SourceDocument<'d> {
    /// The name in messages and reports: its path below the root, or for a record the archive and
    /// the URL, `crawl.warc.gz > https://example.org/`.
    pub name: &'d str,
    /// The number of the file in the walk, or of the record in its archive. A record may give two
    /// documents: its headers and its content.
    pub item: usize,
    /// The key in the index of the site: the path of the page as URLs have it, or for a record
    /// its whole URL.
    pub index_key: &'d str,
    /// The URL it was retrieved from: the site's URL plus its path (of an index file that of its
    /// folder), or the URL of its record.
    pub retrieval_url: &'d AbsoluteUrl,
    /// The base URL for a document that declares none: the retrieval URL, or the base URL in the HTTP
    /// headers of the record (RFC 2557 section 4.2).
    pub fallback_base: &'d AbsoluteUrl,
    /// The URL of the page that a generator makes of it; see [`Document::at_page`].
    pub page: Option<&'d AbsoluteUrl>,
    /// The bytes without content codings.
    pub bytes: &'d [u8],
    /// How to parse it: its kind, and its charset if something outside the document declares it.
    pub options: ParseOptions,
    /// The role in the site.
    pub role: Role,
}

impl<'d> SourceDocument<'d> {
    /// Parses the document.
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
