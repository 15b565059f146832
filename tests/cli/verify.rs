//! `rehref verify`, the real binary on real directories.

use std::fs;

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

const SITE: &[(&str, &str)] = &[
    ("index.html", "<p>\n<a href=a/b.html?x&amp;y#z>b</a> <img srcset='i.png 1x, /j.png 2x'>\n"),
    ("a/b.html", "<base href=../><link href=s.css><a href=index.html>i</a>"),
    ("s.css", "a { b: url(i.png) }"),
    ("i.png", "\u{1}\u{2}"),
];

/// A site, and what became of it in `out`.
fn absolute() -> TestDir {
    let dir = TestDir::with_site(SITE);
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    dir
}

#[test]
fn a_rewritten_site_is_the_same() {
    let dir = absolute();
    let run = dir.rehref(&["verify", "site", "out", "--url", URL]).status(0);
    let stdout = run.stdout();
    assert!(stdout.starts_with("no differences in "), "{stdout}");
    assert!(
        stdout.ends_with(
            "        6 links compared
        0   unchanged
        6   respelled, with the same target
in 3 documents, with 1 other file and 0 symbolic links
"
        ),
        "{stdout}"
    );
    assert_eq!(run.stderr(), "");
    let run = dir.rehref(&["verify", "site", "out", "--url", URL, "--quiet"]).status(0);
    assert_eq!(run.stdout(), "");
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn each_difference_is_shown() {
    let dir = absolute();
    let changed = dir.read("out/index.html").replace("a/b.html", "a/c.html").replace(">b<", ">B<");
    dir.write("out/index.html", changed.as_bytes());
    dir.write("out/i.png", b"\x01\x03");
    dir.write("out/new\nline.txt", b"");
    fs::remove_file(dir.path("out/s.css")).unwrap();
    let run = dir.rehref(&["verify", "site", "out", "--url", URL, "--quiet"]).status(1);
    assert_eq!(
        run.stdout(),
        "i.png: the files differ at byte 1
index.html:2:9: a href: resolves to a different URL
  before `a/b.html?x&y#z` -> https://example.org/docs/a/b.html?x&y#z
  after  `https://example.org/docs/a/c.html?x&y#z` -> https://example.org/docs/a/c.html?x&y#z
index.html:2:53: bytes outside of links differ
  before `b</a> <img srcset='`
  after  `B</a> <img srcset='`
s.css: AFTER has no such file
new\\nline.txt: BEFORE has no such file
"
    );
}

#[test]
fn a_reference_that_is_gone_is_placed_in_before() {
    let dir = TestDir::with_site(&[("p.html", "x\n<a href=y>")]);
    dir.write("out/p.html", b"x\n<a href=y");
    let run = dir.rehref(&["verify", "site", "out", "--quiet"]).status(1);
    assert_eq!(
        run.stdout(),
        "p.html:2:9 (in BEFORE): a href: the link is missing
  before `y` -> /y
p.html:2:10: bytes outside of links differ
  before `>`
  after  ``
"
    );
}

#[test]
fn only_the_first_are_shown() {
    let links = |target: &str| format!("<a href={target}>").repeat(60);
    let dir = TestDir::with_site(&[("p.html", &links("x"))]);
    dir.write("out/p.html", links("y").as_bytes());
    let lines = |arguments: &[&str]| {
        let run = dir.rehref(&[&["verify", "site", "out"], arguments].concat());
        run.status(1).stdout()
    };
    let shown = |text: &str| text.matches("resolves to a different URL").count();
    let few = lines(&["--quiet"]);
    assert_eq!(shown(&few), 50);
    assert!(few.ends_with("10 more differences not shown; verify --all prints all\n"), "{few}");
    assert_eq!(shown(&lines(&["--all"])), 60);
    let json: serde_json::Value = serde_json::from_str(&lines(&["--format", "json"])).unwrap();
    assert_eq!(json["differences"], 60);
    assert_eq!(json["references"]["compared"], 60);
    let differences = &json["different"][0]["differences"];
    assert_eq!(differences.as_array().unwrap().len(), 60);
    assert_eq!(differences[1]["kind"], "target");
    assert_eq!(differences[1]["position"]["column"], 19);
    assert_eq!(differences[1]["target"], "http://rehref.invalid/y");
}

#[test]
fn a_site_whose_url_changes() {
    let dir = TestDir::with_site(&[("p.html", "<a href=http://old/x><a href=/x><a href=x>")]);
    dir.write("out/p.html", b"<a href=http://new/d/x><a href=/d/x><a href=x>");
    let verify = |arguments: &[&str], status| {
        dir.rehref(&[&["verify", "site", "out", "--quiet"], arguments].concat())
            .status(status)
            .stdout()
    };
    let urls = ["--url", "http://old/", "--new-url", "http://new/d/"];
    assert_eq!(verify(&urls, 0), "");
    assert_eq!(verify(&urls[..2], 1).matches("resolves to a different URL").count(), 2);
    dir.write("out/p.html", b"<a href=http://www.new/d/x><a href=/d/x><a href=x>");
    verify(&urls, 1);
    verify(&[&urls[..], &["--also", "http://www.new/d/"]].concat(), 0);
}

#[test]
fn files_that_are_not_documents_must_be_equal() {
    let dir = TestDir::with_site(&[("p.html", "<a href=x>"), ("f.xml", "<a")]);
    dir.write("out/p.html", b"<a href=./x>");
    dir.write("out/f.xml", b"<b");
    let run = dir.rehref(&["verify", "site", "out", "--exclude", "*.html", "--quiet"]).status(1);
    let stdout = run.stdout();
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(
        lines[0].starts_with("f.xml: changed, although BEFORE cannot be parsed: not well-formed"),
        "{stdout}"
    );
    assert_eq!(lines[1..], ["p.html: the files differ at byte 8"]);
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;
    let dir = TestDir::with_site(&[("a/f", ""), ("p.html", "")]);
    dir.write("out/a/f", b"");
    dir.write("out/p.html", b"");
    for (link, before, after) in [
        ("same", "a/f", "a/f"),
        ("spelled", "a/f", "./a/f"),
        ("outside", "/x", "/x"),
        ("other", "a/f", "a/g"),
        ("away", "../x", "../y"),
    ] {
        symlink(before, dir.path("site").join(link)).unwrap();
        symlink(after, dir.path("out").join(link)).unwrap();
    }
    let run = dir.rehref(&["verify", "site", "out", "--quiet"]).status(1);
    assert_eq!(
        run.stdout(),
        "away: the symbolic link has a different target
  before `../x`
  after  `../y`
other: the symbolic link has a different target
  before `a/f`
  after  `a/g`
"
    );
}

#[test]
fn arguments_that_make_no_sense() {
    let dir = TestDir::with_site(&[("p.html", "")]);
    for (arguments, message) in [
        (&["site", "nowhere"][..], "nowhere: "),
        (&["site", "site/p.html"], "must be two directories, two documents or two archives"),
        (&["site", "site", "--url", "x"], "--url: `x` is not an absolute URL"),
        (&["site", "site", "--new-url", "http://h/"], "--url <URL>"),
        (&["site", "site", "--also", "x"], "--also: `x` is not an absolute URL"),
    ] {
        let run = dir.rehref(&[&["verify"], arguments].concat()).status(2);
        assert!(run.stderr().contains(message), "{}", run.stderr());
    }
}

#[test]
fn slashes_that_are_taken_away_are_no_differences() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=page/><a href=folder/?q#f>"),
        ("page.html", "<a href=#f><a href=''><a href=?q>"),
        ("folder/index.html", "<a href=#f>"),
    ]);
    let arguments = ["relative", "site", "-o", "out", "--verify", "--form=root"];
    let pretty = ["--directory-links=strip", "--trailing-slash=remove"];
    dir.rehref(&[&arguments[..], &pretty].concat()).status(0);
    for (path, expected) in [
        ("out/index.html", "<a href=/page><a href=/folder?q#f>"),
        ("out/page.html", "<a href=#f><a href=''><a href=/page.html?q>"),
        ("out/folder/index.html", "<a href=#f>"),
    ] {
        let found = std::fs::read_to_string(dir.path(path)).unwrap();
        assert_eq!(found, expected, "{path}");
    }
}
