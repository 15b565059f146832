//! `rehref links`, the real binary on real directories.

use std::fs;
use std::path::Path;

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
        ("d/p.html", "<a href=../a.png>\n<a href=\"say &quot;hi&quot;, you\">"),
        ("a.png", ""),
        ("style.css", "a { b: url(a.png) }"),
    ])
}

#[test]
fn every_reference_is_a_record() {
    let run = site()
        .rehref(&["links", "site", "--url", "https://example.org/docs/", "--quiet"])
        .status(0);
    insta::assert_snapshot!("jsonl", run.stdout());
}

#[test]
fn as_a_table() {
    let dir = site();
    let run = dir.rehref(&["links", "site", "--format", "csv", "--quiet", "-j", "1"]).status(0);
    insta::assert_snapshot!("csv", run.stdout());
    dir.write("without/a.html", b"<p>");
    let run = dir.rehref(&["links", "without", "--format", "csv", "-q"]).status(0);
    assert_eq!(run.stdout().lines().count(), 1);
}

#[test]
fn what_cannot_be_read_is_said() {
    let dir = site();
    dir.write("site/feed.html.gz", b"x");
    let run = dir.rehref(&["links", "site", "--quiet", "--compressed"]).status(2);
    assert!(run.stderr().contains("error: feed.html.gz: "), "{}", run.stderr());
    assert_eq!(run.stdout().lines().filter(|line| line.contains("style.css")).count(), 1);
}

#[test]
fn help() {
    let run = TestDir::new().rehref(&["links", "--help"]).status(0);
    insta::assert_snapshot!("help", run.stdout());
}

#[test]
fn a_style_sheet_has_the_charset_of_its_pages() {
    // 表 in Shift_JIS ends in a backslash, which is an escape in CSS.
    let sheet = b"a { background: url(../img/\x95\x5C.png) } b { background: url(x.png) }";
    let dir = TestDir::with_site(&[("img/表.png", "")]);
    let page = b"<meta charset=shift_jis><link rel=stylesheet href='css/s.css'>";
    dir.write("site/p.html", page);
    dir.write("site/css/s.css", sheet);
    dir.write(
        "site/css/declared.css",
        b"@charset \"shift_jis\"; a { background: url(../img/\x95\x5C.png) }",
    );
    let found = |name: &str| {
        let run = dir.rehref(&["links", "site", "--quiet", "--include", name]).status(0);
        run.stdout().matches("\"file\":\"img/表.png\"").count()
    };
    assert_eq!(found("css/s.css"), 1);
    assert_eq!(found("declared.css"), 1);
    let arguments = ["absolute", "site", "-o", "out", "--verify", "--quiet"];
    dir.rehref(&[&arguments[..], &["--url", "https://example.org/"]].concat()).status(0);
    let after = std::fs::read(dir.path("out/css/s.css")).unwrap();
    assert_eq!(
        after.escape_ascii().to_string(),
        b"a { background: url(https://example.org/img/\x95\x5C.png) } \
          b { background: url(https://example.org/css/x.png) }"
            .escape_ascii()
            .to_string()
    );
    // Pages that differ say nothing.
    dir.write("site/q.html", b"<meta charset=koi8-r><link rel=stylesheet href=css/s.css>");
    assert_eq!(found("css/s.css"), 0);
}

/// The references that `links` prints with these arguments.
fn references(dir: &TestDir, arguments: &[&str]) -> Vec<String> {
    let run = dir.rehref(&[&["links", "site", "-q"], arguments].concat());
    let lines = run.status(0).stdout();
    let lines = lines.lines().map(|line| {
        let link: serde_json::Value = serde_json::from_str(line).unwrap();
        link["reference"].as_str().unwrap().to_owned()
    });
    lines.collect()
}

#[test]
fn links_are_filtered() {
    let dir = TestDir::with_site(&[
        (
            "a.html",
            "<a href=b.html#x><a href=gone.html><a href=mailto:x@e.org><a href=https://o.org/?a>\
             <a href='https://o.org/?a'><a href=d/><a href=d/index.html><a href='http://[::1'>",
        ),
        ("b.html", ""),
        ("d/index.html", ""),
    ]);
    let external = ["https://o.org/?a", "https://o.org/?a"];
    for (arguments, expected) in [
        (&["--only", "external"][..], &external[..]),
        (&["--only", "invalid,other"], &["mailto:x@e.org", "http://[::1"]),
        (&["--broken"], &["gone.html"]),
        (&["--to", "b.html"], &["b.html#x"]),
        (&["--to", "/b.html"], &["b.html#x"]),
        (&["--to", "d/"], &["d/", "d/index.html"]),
        (&["--to", "d/index.html"], &["d/", "d/index.html"]),
        (&["--to", "https://o.org/"], &external),
        (&["--to", "https://o.org/?a", "--broken"], &[]),
    ] {
        assert_eq!(references(&dir, arguments), expected, "{arguments:?}");
        let url = ["--url", "https://e.org/docs/"];
        let with_url = [arguments, &url].concat();
        if arguments != ["--to", "/b.html"] {
            assert_eq!(references(&dir, &with_url), expected, "{arguments:?}");
        }
    }
    let urls = ["links", "site", "-q", "--only", "external", "--format", "urls"];
    let urls = dir.rehref(&urls).status(0).stdout();
    assert_eq!(urls, "https://o.org/?a\n");
}

#[test]
fn no_placeholder_is_shown_for_a_url_that_nobody_knows() {
    let dir = TestDir::with_site(&[("d/a.html", "<a href=b.html#x><img src=/i.png>")]);
    for format in ["jsonl", "csv", "urls"] {
        let run = dir.rehref(&["links", "site", "--format", format]);
        let printed = run.stdout() + &run.stderr();
        assert!(!printed.contains("rehref.invalid"), "{printed}");
        assert!(printed.contains("/d/b.html#x"), "{printed}");
    }
}

/// A report that is not complete takes the place of no file.
#[test]
fn a_file_keeps_its_content_if_another_report_fails() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: no /dev/full");
        return;
    }
    let dir = TestDir::new();
    dir.write("site/a.html", b"<a href=b.html>");
    dir.write("old.csv", b"old");
    let run = dir.rehref(&[
        "links",
        "site",
        "--format",
        "jsonl=/dev/full",
        "--format",
        "csv=old.csv",
        "--format",
        "urls=new.txt",
    ]);
    let said = run.status(2).stderr();
    assert!(said.contains("error: /dev/full: "), "{said}");
    assert_eq!(fs::read_to_string(dir.path("old.csv")).unwrap(), "old");
    assert!(!dir.path("new.txt").exists());
}

#[test]
fn an_option_of_the_audit_alone_does_not_limit_links_of_stdin() {
    let dir = TestDir::with_site(&[]);
    let arguments =
        ["links", "-", "--url", "https://e.org/d/p.html", "--only", "external", "--format", "urls"];
    let run = dir.rehref_with_stdin(&arguments, b"<a href=x><a href=https://f.org/>");
    assert_eq!(run.status(0).stdout(), "https://f.org/\n");
}
