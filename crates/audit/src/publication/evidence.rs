//! Collects the evidence of documents on the URL of the site's root, and concludes from it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::inferred::{Publication, PublicationUrl, Source, Sources, total};
use super::page::{Page, PublishedFolder, Root, origin, without_tail};
use rehref_corpus::SourceDocument;
use rehref_document::container::ContainerKind;
use rehref_document::lines::LineSyntax;
use rehref_document::reference::Constraints;
use rehref_document::{Document, DocumentKind, ParseOptions, Reference, Rel};
use rehref_site::{FileIndex, SiteUrl};
use rehref_url::simple::SimpleShape;
use rehref_url::{Span, Url};

/// The number of links that a document adds to those of the site.
const LINKS_OF_DOCUMENT: usize = 100;

/// The number of URLs of a list whose folders may be the root.
const ROOTS_OF: usize = 8;

/// The evidence in a document for the URL at which the site is published.
#[derive(Debug, Default)]
pub struct DocumentEvidence {
    /// The URLs of the root that follow from URLs of the document.
    pub(super) roots: Vec<(Source, Root)>,
    /// URLs of the document from which no URL of the root follows.
    pub(super) misfits: Vec<Misfitting>,
    /// The URLs of a sitemap.
    pub(super) sitemap: Vec<String>,
    /// Some of the links of a page that name a host, or that begin at the root of the host that the site is
    /// read at, as absolute URLs.
    pub(super) links: Vec<String>,
}

/// A URL that a page says is its own, and that does not end with the path of its file.
#[derive(Debug)]
pub(super) struct Misfitting {
    pub(super) source: Source,
    pub(super) url: String,
    /// The folder of the page whose URL this would say.
    pub(super) folder: Option<PublishedFolder>,
}

impl DocumentEvidence {
    /// Parses `document` and collects its evidence. `assumed` is the URL that the site is read at, to
    /// which no link leads.
    pub(super) fn of(document: &SourceDocument<'_>, assumed: &SiteUrl) -> DocumentEvidence {
        let options = ParseOptions { metadata: true, simple: true, ..document.options };
        let parsed = Document::parse(document.bytes, &options);
        parsed.map_or_else(
            |_| DocumentEvidence::default(),
            |parsed| DocumentEvidence::of_parsed(document, &parsed, assumed),
        )
    }

    /// Collects the evidence of a document, as [`DocumentEvidence::of`] does. `parsed` is the document,
    /// parsed with [`ParseOptions::metadata`].
    pub fn of_parsed(
        document: &SourceDocument<'_>,
        parsed: &Document<'_>,
        assumed: &SiteUrl,
    ) -> DocumentEvidence {
        let mut evidence = DocumentEvidence::default();
        let own = document.retrieval_url;
        let page = Page {
            file: document.index_key,
            served: assumed.below(own.as_str()).unwrap_or_default(),
        };
        let bases = if parsed.parts.is_empty() { Vec::new() } else { parsed.base_urls(own) };
        let mut of_parts = bases.iter().filter_map(|it| it.fallback.as_ref());
        if let Some(url) = of_parts.find(|url| is_absolute(url.as_str()) && *url != own) {
            let (source, url) = (Source::Headers, url.as_str().to_owned());
            evidence.misfits.push(Misfitting { source, url, folder: None });
        }
        // Below an assumed host, links from its root say nothing of another one.
        let host_root = (!assumed.is_placeholder()).then(|| origin(assumed.url().as_str()));
        for (_, text, source) in stating_references(parsed, document.options.kind) {
            let from_root = text.strip_prefix('/');
            let url = match (from_root, host_root) {
                (None, _) => Url::parse(text),
                (Some(path), Some(root)) if source.is_none() => {
                    Url::parse(&format!("{root}{path}"))
                }
                (Some(_), _) => continue,
            };
            let Ok(url) = url else { continue };
            let is_web = is_absolute(text) || from_root.is_some();
            match source {
                Some(Source::Sitemap | Source::Robots) | None if !is_web => {}
                // Servers send no other as the robots.txt of a host.
                Some(Source::Robots) if document.index_key.contains('/') => {}
                Some(Source::Sitemap) => evidence.sitemap.push(url.to_string()),
                Some(Source::Robots) => {
                    let name = url.path().rsplit('/').next().unwrap_or_default();
                    let root = Page { file: name, served: name }.root(&url);
                    let root = root.map(|root| Root { is_sure: false, ..root });
                    evidence.roots.extend(root.map(|root| (Source::Robots, root)));
                }
                Some(source) => match page.root(&url).filter(|_| is_web) {
                    Some(root) => evidence.roots.push((source, root)),
                    None => evidence.misfits.push(Misfitting {
                        source,
                        url: url.to_string(),
                        folder: page.published_folder(&url).filter(|_| is_web),
                    }),
                },
                None if evidence.links.len() < LINKS_OF_DOCUMENT => {
                    evidence.links.push(without_tail(url.as_str()).to_owned());
                }
                None => {}
            }
        }
        evidence
    }
}

/// The references of `document` that may say where the site is, in order: absolute URLs, and paths from the root of the
/// host. Each with the byte of the document at which it starts, and the kind of source that it is; `None` for an ordinary
/// link.
fn stating_references<'d>(
    document: &'d Document<'_>,
    kind: DocumentKind,
) -> Vec<(usize, &'d str, Option<Source>)> {
    let simple = document.simple.iter().filter_map(|it| {
        let text = document.text_of_simple(it);
        let is_stating = matches!(it.shape, SimpleShape::Absolute) || is_from_root(text);
        let source = || source_of_attribute(document, it.rel(), it.constraints(), it.span());
        is_stating.then(|| (it.span().start, text, source()))
    });
    let others = document.references.iter().filter_map(|it| {
        let text = document.text_of(it).trim_ascii();
        let is_stating = is_absolute(text) || begins_with("file:", text) || is_from_root(text);
        is_stating.then(|| (document.span_of(it).start, text, source(document, kind, it)))
    });
    let mut found: Vec<_> = simple.chain(others).collect();
    found.sort_by_key(|(at, ..)| *at);
    found
}

/// Returns the absolute URL that `document` says is its own, with its canonical link or `og:url`; `None` if it says none.
pub fn stated_url<'d>(document: &'d Document<'_>) -> Option<&'d str> {
    let references = stating_references(document, DocumentKind::Html).into_iter();
    let of_page = |source: &Source| matches!(source, Source::Canonical | Source::OpenGraph);
    let mut urls = references
        .filter(|(_, url, source)| is_absolute(url) && source.as_ref().is_some_and(of_page));
    Some(urls.next()?.1)
}

/// Returns true if `text` begins at the root of its base URL's host.
fn is_from_root(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//")
}

fn is_absolute(text: &str) -> bool {
    begins_with("http://", text) || begins_with("https://", text)
}

fn begins_with(scheme: &str, text: &str) -> bool {
    let start = text.get(..scheme.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// The kind of source that `reference` is; `None` for an ordinary link.
fn source(document: &Document<'_>, kind: DocumentKind, reference: &Reference) -> Option<Source> {
    let container = document.container_of(reference)?;
    match &container.kind {
        _ if kind == DocumentKind::Lines(LineSyntax::Robots) && reference.constraints.absolute => {
            Some(Source::Robots)
        }
        ContainerKind::Attribute { .. } => {
            let span = document.span_of(reference);
            source_of_attribute(document, reference.rel, reference.constraints, span)
        }
        ContainerKind::Markup(markup) if markup.element.to_string() == "sitemap:loc" => {
            Some(Source::Sitemap)
        }
        _ => None,
    }
}

fn source_of_attribute(
    document: &Document<'_>,
    rel: Rel,
    constraints: Constraints,
    span: Span,
) -> Option<Source> {
    if rel.has(Rel::CANONICAL) {
        return Some(Source::Canonical);
    }
    let is_named = constraints.absolute && is_in_tag_with(document, span, "og:url");
    is_named.then_some(Source::OpenGraph)
}

/// Returns true if the tag around the reference at `span` has an attribute with this value.
fn is_in_tag_with(document: &Document<'_>, span: Span, value: &str) -> bool {
    let bytes = document.working_bytes();
    let before = bytes.get(..span.start).unwrap_or_default();
    let after = bytes.get(span.end..).unwrap_or_default();
    let start = before.iter().rposition(|&b| b == b'<').unwrap_or_default();
    let end = after.iter().position(|&b| b == b'>').unwrap_or_default();
    let attributes = [before.get(start..), after.get(..end)];
    attributes.into_iter().flatten().any(|attributes| {
        let attributes = String::from_utf8_lossy(attributes).to_ascii_lowercase();
        let words = attributes.split(|c: char| c.is_ascii_whitespace() || "\"'=/".contains(c));
        words.into_iter().any(|word| word == value)
    })
}

/// The URL of the root that most of a list of URLs fit.
pub(super) struct BestRoot {
    pub(super) url: String,
    /// The number of URLs in the list.
    pub(super) urls: usize,
    /// The number of those that a file of the site serves.
    pub(super) found: usize,
}

impl BestRoot {
    pub(super) fn root(self) -> Root {
        Root { url: self.url, is_sure: self.found > 1 }
    }
}

/// The URLs of the folders above `url`, from its host on.
fn folders_of(url: &str) -> impl Iterator<Item = &str> {
    let start = origin(url).len();
    let ends = url.match_indices('/').map(|(at, _)| at + 1);
    ends.filter(move |end| *end >= start).filter_map(|end| url.get(..end))
}

/// Returns the URL of the root at which `files` serve the most of `urls`; `None` if several are as good.
pub(super) fn best_root(urls: &[impl AsRef<str>], files: &FileIndex) -> Option<BestRoot> {
    let some = urls.iter().step_by(urls.len().div_ceil(ROOTS_OF).max(1));
    let roots: BTreeSet<&str> = some.flat_map(|url| folders_of(url.as_ref())).collect();
    let mut counts: Vec<(usize, &str)> = roots
        .into_iter()
        .map(|root| {
            let is_found = |url: &&str| {
                let rest = url.strip_prefix(root);
                rest.is_some_and(|rest| files.find(rest, "").is_some_and(|it| it.file().is_some()))
            };
            (urls.iter().map(AsRef::as_ref).filter(is_found).count(), root)
        })
        .collect();
    counts.sort_unstable();
    let (found, root) = counts.pop().filter(|(found, _)| *found > 0)?;
    (counts.last().map(|(next, _)| *next) != Some(found)).then(|| BestRoot {
        url: root.to_owned(),
        urls: urls.len(),
        found,
    })
}

/// All that the documents of a site say.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// By the URL of the root.
    pub(super) roots: BTreeMap<String, RootEvidence>,
    /// The host in `CNAME`.
    pub(super) host: Option<String>,
}

/// The evidence for one URL of the root.
#[derive(Debug, Default)]
pub(super) struct RootEvidence {
    /// True if it follows from the name of a file at least once.
    pub(super) is_sure: bool,
    pub(super) sources: Sources,
}

impl Evidence {
    pub(super) fn add(&mut self, source: Source, root: Root) {
        let evidence = self.roots.entry(root.url).or_default();
        evidence.is_sure |= root.is_sure;
        *evidence.sources.entry(source).or_default() += 1;
    }

    /// Sets the content of the `CNAME` file: a host.
    pub(super) fn set_host(&mut self, cname: &str) {
        let host = cname.trim().to_ascii_lowercase();
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b"-.".contains(&b);
        self.host = (host.contains('.') && host.bytes().all(is_name)).then_some(host);
    }

    /// Concludes from all evidence.
    pub(super) fn conclude(self) -> Publication {
        let Evidence { mut roots, host } = self;
        let sure = roots.iter().filter(|(_, evidence)| evidence.is_sure);
        let origins: BTreeSet<String> = sure.map(|(root, _)| origin(root).to_owned()).collect();
        if !origins.is_empty() {
            // Where a home page says that it is on another host, not all agree. Links lead to
            // other hosts, and so may the sitemap of robots.txt.
            let is_of_page =
                |source: &Source| matches!(source, Source::Canonical | Source::OpenGraph);
            roots.retain(|root, RootEvidence { is_sure, sources }| {
                *is_sure || !origins.contains(origin(root)) && sources.keys().any(is_of_page)
            });
        }
        if let Some(host) = host {
            let is_at_host = |root: &&String| {
                let rest = root.split_once("://").map_or("", |(_, rest)| rest);
                rest.split('/').next() == Some(&*host)
            };
            let root = roots.keys().find(is_at_host).cloned();
            let root = root.unwrap_or_else(|| format!("https://{host}/"));
            roots.entry(root).or_default().sources.insert(Source::Cname, 1);
        }
        let urls = roots.into_iter().filter_map(|(root, evidence)| {
            Some(PublicationUrl { url: SiteUrl::parse(&root).ok()?.0, sources: evidence.sources })
        });
        let mut urls: Vec<PublicationUrl> = urls.collect();
        urls.sort_by_key(|url| Reverse(total(&url.sources)));
        match urls.len() {
            0 | 1 => urls.pop().map_or(Publication::Unknown(None), Publication::At),
            _ => Publication::Contradictory(urls),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::inferred::say;
    use super::*;
    use rehref_site::{Entry, EntryKind};

    #[test]
    fn the_best_root_is_the_one_at_which_files_serve_most_urls() {
        let entries = ["a.html", "d/b.html", "d/c.html"]
            .map(|path| Entry { path: path.into(), kind: EntryKind::File });
        let files = FileIndex::new(Path::new("/nowhere"), &entries);
        let best = |urls: &[&str]| best_root(urls, &files).map(|it| (it.url, it.found));
        for (urls, expected) in [
            (
                &["https://h/s/d/b.html", "https://h/s/a.html", "https://h/s/no"][..],
                Some(("https://h/s/", 2)),
            ),
            (&["https://h/s/no.html"], None),
            (&[], None),
        ] {
            assert_eq!(best(urls), expected.map(|(url, n)| (url.to_owned(), n)));
        }
    }

    #[test]
    fn contradictions_are_found() {
        let conclude = |roots: &[(Source, &str, bool)], cname: &str| {
            let mut evidence = Evidence::default();
            for (source, url, is_sure) in roots {
                let (url, is_sure) = ((*url).to_owned(), *is_sure);
                evidence.add(*source, Root { url, is_sure });
            }
            evidence.set_host(cname);
            match evidence.conclude() {
                Publication::Unknown(_) => "unknown".to_owned(),
                Publication::At(at) => format!("{} {}", say(&at.sources), at.url.url()),
                Publication::Contradictory(urls) => {
                    urls.iter().map(|at| at.url.url().to_string()).collect::<Vec<_>>().join(" | ")
                }
            }
        };
        let (a, b) = ("https://a.org/s/", "https://b.org/");
        for (roots, cname, expected) in [
            (&[][..], "", "unknown"),
            (&[], "A.org\n", "CNAME says https://a.org/"),
            (&[], "not a host", "unknown"),
            (
                &[(Source::Canonical, a, true), (Source::Canonical, a, true)],
                "",
                "2 canonical links say https://a.org/s/",
            ),
            (
                &[
                    (Source::Canonical, a, true),
                    (Source::OpenGraph, "https://a.org/", false),
                    (Source::Robots, b, false),
                ],
                "a.org",
                "1 canonical link and CNAME say https://a.org/s/",
            ),
            (
                &[(Source::Canonical, a, true), (Source::OpenGraph, b, false)],
                "a.org",
                "https://a.org/s/ | https://b.org/",
            ),
            (
                &[(Source::Canonical, a, false), (Source::Robots, b, false)],
                "",
                "https://a.org/s/ | https://b.org/",
            ),
            (
                &[(Source::Sitemap, a, true), (Source::Canonical, b, true)],
                "",
                "https://a.org/s/ | https://b.org/",
            ),
            (&[(Source::Robots, a, false)], "b.org", "https://a.org/s/ | https://b.org/"),
        ] {
            assert_eq!(conclude(roots, cname), expected);
        }
    }
}
