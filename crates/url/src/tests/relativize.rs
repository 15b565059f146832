//! Relativizing: hard cases, and that what comes out always resolves back.

use crate::{RelativeForm, RelativizeOptions, Standard};

const SHORTEST: RelativizeOptions = RelativizeOptions {
    form: RelativeForm::Shortest,
    allow_empty: true,
    more_than_fragment: false,
};

/// Base, target, the shortest reference, and what is hard about it.
#[rustfmt::skip]
const HARD: &[(&str, &str, &str, &str)] = &[
    ("http://h/a/b", "https://h/a/b", "https://h/a/b", "different scheme"),
    ("http://h/a/b", "http://g/a/b", "//g/a/b", "different host"),
    ("http://h/a/b", "http://h:8080/a/b", "//h:8080/a/b", "different port"),
    ("http://h/a/b", "http://h/a/c", "c", "default port is dropped"),
    ("http://h/a/b", "http://u:p@h/a/b", "//u:p@h/a/b", "userinfo added"),
    ("http://u@h/a/b", "http://h/a/b", "//h/a/b", "userinfo differs from base's"),
    ("http://u@h/a/b", "http://u@h/a/c", "c", "same userinfo"),
    ("http://h/", "http://h/x", "x", "empty path (special scheme always has /)"),
    ("http://h/a", "http://h/", ".", "to root"),
    ("http://h/a/b", "http://h/", "/", "to root from root dir file"),
    ("foo://h", "foo://h/x", "x", "empty path, non-special"),
    ("foo://h/a", "foo://h", "//h", "to empty path, non-special"),
    ("http://h/a/b", "http://h/a/", ".", "to own directory"),
    ("http://h/a/b/c", "http://h/a/", "..", "to parent directory"),
    ("http://h/a/", "http://h/a", "/a", "directory vs file of same name"),
    ("http://h/a", "http://h/a/", "a/", "file to directory of same name"),
    ("http://h/a/", "http://h/a/b", "b", "child"),
    ("http://h/a/", "http://h/a/b/", "b/", "trailing slash child"),
    ("http://h/a/b", "http://h/a/this:that", "./this:that", "first segment has a colon"),
    ("http://h/a/b", "http://h/a/x/y:z", "x/y:z", "colon in later segment"),
    ("http://h/a/b/c", "http://h/a/y:z", "../y:z", "colon after .."),
    ("http://h/a/b", "http://h/a/1:2", "1:2", "colon, no scheme shape (1:2)"),
    ("http://h/", "http://h/a:b", "/a:b", "colon at root"),
    ("http://h/a//b", "http://h/a//c", "c", "// inside path, common"),
    ("http://h/a/b", "http://h/a//c", ".//c", "target's // right after common dir"),
    ("http://h/a", "http://h//b", ".//b", "path starts with //"),
    ("http://h//a/b", "http://h/c", "/c", "base path starts with //"),
    ("foo:/a/b", "foo:/.//c", "/.//c", "non-special hostless // path"),
    ("http://h/a?x", "http://h/a?y", "?y", "query only"),
    ("http://h/a?x", "http://h/a", "a", "drop the query"),
    ("http://h/a/?x", "http://h/a/", ".", "drop the query at dir"),
    ("http://h/a", "http://h/a?", "?", "empty query vs none"),
    ("http://h/a?", "http://h/a", "a", "none vs base empty query"),
    ("http://h/a?x", "http://h/a?x#f", "#f", "same path, base query, fragment"),
    ("http://h/a?x", "http://h/a#f", "a#f", "drop query keep fragment"),
    ("http://h/a", "http://h/a#f", "#f", "fragment only"),
    ("http://h/a", "http://h/a#", "#", "empty fragment"),
    ("http://h/a", "http://h/a", "", "same document"),
    ("http://h/a#f", "http://h/a", "", "same document, base has fragment"),
    ("http://h/a/b", "http://h/a/c?x/../y", "c?x/../y", "query has slashes and dots"),
    ("http://h/a/b", "http://h/a/?x:y", ".?x:y", "query has colon"),
    ("http://h/a/b", "http://h/a/c", "c", "base has dot segments"),
    ("http://h/a/b/c", "http://h/d", "/d", "target encoded dots stay data? (no: %2e%2e is dots)"),
    ("http://h/a%2Fb/c", "http://h/a%2Fb/d", "d", "%2F is data"),
    ("http://h/a%c3/b", "http://h/a%C3/c", "/a%C3/c", "percent case differs"),
    ("http://h/~u/a", "http://h/%7Eu/b", "/%7Eu/b", "%7E vs ~"),
    ("http://h/%C3%A9/a", "http://h/%C3%A9/b", "b", "non-ASCII"),
    ("http://h/a/b", "http://h/a/c%20d", "c%20d", "space"),
    ("http://h/a/b", "http://h/a/index.html", "index.html", "index equivalence"),
    ("http://h/a/b;x", "http://h/a/b;y", "b;y", "params"),
    ("http://h/a/b/c/d", "http://h/a/x/y", "/a/x/y", "sibling tree"),
    ("http://h/a/b/c/d", "http://h/x", "/x", "nothing in common"),
    ("http://h/a/b", "http://h/x/y", "/x/y", "nothing in common, shorter as .."),
    ("file:///C:/a/b", "file:///C:/x", "/x", "file, same drive"),
    ("file:///C:/a/b", "file:///C:/", "/", "file, to drive root"),
    ("file:///C:/a/b", "file:///D:/x", "/D:/x", "file, other drive"),
    ("file:///a/b", "file:///x", "/x", "file, posix"),
    ("file:///a/b", "file://srv/x", "//srv/x", "file, host"),
    ("file://srv/a/b", "file://srv/x", "/x", "file, same host"),
    ("file:///a/b", "file:///C:/x", "/C:/x", "file, drive-like segment from posix"),
    ("mailto:a@b", "mailto:c@d", "mailto:c@d", "opaque base"),
    ("data:,x", "data:,x#f", "#f", "opaque same + fragment"),
    ("foo:/a/b", "foo:bar", "foo:bar", "hierarchical base, opaque target of the same scheme"),
    ("http://h/a/b", "http://h/a/..b", "..b", "segment is '..'-like name"),
    ("http://h/a/b", "http://h/a/...", "...", "segment only dots 3"),
    ("http://h/a/b", "http://h/a/c%5Cd", "c%5Cd", "backslash as data"),
    ("http://[::1]/a/b", "http://[::1]/a/c", "c", "IPv6"),
    ("http://xn--bcher-kva.example/a", "http://xn--bcher-kva.example/b", "b", "IDN"),
    ("ws://h/a/b", "ws://h/a/c", "c", "ws"),
    ("file:///C:/a/b", "file:///C:/a/c|/d", "./c|/d", "pipe drive-like first segment"),
];

#[test]
fn the_seventy_hard_cases() {
    for (base, target, shortest, what) in HARD {
        let actual = Standard::Whatwg.relativize(base, target, SHORTEST);
        assert_eq!(actual.as_deref(), Some(*shortest), "{what}");
        // Without the empty reference there is another one, or the target itself.
        let actual = Standard::Whatwg.relativize(base, target, RelativeForm::Shortest);
        assert!(actual.is_some_and(|reference| !reference.is_empty()), "{what}");
    }
    assert_eq!(HARD.len(), 70);
}

/// Base, target, style, and the reference or `-` for none.
#[rustfmt::skip]
const STYLED: &[(&str, &str, RelativeForm, &str)] = &[
    ("http://h/a/b", "http://h/a/b", RelativeForm::Path, "b"),
    ("http://h/a/b?q", "http://h/a/b?q", RelativeForm::Path, "?q"),
    ("http://h/a/b", "http://h/", RelativeForm::Path, ".."),
    ("http://h/a/b", "http://h/x", RelativeForm::Path, "../x"),
    ("http://h/a/b", "http://h/a/c:d", RelativeForm::Path, "./c:d"),
    ("http://h/a/b", "http://h/a//c", RelativeForm::Path, ".//c"),
    ("http://h/a/b", "http://g/a/b", RelativeForm::Path, "-"),
    ("http://h/a/b", "http://h/a/c", RelativeForm::Root, "/a/c"),
    ("http://h/a/b", "http://h//c", RelativeForm::Root, "/.//c"),
    ("http://h/a/b", "https://h/a/c", RelativeForm::Root, "-"),
    ("http://h/a/b", "http://h/a/c", RelativeForm::Scheme, "//h/a/c"),
    ("http://h/a/b", "http://g/", RelativeForm::Scheme, "//g"),
    ("http://h/a/b", "https://g/", RelativeForm::Scheme, "-"),
    ("http://h/a/b", "https://g/", RelativeForm::Shortest, "https://g/"),
    ("mailto:a", "mailto:b", RelativeForm::Path, "-"),
    ("data:,x", "data:,x#f", RelativeForm::Path, "#f"),
    ("file:///C:/a/b", "file:///D:/x", RelativeForm::Path, "-"),
    ("file:///C:/a/b", "file:///D:/x", RelativeForm::Root, "/D:/x"),
    ("file:///C:/a/b", "file:///x", RelativeForm::Scheme, "///x"),
    ("file:///C:/a/b", "file:///C:/x", RelativeForm::Root, "/x"),
    ("file:///C:/a/b", "file:///C:/D:/x", RelativeForm::Root, "/./D:/x"),
    ("file:///C:", "file:///C:/x", RelativeForm::Path, "x"),
    ("file:///C:", "file:///D:/x", RelativeForm::Path, "-"),
    ("file:///a", "file:///C:/x", RelativeForm::Path, "./C:/x"),
    ("file:///a/b", "file://srv/x", RelativeForm::Shortest, "//srv/x"),
    ("foo:/a/b", "foo:/.//c", RelativeForm::Path, "..//c"),
];

#[test]
fn every_style_keeps_its_shape() {
    for (base, target, style, expected) in STYLED {
        let actual = Standard::Whatwg.relativize(base, target, *style);
        assert_eq!(
            actual.as_deref().unwrap_or("-"),
            *expected,
            "{base} to {target}, style {style}"
        );
    }
}

/// Standard, base, target, path-style reference.
#[rustfmt::skip]
const OTHER_STANDARDS: &[(Standard, &str, &str, &str)] = &[
    (Standard::Rfc3986, "http://a/b/c/d;p?q", "http://a/b/c/1:2", "./1:2"),
    (Standard::Rfc3986, "http://a", "http://a/b", "b"),
    (Standard::Rfc3986, "x:a/b", "x:a/c", "c"),
    (Standard::Rfc3986, "http://a/b", "http://a/c/../d", "-"),
    (Standard::Rfc1808, "http://a/b/c/d;p?q", "http://a/b/c/d;x", ";x"),
    (Standard::Rfc1808, "http://a/b/c/d;p?q", "http://a/b/c/d;p?y", "?y"),
    (Standard::Rfc1808, "http://a/b/c/d;p?q", "http://a/b/c/;x", ".;x"),
    (Standard::Rfc1808, "http://a/b/c/d;p?q", "http://a/b/c/d;p", ";p"),
    (Standard::UrlDraft1996, "http://a/b/c/d;p?q", "http://a/../g", "../../../g"),
    (Standard::UrlDraft1996, "http://a/b/c/d", "http://a/b/g", "../g"),
    (Standard::Rfc1630, "magic://a/b/c//d/e/f", "magic://a/b/c//d/g", "../g"),
    (Standard::Rfc1630, "http://a/b/c/d", "http://a/b/c", "."),
    (Standard::Rfc1630, "http://a/b/c/d", "http://a/b/c/#s", "#s"),
    (Standard::Rfc3986, "http://a/b", "https://a/b", "-"),
];

#[test]
fn the_other_standards() {
    for (standard, base, target, expected) in OTHER_STANDARDS {
        let actual = standard.relativize(base, target, RelativeForm::Path);
        assert_eq!(actual.as_deref().unwrap_or("-"), *expected, "{standard}: {base} to {target}");
    }
    for standard in
        [Standard::Rfc3986, Standard::Rfc1808, Standard::UrlDraft1996, Standard::Rfc1630]
    {
        let (base, target) = ("http://a/b", "https://a/b");
        let actual = standard.relativize(base, target, RelativeForm::Shortest);
        assert_eq!(actual.as_deref(), Some(target), "{standard}");
    }
}

#[test]
fn a_fragment_alone_can_be_refused() {
    let wanted = RelativizeOptions { more_than_fragment: true, ..SHORTEST };
    for (standard, expected) in
        [(Standard::Whatwg, "b#f"), (Standard::Rfc3986, "b#f"), (Standard::Rfc1808, "b#f")]
    {
        let reference = standard.relativize("http://h/a/b", "http://h/a/b#f", wanted);
        assert_eq!(reference.as_deref(), Some(expected), "{standard}");
        let reference = standard.relativize("http://h/a/b#", "http://h/a/b?q#f", wanted);
        assert_eq!(reference.as_deref(), Some("?q#f"), "{standard}");
    }
}
