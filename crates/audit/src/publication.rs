//! Infers the URL that a site is published at from what the site itself says.
//!
//! A page names its own URL in a canonical link or in `og:url`; without the page's path, that is the
//! URL of the root. The URLs of a sitemap are those of files, a `Sitemap` line of `robots.txt` is the
//! URL of a file, a `CNAME` file names the host, and so may the configuration of a generator. They must agree. Links between pages are a
//! weaker sign, which only serves where there is no other.

mod evidence;
mod inferred;
mod page;

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use evidence::{BestRoot, Evidence, RootEvidence, best_root};
pub use evidence::{DocumentEvidence, stated_url};
pub use inferred::{
    Misfit, Publication, PublicationUrl, RootFolder, Source, Sources, named, say, total,
};
use page::{PublishedFolder, Root};
use rehref_corpus::files::first_bytes;
use rehref_corpus::{Corpus, CorpusError, Observer};
use rehref_document::lines::LineSyntax;
use rehref_document::{DocumentKind, FileKind, file_kind};
use rehref_site::{FileIndex, SiteUrl};

/// The number of pages in a sample. With 200, an audit of as many pages took half as long again.
const SAMPLE: usize = 20;

/// The number of bytes that are read of a `CNAME` file. A host has at most 253.
const LONGEST_HOST_FILE: usize = 1024;

/// Infers the URL at which the site of `corpus` is published. Reads all documents, or only some if `is_sample`
/// is true. The URL of the corpus must be one that no link leads to.
///
/// # Errors
/// Returns an error if the run is interrupted. What cannot be read says nothing.
pub fn infer(
    corpus: &Corpus,
    is_sample: bool,
    observer: &dyn Observer,
) -> Result<Publication, CorpusError> {
    let items = is_sample.then(|| sample(corpus));
    observer.start(items.as_ref().map_or(corpus.files().count(), BTreeSet::len));
    let mut site = SiteEvidence::default();
    corpus.file_collection().each_document(
        items.as_ref(),
        |document| DocumentEvidence::of(document, &corpus.site_url),
        || observer.progress(),
        |_, read| -> io::Result<()> {
            if let Ok(found) = read {
                site.add(found);
            }
            Ok(())
        },
    )?;
    Ok(site.conclude(corpus, None))
}

/// Infers the URL of the site from the evidence in `documents` of `corpus`, and from its file `CNAME`. `files`
/// maps URLs to files as the server does.
pub fn conclude(
    corpus: &Corpus,
    files: &FileIndex,
    documents: impl IntoIterator<Item = DocumentEvidence>,
) -> Publication {
    let mut site = SiteEvidence::default();
    documents.into_iter().for_each(|document| site.add(document));
    site.conclude(corpus, Some(files))
}

/// The evidence of the documents of a site.
#[derive(Default)]
struct SiteEvidence {
    evidence: Evidence,
    /// The URLs of each sitemap.
    sitemaps: Vec<Vec<String>>,
    links: BTreeSet<String>,
    misfit: Misfit,
    /// How often the URLs of `misfit` say that a folder is published.
    folders: BTreeMap<PublishedFolder, Sources>,
}

impl SiteEvidence {
    fn add(&mut self, document: DocumentEvidence) {
        for misfit in document.misfits {
            *self.misfit.sources.entry(misfit.source).or_default() += 1;
            if self.misfit.url.is_empty() {
                self.misfit.url = misfit.url;
            }
            if let Some(folder) = misfit.folder {
                let sources = self.folders.entry(folder).or_default();
                *sources.entry(misfit.source).or_default() += 1;
            }
        }
        for (source, root) in document.roots {
            self.evidence.add(source, root);
        }
        let sitemap = document.sitemap;
        self.sitemaps.extend((!sitemap.is_empty()).then_some(sitemap));
        self.links.extend(document.links);
    }

    fn conclude(self, corpus: &Corpus, files: Option<&FileIndex>) -> Publication {
        let SiteEvidence { mut evidence, sitemaps, links, mut misfit, folders } = self;
        let cname = first_bytes(&corpus.root.join("CNAME"), LONGEST_HOST_FILE).unwrap_or_default();
        evidence.set_host(&String::from_utf8_lossy(&cname));
        let pages = corpus.server.sources.as_ref().and_then(|it| it.pages.as_ref());
        if let Some(stated) = pages.and_then(|it| it.stated_site.as_ref())
            && !stated.url.starts_with('/')
        {
            let root = Root { url: stated.url.clone(), is_sure: true };
            evidence.add(Source::Configuration(stated.file), root);
        }
        // A rule may redirect every URL, which then says nothing.
        let without_rules = files.filter(|files| files.redirect_rules().is_empty());
        // Most sites need no second index of their files.
        let second = LazyCell::new(|| corpus.file_index());
        let index = || without_rules.unwrap_or_else(|| &second);
        for sitemap in &sitemaps {
            let best = best_root(sitemap, index());
            if let Some(best) = best.filter(|best| best.found * 2 >= best.urls) {
                evidence.add(Source::Sitemap, best.root());
            }
        }
        if evidence.roots.is_empty() && evidence.host.is_none() {
            let links: Vec<&String> = links.iter().collect();
            let siblings = corpus.unknown_siblings();
            let is_same_origin =
                |one: &&String, other: &&String| page::origin(one) == page::origin(other);
            for links in links.chunk_by(is_same_origin) {
                // A root counts from three files on, another form of the given URL from one.
                let origin = links.first().map(|it| page::origin(it));
                let is_sibling = files.is_none()
                    && siblings.iter().any(|it| Some(page::origin(it.url().as_str())) == origin);
                let least = if is_sibling { 1 } else { 3 };
                if links.len() < least {
                    continue;
                }
                let best = best_root(links, index());
                // Broken links do not count against the URL that the user gave.
                let is_given = |url: &str| url == corpus.site_url.url().as_str();
                // What an audit concludes changes its findings, all else is advice.
                let (most, of) = if files.is_some() { (4, 5) } else { (1, 2) };
                let is_root = |it: &BestRoot| it.found * of >= it.urls * most || is_given(&it.url);
                if let Some(best) = best.filter(|it| it.found >= least && is_root(it)) {
                    let sources = Sources::from([(Source::Links, best.found)]);
                    evidence.roots.insert(best.url, RootEvidence { is_sure: false, sources });
                }
            }
        }
        misfit.folder = root_folder(&folders, &misfit);
        match evidence.conclude() {
            Publication::Unknown(_) => {
                Publication::Unknown((!misfit.sources.is_empty()).then_some(misfit))
            }
            // A page or two that have the same path as a folder's page do not make SITE its folder.
            Publication::At(at) if misfit.outweighs(&at) => Publication::Unknown(Some(misfit)),
            known => known,
        }
    }
}

/// The folder that more than half of the URLs of `misfit` say is published, and where.
fn root_folder(
    folders: &BTreeMap<PublishedFolder, Sources>,
    misfit: &Misfit,
) -> Option<RootFolder> {
    let votes = |url: &str| -> usize {
        folders.iter().filter(|(it, _)| it.url == url).map(|(_, sources)| total(sources)).sum()
    };
    let (best, most) = folders.iter().max_by_key(|(_, sources)| total(sources))?;
    // Of copies of one site, `site` and `site-old`, the shortest name is the newest.
    let copies = folders
        .iter()
        .filter(|(it, sources)| it.url == best.url && total(sources) * 2 >= total(most));
    let (folder, sources) = copies.min_by_key(|(it, _)| it.path.len())?;
    let (url, _) = SiteUrl::parse(&folder.url).ok()?;
    (votes(&folder.url) * 2 > total(&misfit.sources)).then(|| RootFolder {
        path: folder.path.clone(),
        url,
        sources: sources.clone(),
    })
}

/// Returns the numbers of a sample of files: files that state the URL of the site, and pages from all
/// directories.
pub fn sample(corpus: &Corpus) -> BTreeSet<usize> {
    let (mut pages, mut items) = (Vec::new(), BTreeSet::new());
    for (item, path) in corpus.files().enumerate() {
        let name = path.file_name().unwrap_or_default();
        let is_at_root = path.parent() == Some(Path::new(""));
        match file_kind(name) {
            FileKind::Document(
                DocumentKind::Html | DocumentKind::Xhtml | DocumentKind::Message,
            ) => pages.push(item),
            FileKind::Document(DocumentKind::Lines(LineSyntax::Robots)) if is_at_root => {
                items.insert(item);
            }
            FileKind::Document(DocumentKind::Xml) => {
                let name = name.to_string_lossy().to_ascii_lowercase();
                if is_at_root && name.starts_with("sitemap") {
                    items.insert(item);
                }
            }
            _ => {}
        }
    }
    let step = pages.len().div_ceil(SAMPLE).max(1);
    items.extend(pages.into_iter().step_by(step));
    items
}
