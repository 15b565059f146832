//! The fast paths write what the general path writes.

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::SiteMapping;
use crate::{BaseElements, SitePolicy};
use crate::{IndexNames, PrettyUrls, TrailingSlash};
use crate::{Rewritten, in_both_ways};
use rehref_document::ParseOptions;
use rehref_site::MovedUrls;
use rehref_site::{Entry, EntryKind, FileIndex, RepositoryUrls, SiteUrl};
use rehref_url::{AbsoluteUrl, RelativeForm, Spliced, Standard, Url};

const OWN: &[&str] = &[
    "https://h/",
    "https://h/d/e/p.html",
    "https://h/d/e/p.html?x=y&z#f",
    "https://h/it's/p.html",
    "https://h/d//p.html",
    "file:///a/b/p.html",
    "file:///C:/b/p.html",
    "foo:/a/b",
];

const TAGS: &[&str] = &[
    "<a href=",
    "<img src=",
    "<img usemap=",
    "<img srcset=",
    "<link rel=preconnect href=",
    "<meta property=og:url content=",
    "<applet codebase=x code=",
    "<object codebase='../y/' classid=",
    "<svg><use href=",
    "<td style='a:url(x)' background=",
    "<base href=",
    "<iframe srcdoc=",
];

/// Documents with these references in them.
fn html(reference: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let tag = (prop::sample::select(TAGS), "[\"' ]?", reference);
    let tag = tag.prop_map(|(tag, quote, reference)| format!("{tag}{quote}{reference}{quote}>"));
    prop::collection::vec(tag, 0..8).prop_map(|tags| tags.concat())
}

/// The results with the fast path and without it, and whether the fast path decided on a reference.
fn both(html: &str, own: DocumentUrls<'_>, policy: &Policy) -> ([Rewritten; 2], bool) {
    let options = ParseOptions::default();
    let results = in_both_ways(html.as_bytes(), own, policy, &options).map(Result::unwrap);
    let simple = ParseOptions { simple: true, ..options };
    let mut document = Document::parse(html.as_bytes(), &simple).unwrap();
    let mut counts = ReferenceCounts::default();
    if let Some(fast) = FastPath::of(own, policy, &options) {
        fast.edits(&mut document, &mut counts);
    }
    (results, counts.seen > 0)
}

/// The new bytes of the document `html`.
fn bytes(result: &Rewritten, html: &str) -> Option<Vec<u8>> {
    result.contents(html.as_bytes()).map(Spliced::to_vec)
}

fn absolute(url: &str) -> AbsoluteUrl {
    AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap())
}

/// The files of a site, with the new paths of those that move.
const FILES: &[(&str, Option<&str>)] = &[
    ("index.html", None),
    ("p.html", None),
    ("e/index.html", None),
    ("e/p.html", Some("n/p2.html")),
    ("e/q.html", None),
    ("e/x%20y.html", Some("e/xy.html")),
    ("f/g/index.html", Some("n/f/g/index.html")),
    ("f/x.html", Some("n/f/x.html")),
];

/// Policies for the site, which is at `https://h/d/`: target forms, moves, spellings, other URLs.
#[derive(Clone, Debug)]
struct SiteCase {
    form: Option<RelativeForm>,
    after: &'static str,
    moves: bool,
    pretty: PrettyUrls,
    also: &'static [&'static str],
    likely: Option<&'static str>,
}

impl SiteCase {
    fn policy(&self) -> Policy {
        let site_url = |url: &str| SiteUrl::parse(url).unwrap().0;
        let folders = ["e", "f", "f/g"].map(|path| (path, EntryKind::Directory));
        let files = FILES.iter().map(|(path, _)| (*path, EntryKind::File));
        let entry =
            |(path, kind): (&str, EntryKind)| Entry { path: path.replace("%20", " ").into(), kind };
        let entries: Vec<Entry> = folders.into_iter().chain(files).map(entry).collect();
        let moved = FILES
            .iter()
            .filter_map(|(old, new)| Some(((*old).to_owned(), new.as_ref()?.to_string())));
        let moved = if self.moves {
            MovedUrls::new(moved, [("f".to_owned(), "n/f".to_owned())])
        } else {
            MovedUrls::default()
        };
        Policy::site(SitePolicy {
            form: self.form,
            base_elements: BaseElements::Drop,
            mapping: SiteMapping {
                also: self.also.iter().map(|url| site_url(url)).collect(),
                after: site_url(self.after),
                files: FileIndex::new(Path::new("/nowhere"), &entries),
                moved: moved.into(),
                pretty: self.pretty,
                likely: self.likely.map(site_url).into_iter().collect(),
                ..SiteMapping::unmoved(site_url("https://h/d/"))
            },
        })
    }

    /// The URLs of the file at `path`, before and after.
    fn urls(&self, (path, new): (&str, Option<&str>)) -> [AbsoluteUrl; 2] {
        let new = new.filter(|_| self.moves).unwrap_or(path);
        let urls = [format!("https://h/d/{path}"), format!("{}{new}", self.after)];
        urls.map(|url| absolute(url.strip_suffix("index.html").unwrap_or(&url)))
    }
}

fn site_case() -> impl Strategy<Value = SiteCase> {
    use RelativeForm::{Path, Root, Scheme, Shortest};
    let form = [None, Some(Path), Some(Root), Some(Shortest), Some(Scheme)];
    let pretty = |offline, index, trailing_slash| PrettyUrls { offline, index, trailing_slash };
    let pretty = [
        PrettyUrls::default(),
        pretty(true, IndexNames::Keep, TrailingSlash::Keep),
        pretty(false, IndexNames::Strip, TrailingSlash::Keep),
        pretty(false, IndexNames::Add, TrailingSlash::Add),
        pretty(false, IndexNames::Keep, TrailingSlash::Remove),
    ];
    let also: [&[&str]; 3] = [&[], &["http://www.h/d/"], &["https://h/alias/"]];
    (
        prop::sample::select(form.to_vec()),
        prop::sample::select(vec!["https://h/d/", "https://h/new/", "https://n/", "http://h/d/"]),
        any::<bool>(),
        prop::sample::select(pretty.to_vec()),
        prop::sample::select(also.to_vec()),
        prop::sample::select(vec![None, Some("https://likely/"), Some("https://h/e/")]),
    )
        .prop_map(|(form, after, moves, pretty, also, likely)| SiteCase {
            form,
            after,
            moves,
            pretty,
            also,
            likely,
        })
}

const SITE_REFERENCE: &str = "((\\.\\./){0,3}|https://h/d/|https://h/d|https://h/|https://h//d/|\
     http://www\\.h/d/|https://h/alias/|https://likely/|https://hh/)(e/|f/|f/g/|e/f/)?\
     (p\\.html|q\\.html|x\\.html|index\\.html|g|x%20y\\.html|\\.)?(\\?a=b)?(#[a-z%2']{0,3})?|\
     #[a-z]{0,2}|mailto:x|/d/e/p\\.html|e/q\\.html&amp;x";

proptest! {
    #[test]
    fn absolute_documents_are_those_of_the_general_path(
        html in html("(\\.\\./){0,3}[a-z~./]{0,4}(\\?[a-z=&]{0,2})?(#[a-z%2']{0,4})?|https://[a-z.]{1,4}(:1)?/?|&amp;|\\$\\{x\\}|x\"y"),
        own in prop::sample::select(OWN),
        in_page_links in prop::sample::select(vec![InPageLinks::Keep, InPageLinks::Absolute]),
    ) {
        let own = absolute(own);
        let repository = Some(RepositoryUrls::new("https://h/", None));
        let policy = Policy::Absolute { base: None, repository, in_page_links };
        let ([fast, general], _) = both(&html, DocumentUrls::unmoved(&own), &policy);
        prop_assert_eq!(bytes(&fast, &html), bytes(&general, &html));
        prop_assert_eq!(&fast.references, &general.references);
        prop_assert_eq!(&fast.diagnostics, &general.diagnostics);
    }

    #[test]
    fn documents_of_a_site_are_those_of_the_general_path(
        html in html(SITE_REFERENCE),
        case in site_case(),
        file in prop::sample::select(FILES),
        is_served_anywhere in prop::sample::select(vec![false, false, false, true]),
    ) {
        let [before, after] = case.urls(file);
        let own = DocumentUrls { after: &after, is_served_anywhere, ..DocumentUrls::unmoved(&before) };
        let ([fast, general], _) = both(&html, own, &case.policy());
        prop_assert_eq!(bytes(&fast, &html), bytes(&general, &html));
        prop_assert_eq!(&fast.references, &general.references);
        prop_assert_eq!(&fast.diagnostics, &general.diagnostics);
    }
}

/// So that the properties compare two paths, and not the general path with itself.
#[test]
fn the_fast_path_decides_on_simple_references_of_all_policies() {
    let site = |form, moves| SiteCase {
        form,
        after: "https://h/d/",
        moves,
        pretty: PrettyUrls::default(),
        also: &[],
        likely: None,
    };
    let cases = [
        site(Some(RelativeForm::Path), false),
        site(Some(RelativeForm::Root), false),
        site(None, true),
        SiteCase { after: "https://n/", ..site(None, false) },
        SiteCase {
            pretty: PrettyUrls { offline: true, ..PrettyUrls::default() },
            ..site(Some(RelativeForm::Path), false)
        },
    ];
    for case in cases {
        for reference in [
            "#x", "p.html", "q.html#x", "../", "https://h/d/e/q.html", "https://h/d/e/p.html#x",
            "https://h/d/", "https://other/",
        ] {
            let html = format!("<a href=\"{reference}\">");
            let [before, after] = case.urls(FILES[3]);
            let own = DocumentUrls { after: &after, ..DocumentUrls::unmoved(&before) };
            let ([fast, general], is_fast) = both(&html, own, &case.policy());
            assert!(is_fast, "{case:?} {reference}");
            let [fast, general] = [fast, general].map(|it| bytes(&it, &html));
            assert_eq!(fast, general, "{case:?} {reference}");
        }
    }
}
