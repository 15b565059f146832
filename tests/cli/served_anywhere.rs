//! Documents that servers send for URLs at any depth, the real binary on real directories.

use crate::support::TestDir;

const URL: &[&str] = &["--url", "https://h/d/"];

fn site(page: &str) -> TestDir {
    TestDir::with_site(&[
        ("404.html", page),
        ("v1/404.html", page),
        ("other.html", page),
        ("css/s.css", ""),
        ("v1/css/s.css", ""),
    ])
}

#[test]
fn an_error_page_gets_no_document_relative_links() {
    for (before, after) in [
        (
            "<link href=css/s.css><a href=#top><a href='?q'>",
            "<link href=/d/css/s.css><a href=#top><a href='?q'>",
        ),
        ("<a href=/d/css/s.css>", "<a href=/d/css/s.css>"),
        ("<a href=https://h/d/css/s.css>", "<a href=/d/css/s.css>"),
        ("<base href=/d/><a href=css/s.css>", "<a href=/d/css/s.css>"),
        // Scripts count from this base, which does not depend on the depth.
        (
            "<base href=/d/><script>x()</script><a href=/d/css/s.css>",
            "<base href=/d/><script>x()</script><a href=css/s.css>",
        ),
        (
            "<img srcset='a 1x, https://x.example/b 2x'>",
            "<img srcset='/d/a 1x, https://x.example/b 2x'>",
        ),
    ] {
        let dir = site(before);
        let arguments = ["relative", "site", "-o", "out", "--verify"];
        dir.rehref(&[&arguments, URL].concat()).status(0);
        assert_eq!(dir.read("out/404.html"), after);
        let audit = ["audit", "out", "--format", "jsonl", "-q"];
        let run = dir.rehref(&[&audit, URL].concat());
        let found = run.stdout();
        let found = found.lines().filter(|line| line.contains("depth-dependent"));
        // The page of another folder has root-relative links, too.
        assert_eq!(found.count(), 0, "{before}");
    }
    let dir = site("<a href=/d/css/s.css>");
    dir.rehref(&[&["relative", "site", "-o", "out"], URL].concat()).status(0);
    assert_eq!(dir.read("out/other.html"), "<a href=css/s.css>");
    assert_eq!(dir.read("out/v1/404.html"), "<a href=/d/css/s.css>");
}

#[test]
fn without_the_url_of_the_site_relative_links_stay_and_are_warned_of() {
    let dir = site("<a href=css/s.css><a href=/css/s.css>");
    let run = dir.rehref(&["relative", "site", "-o", "out", "--verify"]).status(0);
    assert_eq!(dir.read("out/404.html"), "<a href=css/s.css><a href=/css/s.css>");
    assert!(run.stderr().contains("at any depth"), "{}", run.stderr());
    for (page, links) in [
        ("<a href=css/s.css><a href=/css/s.css>", Some("did not change 1 document-relative link")),
        (
            "<a href=css/s.css><a href=#f><img src=i><a href='?q'><a href=../x>",
            Some("did not change 3 document-relative links"),
        ),
        ("<a href=/css/s.css><a href=https://h/x><a href=#f>", None),
        ("<base href=https://h/css/><a href=s.css>", None),
        ("<a href=mailto:x><img src=''>", None),
    ] {
        let dir = site(page);
        let stderr = dir.rehref(&["absolute", "site", "-o", "absolute"]).stderr();
        assert!(!stderr.contains("at any depth"), "{page}: {stderr}");
        let stderr = dir.rehref(&["relative", "site", "-o", "out"]).stderr();
        match links {
            Some(links) => assert!(stderr.contains(links), "{page}: {stderr}"),
            None => assert!(!stderr.contains("at any depth"), "{page}: {stderr}"),
        }
    }
}
