//! What a site publishes: the URLs that it answers, and the anchors in them. An audit of another tree finds what is lost
//! there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::graph::is_conventional;
use super::message_parts::PartIndex;
use super::site_index::SiteIndex;
use super::target_place::TargetPlace;
use encoding_rs::UTF_8;
use rehref_corpus::{Corpus, Role, SourceDocument};
use rehref_document::{Document, DocumentError, DocumentKind, ParseOptions};
use rehref_site::{RulePaths, SiteUrl, path_in_url};
use rehref_url::{AbsoluteUrl, Standard, Url, percent_decoded};

/// The anchors of a site that have to stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublishedAnchors {
    /// Those that a link of the site leads to.
    #[default]
    Linked,
    /// All.
    All,
}

/// A URL that a site answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedUrl {
    /// The file that it is of, or the list that names it, for reports.
    pub place: String,
    /// What it is.
    pub kind: PublishedKind,
    /// The anchors that it has to keep, decoded.
    pub anchors: BTreeSet<String>,
}

/// The kinds of what a site publishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublishedKind {
    /// A page.
    #[default]
    Page,
    /// Another file.
    File,
    /// A redirect of the server.
    Redirect,
}

/// The URLs that a site answers, by their paths below the URL of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The URLs; their paths are percent-encoded, and may have queries.
    pub urls: BTreeMap<String, PublishedUrl>,
    /// How many other URLs a list names, which are not below that of the site.
    pub others: usize,
}

/// What a document tells of a site.
#[derive(Debug, Default)]
pub struct DocumentPublication {
    /// The URL of the document, and its name in reports; `None` if no link can lead to it.
    page: Option<(String, PublishedUrl)>,
    /// The files that its links lead to, each with the anchor there, decoded.
    links: Vec<(String, String)>,
    /// The key of the document in the index of the site.
    key: String,
    anchors: Vec<String>,
}

impl DocumentPublication {
    /// What the document `source` tells of the site with this index.
    ///
    /// # Errors
    /// When the document cannot be parsed.
    pub fn of(
        site: &SiteIndex,
        source: &SourceDocument<'_>,
    ) -> Result<DocumentPublication, DocumentError> {
        let own = source.fallback_base;
        let site = site.of_document(source.index_key);
        let document = source.parse(&ParseOptions { metadata: true, ..source.options })?;
        let bases = document.base_urls(own);
        let parts = PartIndex::of(&document, &bases);
        let mut links = Vec::new();
        for reference in &document.references {
            let resolved = site.resolve(&document, &bases, &parts, own, reference);
            if let TargetPlace::Internal { fragment: Some(fragment), .. } = &resolved.place
                && let Some(file) = resolved.place.file()
            {
                links.push((file.to_owned(), decoded(fragment)));
            }
        }
        let url = source.page.unwrap_or(source.retrieval_url);
        let kind = match source.options.kind.is_page() || source.page.is_some() {
            true => PublishedKind::Page,
            false => PublishedKind::File,
        };
        let path = match site.archive {
            Some(_) => Some(url.as_str()),
            None => site.site_url.below(url.as_str()),
        };
        let is_unpublished = || site.files.is_unpublished(source.index_key);
        let path = path.filter(|_| source.role == Role::Content && !is_unpublished());
        let place = source.name.to_owned();
        let page = path
            .map(|path| (path.to_owned(), PublishedUrl { place, kind, anchors: BTreeSet::new() }));
        let anchors = document.metadata.map(|it| it.anchors).unwrap_or_default();
        let anchors = anchors.iter().map(str::to_owned).collect();
        Ok(DocumentPublication { page, links, key: source.index_key.to_owned(), anchors })
    }
}

fn decoded(fragment: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(fragment)).into_owned()
}

impl Published {
    /// What the site of `corpus` publishes, whose `documents` tell this. Of an archive, what is below `site_url`.
    pub fn of_site(
        corpus: &Corpus,
        site: &SiteIndex,
        documents: Vec<DocumentPublication>,
        which: PublishedAnchors,
        site_url: &SiteUrl,
    ) -> Published {
        let mut published = Published::default();
        let linked: BTreeSet<(&str, &str)> = documents
            .iter()
            .flat_map(|it| it.links.iter().map(|(file, anchor)| (&**file, &**anchor)))
            .collect();
        let mut keys = BTreeSet::new();
        for document in &documents {
            keys.insert(&*document.key);
            let Some((path, url)) = &document.page else { continue };
            let has = |anchor: &&String| {
                which == PublishedAnchors::All || linked.contains(&(&*document.key, &***anchor))
            };
            let anchors = document.anchors.iter().filter(has).cloned().collect();
            let path = if path.contains("://") { site_url.below(path) } else { Some(&**path) };
            match path {
                None => published.others += 1,
                Some(path) if is_of_server(path) => {}
                Some(path) => {
                    let url = PublishedUrl { anchors, ..url.clone() };
                    published.urls.insert(path.to_owned(), url);
                }
            }
        }
        // A generator publishes its files elsewhere.
        let has_files = !site.files.reads_sources() && !corpus.has_only_archives();
        let files = corpus.files().filter(|_| has_files);
        for file in files {
            let path = path_in_url(file);
            if !keys.contains(&*path) && !is_of_server(&path) {
                let place = file.to_string_lossy().into_owned();
                let url = PublishedUrl { place, kind: PublishedKind::File, ..Default::default() };
                published.urls.entry(path).or_insert(url);
            }
        }
        for rule in site.files.redirect_rules().iter().filter(|it| it.status < 400) {
            if let RulePaths::Exact(path) = &rule.from
                && let below = format!("{}{path}", root_of(&site.site_url))
                && let Some(path) = site.site_url.below(&below)
            {
                let place = rule.place.to_string();
                let kind = PublishedKind::Redirect;
                let url = PublishedUrl { place, kind, ..Default::default() };
                published.urls.entry(path.to_owned()).or_insert(url);
            }
        }
        published
    }

    /// The URLs in `text`: a sitemap, or a list with a URL or a path from the root of the host on each line. `name` is the
    /// list in reports, `site_url` the URL of the site.
    ///
    /// # Errors
    /// When a sitemap cannot be parsed.
    pub fn of_list(
        text: &[u8],
        name: &str,
        site_url: &SiteUrl,
    ) -> Result<Published, DocumentError> {
        let base = AbsoluteUrl::new(Standard::Whatwg, site_url.url().clone());
        let mut published = Published::default();
        let mut add = |place: String, reference: &str| {
            let Ok(target) = base.resolve(reference, UTF_8) else {
                published.others += 1;
                return;
            };
            let Some(rest) = site_url.below(target.as_str()) else {
                published.others += 1;
                return;
            };
            let (path, anchor) = rest.split_once('#').unwrap_or((rest, ""));
            let extension = Path::new(path.split('?').next().unwrap_or(path)).extension();
            let is_page = extension.is_none()
                || DocumentKind::of_path(Path::new(path)).is_some_and(DocumentKind::is_page);
            let kind = if is_page { PublishedKind::Page } else { PublishedKind::File };
            let url = PublishedUrl { place, kind, anchors: BTreeSet::new() };
            let url = published.urls.entry(path.to_owned()).or_insert(url);
            if !anchor.is_empty() {
                url.anchors.insert(decoded(anchor));
            }
        };
        if text.trim_ascii_start().starts_with(b"<") {
            let options = ParseOptions { kind: DocumentKind::Xml, ..ParseOptions::default() };
            let document = Document::parse(text, &options)?;
            for reference in &document.references {
                add(name.to_owned(), document.text_of(reference));
            }
        } else {
            let text = String::from_utf8_lossy(text);
            for (number, line) in (1..).zip(text.lines()) {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    add(format!("{name}:{number}"), line);
                }
            }
        }
        Ok(published)
    }

    /// The list that [`Published::of_list`] reads: the URLs below `site_url`, or their paths if nobody knows it, each
    /// also with each of its anchors.
    pub fn list(&self, site_url: &SiteUrl) -> String {
        let root = match site_url.is_placeholder() {
            true => site_url.url().path(),
            false => site_url.url().as_str(),
        };
        let mut list = String::new();
        for (path, url) in &self.urls {
            list.push_str(&format!("{root}{path}\n"));
            for anchor in &url.anchors {
                list.push_str(&format!("{root}{path}#{}\n", in_fragment(anchor)));
            }
        }
        list
    }

    /// The number of anchors.
    pub fn anchors(&self) -> usize {
        self.urls.values().map(|it| it.anchors.len()).sum()
    }
}

/// `anchor` as it stands in a URL: line breaks would end its line.
fn in_fragment(anchor: &str) -> String {
    let url = Url::parse(&format!("https://h/#{}", anchor.replace('%', "%25")));
    url.ok().and_then(|url| url.fragment().map(str::to_owned)).unwrap_or_default()
}

/// The URL of the root of the host of `site_url`.
fn root_of(site_url: &SiteUrl) -> String {
    let url = site_url.url();
    let path = url.path().len();
    url.as_str().get(..url.as_str().len() - path).map(|it| format!("{it}/")).unwrap_or_default()
}

/// Whether the file at `path` is for the server, which does not send it.
fn is_of_server(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_hidden =
        path.split('/').any(|it| it.starts_with('.')) && !path.starts_with(".well-known/");
    is_hidden
        || matches!(name, "_redirects" | "_headers" | "nginx.conf")
        || (is_conventional(path) && name == "CNAME")
}
