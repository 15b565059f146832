//! A built site: its files, and what the audit finds in it.

use std::path::{Path, PathBuf};

use crate::cli::exit::CliError;
use crate::cli::progress::{Listing, Progress};
use crate::cli::redirect_rules::RedirectArguments;
use rehref_audit::site_index::SiteIndex;
use rehref_audit::{Audit, AuditOutcome, FragmentMode, audit};
use rehref_corpus::{Corpus, FileDocument, Observer, SitePlace};
use rehref_document::{Document, Position, Positions, Reference};
use rehref_site::{Location, Response, Server, SiteUrl, path_from_url, path_in_url};
use rehref_url::AbsoluteUrl;

/// The places of the links that authors write.
const LINKS: [&str; 3] = ["a href", "area href", "img src"];

/// A link of a page.
pub(super) struct PageLink {
    pub(super) position: Position,
    pub(super) reference: String,
    /// The text of a link, without markup; empty for an image.
    pub(super) text: String,
    pub(super) target: AbsoluteUrl,
}

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

    /// Returns the links of the document at `file` that authors write, in order.
    pub(super) fn links(&self, file: &Path) -> Vec<PageLink> {
        let read = self.corpus.role(file).ok().and_then(|role| {
            let links = |file: &FileDocument<'_>| -> Option<Vec<PageLink>> {
                let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
                let own = file.document.fallback_base;
                let bases = document.base_urls(own);
                let bytes = document.working_bytes();
                let mut positions = Positions::new(bytes);
                let link = |it: &Reference| {
                    let place = Location::of_reference(&document, it, None).place();
                    if !LINKS.iter().any(|it| place.ends_with(it)) {
                        return None;
                    }
                    let base = document.base_of(it, &bases);
                    let span = document.span_of(it);
                    let after = bytes.get(span.end..).unwrap_or_default();
                    let is_image = place.ends_with("img src");
                    Some(PageLink {
                        target: document.resolve(it, base.as_deref(), own)?.ok()?,
                        position: positions.of(span.start),
                        reference: document.text_of(it).to_owned(),
                        text: if is_image { String::new() } else { text_of(after) },
                    })
                };
                Some(document.references.iter().filter_map(link).collect())
            };
            self.corpus.read_file(file, 0, &role, links).ok()??
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

/// The text of the link to the reference before `after`.
fn text_of(after: &[u8]) -> String {
    const MOST: usize = 1000;
    let content = after.iter().position(|b| *b == b'>').map_or(after.len(), |at| at + 1);
    let content = after.get(content..).unwrap_or_default();
    let end = memchr::memmem::find(content, b"</a").unwrap_or(content.len()).min(MOST);
    let content = String::from_utf8_lossy(content.get(..end).unwrap_or_default());
    let parts = content.split('<').enumerate();
    let texts =
        parts.map(|(at, it)| if at == 0 { it } else { it.split_once('>').map_or("", |it| it.1) });
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
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
