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
index.html:2:9: a href: the link has a different target
  before `a/b.html?x&y#z` -> https://example.org/docs/a/b.html?x&y#z
  after  `https://example.org/docs/a/c.html?x&y#z` -> https://example.org/docs/a/c.html?x&y#z
index.html:2:53: bytes outside of links differ
  before `b</a> <img srcset='`
  after  `B</a> <img srcset='`
s.css: the new tree has no such file
new\\nline.txt: the old tree has no such file
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
    let shown = |text: &str| text.matches("the link has a different target").count();
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
fn arguments_that_make_no_sense() {
    let dir = TestDir::with_site(&[("p.html", "")]);
    for (arguments, message) in [
        (&["site", "nowhere"][..], "nowhere: "),
        (&["site", "site/p.html"], "compares two directories, two documents or two archives"),
        (&["site", "site", "--url", "x"], "--url: `x` is not an absolute URL"),
        (&["site", "site", "--new-url", "http://h/"], "--url <URL>"),
        (&["site", "site", "--also", "x"], "--also: `x` is not an absolute URL"),
    ] {
        let run = dir.rehref(&[&["verify"], arguments].concat()).status(2);
        assert!(run.stderr().contains(message), "{}", run.stderr());
    }
}
