//! Every check, at the right place.

use super::{assert_found, found};
use crate::support::TestDir;

const URL: &[&str] = &["--url", "https://example.org/"];

#[test]
fn of_references() {
    for (page, expected) in [
        ("<a href=\"gone.html\">", &["1:10 broken-target gone.html"][..]),
        ("\n\t<a href=\" gone.html \">", &["2:12 broken-target  gone.html "]),
        ("é<p>ü<a href=gone.html>", &["1:14 broken-target gone.html"]),
        ("<img srcset=\"page.html 1x, gone.png 2x\">", &["1:28 broken-target gone.png"]),
        ("<style>\na { background: url(gone.png) }</style>", &["2:21 broken-target gone.png"]),
        ("<a href=PAGE.html?q#top>", &["1:9 wrong-case PAGE.html?q#top -> page.html?q#top"]),
        ("<a href=DIR>", &["1:9 wrong-case DIR -> dir/"]),
        ("<a href=ÉTÉ.html>", &["1:9 wrong-case ÉTÉ.html -> %C3%A9t%C3%A9.html"]),
        ("<a href=packed.html>", &["1:9 broken-target packed.html"]),
        ("<a href=x/once.html>", &["1:9 broken-target x/once.html -> dir/once.html"]),
        ("<a href=x/index.html>", &["1:9 broken-target x/index.html"]),
        ("<a href=dir/onec.html>", &["1:9 broken-target dir/onec.html -> dir/once.html"]),
        ("<a href=y.html>", &["1:9 broken-target y.html"]),
        ("<a href=noindex/>", &["1:9 directory-without-index noindex/"]),
        ("<a href=dir>", &["1:9 missing-trailing-slash dir -> dir/"]),
        ("<a href=../page.html>", &["1:9 escapes-root ../page.html -> page.html"]),
        (
            "<a href=https://example.org/page.html>",
            &["1:9 absolute-self-link https://example.org/page.html -> page.html"],
        ),
        ("<a href=file:///home/me>", &["1:9 local-leak file:///home/me"]),
        (
            "<img src=http://10.0.0.1/>",
            &[
                "1:10 mixed-content http://10.0.0.1/ -> https://10.0.0.1/",
                "1:10 local-leak http://10.0.0.1/",
            ],
        ),
        ("<a href='C:\\x.html'>", &["1:10 local-leak C:\\x.html"]),
        ("<a href=http://[::1/>", &["1:9 bad-url http://[::1/ -> http://[::1]/"]),
        ("<a href='page.html?a b'>", &["1:10 not-in-grammar page.html?a b -> page.html?a%20b"]),
        (
            "<a href=www.example.com>",
            &["1:9 scheme-lookalike www.example.com -> https://www.example.com"],
        ),
        (
            "<a href=http:www.example.com>",
            &["1:9 scheme-lookalike http:www.example.com -> http://www.example.com"],
        ),
        ("<img src=''>", &["1:11 empty-reference "]),
        (
            "<a href=https://a:b@example.com/>",
            &["1:9 password-in-url https://a:b@example.com/ -> https://example.com/"],
        ),
        ("<a href=https://example.com:25/>", &["1:9 odd-port https://example.com:25/"]),
        (
            "<script src=http://example.com/x.js></script>",
            &["1:13 mixed-content http://example.com/x.js -> https://example.com/x.js"],
        ),
        ("<a href='{{ url }}'>", &["1:10 template-markup {{ url }}"]),
        // What is no finding.
        (
            "<a href=javascript:x()><a href=mailto:x@y><a href=tel:1><a href=https://example.com/x>",
            &[],
        ),
        ("<link rel=preconnect href=//x.example><link rel=dns-prefetch href=gone>", &[]),
        ("<link rel=canonical href=https://example.org/>", &[]),
        ("<link rel=alternate hreflang=de href=https://example.org/dir/>", &[]),
        ("<a href='#'><a href='#top'><a href='page.html#'><a href='?q'><a href=''>", &[]),
    ] {
        let others = [
            "page.html",
            "dir/index.html",
            "dir/once.html",
            "noindex/x.txt",
            "packed.html.gz",
            "été.html",
            "x.html",
        ];
        let expected: Vec<String> = expected.iter().map(|it| format!("index.html:{it}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        assert_found(page, &others, URL, &expected);
    }
}

#[test]
fn of_whole_documents() {
    let dir = TestDir::with_site(&[
        ("base.html", "<title>x</title>\n<base href=\"dir/\">\n<base href=\"other/\">"),
        ("circle-1.html", "<meta http-equiv=refresh content='0;url=circle-2.html'>"),
        ("circle-2.html", "<meta http-equiv=refresh content='0;url=circle-1.html'>"),
        ("ids.html", "<p id=a>\n<p id=b><p id=a>"),
        ("late.html", "<a href=/ids.html><base href=/dir/><a href=x>"),
        ("opaque.html", "<base href='data:x'>"),
        ("self.html", "<meta http-equiv=refresh content='0;url=self.html'>"),
        ("slow.html", "<meta http-equiv=refresh content='30;url=slow.html'>"),
        ("stub.html", "<meta http-equiv=refresh content='0;url=ids.html'>"),
        ("dir/x", ""),
    ]);
    dir.write("site/bytes.html", b"<meta charset=utf-8>\ncaf\xe9");
    assert_eq!(
        found(&dir, &[]),
        [
            "base.html:2:13 base-relative dir/",
            "base.html:2:13 base-unused dir/",
            "base.html:3:13 base-multiple other/",
            "bytes.html:2:4 wrong-charset",
            "circle-1.html:1:41 meta-refresh-loop circle-2.html",
            "ids.html:2:15 duplicate-id a",
            "late.html:1:30 base-relative /dir/",
            "late.html:1:30 base-late /dir/",
            "opaque.html:1:13 base-opaque data:x",
            "self.html:1:41 meta-refresh-loop self.html",
        ]
    );
}

#[test]
fn of_labels_in_markdown() {
    let text = "# Bees\n\n[Honey][honey] [wax][] [pollen]\n\n<!-- rehref-ignore undefined-reference -->\n\
                [drone][gone]\n\n[queen][gone] x[0][1]\n\n[Honey]: bees.md\n[hive]: bees.md\n\n\
                <!-- rehref-ignore -->\n[larva]: bees.md\n";
    let dir = TestDir::with_site(&[("bees.md", text)]);
    assert_eq!(
        found(&dir, &[]),
        [
            "bees.md:3:16 undefined-reference [wax]",
            "bees.md:8:1 undefined-reference [queen][gone]",
            "bees.md:11:1 unused-definition [hive]: bees.md",
        ]
    );
    // Plugins of MkDocs find identifiers in all pages.
    dir.write("site/mkdocs.yml", b"");
    assert_eq!(found(&dir, &[]), ["bees.md:11:1 unused-definition [hive]: bees.md"]);
}

#[test]
fn a_section_in_another_file_is_suggested() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=b.html#gone><a href=b.html#twice><a href='b.html?q#ne%77s'>"),
        ("b.html", "<p id=x>"),
        ("d/c.html", "<p id=gone><p id=twice><a href=../b.html#gone>"),
        ("d/e.html", "<p id=twice><p id=news>"),
    ]);
    assert_eq!(
        found(&dir, &[]),
        [
            "a.html:1:9 broken-fragment b.html#gone -> d/c.html#gone",
            "a.html:1:29 broken-fragment b.html#twice",
            "a.html:1:51 broken-fragment b.html?q#ne%77s -> d/e.html?q#ne%77s",
            "d/c.html:1:32 broken-fragment ../b.html#gone -> #gone",
        ]
    );
    let run = dir.rehref(&["audit", "site", "--fix=moved", "-o", "out"]).status(1);
    assert!(run.stdout().contains("broken-fragment"), "{}", run.stdout());
    assert_eq!(
        dir.read("out/a.html"),
        "<a href=d/c.html#gone><a href=b.html#twice><a href='d/e.html?q#ne%77s'>"
    );
    assert_eq!(dir.read("out/d/c.html"), "<p id=gone><p id=twice><a href=#gone>");
    // Not a fix that is sure.
    dir.rehref(&["audit", "site", "--fix", "-o", "sure"]).status(1);
    assert_eq!(dir.read("sure/a.html"), dir.read("site/a.html"));
}

#[test]
fn orphans() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=a.html><img src=i.png><a href=dir/>"),
        ("a.html", "<link rel=stylesheet href=s.css>"),
        ("s.css", "a { b: url(deep.png) }"),
        ("i.png", ""),
        ("deep.png", ""),
        ("dir/index.html", ""),
        ("robots.txt", ""),
        ("lost.html", "<a href=lost.png>"),
        ("lost.png", ""),
    ]);
    assert_eq!(found(&dir, &[]), [""; 0]);
    assert_eq!(found(&dir, &["--entry", "/index.html"]), ["lost.html orphan", "lost.png orphan"]);
    assert_eq!(found(&dir, &["--entry", "/index.html", "--entry", "lost.html"]), [""; 0]);
    let run = dir.rehref(&["audit", "site", "-q", "--entry", "home.html"]).status(2);
    assert_eq!(
        run.stderr(),
        "error: --entry home.html: matches no file in SITE; give the pages where readers enter the site\n"
    );
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<a href=link.html#b><a href=link.html#nope><a href=folder/x.html#b>\
             <a href=folder/gone.html><a href=folder><a href=out/x.html><a href=outside.html#x>\
             <a href=dangling%2Ehtml><a href=loop.html>",
        ),
        ("real/x.html", "<p id=b>"),
        ("real/index.html", ""),
    ]);
    dir.write("elsewhere/x.html", b"");
    for (target, link) in [
        ("real/x.html", "link.html"),
        ("real", "folder"),
        ("../elsewhere", "out"),
        ("../elsewhere/x.html", "outside.html"),
        ("nothing", "dangling.html"),
        ("loop.html", "loop.html"),
        ("nothing", "unused.html"),
    ] {
        symlink(target, dir.path("site").join(link)).unwrap();
    }
    assert_eq!(
        found(&dir, &[]),
        [
            "index.html:1:29 broken-fragment link.html#nope",
            "index.html:1:76 broken-target folder/gone.html",
            "index.html:1:101 missing-trailing-slash folder -> folder/",
            "dangling.html dangling-symlink nothing",
            "loop.html dangling-symlink loop.html",
            "out dangling-symlink ../elsewhere",
            "outside.html dangling-symlink ../elsewhere/x.html",
            "unused.html dangling-symlink nothing",
        ]
    );
}

#[test]
fn a_page_is_not_where_its_own_links_moved_to() {
    let dir = TestDir::with_site(&[("a/old.html", "<a href=../b/old.html>")]);
    assert_eq!(found(&dir, &[]), ["a/old.html:1:9 broken-target ../b/old.html"]);
}

#[test]
fn a_finding_does_not_depend_on_other_links() {
    let link = "<a href=\"ilist#zz\">";
    let broken = "broken-target ilist#zz -> ilist.html#zz";
    assert_found(link, &["ilist.html", "other.html"], &[], &[&format!("index.html:1:10 {broken}")]);
    assert_found(
        &format!("<a href=\"other.html#nope\">{link}"),
        &["ilist.html", "other.html"],
        &[],
        &["index.html:1:10 broken-fragment other.html#nope", &format!("index.html:1:36 {broken}")],
    );
}

#[test]
fn an_address_without_its_scheme_is_an_error_where_its_target_is_missing() {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<a href=joe@example.com><a href=www.example.com/x><a href=www.example.org>",
        ),
        ("www.example.org", ""),
    ]);
    let run = dir.rehref(&["audit", "site", "-q"]).status(1);
    assert!(run.stdout().contains("2 errors"), "{}", run.stdout());
    assert!(!run.stdout().contains("warning"), "{}", run.stdout());
}

#[test]
fn what_browsers_do_not_load_is_no_link() {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<meta name=msapplication-config content=none><svg><path xlink:href=gone></svg>\
             <a href=fold.html#{{{>x</a>",
        ),
        (
            "a.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
             xml:base='d/'><path xlink:href='gone'/><a href='index.html'/><a href='gone'/></svg>",
        ),
        ("fold.html", "<p id={{{>"),
        (
            "app.webmanifest",
            "{\"protocol_handlers\": [{\"protocol\": \"web+x\", \"url\": \"open?u=%s\"}]}",
        ),
    ]);
    assert_eq!(
        found(&dir, &[]),
        [
            "a.svg:1:94 base-unused d/",
            "a.svg:1:154 broken-target gone",
            "app.webmanifest:1:54 broken-target open?u=%s",
            "index.html:1:87 not-in-grammar fold.html#{{{ -> fold.html#%7B%7B%7B",
        ]
    );
}

#[test]
fn names_of_things_are_no_links() {
    let page = "<head profile=/x><p itemscope itemid='#x' itemtype=/y><p itemscope itemid=thing>\
                <p itemscope itemid=page.html#x>";
    assert_found(page, &["page.html"], URL, &[]);
}

#[test]
fn data_names_things() {
    let page = "<script type=application/ld+json>{\"@context\": \"https://schema.org\", \
                \"@id\": \"https://example.org/#site\", \"image\": \"page.html#x\", \
                \"url\": \"https://example.org/gone.html\"}</script>\
                <p about='#me' resource='/you'>";
    let arguments = ["--json-ld", "--rdfa", "--url", "https://example.org/"];
    assert_found(
        page,
        &["page.html"],
        &arguments,
        &["index.html:1:137 broken-target https://example.org/gone.html"],
    );
}

#[test]
fn other_urls_of_the_site() {
    let arguments = ["--url", "https://example.org/d/", "--also", "http://old.example/"];
    assert_found(
        "<a href=http://old.example/x.html?q#f><a href=http://old.example/y/gone.html>",
        &["x.html"],
        &arguments,
        &[
            "index.html:1:9 absolute-self-link http://old.example/x.html?q#f -> x.html?q#f",
            "index.html:1:9 broken-fragment http://old.example/x.html?q#f",
            "index.html:1:47 broken-target http://old.example/y/gone.html",
        ],
    );
}

#[test]
fn placeholders_are_no_markup() {
    let dir = TestDir::with_site(&[(
        "search.xml",
        "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'>\n\
         <Url template='/find?q={searchTerms}'/><Url template='{{ url }}'/>\n\
         <Url template='/{language}/x'/><Url template='{base}/x'/></OpenSearchDescription>",
    )]);
    assert_eq!(
        found(&dir, &[]),
        [
            "search.xml:2:16 broken-target /find?q={searchTerms}",
            "search.xml:2:55 template-markup {{ url }}"
        ]
    );
}
