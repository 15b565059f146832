//! The URLs that a site answers, and the anchors in them. An audit of another tree finds what is lost there.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::path::Path;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::message_parts::PartIndex;
use super::site_index::SiteIndex;
use super::target_place::TargetPlace;
use encoding_rs::UTF_8;
use rehref_corpus::{Corpus, Role, SourceDocument};
use rehref_document::metadata::Anchors;
use rehref_document::{Document, DocumentError, DocumentKind, ParseOptions, Position};
use rehref_site::{EntryKind, Location, Response, RulePlace, SiteUrl, path_in_url};
use rehref_url::{AbsoluteUrl, Standard, Url, percent_decoded};

/// The anchors of the old site that `compare` looks for in the new site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublishedAnchors {
    /// Anchors that a link of the site leads to.
    #[default]
    Linked,
    /// All.
    All,
}

/// A URL for which a site has a file or a redirect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedUrl {
    /// The file that has the URL, or the list that contains it, for reports.
    pub place: String,
    /// The line and column in that file, for a line of a list or a redirect rule.
    pub position: Option<Position>,
    /// The kind of the URL: a page, another file, or a redirect.
    pub kind: PublishedKind,
    /// The anchors of the page that the new site must have, decoded.
    pub anchors: BTreeSet<String>,
}

impl PublishedUrl {
    /// Returns the place of the URL in OLD.
    pub(crate) fn location(&self) -> Location {
        let mut location = Location::of_file(&*self.place);
        location.position = self.position;
        location
    }
}

/// The kind of a published URL.
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

/// The path of a published URL.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublishedPath {
    /// The folder of the project that publishes the URL, with a slash at its end: projects below a tree have URLs of their
    /// own. Empty for the tree.
    pub project: Box<str>,
    /// The path below the URL of the site, percent-encoded, perhaps with a query.
    pub path: String,
}

impl<T: Into<String>> From<T> for PublishedPath {
    fn from(path: T) -> PublishedPath {
        PublishedPath { project: Box::default(), path: path.into() }
    }
}

/// The URLs for which a site has files or redirects, by their paths below the URL of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The URLs by path.
    pub urls: BTreeMap<PublishedPath, PublishedUrl>,
    /// The numbers of further URLs, which are not below the URL of the site, by the URL of their host; empty for a reference
    /// that is not valid.
    pub others: BTreeMap<String, usize>,
    /// True if the old pages are known with their text, so that `compare` finds moved pages by text. Otherwise
    /// it compares names.
    pub has_text: bool,
}

/// The syntax of a list of URLs. The first byte shows whether it is a sitemap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListSyntax {
    /// A URL, or a path from the root of the host, on each line. Lines that begin with `#` are comments.
    #[default]
    Urls,
    /// A log of requests in the common or the combined format of Apache and nginx.
    CombinedLog,
}

/// The path that a line of a log says was sent to somebody, without its query.
fn requested(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('"')?;
    let (request, rest) = rest.split_once('"')?;
    let mut words = request.split(' ');
    let is_read = matches!(words.next()?, "GET" | "HEAD");
    let path = words.next()?.split(['?', '#']).next()?;
    let status = rest.trim_start().split(' ').next()?;
    let is_sent = matches!(status, "200" | "206" | "301" | "302" | "304" | "307" | "308");
    (is_read && is_sent && path.starts_with('/')).then_some(path)
}

/// The URL and the anchors of a document, and the anchors that it links to.
#[derive(Debug, Default)]
pub struct DocumentPublication {
    /// The URL, and its name in reports; `None` if no link can lead to it.
    page: Option<(PublishedPath, PublishedUrl)>,
    /// The key in the index of the site.
    key: String,
    /// The keys of the files that its links lead to, each with the anchor there, decoded.
    links: Vec<(String, String)>,
    anchors: Anchors,
}

/// Collects the URLs and the anchors of the documents of a site.
#[derive(Debug)]
pub struct Publications {
    which: PublishedAnchors,
    /// The URLs, each with the key of its document, and the hashes of its anchors: few have a link.
    pages: Vec<(PublishedPath, PublishedUrl, u64, Box<[u64]>)>,
    /// The anchors that links lead to, by the keys of the documents.
    linked: FxHashMap<u64, BTreeSet<String>>,
}

impl Publications {
    /// Creates a collection of URLs that includes the anchors that `which` selects.
    pub fn new(which: PublishedAnchors) -> Publications {
        Publications { which, pages: Vec::new(), linked: FxHashMap::default() }
    }

    /// Adds the URL and the anchors of a document.
    pub fn add(&mut self, document: DocumentPublication) {
        let key = hash(&document.key);
        for (file, anchor) in document.links {
            self.linked.entry(hash(&file)).or_default().insert(anchor);
        }
        let Some((path, mut url)) = document.page else { return };
        let mut hashes = Vec::new();
        match self.which {
            PublishedAnchors::All => {
                url.anchors = document.anchors.iter().map(str::to_owned).collect()
            }
            PublishedAnchors::Linked => hashes = document.anchors.iter().map(hash).collect(),
        }
        hashes.sort_unstable();
        self.pages.push((path, url, key, hashes.into()));
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

impl DocumentPublication {
    /// Returns the URL and the anchors of the document `source` in the site of this index.
    ///
    /// # Errors
    /// Returns an error if the document cannot be parsed.
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
        let is_page = source.options.kind.is_page()
            || matches!(source.options.kind, DocumentKind::Markdown(_));
        let is_page = is_page || source.page.is_some();
        let kind = if is_page { PublishedKind::Page } else { PublishedKind::File };
        let path = match site.archive {
            Some(_) => Some(Cow::Borrowed(url.as_str())),
            None if site.files.pages().is_some() => {
                site.files.url_of_page(source.index_key).map(Cow::Owned)
            }
            None => site.site_url.below(url.as_str()).map(Cow::Borrowed),
        };
        let is_unpublished = || site.files.is_unpublished(source.index_key);
        let path = path.filter(|_| source.role == Role::Content && !is_unpublished());
        let place = source.name.to_owned();
        let page = path.map(|path| {
            let path =
                PublishedPath { project: site.files.project().into(), path: path.into_owned() };
            (path, PublishedUrl { place, kind, ..PublishedUrl::default() })
        });
        let anchors = document.metadata.map(|it| it.anchors).unwrap_or_default();
        Ok(DocumentPublication { page, links, key: source.index_key.to_owned(), anchors })
    }
}

fn decoded(fragment: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(fragment)).into_owned()
}

impl Published {
    /// Lists the URLs of the site of `corpus`, whose documents are known; for an archive, the URLs below `site_url`.
    pub fn of_site(
        corpus: &Corpus,
        site: &SiteIndex,
        documents: Publications,
        site_url: &SiteUrl,
    ) -> Published {
        let mut published = Published { has_text: true, ..Published::default() };
        let mut keys = FxHashSet::default();
        for (PublishedPath { project, path }, mut url, key, hashes) in documents.pages {
            keys.insert(key);
            let linked = documents.linked.get(&key).into_iter().flatten();
            url.anchors
                .extend(linked.filter(|it| hashes.binary_search(&hash(it)).is_ok()).cloned());
            match if path.contains("://") { site_url.below(&path) } else { Some(&*path) } {
                None => published.add_other(Url::parse(&path).ok()),
                Some(path) if is_of_server(path) => {}
                Some(path) => {
                    let path = path.to_owned();
                    published.urls.insert(PublishedPath { project, path }, url);
                }
            }
        }
        // A generator publishes its files elsewhere.
        let has_files = !site.files.reads_sources() && !corpus.has_only_archives();
        let files = corpus.files().filter(|it| has_files && corpus.selection.has(it));
        for file in files {
            let path = path_in_url(file);
            if !keys.contains(&hash(&path)) && !is_of_server(&path) {
                let place = file.to_string_lossy().into_owned();
                let url = PublishedUrl { place, kind: PublishedKind::File, ..Default::default() };
                published.urls.entry(path.into()).or_insert(url);
            }
        }
        if has_files {
            published.add_symlinks(corpus, site);
        }
        let rules = site.files.redirect_rules().iter();
        for rule in rules.filter(|it| it.status < 400 && !it.is_conditional) {
            if let Some(path) = rule.from.first_path()
                && let url = format!("{}/{path}", site.site_url.url().before_path())
                && let Some(path) = site.site_url.below(&url)
            {
                let RulePlace { file, line, column } = &rule.place;
                let position = Some(Position { line: *line, column: *column });
                let kind = PublishedKind::Redirect;
                let place = file.to_string();
                let url = PublishedUrl { place, position, kind, ..Default::default() };
                published.urls.entry(path.into()).or_insert(url);
            }
        }
        published
    }

    fn add_other(&mut self, url: Option<Url>) {
        let host = url.map_or(String::new(), |it| format!("{}/", it.before_path()));
        *self.others.entry(host).or_default() += 1;
    }

    /// Adds the URLs that go through a symbolic link: servers follow it, as in `latest/` for `v2/`. The files of a directory
    /// outside of the site are not known.
    fn add_symlinks(&mut self, corpus: &Corpus, site: &SiteIndex) {
        let entries = corpus.walk.entries.iter();
        for entry in entries.filter(|it| it.kind == EntryKind::Symlink) {
            let link = path_in_url(&entry.path);
            let through: Vec<(String, PublishedUrl)> = match site.files.resolve_symlinks(&link) {
                Some(target) => {
                    let own = self.urls.get(&(&*target.path).into());
                    let own = own.map(|url| (link.clone(), url.clone()));
                    let start = match &*target.path {
                        "" => String::new(),
                        path => format!("{path}/"),
                    };
                    let from = PublishedPath::from(&*start);
                    let below = self.urls.range(from..).map_while(|(path, url)| {
                        let rest =
                            path.path.strip_prefix(&*start).filter(|_| path.project.is_empty())?;
                        Some((format!("{link}/{rest}"), url.clone()))
                    });
                    own.into_iter().chain(below).collect()
                }
                None if matches!(site.files.find(&link, ""), Some(Response::File(_))) => {
                    let place = entry.path.to_string_lossy().into_owned();
                    let kind = PublishedKind::File;
                    vec![(link, PublishedUrl { place, kind, ..PublishedUrl::default() })]
                }
                None => Vec::new(),
            };
            for (path, url) in through {
                self.urls.entry(path.into()).or_insert(url);
            }
        }
    }

    /// Adds the `captured` URLs of archives that are below `site_url` and no documents.
    pub fn add_captures(&mut self, captured: &[String], site_url: &SiteUrl) {
        for url in captured {
            if let Some(path) = site_url.below(url).filter(|it| !is_of_server(it)) {
                let (place, kind) = (url.clone(), PublishedKind::File);
                let file = PublishedUrl { place, kind, ..PublishedUrl::default() };
                self.urls.entry(path.into()).or_insert(file);
            }
        }
    }

    /// Returns the URLs in `text`, a list or sitemap, that are below `site`. Relative URLs resolve against
    /// `base`. `name` is the name of the list in reports.
    ///
    /// # Errors
    /// Returns an error if a sitemap cannot be parsed.
    pub fn of_list(
        text: &[u8],
        syntax: ListSyntax,
        name: &str,
        site: &SiteIndex,
        base: &SiteUrl,
    ) -> Result<Published, DocumentError> {
        let base = AbsoluteUrl::new(Standard::Whatwg, base.url().clone());
        let mut published = Published::default();
        let mut add = |line: Option<usize>, reference: &str| {
            let target = base.resolve(reference, UTF_8).ok();
            match target.as_ref().and_then(|it| site.below(it.as_str())) {
                Some(rest) => published.add_listed(&rest, name, line),
                None => published.add_other(target.and_then(|it| Url::parse(it.as_str()).ok())),
            }
        };
        if text.trim_ascii_start().starts_with(b"<") {
            let options = ParseOptions { kind: DocumentKind::Xml, ..ParseOptions::default() };
            let document = Document::parse(text, &options)?;
            for reference in &document.references {
                add(None, document.text_of(reference));
            }
            return Ok(published);
        }
        let text = String::from_utf8_lossy(text);
        for (number, line) in (1..).zip(text.lines()) {
            let reference = match syntax {
                ListSyntax::Urls => Some(line.trim()).filter(|it| !it.starts_with('#')),
                ListSyntax::CombinedLog => requested(line),
            };
            if let Some(reference) = reference.filter(|it| !it.is_empty()) {
                add(Some(number), reference);
            }
        }
        Ok(published)
    }

    /// Adds a URL of the list `name`: its path below the URL of the site.
    fn add_listed(&mut self, rest: &str, name: &str, line: Option<usize>) {
        let (path, anchor) = rest.split_once('#').unwrap_or((rest, ""));
        let file = Path::new(path.split('?').next().unwrap_or(path));
        let is_page = file.extension().is_none()
            || DocumentKind::of_built_path(file).is_some_and(DocumentKind::is_page);
        let kind = if is_page { PublishedKind::Page } else { PublishedKind::File };
        let position = line.map(|line| Position { line, column: 1 });
        let url = PublishedUrl { place: name.to_owned(), position, kind, ..Default::default() };
        let url = self.urls.entry(path.into()).or_insert(url);
        if !anchor.is_empty() {
            url.anchors.insert(decoded(anchor));
        }
    }

    /// Returns the list that [`Published::of_list`] reads: the URLs below `site_url`, or their paths if `site_url` is
    /// a placeholder; each URL also with each of its anchors.
    pub fn list(&self, site_url: &SiteUrl) -> String {
        let url = site_url.url();
        let root = if site_url.is_placeholder() { url.path() } else { url.as_str() };
        let mut list = String::new();
        for (PublishedPath { path, .. }, url) in &self.urls {
            list.push_str(&format!("{root}{path}\n"));
            for anchor in &url.anchors {
                list.push_str(&format!("{root}{path}#{}\n", in_fragment(anchor)));
            }
        }
        list
    }

    /// Returns the number of anchors of all URLs.
    pub fn anchors(&self) -> usize {
        self.urls.values().map(|it| it.anchors.len()).sum()
    }
}

/// `anchor` as it stands in a URL: line breaks would end its line.
fn in_fragment(anchor: &str) -> String {
    let url = Url::parse(&format!("https://h/#{}", anchor.replace('%', "%25")));
    url.ok().and_then(|url| url.fragment().map(str::to_owned)).unwrap_or_default()
}

/// Returns true if the file at `path` is for the server, which does not send it.
pub(super) fn is_of_server(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_hidden =
        path.split('/').any(|it| it.starts_with('.')) && !path.starts_with(".well-known/");
    is_hidden || matches!(name, "_redirects" | "_headers" | "nginx.conf" | "CNAME")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_names_what_was_sent() {
        for (line, expected) in [
            (
                r#"1.2.3.4 - - [1/Jan/2026:0:0:0 +0] "GET /a/b.html?x=1 HTTP/1.1" 200 5 "-" "x""#,
                "/a/b.html",
            ),
            (r#"1.2.3.4 - me [x] "HEAD /a HTTP/2.0" 301 0"#, "/a"),
            (r#"1.2.3.4 - - [x] "GET /a HTTP/1.1" 404 0"#, ""),
            (r#"1.2.3.4 - - [x] "POST /a HTTP/1.1" 200 0"#, ""),
            (r#"1.2.3.4 - - [x] "GET http://other/ HTTP/1.1" 200 0"#, ""),
            ("no log", ""),
        ] {
            assert_eq!(requested(line).unwrap_or_default(), expected, "{line}");
        }
    }

    #[test]
    fn a_list_is_read_as_it_is_written() {
        let (site, _) = SiteUrl::parse("https://h/d/").unwrap();
        let text = "# x\nhttps://h/d/a.html#x%20y\n/d/a.html\n/d/b.pdf\nb/\nhttps://other/\n";
        let files = rehref_site::FileIndex::default();
        let index = SiteIndex::of_files(files, site.clone(), Vec::new());
        let of_list = |text: &str| {
            Published::of_list(text.as_bytes(), ListSyntax::Urls, "l", &index, &site).unwrap()
        };
        let published = of_list(text);
        assert_eq!((published.urls.len(), published.others.len(), published.anchors()), (3, 1, 1));
        assert_eq!(published.urls[&"b.pdf".into()].kind, PublishedKind::File);
        let list = published.list(&site);
        assert_eq!(
            list,
            "https://h/d/a.html\nhttps://h/d/a.html#x%20y\nhttps://h/d/b.pdf\nhttps://h/d/b/\n"
        );
        assert_eq!(of_list(&list).list(&site), list);
        let map = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://h/d/c</loc></url></urlset>";
        assert_eq!(of_list(map).list(&site), "https://h/d/c\n");
    }
}
