//! References, what they are relative to, and what becomes of them.

use std::sync::Arc;

use super::*;
use crate::KnownPaths;
use crate::PrettyUrls;
use encoding_rs::UTF_8;
use rehref_document::Constraints;
use rehref_document::reference::Class;
use rehref_site::MovedUrls;
use rehref_site::{Entry, EntryKind, FileIndex, SiteUrl};
use rehref_url::{Span, Standard, Url};

fn decided(policy: &Policy, subject: &Subject<'_>) -> String {
    match policy.decide(subject) {
        Decision::AlreadyCorrect => "already correct".to_owned(),
        Decision::Skip { reason, .. } => reason.code().to_owned(),
        Decision::Change(edit) => edit.apply(subject.reference),
    }
}

fn subject<'r>(reference: &'r str, base: &'r AbsoluteUrl, after: &'r AbsoluteUrl) -> Subject<'r> {
    Subject {
        reference,
        known: reference,
        class: Class::Ordinary,
        constraints: Constraints::default(),
        base: Some(base),
        base_after: Some(after),
        page: None,
        names_folder: false,
        is_page: false,
        is_markdown: false,
        has_paths: false,
        is_unread: false,
        is_image: false,
        is_kept: false,
        span: Span { start: 0, end: 0 },
        own: base,
        own_after: base,
        is_compared: false,
        is_served_anywhere: false,
        base_follows_depth: false,
        encoding: UTF_8,
    }
}

#[test]
fn what_is_unknown_is_warned_of_where_its_base_changes() {
    let url = |text: &str| AbsoluteUrl::new(Standard::Whatwg, Url::parse(text).unwrap());
    let policy = unmoved("https://h/");
    let (page, folder) = (url("https://h/d/p.html"), url("https://h/d/"));
    let (other, root) = (url("https://h/e/p.html"), url("https://h/e/"));
    for (known, base, after, is_warned) in [
        ("", &page, &page, false),
        ("", &folder, &page, false),
        ("", &page, &other, true),
        ("", &folder, &root, true),
        ("/", &page, &other, false),
        ("https://", &page, &other, false),
        ("?a=", &folder, &page, true),
    ] {
        for (class, text) in [
            (Class::TemplateMarkup, format!("{known}{{{{ x }}}}")),
            (Class::RelativeOnly, format!("{known}x")),
        ] {
            let decision = policy.decide(&Subject { class, known, ..subject(&text, base, after) });
            let Decision::Skip { message, .. } = decision else {
                panic!("{text}: {decision:?}");
            };
            let message = message.unwrap_or_default();
            assert_eq!(message.contains("the base URL was"), is_warned, "{text} {message}");
        }
    }
}

#[test]
fn placeholders_stay() {
    let url = |text: &str| AbsoluteUrl::new(Standard::Whatwg, Url::parse(text).unwrap());
    let (page, other) = (url("https://h/d/p.xml"), url("https://h/e/f/p.xml"));
    let absolute = Policy::absolute();
    let moved = unmoved("https://h/");
    for (policy, reference, base, after, expected) in [
        (&absolute, "s?q={a}&p={b?}", &page, &page, "https://h/d/s?q={a}&p={b?}"),
        (&absolute, "/{a}/s", &page, &page, "https://h/{a}/s"),
        (&absolute, "../h?u=%s", &page, &page, "https://h/h?u=%s"),
        (&moved, "s?q={a}", &page, &other, "../../d/s?q={a}"),
        (&moved, "{a}/../s?q={b}", &page, &other, "inexpressible"),
    ] {
        let constraints = Constraints { placeholders: true, ..Constraints::default() };
        let decided = decided(policy, &Subject { constraints, ..subject(reference, base, after) });
        assert_eq!(decided, expected, "{reference}");
    }
}

fn absolute_by(standard: Standard, base: &str, reference: &str) -> String {
    let base = AbsoluteUrl::new(standard, Url::parse(base).unwrap());
    decided(&Policy::absolute(), &subject(reference, &base, &base))
}

fn absolute(base: &str, reference: &str) -> String {
    absolute_by(Standard::Whatwg, base, reference)
}

#[test]
fn absolute_references() {
    let base = "http://h/d/p.html";
    for (reference, expected) in [
        ("x", "http://h/d/x"),
        ("#f", "http://h/d/p.html#f"),
        ("", "http://h/d/p.html"),
        ("http://other", "already correct"),
        ("HTTP://Other/a b", "already correct"),
        (" https://other/ ", "already correct"),
        ("ht\ntp://other", "already correct"),
        ("http:x", "http://h/d/x"),
        ("https:x", "already correct"),
        ("//other", "http://other"),
        ("mailto:a@b", "not-hierarchical"),
        ("javascript:void(0)", "not-hierarchical"),
        ("data:,x", "not-hierarchical"),
        ("tel:+1", "not-hierarchical"),
        ("C:\\x", "not-hierarchical"),
        ("http://[::1", "bad-url"),
        ("//a b", "bad-url"),
        ("./a:b", "http://h/d/a:b"),
        ("file:///x", "already correct"),
    ] {
        assert_eq!(absolute(base, reference), expected, "{reference:?}");
    }
    for (standard, reference, expected) in [
        (Standard::Rfc1808, "../../g", "http://h/../g"),
        (Standard::Rfc3986, "../../../g", "http://h/g"),
        (Standard::UrlDraft1996, "#f", "same-document"),
        (Standard::UrlDraft1996, "", "same-document"),
        (Standard::Rfc1808, "http:x", "not-hierarchical"),
        (Standard::Rfc1808, "http://x", "already correct"),
        (Standard::Rfc1808, "mailto:x", "not-hierarchical"),
        (Standard::Rfc1630, "///g", "opaque-base"),
    ] {
        assert_eq!(absolute_by(standard, base, reference), expected, "{standard} {reference}");
    }
    assert_eq!(absolute("mailto:x", "y"), "opaque-base");
    assert_eq!(absolute("mailto:x", "#y"), "mailto:x#y");
}

fn site_url(url: &str) -> SiteUrl {
    SiteUrl::parse(url).unwrap().0
}

/// A site at `url` in which nothing moves, and whose references keep their form.
fn unmoved(url: &str) -> Policy {
    Policy::site(SitePolicy {
        form: None,
        base_elements: BaseElements::Drop,
        mapping: SiteMapping::unmoved(site_url(url)),
    })
}

/// The site https://h/d/ with a few files, some of which moved when it moved to `after`.
fn site(form: Option<RelativeForm>, after: &str) -> Policy {
    let entries: Vec<Entry> = ["a.html", "lib", "lib/index.html", "lib/x y.html", "old.html"]
        .into_iter()
        .map(|path| Entry {
            path: path.into(),
            kind: match path {
                "lib" => EntryKind::Directory,
                _ => EntryKind::File,
            },
        })
        .collect();
    let moved = |(old, new): (&str, &str)| (old.to_owned(), new.to_owned());
    let files = [
        ("lib/index.html", "new/lib/index.html"),
        ("lib/x%20y.html", "new/lib/x%20y.html"),
        ("old.html", "new/young.html"),
    ];
    let moves = form.is_none();
    Policy::site(SitePolicy {
        form,
        base_elements: BaseElements::Drop,
        mapping: SiteMapping {
            before: site_url("https://h/d/"),
            also: vec![site_url("http://www.h/d/"), site_url("https://h/alias/")],
            after: site_url(after),
            files: FileIndex::new(std::path::Path::new("/nowhere"), &entries),
            is_done: false,
            moved: if moves {
                MovedUrls::new(files.map(moved), [("lib", "new/lib")].map(moved)).into()
            } else {
                Arc::default()
            },
            pretty: PrettyUrls::default(),
            likely: Vec::new(),
            known: KnownPaths::default(),
            captured: None,
        },
    })
}

fn relative(style: RelativeForm, base: &str, own: &str, reference: &str) -> String {
    let [base, own] =
        [base, own].map(|url| AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()));
    decided(&site(Some(style), "https://h/d/"), &subject(reference, &base, &own))
}

#[test]
fn relative_references() {
    let own = "https://h/d/p/q.html";
    for (base, style, reference, expected) in [
        (own, RelativeForm::Path, "https://h/d/a.html", "../a.html"),
        (own, RelativeForm::Path, "https://h/d/ä.html?x#y", "../ä.html?x#y"),
        (own, RelativeForm::Path, "http://www.h/d/a.html", "../a.html"),
        (own, RelativeForm::Path, "//h/alias/p/", "."),
        (own, RelativeForm::Path, "/d/a.html", "../a.html"),
        (own, RelativeForm::Path, "./../p/a.html", "already correct"),
        (own, RelativeForm::Path, "#x", "already correct"),
        (own, RelativeForm::Path, "", "already correct"),
        (own, RelativeForm::Path, "https://h/d/p/q.html#x", "#x"),
        (own, RelativeForm::Path, "https://h/elsewhere", "already correct"),
        (own, RelativeForm::Path, "/elsewhere", "already correct"),
        (own, RelativeForm::Path, "../../../elsewhere", "already correct"),
        (own, RelativeForm::Path, "//other/x", "already correct"),
        (own, RelativeForm::Path, "mailto:x@h", "not-hierarchical"),
        (own, RelativeForm::Root, "#x", "already correct"),
        (own, RelativeForm::Scheme, "", "already correct"),
        (own, RelativeForm::Root, "?x", "/d/p/q.html?x"),
        (own, RelativeForm::Root, "../a.html", "/d/a.html"),
        (own, RelativeForm::Root, "https://h/d/a.html", "/d/a.html"),
        (own, RelativeForm::Root, "/d/a.html", "already correct"),
        (own, RelativeForm::Scheme, "../a.html", "//h/d/a.html"),
        // Under a base, everything resolves against it, but not afterwards.
        ("https://h/d/", RelativeForm::Path, "a.html", "../a.html"),
        ("https://h/d/", RelativeForm::Path, "#x", "..#x"),
        ("https://h/d/", RelativeForm::Path, "", ".."),
        ("https://h/d/", RelativeForm::Path, "?x", "..?x"),
        ("https://h/d/", RelativeForm::Path, "/x", "already correct"),
        ("https://h/d/", RelativeForm::Path, "../x", "../../x"),
        ("https://cdn/d/", RelativeForm::Path, "x", "https://cdn/d/x"),
        ("https://cdn/d/", RelativeForm::Path, "/x", "https://cdn/x"),
        ("https://cdn/d/", RelativeForm::Path, "//h/d/p/x", "x"),
        ("https://cdn/d/", RelativeForm::Path, "#x", "https://cdn/d/#x"),
    ] {
        assert_eq!(relative(style, base, own, reference), expected, "{base} {reference}");
    }
}

#[test]
fn demands_are_met() {
    let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse("https://h/d/p.css").unwrap());
    let policy = site(Some(RelativeForm::Path), "https://h/d/");
    let with = |reference: &str, constraints: Constraints| {
        decided(&policy, &Subject { constraints, ..subject(reference, &own, &own) })
    };
    let none = Constraints::default();
    let local = Constraints { more_than_fragment: true, ..none };
    let urls = Constraints { url_like: true, ..none };
    let absolute = Constraints { absolute: true, ..none };
    for (reference, constraints, expected) in [
        ("https://h/d/p.css#i", none, "#i"),
        ("https://h/d/p.css#i", local, "p.css#i"),
        ("https://h/d/x.js", none, "x.js"),
        ("https://h/d/x.js", urls, "./x.js"),
        ("https://h/d/x/", urls, "./x/"),
        ("https://h/x.js", urls, "already correct"),
        ("/d/x.js", urls, "./x.js"),
        ("https://h/d/x", absolute, "already correct"),
        ("https://h/alias/x", absolute, "https://h/d/x"),
        ("x", absolute, "already correct"),
    ] {
        assert_eq!(with(reference, constraints), expected, "{reference} {constraints:?}");
    }
}

#[test]
fn moved_targets_keep_their_authors_style() {
    let moved = |after: &str, base: &str, own: &str, reference: &str| {
        let [base, own] =
            [base, own].map(|url| AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()));
        decided(&site(None, after), &subject(reference, &base, &own))
    };
    let (a, lib) = ("https://h/d/a.html", "https://h/d/lib/x%20y.html");
    let new_lib = "https://h/d/new/lib/x%20y.html";
    for (base, own, reference, expected) in [
        (a, a, "old.html?q#f", "new/young.html?q#f"),
        (a, a, "/d/old.html", "/d/new/young.html"),
        (a, a, "//h/d/old.html", "//h/d/new/young.html"),
        (a, a, "https://h/d/old.html", "https://h/d/new/young.html"),
        (a, a, "http://www.h/d/old.html", "https://h/d/new/young.html"),
        (a, a, "./old", "new/young"),
        (a, a, "lib", "new/lib"),
        (a, a, "lib/", "new/lib/"),
        (a, a, "lib/?x", "new/lib/?x"),
        (a, a, "lib/x y.html", "new/lib/x y.html"),
        (a, a, "lib/missing.html", "new/lib/missing.html"),
        (a, a, "missing.html", "already correct"),
        (a, a, "a.html", "already correct"),
        (a, a, "http:old.html", "already correct"),
        (a, a, "https:old.html", "https://h/d/new/young.html"),
        (a, a, "https:a.html", "already correct"),
        (lib, new_lib, "x y.html", "already correct"),
        (lib, new_lib, "#f", "already correct"),
        (lib, new_lib, "../lib/", "already correct"),
        (lib, new_lib, "missing.html", "already correct"),
        (lib, new_lib, "../a.html", "../../a.html"),
        (lib, new_lib, "../old.html", "../young.html"),
        (lib, new_lib, "https://h/d/lib/", "https://h/d/new/lib/"),
    ] {
        assert_eq!(moved("https://h/d/", base, own, reference), expected, "{reference}");
    }
    for (reference, expected) in [
        ("a.html", "already correct"),
        ("/d/a.html", "/a.html"),
        ("https://h/d/a.html", "https://new/a.html"),
        ("/elsewhere", "https://h/elsewhere"),
        ("../elsewhere", "https://h/elsewhere"),
        ("/d/old.html", "/new/young.html"),
        ("https://h/d", "https://new/"),
    ] {
        assert_eq!(moved("https://new/", a, "https://new/a.html", reference), expected);
    }
}

#[test]
fn a_reference_that_escapes_the_root_still_escapes_it() {
    let [high, deep] = ["http://h/p.html", "http://h/a/p.html"]
        .map(|url| AbsoluteUrl::new(Standard::Whatwg, Url::parse(url).unwrap()));
    let policy = site(None, "https://h/d/");
    for (before, after, reference, expected) in [
        (&deep, &high, "../i/x", "i/x"),
        (&deep, &high, "../", "."),
        (&deep, &high, "x", "a/x"),
        (&deep, &high, "../../out?q", "../out?q"),
        (&deep, &high, "../../../out/", "../../out/"),
        (&high, &deep, "../out", "../../out"),
        (&high, &deep, "i/x", "../i/x"),
        (&high, &high, "../out", "already correct"),
        (&deep, &deep, "../b/../../out", "already correct"),
        (&high, &deep, "b//../../out", "../out"),
        (&deep, &high, "..\\../out", "../out"),
        (&deep, &high, "%2e%2e/../out", "../out"),
    ] {
        assert_eq!(decided(&policy, &subject(reference, before, after)), expected, "{reference}");
    }
}

#[test]
fn relative_drops_segments_that_escape_the_root() {
    let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse("http://h/a/p.html").unwrap());
    for (site_url, reference, expected) in [
        ("http://h/", "../../i/x", "../i/x"),
        ("http://h/", "%2e%2e/%2E./i/x", "../i/x"),
        ("http://h/", "..\\..\\i/x", "../i/x"),
        ("http://h/", "../../../", ".."),
        ("http://h/", "../../a/x?q#f", "x?q#f"),
        ("http://h/", "../b/../../i/x", "../i/x"),
        ("http://h/", "../i/../i/x", "already correct"),
        // Outside of the site nothing changes.
        ("http://h/a/", "../../i/x", "already correct"),
        ("http://h/a/", "../../a/x", "x"),
    ] {
        let policy = Policy::site(SitePolicy::relative(site_url, RelativeForm::Path).unwrap());
        assert_eq!(decided(&policy, &subject(reference, &own, &own)), expected, "{reference}");
    }
}
