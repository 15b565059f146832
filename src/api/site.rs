//! The public type of a site on disk.

use std::path::{Path, PathBuf};

use super::Url;
use rehref_audit::site_index::SiteIndex;
use rehref_audit::{Audit, Finding, FragmentMode};
use rehref_corpus::Corpus;
use rehref_site::{Server, SiteUrl, canonical, walk};
use rehref_url::{AbsoluteUrl, Standard};

/// A directory of documents, and the URL it is published at.
#[derive(Debug)]
pub struct Site {
    corpus: Corpus,
}

/// The error of opening or auditing a [`Site`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The directory, or a directory below it, cannot be read.
    #[error("{}: {source}", .path.display())]
    Directory {
        /// The directory that cannot be read.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// No site can be published at the URL; the text says why.
    #[error("{0}")]
    Url(String),
    /// A document cannot be read; the text says which, and why.
    #[error("{0}")]
    Document(String),
}

impl Site {
    /// Opens the site in the directory `root`, which is published at `url`. Walks the tree; no
    /// symbolic link is followed.
    ///
    /// # Errors
    /// When a directory cannot be read, or no site can be published at `url` (`mailto:`, a query).
    pub fn open(root: impl AsRef<Path>, url: &Url) -> Result<Site, SiteError> {
        let path = root.as_ref();
        let root = canonical(path)
            .map_err(|source| SiteError::Directory { path: path.to_owned(), source })?;
        let (site_url, _) =
            SiteUrl::parse(url.as_str()).map_err(|error| SiteError::Url(error.to_string()))?;
        let mut walk = walk(&root);
        if let Some(error) = walk.errors.drain(..).next() {
            let (path, source) = (error.path, error.source);
            return Err(SiteError::Directory { path, source });
        }
        Ok(Site { corpus: Corpus::new(root, walk, site_url, Server::default()) })
    }

    /// The paths of all files below the root, sorted by name within each directory.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.corpus.files()
    }

    /// The URL at which visitors read the file at `path`: of an index file (`index.html`) that of its
    /// folder. The path is relative to the root, as in [`Site::files`].
    ///
    /// ```
    /// use rehref::{DocumentKind, Page, Site};
    ///
    /// let site = Site::open("sample-site", &"https://example.org/docs/".parse()?)?;
    /// for path in site.files() {
    ///     if let (Some(kind), Some(url)) = (DocumentKind::of_path(path), site.url_of(path)) {
    ///         let bytes = std::fs::read(site.root().join(path))?;
    ///         let page = Page::parse(&bytes, &url, &kind.into())?;
    ///         println!("{url}: {} links", page.links().count());
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn url_of(&self, path: &Path) -> Option<Url> {
        let url = self.corpus.document_url(path).ok()?;
        Some(Url(AbsoluteUrl::new(Standard::Whatwg, url)))
    }

    /// The directory of the site, without symbolic links in its path.
    pub fn root(&self) -> &Path {
        &self.corpus.root
    }

    /// Runs the checks of `rehref audit`: links without a target, fragments without an element and
    /// everything else of [`Check`](crate::Check). Returns the findings in the order of the
    /// documents.
    ///
    /// ```no_run
    /// let site = rehref::Site::open("public", &"https://example.org/docs/".parse()?)?;
    /// for finding in site.audit()? {
    ///     let diagnostic = &finding.diagnostic;
    ///     println!("{}: {}", diagnostic.location.path, diagnostic.message);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a document cannot be read. A malformed document is a finding.
    pub fn audit(&self) -> Result<Vec<Finding>, SiteError> {
        let corpus = &self.corpus;
        let site = SiteIndex::of_files(corpus.file_index(), corpus.site_url.clone(), Vec::new());
        let audit = Audit {
            collection: corpus.file_collection(),
            site: &site,
            is_published: true,
            is_url_inferred: false,
            fragments: FragmentMode::Known,
            entries: None,
            witnesses: None,
            published: None,
        };
        let outcome = rehref_audit::audit(&audit, || {});
        let outcome = outcome.map_err(|error| SiteError::Document(error.to_string()))?;
        match outcome.failures.first() {
            Some(it) => Err(SiteError::Document(format!("{}: {}", it.path, it.message))),
            None => Ok(outcome.findings),
        }
    }
}
