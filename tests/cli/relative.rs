//! `rehref relative`, the real binary on real directories.

use crate::support::{TestDir, tree};

const URL: &str = "https://example.org/docs/";

/// One document at `docs/d/p.html`, made relative with these options.
fn relative(html: &str, options: &[&str]) -> String {
    let own = ["relative", "-", "--url", "https://example.org/docs/d/p.html"];
    let run = TestDir::new().rehref_with_stdin(&[&own, options].concat(), html.as_bytes());
    run.status(0).stdout()
}

#[test]
fn a_base_goes_and_everything_counts_from_the_document() {
    for (before, after) in [
        ("<head><base href=\"/docs/\"><a href=\"d/x.html\">", "<head><a href=\"x.html\">"),
        (
            "<base target=_top href=/docs/><a href=#top><a href=''><a href>",
            "<base target=_top><a href=..#top><a href='..'><a href=\"..\">",
        ),
        (
            "<base href=https://cdn.example/a/><img src=x.png><img src=https://example.org/docs/i.png>",
            "<img src=https://cdn.example/a/x.png><img src=../i.png>",
        ),
        // Another base would begin to count.
        (
            "<base href=/docs/><base href=/other/><a href=x>",
            "<base href=\"\"><base href=../../other/><a href=../x>",
        ),
        ("<base href=/docs/ href=/other/><a href=x>", "<base href=\"\" href=/other/><a href=../x>"),
        // These do not count, and stay.
        ("<base href='javascript:x'><a href=x>", "<base href='javascript:x'><a href=x>"),
        (
            "<base href='{{ root }}'><a href=x><a href=/docs/y>",
            "<base href='{{ root }}'><a href=x><a href=/docs/y>",
        ),
        (
            "<template><base href=/docs/></template><a href=x>",
            "<template><base href=..></template><a href=x>",
        ),
        (
            "<base href=/docs/><iframe srcdoc='<base href=d/><a href=x>'>",
            "<iframe srcdoc='<a href=x>'>",
        ),
        (
            "<base href=/docs/><style>a{background:url(i.png);mask:url(#m)}</style><svg><use href=#u>",
            "<style>a{background:url(../i.png);mask:url(#m)}</style><svg><use href=#u>",
        ),
        (
            "<base href=/docs/><applet codebase=c code=A archive=a.jar>",
            "<applet codebase=../c code=A archive=a.jar>",
        ),
        (
            "<base href=/docs/d/e/f.html><map name=m></map><img usemap=#m><a href=#m><form action=''>",
            "<map name=m></map><img usemap=#m><a href=e/f.html#m><form action=''>",
        ),
    ] {
        assert_eq!(relative(before, &[]), after, "{before}");
    }
}

#[test]
fn carriers() {
    for (before, after) in [
        (
            "<img srcset='https://example.org/docs/a.png, /docs/d/b.png 2x'>",
            "<img srcset='../a.png, b.png 2x'>",
        ),
        (
            "<meta http-equiv=refresh content='0; url=https://example.org/docs/'>",
            "<meta http-equiv=refresh content='0; url=..'>",
        ),
        (
            "<script type=importmap>{\"imports\":{\"a\":\"https://example.org/docs/d/a.js\"}}</script>",
            "<script type=importmap>{\"imports\":{\"a\":\"./a.js\"}}</script>",
        ),
        (
            "<p style=\"background:url('https://example.org/docs/d/p.html#x')\">",
            "<p style=\"background:url('p.html#x')\">",
        ),
        (
            "<meta property=og:image content=https://example.org/docs/i.png>",
            "<meta property=og:image content=https://example.org/docs/i.png>",
        ),
    ] {
        assert_eq!(relative(before, &[]), after, "{before}");
    }
}

#[test]
fn options() {
    let page = "<base href=/docs/><a href=//example.org/x><a href=d/y>";
    for (options, after) in [
        (&["--form", "root"][..], "<a href=/x><a href=/docs/d/y>"),
        (&["--form", "scheme"], "<a href=//example.org/x><a href=//example.org/docs/d/y>"),
        (&["--base-element", "keep"], "<base href=..><a href=../x><a href=d/y>"),
    ] {
        assert_eq!(relative(page, options), after, "{options:?}");
    }
    let page = "<a href=http://www.example.org/docs/x><a href=http://other/x>";
    assert_eq!(
        relative(page, &["--also", "http://www.example.org/"]),
        "<a href=../x><a href=http://other/x>"
    );
}

#[test]
fn what_has_to_be_absolute_stays() {
    let dir = TestDir::with_site(&[
        (
            "sitemap.xml",
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.org/docs/x</loc></url></urlset>",
        ),
        (
            "feed.rss",
            "<rss><channel><link>https://example.org/docs/</link><description>&lt;a href=\"https://example.org/docs/x\"></description></channel></rss>",
        ),
        (
            "feed.atom",
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://example.org/docs/d/'><link href='x'/></feed>",
        ),
        ("robots.txt", "Sitemap: https://example.org/docs/sitemap.xml\n"),
    ]);
    dir.rehref(&["relative", "site", "-o", "out", "--url", URL, "--verify"]).status(0);
    let mut after = tree(&dir.path("site"));
    let atom = after.iter_mut().find(|(path, _)| path.ends_with("feed.atom"));
    atom.unwrap().1 =
        b"<feed xmlns='http://www.w3.org/2005/Atom' xml:base='d/'><link href='x'/></feed>".to_vec();
    assert_eq!(tree(&dir.path("out")), after);
}

/// A site with pretty URLs and names that are hard on disk.
fn pretty_site() -> TestDir {
    TestDir::with_site(&[
        (
            "index.html",
            "<a href=/docs/a/><a href=/docs/a/index.html><a href=a><a href=b/><a href=plain>\
             <a href='a b.html?x#y'><a href=page?id=3><a href=100%25.html><a href=b><a href=./>",
        ),
        ("a/index.html", "<a href=../><a href=../index.html>"),
        ("a b.html", ""),
        ("100%.html", ""),
        ("b/x.html", ""),
        ("page?id=3", ""),
        ("plain.html", ""),
    ])
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn offline_and_pretty_urls() {
    for (options, index, a) in [
        (
            &["--offline"][..],
            "<a href=a/index.html><a href=a/index.html><a href=a/index.html><a href=b/>\
             <a href=plain.html><a href='a b.html?x#y'><a href=\"page%3Fid=3\"><a href=100%25.html>\
             <a href=b><a href=index.html>",
            "<a href=../index.html><a href=../index.html>",
        ),
        (
            &["--directory-links", "strip"],
            "<a href=a/><a href=a/><a href=a><a href=b/><a href=plain><a href='a b.html?x#y'>\
             <a href=page?id=3><a href=100%25.html><a href=b><a href=./>",
            "<a href=../><a href=..>",
        ),
        (
            &["--directory-links", "add"],
            "<a href=a/index.html><a href=a/index.html><a href=a/index.html><a href=b/>\
             <a href=plain><a href='a b.html?x#y'><a href=page?id=3><a href=100%25.html><a href=b>\
             <a href=index.html>",
            "<a href=../index.html><a href=../index.html>",
        ),
        (
            &["--trailing-slash", "add"],
            "<a href=a/><a href=a/index.html><a href=a/><a href=b/><a href=plain>\
             <a href='a b.html?x#y'><a href=page?id=3><a href=100%25.html><a href=b/><a href=./>",
            "<a href=../><a href=../index.html>",
        ),
        (
            &["--trailing-slash", "remove"],
            "<a href=a><a href=a/index.html><a href=a><a href=b/><a href=plain>\
             <a href='a b.html?x#y'><a href=page?id=3><a href=100%25.html><a href=b><a href=./>",
            "<a href=../><a href=../index.html>",
        ),
    ] {
        let dir = pretty_site();
        let arguments = ["relative", "site", "-o", "out", "--url", URL, "--verify"];
        dir.rehref(&[&arguments, options].concat()).status(0);
        assert_eq!(dir.read("out/index.html"), index, "{options:?}");
        assert_eq!(dir.read("out/a/index.html"), a, "{options:?}");
        dir.rehref(&["verify", "site", "out", "--url", URL, "--same-file"]).status(0);
    }
}

#[test]
fn without_a_url_the_site_is_the_root_of_a_server() {
    let dir = TestDir::with_site(&[(
        "a/p.html",
        "<base href=/><a href=a/x><a href=/b><a href=https://example.org/a/p.html>",
    )]);
    let run = dir.rehref(&["relative", "site", "-o", "out", "--verify"]).status(0);
    assert_eq!(
        dir.read("out/a/p.html"),
        "<a href=x><a href=../b><a href=https://example.org/a/p.html>"
    );
    assert!(
        run.stderr().starts_with("note: no --url: assuming that SITE is at the root of its host"),
        "{}",
        run.stderr()
    );
}

#[test]
fn usage_errors() {
    let dir = TestDir::with_site(&[]);
    std::fs::create_dir_all(dir.path("site")).unwrap();
    for (arguments, message) in [
        (&["site", "--dry-run", "--offline", "--form", "root"][..], "--offline needs --form path"),
        (&["-", "--url", "https://h/x", "--offline"], "--offline does not apply"),
        (&["-"], "SITE is -, so --url is required"),
        (&["site", "--dry-run", "--also", "x"], "--also: `x` is not an absolute URL"),
        (&["site", "--in-place", "--verify"], "use --out instead of --in-place"),
        (&["site"], "no output: add --out DIR"),
    ] {
        let run = dir.rehref(&[&["relative"], arguments].concat()).status(2);
        assert!(run.stderr().contains(message), "{arguments:?}: {}", run.stderr());
    }
}

#[test]
fn help() {
    let run = TestDir::new().rehref(&["relative", "--help"]).status(0);
    insta::assert_snapshot!(run.stdout());
}

#[test]
fn a_scheme_alone_stays_where_readers_need_an_absolute_url() {
    let feed = "<rss><channel><link>https:</link></channel></rss>";
    let dir = TestDir::with_site(&[("d/feed.xml", feed), ("index.html", "")]);
    let options = ["-o", "out", "--url", "https://h/", "--verify"];
    dir.rehref(&[&["relative", "site"], &options[..]].concat()).status(0);
    assert!(dir.read("out/d/feed.xml").contains("<link>https:"));
}
