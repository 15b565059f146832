//! The audit of a crawl as joins: the rows that one document gives to the tables `links`, `anchors` and `pages`.
//!
//! The audit of a crawl that is larger than one machine's memory is a query: the links of all documents, joined with
//! the pages and the anchors of all documents. These rows hold what the query needs, so that it gives the same broken
//! targets and fragments as [`super::audit()`]. What the document alone decides is decided here.

use std::path::PathBuf;

use super::checks::Check;
use super::context::AuditContext;
use super::site_index::SiteIndex;
use rehref_corpus::{Corpus, SourceDocument};
use rehref_document::DocumentError;
use rehref_site::{CaptureIndex, FileTree, PLACEHOLDER_URL, Server, SiteUrl, SiteUrlError};

/// A row of the table `links`. Such a link has a target or fragment that must exist, or is broken whatever the
/// other documents contain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkRow {
    /// The name of the element, after the elements and attributes around it; empty for a link in a header.
    pub element: String,
    /// The name of the attribute or header that contains the link; empty for the text of an element.
    pub attribute: String,
    /// The reference as the author wrote it, decoded.
    pub reference: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The absolute URL that the reference resolves to; `None` if it does not resolve.
    pub target: Option<String>,
    /// The check that reports this link, if the document alone decides this. The query then needs no other
    /// table.
    pub finding: Option<Check>,
    /// The target without its fragment, if the target must exist.
    pub target_url: Option<String>,
    /// The host and port of `target_url`. The query treats hosts that the crawl does not contain as external.
    pub target_host: Option<String>,
    /// True if a missing target is a finding; false if the author ignores it.
    pub reports_target: bool,
    /// The anchors that the fragment may indicate: one of them must exist. Empty if the target needs no anchor.
    pub anchors: Vec<String>,
    /// The forms of fragments, as bits, that this fragment has and that a script in the target may handle.
    pub shapes: u16,
}

/// The rows of one document for the tables of a crawl.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentRows {
    /// The rows for the table `links`.
    pub links: Vec<LinkRow>,
    /// The anchors of the document, for the table `anchors`; `None` if fragments cannot be checked, as in a
    /// style sheet.
    pub anchors: Option<Vec<String>>,
    /// The forms of fragments, as bits, that scripts in the document may handle.
    pub shapes: u16,
    /// The URL, without its fragment, to which the document redirects immediately, with the fragment of the
    /// request.
    pub forwards_to: Option<String>,
}

/// Makes the rows of documents.
#[derive(Debug)]
pub struct Tables {
    corpus: Corpus,
    site: SiteIndex,
}

impl Tables {
    /// # Errors
    /// None is known: the placeholder is a URL.
    pub fn new() -> Result<Tables, SiteUrlError> {
        let site_url = SiteUrl::parse(PLACEHOLDER_URL)?.0;
        let (walk, server) = (FileTree::default(), Server::default());
        Ok(Tables {
            corpus: Corpus::new(PathBuf::new(), walk, site_url, server),
            site: SiteIndex::of_captures(CaptureIndex::default())?,
        })
    }

    /// Returns the rows of a document.
    ///
    /// # Errors
    /// Returns an error if the document cannot be parsed.
    pub fn rows(&self, source: &SourceDocument<'_>) -> Result<DocumentRows, DocumentError> {
        AuditContext::new(&self.site, &self.corpus).rows(source)
    }
}
