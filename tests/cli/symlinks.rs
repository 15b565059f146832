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
fn a_symbolic_link_moves_with_the_links_through_it() {
    let dir = site();
    for (request, expected) in [
        (
            "latest=current",
            "current/a.html current/ current current/a v1/a.html current/en/x.html#t \
             current/list/ current/gone.html",
        ),
        (
            "v1=v2",
            "latest/a.html latest/ latest latest/a v2/a.html latest/en/x.html#t latest/list/ \
             latest/gone.html",
        ),
        (
            "v1/en=v1/english",
            "latest/a.html latest/ latest latest/a v1/a.html latest/english/x.html#t \
             latest/list/ latest/gone.html",
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
fn a_link_left_at_its_old_place_behind_a_symbolic_link_is_a_difference() {
    let dir = site();
    dir.rehref(&["move", "site", "v1/a.html=v1/b.html", "-o", "out", "-q"]).status(0);
    dir.write("map", b"v1/a.html\tv1/b.html\n");
    let verify = ["verify", "site", "out", "--map", "map", "-q"];
    dir.rehref(&verify).status(0);
    let right = dir.read("out/index.html");
    let wrong = right.replacen("latest/b.html", "latest/a.html", 1);
    dir.write("out/index.html", wrong.as_bytes());
    let run = dir.rehref(&verify).status(1);
    assert!(run.stdout().contains("latest/a.html"), "{}", run.stdout());
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
            "no such file; only the compressed v1/data.json.gz exists",
            "no such file; only the compressed latest/data.json.gz exists",
            "no such file",
        ]
    );
}

/// From another directory, the relative links of a page lead elsewhere, and nothing that rehref writes can be right for
/// both paths.
#[test]
fn pages_behind_symbolic_links_elsewhere_are_warned_of() {
    let dir = TestDir::with_site(&[
        ("en/a.html", "<a href=b.html>b</a>"),
        ("en/b.html", ""),
        ("en/x.css", ""),
    ]);
    for (link, target) in [
        ("site/fr-a.html", "en/a.html"),
        ("site/en/same.html", "a.html"),
        ("site/x.css", "en/x.css"),
        ("site/old/v1/latest", "../../en"),
    ] {
        std::fs::create_dir_all(dir.path("site/old/v1")).unwrap();
        std::os::unix::fs::symlink(target, dir.path(link)).unwrap();
    }
    let said = "2 symbolic links to documents in other directories";
    let url = ["--url", "https://h.example/"];
    for command in [
        &["absolute", "site", "-o", "out"][..],
        &["relative", "site", "-n"],
        &["move", "site", "en/b.html=en/c.html", "-n"],
        &["verify", "site", "out"],
        &["audit", "site"],
    ] {
        let stderr = dir.rehref(&[command, &url].concat()).stderr();
        assert_eq!(stderr.matches(said).count(), 1, "{command:?}: {stderr}");
        assert!(stderr.contains(": fr-a.html, old/v1/latest"), "{stderr}");
    }
}

/// A package has `jquery.js -> ../../javascript/jquery.js`; in a tree at another depth the link is dead.
#[test]
fn symbolic_links_that_only_the_output_breaks_are_warned_of() {
    let dir = TestDir::with_site(&[("a.html", "<a href=d/b.html>b</a>"), ("d/b.html", "")]);
    std::fs::create_dir(dir.path("deep")).unwrap();
    std::fs::write(dir.path("shared.js"), "").unwrap();
    for (link, target) in [
        ("site/shared.js", "../shared.js"),
        ("site/d/in.html", "../a.html"),
        ("site/dead.js", "../no.js"),
    ] {
        std::os::unix::fs::symlink(target, dir.path(link)).unwrap();
    }
    let said = "1 relative symbolic link out of SITE, dangling in the output; to write files in place of links, copy SITE with `cp -rL` first: shared.js\n";
    for command in [
        &["absolute", "site", "--url", "https://h.example/"][..],
        &["relative", "site"],
        &["move", "site", "d/b.html=d/c.html"],
    ] {
        let out = format!("deep/{}", command[0]);
        let stderr = dir.rehref(&[command, &["-o", &out]].concat()).status(0).stderr();
        assert!(stderr.contains(said), "{command:?}: {stderr}");
        // A tree beside SITE has what the link needs.
        let stderr = dir.rehref(&[command, &["-o", command[0]]].concat()).status(0).stderr();
        assert!(!stderr.contains("to nothing"), "{command:?}: {stderr}");
    }
}
