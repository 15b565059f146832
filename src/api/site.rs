//! The public type of a site on disk.

use std::path::{Path, PathBuf};

use super::site_error::SiteError;
use super::site_options::SiteOptions;
use super::url::Url;
use crate::server_rules::rules_in_site;
use rehref_audit::finding::Unread;
use rehref_audit::ignore::{IgnoreRule, IgnoreRules};
use rehref_audit::site_index::SiteIndex;
use rehref_audit::{Audit, Finding, FragmentMode};
use rehref_corpus::Corpus;
use rehref_site::canonical;
use rehref_url::{AbsoluteUrl, Standard};

/// A site: a directory of documents, and the URL at which it is published.
#[derive(Debug)]
pub struct Site {
    pub(super) corpus: Corpus,
    pub(super) url: Url,
    pub(super) options: SiteOptions,
    ignored: IgnoreRules,
}

/// The result of [`Site::audit`]. Iterates over its findings.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SiteAudit {
    /// The findings, sorted by document, line and column.
    pub findings: Vec<Finding>,
    /// The number of documents that the audit read.
    pub documents: usize,
    /// The number of links in the documents that the audit read.
    pub links: usize,
    /// The documents that could not be read: the path below the root, and the reason.
    pub unread: Vec<(PathBuf, String)>,
}

impl IntoIterator for SiteAudit {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.findings.into_iter()
    }
}

impl<'a> IntoIterator for &'a SiteAudit {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.findings.iter()
    }
}

impl Site {
    /// Opens the site in the directory `root`, which is published at `url`. Lists all files below `root`,
    /// without following symbolic links.
    ///
    /// # Errors
    /// Returns an error if a directory cannot be read, or no site can be published at `url` (`mailto:`, a query).
    pub fn open(root: impl AsRef<Path>, url: &Url) -> Result<Site, SiteError> {
        Site::open_with(root, url, SiteOptions::default())
    }

    /// Opens the site in the directory `root` with `options`; otherwise as [`Site::open`].
    ///
    /// ```
    /// use rehref::{Site, SiteOptions};
    ///
    /// let mut options = SiteOptions::default();
    /// options.include = vec!["visit".to_owned()];
    /// options.ignore = vec!["absolute-self-link".to_owned(), "path:visit/old/".to_owned()];
    /// let site = Site::open_with("sample-site", &"https://example.org/docs/".parse()?, options)?;
    /// assert!(site.audit()?.into_iter().all(|it| it.location.path.starts_with("visit/")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Site::open`], and an error if an option is not valid.
    pub fn open_with(
        root: impl AsRef<Path>,
        url: &Url,
        options: SiteOptions,
    ) -> Result<Site, SiteError> {
        let path = root.as_ref();
        let root = canonical(path)
            .map_err(|source| SiteError::Directory { path: path.to_owned(), source })?;
        let rules = options.ignore.iter().map(|rule| rule.parse());
        let rules: Vec<IgnoreRule> = rules.collect::<Result<_, _>>().map_err(SiteError::Option)?;
        Ok(Site {
            corpus: options.corpus(&root, url)?,
            url: url.clone(),
            ignored: IgnoreRules::new(&rules).map_err(SiteError::option)?,
            options,
        })
    }

    /// Returns the paths of all files below the root, sorted by name within each directory.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.corpus.files()
    }

    /// Returns the URL at which visitors see the file at `path`, which is relative to the root, as in
    /// [`Site::files`]. For an index file (`index.html`), this is the URL of its directory. Returns `None` if
    /// the path cannot be part of a URL.
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

    /// Returns the absolute path of the site's directory, in which symbolic links are resolved.
    pub fn root(&self) -> &Path {
        &self.corpus.root
    }

    /// Runs the checks of `rehref audit`: finds links without a target, fragments without an element, and
    /// everything else that [`Check`](crate::Check) lists. Applies the redirect rules in the site
    /// (`_redirects`, `.htaccess`).
    ///
    /// ```
    /// use rehref::{Severity, Site};
    ///
    /// let site = Site::open("sample-site", &"https://example.org/docs/".parse()?)?;
    /// let audit = site.audit()?;
    /// for finding in audit.findings.iter().filter(|it| it.severity == Severity::Error) {
    ///     println!("{}: {}", finding.location.path, finding.message);
    /// }
    /// assert!(audit.unread.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the threads cannot be started, or if a file of redirect rules cannot be read. A
    /// malformed document is a finding, and a document that cannot be read is listed in [`SiteAudit::unread`].
    pub fn audit(&self) -> Result<SiteAudit, SiteError> {
        let corpus = &self.corpus;
        let mut server = corpus.server.clone();
        let rules = rules_in_site(corpus);
        let rules = rules.map_err(|(path, source)| SiteError::Directory { path, source })?;
        server.redirects = rules.into();
        let files = corpus.file_index_of(server);
        let site = SiteIndex::of_files(files, corpus.site_url.clone(), corpus.also.clone());
        let audit = Audit {
            collection: corpus.file_collection(),
            site: &site,
            is_published: true,
            is_url_inferred: false,
            fragments: FragmentMode::Known,
            entries: None,
            witnesses: None,
            published: None,
            others: Vec::new(),
        };
        let mut outcome = rehref_audit::audit(&audit, || {}).map_err(SiteError::document)?;
        self.ignored.drop_covered(&mut outcome.findings, &site);
        let unread = |Unread { path, message }| (PathBuf::from(path), message);
        Ok(SiteAudit {
            findings: outcome.findings,
            documents: outcome.documents,
            links: outcome.references,
            unread: outcome.failures.into_iter().map(unread).collect(),
        })
    }
}
