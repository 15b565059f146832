//! Documents without a retrieval URL (RFC 1808 section 3.4): what a caller gives as their URL counts for nothing.

use crate::fuzzing::mutation::Random;
use crate::fuzzing::soup::soup;
use crate::{DocumentUrls, Policy, rewrite_document};
use rehref_document::{Document, ParseOptions};
use rehref_url::{AbsoluteUrl, Standard, Url};

fn options(no_url: bool) -> ParseOptions {
    ParseOptions { no_url, ..ParseOptions::default() }
}

fn url(text: &str, standard: Standard) -> AbsoluteUrl {
    AbsoluteUrl::new(standard, Url::parse(text).unwrap())
}

/// `html` with absolute links; `None` where it is refused or does not change.
fn absolute(html: &[u8], own: &AbsoluteUrl, no_url: bool) -> Option<Vec<u8>> {
    let policy = Policy::absolute();
    let urls = DocumentUrls::unmoved(own);
    let result = rewrite_document(html, urls, &policy, &options(no_url)).ok()?;
    result.into_bytes(html)
}

/// Calls `check` with random HTML and a standard.
fn each_soup(check: impl Fn(&[u8], Standard)) {
    let mut random = Random::new(1808);
    for _ in 0..300 {
        let html = soup(&mut random, 400);
        Standard::all().for_each(|standard| check(&html, standard));
    }
}

#[test]
fn no_result_depends_on_a_url_that_does_not_exist() {
    each_soup(|html, standard| {
        let [one, other] = ["http://one.example/a/b", "file:///c/"].map(|text| {
            let own = url(text, standard);
            let document = Document::parse(html, &options(true)).ok();
            let bases = document.map(|document| document.base_urls(&own));
            let bases = bases.into_iter().flatten().map(|base| base.url);
            (absolute(html, &own, true), bases.collect::<Vec<_>>())
        });
        assert!(one == other, "{standard} {}", String::from_utf8_lossy(html));
    });
}

#[test]
fn with_an_absolute_base_element_the_url_does_not_matter() {
    // What the document URL resolves whatever the first `base` is: other ones, and what stands before it.
    let has_others = |html: &[u8]| {
        let text = String::from_utf8_lossy(html).to_ascii_lowercase();
        text.contains("<base") || text.contains("manifest")
    };
    each_soup(|html, standard| {
        if has_others(html) {
            return;
        }
        let html = [b"<base href=https://b.example/d/e>", html].concat();
        let own = url("http://own.example/a/b", standard);
        let results = [true, false].map(|no_url| absolute(&html, &own, no_url));
        assert!(results[0] == results[1], "{standard} {}", String::from_utf8_lossy(&html));
    });
}

#[test]
fn only_absolute_references_have_targets_without_a_base() {
    let own = url("http://own.example/a/b", Standard::Whatwg);
    for (html, expected) in [
        ("<a href=x>", None),
        ("<a href=#x>", None),
        ("<a href=//h/x>", None),
        ("<a href=http:x>", None),
        ("<a href=''>", None),
        ("<base href=d/><a href=x>", None),
        ("<base href=//h/><a href=x>", None),
        ("<base href='{{ x }}'><a href=x>", None),
        ("<base href=https://h/><a href=x>", Some("<base href=https://h/><a href=https://h/x>")),
        (
            "<a href=x><iframe srcdoc='<base href=https://h/><a href=x>'></iframe>",
            Some("<a href=x><iframe srcdoc='<base href=https://h/><a href=https://h/x>'></iframe>"),
        ),
    ] {
        let found = absolute(html.as_bytes(), &own, true);
        let found = found.map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(found.as_deref(), expected, "{html}");
    }
}
