//! `rehref links`, the real binary on real directories.

use crate::support::TestDir;

fn site() -> TestDir {
    TestDir::with_site(&[
        (
            "index.html",
            "<base href=\"/docs/\">\n<a href=\"d/p.html?q#f\">x</a> <a href=d/>\n\
             <img src=missing.png srcset=\"a.png 1x, https://cdn.example/b.png 2x\">\n\
             <a href=mailto:x@y> <a href=\"{{ x }}\"> <img src=\"\"> <a href=\"http://[\">\n\
             <p style=\"background: url('a.png')\"><iframe srcdoc=\"<a href=&quot;a.png&quot;>\"></iframe>",
        ),
        (
            "d/p.html",
            "<a href=../a.png>\n<a href=\"say &quot;hi&quot;, you\">",
        ),
        ("a.png", ""),
        ("style.css", "a { b: url(a.png) }"),
    ])
}

#[test]
fn every_reference_is_a_record() {
    let run = site()
        .rehref(&[
            "links",
            "site",
            "--url",
            "https://example.org/docs/",
            "--quiet",
        ])
        .status(0);
    insta::assert_snapshot!("jsonl", run.stdout());
}

#[test]
fn as_a_table() {
    let dir = site();
    let run = dir
        .rehref(&["links", "site", "--format", "csv", "--quiet", "-j", "1"])
        .status(0);
    insta::assert_snapshot!("csv", run.stdout());
    std::fs::create_dir(dir.path("empty")).unwrap();
    let run = dir
        .rehref(&["links", "empty", "--format", "csv", "-q"])
        .status(0);
    assert_eq!(run.stdout().lines().count(), 1);
}

#[test]
fn what_cannot_be_read_is_said() {
    let dir = site();
    dir.write("site/feed.xml", b"<rss>");
    let run = dir.rehref(&["links", "site", "--quiet"]).status(2);
    assert!(
        run.stderr()
            .contains("error: feed.xml: not well-formed XML"),
        "{}",
        run.stderr()
    );
    assert_eq!(
        run.stdout()
            .lines()
            .filter(|line| line.contains("style.css"))
            .count(),
        1
    );
}

#[test]
fn help() {
    let run = TestDir::new().rehref(&["links", "--help"]).status(0);
    insta::assert_snapshot!("help", run.stdout());
}
