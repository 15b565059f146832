//! Kinds of documents: which files are pages, and what stdin is.

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// The files that `absolute` changes.
fn changed(dir: &TestDir, options: &[&str]) -> String {
    let common = ["absolute", "site", "--url", URL, "--dry-run", "-q"];
    let run = dir.rehref(&[&common[..], options].concat()).status(0);
    let stdout = run.stdout();
    let names = stdout.lines().filter_map(|line| line.split(": ").next());
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn source_code_is_no_page_whatever_its_first_bytes() {
    let page = "<!DOCTYPE html><html><a href=x>";
    let code = "<!-- the header -->\n<?php $x = \"<a href=\\\"x\\\">\"; ?>";
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=x>"),
        ("header.inc", code),
        ("index.php", page),
        ("script.pl", page),
        ("view.jsp", page),
        ("layout.html.erb", page),
        ("tool", code),
        ("template", "<!DOCTYPE html><html><? echo 1 ?><a href=x>"),
        ("README", "<b>Read</b> <a href=x>"),
        ("NOTES", "<!-- notes -->\nSee <a href=x>"),
    ]);
    assert_eq!(changed(&dir, &[]), "a.html");
    // The user knows better.
    assert_eq!(changed(&dir, &["--html", "index.php"]), "a.html index.php");
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn a_whole_page_is_a_page_under_any_other_name() {
    let dir = TestDir::with_site(&[
        ("page", "<!DOCTYPE html><a href=x>"),
        ("page.php?id=3", "<html><a href=x>"),
        ("old.html.bak", "<!-- (c) me --><title>x</title><a href=x>"),
        ("saved", "\n<?xml version='1.0'?>\n<html><a href='x'/></html>"),
    ]);
    assert_eq!(changed(&dir, &[]), "old.html.bak page page.php?id=3 saved");
}

/// The output of `absolute -` for `document`, retrieved from `url`.
fn filtered(url: &str, options: &[&str], document: &str) -> String {
    let arguments = [&["absolute", "-", "--url", url, "-q"], options].concat();
    let run = TestDir::new().rehref_with_stdin(&arguments, document.as_bytes());
    run.status(0).stdout()
}

#[test]
fn the_url_the_declaration_or_the_option_tells_what_stdin_is() {
    let css = "a{b:url(x)} /* <a href=y> */";
    let css_after = "a{b:url(https://example.org/x)} /* <a href=y> */";
    // In HTML, this element is not a link; in a feed it is.
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='x'/></feed>";
    let feed_after = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://example.org/feed/x'/></feed>";
    let rss = "<rss version='2.0'><channel><link>/x</link></channel></rss>";
    let rss_after =
        "<rss version='2.0'><channel><link>https://example.org/x</link></channel></rss>";
    let declared = |xml: &str| format!("<?xml version=\"1.0\"?>\n{xml}");
    for (url, options, before, after) in [
        ("https://example.org/s.css", &[][..], css, css_after),
        ("https://example.org/s", &["--kind", "css"], css, css_after),
        ("https://example.org/rss.xml", &[], rss, rss_after),
        ("https://example.org/rss.xml?v=1", &[], rss, rss_after),
        ("https://example.org/rss", &["--kind", "xml"], rss, rss_after),
        ("https://example.org/feed/", &["--kind", "xml"], feed, feed_after),
        ("https://example.org/rss", &[], &declared(rss), &declared(rss_after)),
        ("https://example.org/rss.php", &[], &declared(rss), &declared(rss_after)),
        (
            "https://example.org/robots.txt",
            &[],
            "Sitemap: /s.xml",
            "Sitemap: https://example.org/s.xml",
        ),
        ("https://example.org/", &[], "<a href=x>", "<a href=https://example.org/x>"),
        (
            "https://example.org/a.php",
            &[],
            "<div><a href=x>",
            "<div><a href=https://example.org/x>",
        ),
        (
            "https://example.org/a.xml",
            &["--kind", "html"],
            "<p><a href=x>",
            "<p><a href=https://example.org/x>",
        ),
    ] {
        assert_eq!(filtered(url, options, before), after, "{url} {options:?}");
    }
}

#[test]
fn xhtml_on_stdin_is_xhtml() {
    let page = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>\
        <head><title/></head><body><a href='x'/></body></html>";
    let expected = page.replace("'x'", "'https://example.org/x'");
    assert_eq!(filtered("https://example.org/page", &[], page), expected);
    // In HTML, the title would hold the rest of the page.
    let html = filtered("https://example.org/page", &["--kind", "html"], page);
    assert_eq!(html, page);
}

#[test]
fn stdin_that_is_no_document_by_its_url_is_refused() {
    for command in ["absolute", "relative", "base"] {
        let url = "https://example.org/app.js";
        let run = TestDir::new().rehref_with_stdin(&[command, "-", "--url", url], b"'<a href=x>'");
        let run = run.status(2);
        assert_eq!(
            run.stderr(),
            "error: stdin: the file name in https://example.org/app.js is not the name of a document; give the \
             kind, like --kind html\n"
        );
        assert_eq!(run.stdout(), "");
    }
}

#[test]
fn a_kind_for_a_directory_is_refused() {
    let dir = TestDir::with_site(&[("a.html", "")]);
    for command in ["absolute", "relative"] {
        let run = dir.rehref(&[command, "site", "-o", "out", "--kind", "xml"]);
        assert_eq!(
            run.status(2).stderr(),
            "error: --kind applies only to a single document; for files of SITE, use --html GLOB\n"
        );
    }
}

#[test]
fn base_takes_a_kind() {
    let dir = TestDir::new();
    dir.write("page", b"<div><base href=/b/>");
    let refused = dir.rehref(&["base", "page", "--url", URL]).status(2);
    let expected = "error: page: neither the name nor the first bytes identify a kind of document; give the \
                    kind, like --kind html\n";
    assert_eq!(refused.stderr(), expected);
    let run = dir.rehref(&["base", "page", "--url", URL, "--kind", "html"]);
    assert!(run.status(0).stdout().contains("https://example.org/b/"));
    let svg =
        "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><base href='/b/'/></svg>";
    let run =
        dir.rehref_with_stdin(&["base", "-", "--url", "https://example.org/x"], svg.as_bytes());
    assert!(run.status(0).stdout().contains("https://example.org/x  retrieval"));
}
