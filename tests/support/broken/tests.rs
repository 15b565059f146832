//! Do the judges themselves see what they should?

use std::path::Path;

use url::Url;

use super::{Judgement, Map, Place, judge_move, judge_relative};
use crate::support::TestDir;

const SITE: &str = "https://site.test/a/b/docs/";

fn is_html(path: &Path, _: &[u8]) -> bool {
    path.extension().is_some_and(|extension| extension == "html")
}

fn trees(before: &[(&str, &str)], after: &[(&str, &str)]) -> TestDir {
    let dir = TestDir::new();
    for (tree, files) in [("before", before), ("after", after)] {
        for (path, contents) in files {
            dir.write(&format!("{tree}/{path}"), contents.as_bytes());
        }
    }
    dir
}

fn moved(before: &[(&str, &str)], after: &[(&str, &str)], map: &[(&str, &str)]) -> Judgement {
    let dir = trees(before, after);
    let site = Url::parse(SITE).unwrap();
    let map = map.iter().copied().collect();
    let roots = (dir.path("before"), dir.path("after"));
    judge_move(&roots.0, &roots.1, &map, (&site, &site), &is_html)
}

#[track_caller]
fn fails(judgement: &Judgement, message: &str) {
    assert!(judgement.failures.iter().any(|line| line.contains(message)), "{judgement:#?}");
}

const PAGE: &str = "<a href='x.html?q#f'>x</a><img src=../i.png><a href=gone.html><a href='#f'>\
    <a href=../sub/><a href=https://other.test/y>";

fn before() -> Vec<(&'static str, &'static str)> {
    vec![
        ("lib/p.html", PAGE),
        ("lib/x.html", "<p>x"),
        ("i.png", "picture"),
        ("sub/index.html", "<a href=../lib/p.html>"),
    ]
}

const MAP: &[(&str, &str)] = &[("lib", "ref/lib"), ("sub/index.html", "sub/start.html")];

fn after(page: &'static str) -> Vec<(&'static str, &'static str)> {
    vec![
        ("ref/lib/p.html", page),
        ("ref/lib/x.html", "<p>x"),
        ("i.png", "picture"),
        ("sub/start.html", "<a href=../ref/lib/p.html>"),
    ]
}

const PAGE_AFTER: &str = "<a href='x.html?q#f'>x</a><img src=../../i.png><a href=gone.html>\
    <a href='#f'><a href=../../sub/start.html><a href=https://other.test/y>";

#[test]
fn a_move_done_well() {
    let judgement = moved(&before(), &after(PAGE_AFTER), MAP);
    assert_eq!(judgement.failures, [""; 0]);
    assert_eq!(judgement.before, judgement.after);
    let counts = (judgement.after.whole, judgement.after.broken);
    assert_eq!((counts, judgement.after.outside), ((5, 1), 1));
    let key = ("ref/lib/p.html".to_string(), "a href".to_string());
    assert_eq!(judgement.broken_after, [(key, 1)].into());
    assert_eq!(judgement.respelled, 3);
    // A broken one may stay with the old place of its folder, as long as nothing is there.
    let page: &'static str = PAGE_AFTER.replace("=gone", "=../../lib/gone").leak();
    assert_eq!(moved(&before(), &after(page), MAP).failures, [""; 0]);
}

#[test]
fn moves_done_badly() {
    for (from, to, message) in [
        ("../../i.png", "../i.png", "is broken"),
        ("x.html?q#f", "p.html?q#f", "leads to another file"),
        ("x.html?q#f", "x.html?q", "another query or fragment"),
        ("gone.html", "x.html", "was broken, leads somewhere"),
        ("../../sub/start.html", "../../sub/", "leads to another file"),
        ("'#f'", "'p.html'", "another query or fragment"),
        ("other.test/y", "other.test/z", "leads elsewhere"),
        ("<a href=gone.html>", "", "children became"),
        (">x<", ">y<", "the text differs"),
    ] {
        let page: &'static str = PAGE_AFTER.replacen(from, to, 1).leak();
        fails(&moved(&before(), &after(page), MAP), message);
    }
    let mut files = after(PAGE_AFTER);
    files[2].1 = "another";
    fails(&moved(&before(), &files, MAP), "the bytes differ");
    files[2].0 = "j.png";
    let judgement = moved(&before(), &files, MAP);
    fails(&judgement, "is not at i.png");
    fails(&judgement, "nothing was moved there");
}

#[cfg(unix)]
#[test]
fn symbolic_links_follow() {
    let dir = trees(&before(), &after(PAGE_AFTER));
    let site = Url::parse(SITE).unwrap();
    let judge = || {
        let roots = (dir.path("before"), dir.path("after"));
        let map = MAP.iter().copied().collect();
        judge_move(&roots.0, &roots.1, &map, (&site, &site), &is_html)
    };
    let link = |to: &str, at: &str| {
        let _ = std::fs::remove_file(dir.path(at));
        std::os::unix::fs::symlink(to, dir.path(at)).unwrap();
    };
    link("../i.png", "before/lib/link.png");
    link("../../i.png", "after/ref/lib/link.png");
    link("../../../usr/share/x", "before/lib/out");
    link("../../../usr/share/x", "after/ref/lib/out");
    assert_eq!(judge().failures, [""; 0]);
    link("../i.png", "after/ref/lib/link.png");
    fails(&judge(), "symbolic link");
}

#[test]
fn maps() {
    let map: Map = [("a", "x/a"), ("a/b.html", "c.html")].into_iter().collect();
    for (path, expected) in [
        ("a", "x/a"),
        ("a/b.html", "c.html"),
        ("a/b.html2", "x/a/b.html2"),
        ("a/d/e", "x/a/d/e"),
        ("ab", "ab"),
    ] {
        assert_eq!(map.of(path), expected);
    }
    assert_eq!(map.lines(), "a\tx/a\na/b.html\tc.html\n");
}

#[test]
fn places() {
    let dir = trees(&[("d/index.html", ""), ("e/ü %.html", ""), ("f", "")], &[]);
    let files = super::Files::of(&dir.path("before"));
    let site = Url::parse(SITE).unwrap();
    let folder = |path: &str, index: Option<&str>| Place::Folder {
        path: path.to_string(),
        index: index.map(str::to_string),
    };
    for (reference, expected) in [
        ("d/index.html#x", Place::File("d/index.html".to_string())),
        ("d/?q", folder("d", Some("d/index.html"))),
        ("d", folder("d", Some("d/index.html"))),
        ("e/", folder("e", None)),
        ("e/%c3%BC%20%25.html", Place::File("e/ü %.html".to_string())),
        ("", folder("", None)),
        ("f/", Place::Missing),
        ("d//index.html", Place::Missing),
        ("d%2Findex.html", Place::Missing),
        ("D/index.html", Place::Missing),
        ("../docs2/f", Place::Outside),
        ("https://site.test:444/a/b/docs/f", Place::Outside),
    ] {
        let target = site.join(reference).unwrap();
        assert_eq!(files.place(&site, &target), expected, "{reference}");
    }
}

#[test]
fn relative_trees() {
    let judge = |before: &str, after: &str| {
        let dir = trees(&[("s/p.html", before)], &[("s/p.html", after)]);
        let site = Url::parse(SITE).unwrap();
        let roots = (dir.path("before"), dir.path("after"));
        judge_relative(&roots.0, &roots.1, &site, &is_html)
    };
    let absolute = "<a href=https://site.test/a/b/docs/s/q.html><a href=https://site.test/>";
    let relative = "<a href=q.html><a href=https://site.test/>";
    assert_eq!(judge(absolute, relative).failures, [""; 0]);
    for (bad, message) in [
        (absolute, "is not relative"),
        ("<a href=/a/b/docs/s/q.html><a href=https://site.test/>", "is not relative"),
        ("<a href=r.html><a href=https://site.test/>", "leads elsewhere"),
        ("<a href=q.html>", "children"),
    ] {
        fails(&judge(absolute, bad), message);
    }
    // Whatever has become of the base element.
    let based = "<base href=https://site.test/a/b/docs/t/><a href=q.html><a href='#f'>";
    assert_eq!(judge(based, "<a href=../t/q.html><a href='../t/#f'>").failures, [""; 0]);
    let local = "<base href=../t/><img usemap='#m'><svg><use href='#i'/></svg>";
    let without = local.replace("<base href=../t/>", "");
    assert_eq!(judge(local, &without).failures, [""; 0]);
    // Others read it, without the document.
    let shared = "<meta property=og:image content=https://site.test/a/b/docs/i.png>";
    assert_eq!(judge(shared, shared).failures, [""; 0]);
    let canonical = "<link rel=canonical href=https://site.test/a/b/docs/i.html>";
    assert_eq!(judge(canonical, canonical).failures, [""; 0]);
    let sheet = "<link rel=stylesheet href=https://site.test/a/b/docs/i.css>";
    fails(&judge(sheet, sheet), "is not relative");
    let refresh = "<meta http-equiv=refresh content='0;url=https://site.test/a/b/docs/x'>";
    fails(&judge(refresh, refresh), "is not relative");
    fails(&judge(based, "<base><a href=../t/q.html><a href='#f'>"), "leads elsewhere");
    fails(&judge(based, "<base href=../t/><a href='#f'>"), "carriers");
}
