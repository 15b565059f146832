//! `rehref move`, the real binary on real directories.

use std::fs;

use crate::support::{TestDir, copy_tree, tree};

const URL: &str = "https://example.org/docs/";

fn site() -> TestDir {
    TestDir::with_site(&[
        (
            "index.html",
            "<link rel=stylesheet href=style.css><a href=guide/>g</a> <a href='guide/a.html#x'>a</a>\n\
             <a href=/docs/guide/b.html>b</a> <a href=https://example.org/docs/guide/missing.html>\n\
             <a href=about>about</a> <a href=https://elsewhere/>e</a>\n",
        ),
        ("about.html", "<a href='./'>home</a>"),
        ("style.css", "body { background: url(img/b.png) }"),
        ("img/b.png", "PNG"),
        (
            "guide/index.html",
            "<link rel=stylesheet href=../style.css><a href=a.html>a</a> <a href=../about.html>",
        ),
        ("guide/a.html", "<a href=b.html>b</a> <a href=#x> <a href=../guide/b.html>"),
        ("guide/b.html", "<a href=/docs/about.html>"),
    ])
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn in_place_does_what_out_does() {
    let dir = site();
    let moves = ["guide=help", "about.html=guide", "--url", URL];
    dir.rehref(&[&["move", "site", "-o", "out", "--quiet"][..], &moves].concat()).status(0);
    dir.rehref(&[&["move", "site", "--in-place", "--verify", "--quiet"][..], &moves].concat())
        .status(0);
    assert_eq!(tree(&dir.path("site")), tree(&dir.path("out")));
    let beside = fs::read_dir(dir.path("")).unwrap().count();
    assert_eq!(beside, 2, "nothing but SITE and OUT is left");
}

#[test]
#[cfg_attr(windows, ignore = "the site has symbolic links")]
fn a_dry_run_and_a_diff_say_what_would_be() {
    let dir = site();
    #[cfg(unix)]
    for (words, link) in [("guide/a.html", "a"), ("../about.html", "guide/about"), (".", "self")] {
        std::os::unix::fs::symlink(words, dir.path("site").join(link)).unwrap();
    }
    let moves = ["move", "site", "guide=help", "--quiet", "--url", URL];
    let run = dir.rehref(&[&moves[..], &["--dry-run"]].concat()).status(0);
    insta::assert_snapshot!("dry_run", run.stdout());
    let run = dir.rehref(&[&moves[..], &["--diff"]].concat()).status(0);
    dir.write("the.diff", run.stdout_bytes());
    copy_tree(&dir.path("site"), &dir.path("patched"));
    if dir.git("patched", &["apply", "../the.diff"]).is_none() {
        println!("skipped: no git");
        return;
    }
    dir.rehref(&[&moves[..], &["-o", "out"]].concat()).status(0);
    assert_eq!(tree(&dir.path("patched")), tree(&dir.path("out")));
}

#[cfg(unix)]
#[test]
fn a_site_that_stays_as_it_was_gets_no_redirects() {
    let dir = site();
    let before = tree(&dir.path("site"));
    // Longer than a system lets a path be.
    let request = format!("about.html={}.html", vec!["x".repeat(250); 20].join("/"));
    for to in ["list.json", "-"] {
        let run = dir
            .rehref(&[
                "move",
                "site",
                "--in-place",
                "--write-redirects",
                &format!("json={to}"),
                &request,
            ])
            .status(2);
        assert!(run.stderr().contains("the site is unchanged"), "{}", run.stderr());
        assert_eq!(run.stdout(), "");
        assert!(!dir.path("list.json").exists());
        assert!(tree(&dir.path("site")) == before);
    }
}
