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
        ("<map name=m></map><img src=x.png usemap=x.html#m><img src=x.png usemap='#m'>", &[]),
        ("<map name=m></map><img src=x.png usemap='#n'>", &["1:42 broken-fragment #n"]),
        ("<map name=m></map><img src=x.png usemap='#M'>", &["1:42 broken-fragment #M -> #m"]),
        ("<map name=m></map><img src=x.png usemap=m>", &["1:41 broken-fragment m -> #m"]),
        ("<a href='mailto:'><a href='mailto:?subject=x'>", &["1:10 bad-address mailto:"]),
        ("<a href='mailto:a@b.c,d'>", &["1:10 bad-address mailto:a@b.c,d"]),
        ("<a href='mailto:@b.c'>", &["1:10 bad-address mailto:@b.c"]),
        ("<a href='mailto:a@b.c?subject=5%'>", &["1:10 bad-address mailto:a@b.c?subject=5%"]),
        ("<a href='tel:'><a href='tel:+1-2;ext=3'>", &["1:10 bad-address tel:"]),
        ("<a href='TEL:x'>", &["1:10 bad-address TEL:x"]),
        (
            "<p><img><IMG alt=x><img data-src=x.png><img :src=x><template><img></template>",
            &["1:4 missing-url", "1:9 missing-url"],
        ),
        ("<link rel=icon><link imagesrcset=x.png rel=preload as=image>", &["1:1 missing-url"]),
        ("<svg><link></link></svg>", &[]),
        ("<meta property=og:image content=''>", &["1:34 empty-reference "]),
        ("<a href=''>", &["1:10 empty-reference "]),
        (
            "<meta http-equiv=refresh content='3s;url=x.html'>",
            &["1:35 unread-refresh 3s;url=x.html -> 3; url=x.html"],
        ),
        ("<a href='x.html'><a href=\"page.html><a href=y.html>", &["1:26 unclosed-quote"]),
        ("<a href=x.html><a href", &[]),
        // What is no finding.
        (
            "<a href=javascript:x()><a href=mailto:x@y><a href=tel:1><a href=https://example.com/x>",
            &[],
        ),
        ("<link rel=preconnect href=//x.example><link rel=dns-prefetch href=gone>", &[]),
        ("<link rel=canonical href=https://example.org/>", &[]),
        ("<link rel=alternate hreflang=de href=https://example.org/dir/>", &[]),
        ("<a href='#'><a href='#top'><a href='page.html#'><a href='?q'>", &[]),
    ] {
        let others = [
            "page.html", "dir/index.html", "dir/once.html", "noindex/x.txt", "packed.html.gz",
            "été.html", "x.html", "x.png",
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
