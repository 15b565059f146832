//! Index pages: visitors read them at the URLs of their folders.

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

const TABLE_OF_CONTENTS: &str =
    "<a href=#top><a href='?p=2'><a href=index.html><a href=index.html#top><a href=x.html>";

/// `site/d/index.html` and `site/d/index.htm` after a command, with these further arguments.
fn rewritten(page: &str, arguments: &[&str]) -> String {
    let dir = TestDir::with_site(&[
        ("d/index.html", page),
        ("d/index.htm", "<a href=#top>"),
        ("d/x.html", "<a href=#top>"),
    ]);
    let arguments = [arguments, &["site", "-o", "out", "--url", URL, "--verify"]].concat();
    dir.rehref(&arguments).status(0);
    ["index.html", "index.htm", "x.html"]
        .map(|page| dir.read(&format!("out/d/{page}")))
        .join("\n")
        .replace("https://example.org/docs/", "/")
}

#[test]
fn fragments_and_queries_of_an_index_page_stay_on_the_url_of_its_folder() {
    assert_eq!(
        rewritten(TABLE_OF_CONTENTS, &["absolute"]),
        "<a href=/d/#top><a href='/d/?p=2'><a href=/d/index.html><a href=/d/index.html#top><a href=/d/x.html>\n\
         <a href=/d/index.htm#top>\n<a href=/d/x.html#top>"
    );
    assert_eq!(
        rewritten(TABLE_OF_CONTENTS, &["absolute", "--no-index-files"]),
        "<a href=/d/index.html#top><a href='/d/index.html?p=2'><a href=/d/index.html>\
         <a href=/d/index.html#top><a href=/d/x.html>\n\
         <a href=/d/index.htm#top>\n<a href=/d/x.html#top>"
    );
    assert_eq!(
        rewritten("<a href=#top>", &["absolute", "--index-files", "x.html, y"]),
        "<a href=/d/index.html#top>\n<a href=/d/index.htm#top>\n<a href=/d/#top>"
    );
}

#[test]
fn a_compressed_index_page_has_the_url_of_its_folder() {
    let dir = TestDir::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, b"<a href=#top>").unwrap();
    dir.write("site/index.html.gz", &gzip.finish().unwrap());
    let run = dir.rehref(&["links", "site", "--url", URL, "--compressed"]);
    let run = run.status(0).stdout();
    assert!(run.contains(r#""target":"https://example.org/docs/#top""#), "{run}");
}

#[test]
fn relative_links_of_an_index_page_are_counted_from_its_folder() {
    let page = "<a href=https://example.org/docs/d/#top><a href=https://example.org/docs/d/>\
                <a href=https://example.org/docs/d/index.html#top><a href=#top>";
    let arguments = ["relative", "site", "-o", "out", "--url", URL, "--verify"];
    let relative = |more: &[&str]| {
        let dir = TestDir::with_site(&[("d/index.html", page), ("d/x.html", "")]);
        dir.rehref(&[&arguments, more].concat()).status(0);
        dir.read("out/d/index.html")
    };
    assert_eq!(relative(&[]), "<a href=#top><a href=.><a href=index.html#top><a href=#top>");
    assert_eq!(
        relative(&["--offline"]),
        "<a href=#top><a href=index.html><a href=#top><a href=#top>",
        "on disk, the page is the file"
    );
}

#[test]
fn fragments_of_a_page_stay_its_own_when_it_becomes_an_index_page() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=#top><a href='?p'><a href=a.html#top>"),
        ("d/index.html", "<a href=#top><a href='?p'><a href=./#top>"),
    ]);
    let arguments = ["move", "site", "-o", "out", "--url", URL, "--verify"];
    let moves = ["a.html=b/index.html", "d/index.html=d/main.html"];
    dir.rehref(&[&arguments[..], &moves].concat()).status(0);
    assert_eq!(dir.read("out/b/index.html"), "<a href=#top><a href='?p'><a href=index.html#top>");
    assert_eq!(dir.read("out/d/main.html"), "<a href=#top><a href='?p'><a href=#top>");
}

#[test]
fn links_and_audit_know_index_pages_by_their_folders() {
    let dir = TestDir::with_site(&[
        ("d/main.htm", "<p id=top><a href=#top><a href=#nope>"),
        ("x.html", "<a href=d/#top><a href=d/#nope>"),
    ]);
    let site = ["site", "--url", URL, "--index-files", "main.htm"];
    let links = dir.rehref(&[&["links"], &site[..]].concat()).status(0).stdout();
    assert!(links.contains(r#""base":"https://example.org/docs/d/""#), "{links}");
    let audit = dir.rehref(&[&["audit", "--format", "jsonl"], &site[..]].concat());
    let audit = audit.status(1).stdout();
    assert_eq!(audit.matches("#nope").count(), 4, "{audit}");
    assert_eq!(audit.matches("broken-fragment").count(), 2, "{audit}");
}

#[test]
fn redirects_of_index_pages_follow_index_files() {
    let dir = TestDir::with_site(&[("d/main.htm", ""), ("d/index.html", ""), ("x.html", "")]);
    let arguments = ["move", "site", "-o", "out", "--url", URL, "d/main.htm=e/main.htm"];
    let format = ["--write-redirects", "netlify=-", "--index-files", "main.htm"];
    let run = dir.rehref(&[&arguments[..], &format].concat()).status(0);
    assert_eq!(
        run.stdout(),
        "# Written by rehref move\n/docs/d/ /docs/e/ 301\n/docs/d/main.htm /docs/e/main.htm 301\n"
    );
}

#[test]
fn index_pages_whose_links_to_themselves_change_are_named() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=#top>"),
        ("a/index.html", "<base href=b><a href=#top>"),
        ("b/index.html", "<a href=x.html>"),
        ("c.html", "<a href=#top>"),
    ]);
    let run = ["absolute", "site", "--dry-run", "--url", "https://e.org/"];
    let stderr = dir.rehref(&run).status(0).stderr();
    let note = "in-page links such as #top in 1 index file (index.html) become links to the URL of the directory";
    assert!(stderr.contains(note) && stderr.contains("index.html"), "{stderr}");
    for other in [&["--no-index-files"][..], &["--url", "file:"]] {
        let run = ["absolute", "site", "--dry-run"];
        let url: &[&str] = if other.len() == 1 { &["--url", "https://e.org/"] } else { &[] };
        let stderr = dir.rehref(&[&run, url, other].concat()).status(0).stderr();
        assert!(!stderr.contains("in-page links"), "{stderr}");
    }
}
