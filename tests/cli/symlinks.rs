//! Links through a symbolic link to a folder (`latest -> v1`), the real binary on real directories.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::TestDir;

/// A site with the symbolic links `latest -> v1` and `v1/en -> ../common/en`.
fn site() -> TestDir {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<a href=latest/a.html><a href=latest/><a href=latest><a href=latest/a>\
             <a href=v1/a.html><a href=latest/en/x.html#t><a href=latest/list/>\
             <a href=latest/gone.html>",
        ),
        ("v1/index.html", "<a href=a.html>"),
        ("v1/a.html", "<a href=./>"),
        ("v1/list/l.txt", ""),
        ("common/en/x.html", "<p id=t>"),
    ]);
    for (text, link) in [("v1", "latest"), ("../common/en", "v1/en")] {
        symlink(text, dir.path("site").join(link)).unwrap();
    }
    dir
}

/// `index.html` after a run that verifies its output.
fn index(dir: &TestDir, arguments: &[&str]) -> String {
    let run = [&arguments[..1], &["site", "-o", "out", "--verify", "--quiet"]].concat();
    dir.rehref(&[&run[..], &arguments[1..]].concat()).status(0);
    let index = dir.read("out/index.html");
    fs::remove_dir_all(dir.path("out")).unwrap();
    let references = index.split("<a href=").skip(1);
    let references: Vec<&str> = references.map(|it| it.trim_end_matches('>')).collect();
    references.join(" ")
}

#[test]
fn a_link_through_a_symbolic_link_follows_the_file() {
    let dir = site();
    for (request, expected) in [
        (
            "v1/a.html=v1/b.html",
            "latest/b.html latest/ latest latest/b v1/b.html latest/en/x.html#t latest/list/ \
             latest/gone.html",
        ),
        (
            "v1/a.html=other/b.html",
            "other/b.html latest/ latest other/b other/b.html latest/en/x.html#t latest/list/ \
             latest/gone.html",
        ),
        (
            "common/en/x.html=common/en/y.html",
            "latest/a.html latest/ latest latest/a v1/a.html latest/en/y.html#t latest/list/ \
             latest/gone.html",
        ),
        (
            "v1/list=v1/lists",
            "latest/a.html latest/ latest latest/a v1/a.html latest/en/x.html#t latest/lists/ \
             latest/gone.html",
        ),
    ] {
        assert_eq!(index(&dir, &["move", request]), expected, "{request}");
    }
}

#[test]
fn links_from_disk_and_to_index_files_go_through_a_symbolic_link() {
    let dir = site();
    for (arguments, expected) in [
        (
            &["relative", "--offline"][..],
            "latest/a.html latest/index.html latest/index.html latest/a.html v1/a.html \
             latest/en/x.html#t latest/list/ latest/gone.html",
        ),
        (
            &["relative", "--directory-links", "add"],
            "latest/a.html latest/index.html latest/index.html latest/a v1/a.html \
             latest/en/x.html#t latest/list/ latest/gone.html",
        ),
        (
            &["relative", "--trailing-slash", "remove"],
            "latest/a.html latest latest latest/a v1/a.html latest/en/x.html#t latest/list/ \
             latest/gone.html",
        ),
    ] {
        assert_eq!(index(&dir, arguments), expected, "{arguments:?}");
    }
    dir.write("site/index.html", b"<a href=latest/index.html>");
    let stripped = index(&dir, &["relative", "--directory-links", "strip"]);
    assert_eq!(stripped, "latest/");
}

#[test]
fn what_a_symbolic_link_leads_to_is_no_evidence_of_the_url() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>")]);
    let auto = ["absolute", "site", "--dry-run", "--url", "auto"];
    for (name, contents) in [
        ("CNAME", "elsewhere.example"),
        ("robots.txt", "Sitemap: https://elsewhere.example/a.html"),
        ("b.html", "<link rel=canonical href=https://elsewhere.example/b.html>"),
    ] {
        dir.write(name, contents.as_bytes());
        dir.write(&format!("site/{name}"), contents.as_bytes());
        dir.rehref(&auto).status(0);
        fs::remove_file(dir.path("site").join(name)).unwrap();
        symlink(dir.path(name), dir.path("site").join(name)).unwrap();
        dir.rehref(&auto).status(2);
        fs::remove_file(dir.path("site").join(name)).unwrap();
    }
}

#[test]
fn a_file_that_exists_only_compressed_is_found_through_a_symbolic_link() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=v1/data.json><a href=latest/data.json><a href=latest/gone.json>"),
        ("v1/data.json.gz", ""),
    ]);
    symlink("v1", dir.path("site/latest")).unwrap();
    let findings = dir.rehref(&["audit", "site", "--format", "jsonl"]);
    let messages: Vec<String> = findings
        .status(1)
        .stdout()
        .lines()
        .filter_map(|line| line.split_once("\"message\":\""))
        .filter_map(|(_, rest)| Some(rest.split_once('"')?.0.to_owned()))
        .collect();
    assert_eq!(
        messages,
        [
            "broken link: `v1/data.json` does not exist, but the compressed `v1/data.json.gz` does",
            "broken link: `latest/data.json` does not exist, but the compressed `latest/data.json.gz` does",
            "broken link: `latest/gone.json` does not exist",
        ]
    );
}
