//! The digests of a site's files, each computed once, when a document first states them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::Corpus;
use crate::files::with_file_bytes;
use rehref_document::integrity::Digests;
use rehref_site::{FileIndex, Response, SiteUrl, path_from_url};
use rehref_url::AbsoluteUrl;

/// A cache of the digests of the files of a site. It has one entry for each file whose digests a document
/// states.
#[derive(Debug)]
pub struct SiteDigests<'c> {
    corpus: &'c Corpus,
    /// Built for the first URL of the site that is looked up.
    files: OnceLock<FileIndex>,
    /// Nothing for files that cannot be read.
    known: FileCache<Digests>,
}

/// Values of files by their paths below the root, each computed once.
#[derive(Debug)]
pub(crate) struct FileCache<T>(pub(crate) Mutex<HashMap<PathBuf, Option<Arc<T>>>>);

impl<T> FileCache<T> {
    fn known(&self) -> MutexGuard<'_, HashMap<PathBuf, Option<Arc<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of the file at `path`; `compute` computes it if it is not known.
    pub(crate) fn get(&self, path: &Path, compute: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        if let Some(value) = self.known().get(path) {
            return value.clone();
        }
        // Not locked meanwhile: to compute a value twice does no harm.
        let value = compute().map(Arc::new);
        // A value that was set meanwhile counts.
        self.known().entry(path.to_owned()).or_insert(value).clone()
    }

    /// Sets the value of the file at `path`.
    pub(crate) fn set(&self, path: &Path, value: T) {
        self.known().insert(path.to_owned(), Some(Arc::new(value)));
    }
}

impl<'c> SiteDigests<'c> {
    /// Creates an empty cache for the files of `corpus`.
    pub fn new(corpus: &'c Corpus) -> SiteDigests<'c> {
        SiteDigests { corpus, files: OnceLock::new(), known: FileCache(Mutex::default()) }
    }

    /// Returns the path, below the root, of the file that a server sends for `url`; `None` outside the site.
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

    /// Returns the digests of the file that a server sends for `url`; `None` outside the site.
    pub fn of(&self, url: &AbsoluteUrl) -> Option<Arc<Digests>> {
        self.of_file(&self.file(url)?)
    }

    /// Returns the digests of the file at `path` below the root; `None` if it cannot be read.
    pub fn of_file(&self, path: &Path) -> Option<Arc<Digests>> {
        self.known.get(path, || {
            let path = self.corpus.root.join(path);
            with_file_bytes(&path, |bytes, _| Digests::of(bytes)).ok()
        })
    }
}
