//! The digests of a site's files, each computed once, when a document first states them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::input::Corpus;
use crate::files::with_file_bytes;
use rehref_document::integrity::Digests;
use rehref_site::{FileIndex, Response, SiteUrl, path_from_url};
use rehref_url::AbsoluteUrl;

/// The digests of the files of a site. Memory: one entry per file that a document states digests of.
#[derive(Debug)]
pub struct SiteDigests<'c> {
    corpus: &'c Corpus,
    /// Built for the first URL of the site that is looked up.
    files: OnceLock<FileIndex>,
    /// By path below the root; `None` for files that cannot be read.
    known: Mutex<HashMap<PathBuf, Option<Arc<Digests>>>>,
}

impl<'c> SiteDigests<'c> {
    /// The digests of the files of `corpus`.
    pub fn new(corpus: &'c Corpus) -> SiteDigests<'c> {
        SiteDigests { corpus, files: OnceLock::new(), known: Mutex::default() }
    }

    /// The path, below the root, of the file that a server sends for `url`; `None` outside the site.
    pub fn file(&self, url: &AbsoluteUrl) -> Option<PathBuf> {
        let site_urls = std::iter::once(&self.corpus.site_url).chain(&self.corpus.also);
        let (_, rest) = SiteUrl::containing(site_urls, url.as_str())?;
        let rest = rest.split('#').next()?;
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let files = self.files.get_or_init(|| self.corpus.file_index());
        let response = files.find(path, query);
        let file = response.as_ref().and_then(Response::file)?;
        path_from_url(files.resolve_alias(file))
    }

    /// The digests of the file that a server sends for `url`; `None` outside the site.
    pub fn of(&self, url: &AbsoluteUrl) -> Option<Arc<Digests>> {
        self.of_file(&self.file(url)?)
    }

    /// The digests of the file at `path` below the root; `None` if it cannot be read.
    pub fn of_file(&self, path: &Path) -> Option<Arc<Digests>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digests) = known().get(path) {
            return digests.clone();
        }
        // Not locked meanwhile: to compute the digests of a file twice does no harm.
        let read = with_file_bytes(&self.corpus.root.join(path), |bytes, _| Digests::of(bytes));
        let digests = read.ok().map(Arc::new);
        known().insert(path.to_owned(), digests.clone());
        digests
    }
}
