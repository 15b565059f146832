//! A built site: its files, and what the audit finds in it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::cli::exit::CliError;
use crate::cli::progress::{Listing, Progress};
use crate::cli::redirect_rules::RedirectArguments;
use rehref_audit::site_index::SiteIndex;
use rehref_audit::{Audit, AuditOutcome, FragmentMode, audit};
use rehref_corpus::{Corpus, FileDocument, Observer, SitePlace};
use rehref_document::{Document, Reference};
use rehref_site::{Response, Server, SiteUrl, path_from_url, path_in_url};

/// A built site, read.
pub(super) struct ReadSite {
    pub(super) corpus: Corpus,
    index: SiteIndex,
    pub(super) outcome: AuditOutcome,
}

impl ReadSite {
    /// Returns the file that is served at the path `url` below the root.
    pub(super) fn file(&self, url: &str) -> Option<PathBuf> {
        self.index.files.find(url, "").as_ref().and_then(Response::file).and_then(path_from_url)
    }

    /// Returns true if the file at the path `file` exists.
    pub(super) fn has(&self, file: &Path) -> bool {
        self.index.files.file(&path_in_url(file)).is_some()
    }

    /// Returns true if visitors find something at the URL of the page `file`, maybe by a redirect.
    pub(super) fn serves(&self, file: &Path) -> bool {
        let path = path_in_url(file);
        let folder = path.strip_suffix("index.html");
        let mut paths = [Some(&*path), folder].into_iter().flatten();
        paths.any(|path| match self.index.files.find(path, "") {
            // A directory without a page.
            None | Some(Response::Folder) => false,
            Some(_) => true,
        })
    }

    /// Returns the URLs to which the document at `file` links.
    pub(super) fn targets(&self, file: &Path) -> HashSet<String> {
        let read = self.corpus.role(file).ok().and_then(|role| {
            let targets = |file: &FileDocument<'_>| -> Option<HashSet<String>> {
                let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
                let own = file.document.fallback_base;
                let bases = document.base_urls(own);
                let target = |it: &Reference| {
                    let base = document.base_of(it, &bases);
                    document.resolve(it, base.as_deref(), own)?.ok()
                };
                let targets = document.references.iter().filter_map(target);
                Some(targets.map(|it| it.to_string()).collect())
            };
            self.corpus.read_file(file, 0, &role, targets).ok()??
        });
        read.unwrap_or_default()
    }

    /// Audits `corpus`.
    pub(super) fn read(
        corpus: Corpus,
        redirects: &RedirectArguments,
    ) -> Result<ReadSite, CliError> {
        let index =
            SiteIndex::of_files(redirects.index(&corpus)?, corpus.site_url.clone(), Vec::new());
        let plan = Audit {
            collection: corpus.file_collection(),
            site: &index,
            is_published: !corpus.site_url.is_placeholder(),
            is_url_inferred: false,
            fragments: FragmentMode::Known,
            entries: None,
            witnesses: None,
            published: None,
            others: Vec::new(),
        };
        let outcome =
            Progress::during(Listing::Nothing, |progress| audit(&plan, || progress.progress()))?;
        Ok(ReadSite { corpus, index, outcome })
    }
}

/// Returns the site in the directory `root` that was built of `sources`, and is published at `url`.
pub(super) fn built_corpus(sources: &Corpus, root: &Path, url: &SiteUrl) -> Corpus {
    let place = SitePlace::Directory(root.to_owned());
    let tries = "{}.html".parse().into_iter().collect();
    let server = Server::default().with_tries(tries);
    Corpus {
        standard: sources.standard,
        threads: sources.threads,
        cancel: sources.cancel.clone(),
        ..Corpus::new(root.to_owned(), place.walk(), url.clone(), server)
    }
}
