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

/// A row of the table `links`: a link whose target or fragment has to exist, or that is broken whatever the other
/// documents hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkRow {
    /// The element and its carriers; empty in a header.
    pub element: String,
    /// The attribute or the header; empty for text.
    pub attribute: String,
    /// The reference as the author wrote it, decoded.
    pub reference: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The URL that the reference resolves to.
    pub target: Option<String>,
    /// The finding that the document alone decides; if there is one, no other table is asked.
    pub finding: Option<Check>,
    /// The target without its fragment, if it has to exist.
    pub target_url: Option<String>,
    /// The host and port of `target_url`: targets on other hosts than the crawl's are external.
    pub target_host: Option<String>,
    /// True if a missing target is a finding; if not, the author ignores it.
    pub reports_target: bool,
    /// The names of the anchors that the fragment may indicate; empty if the target needs no anchor.
    pub anchors: Vec<String>,
    /// The bits of the shapes of fragments that scripts may handle.
    pub shapes: u16,
}

/// The contribution of a document to the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentRows {
    /// The rows of `links`.
    pub links: Vec<LinkRow>,
    /// The names of its anchors; `None` if fragments of it cannot be checked, as of a style sheet.
    pub anchors: Option<Vec<String>>,
    /// The bits of the shapes of fragments that scripts in it may handle.
    pub shapes: u16,
    /// The URL, without its fragment, that it redirects to immediately with the fragment.
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
