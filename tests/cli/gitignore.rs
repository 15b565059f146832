//! `--gitignore`: what git ignores is not part of the site.

use std::path::Path;

use crate::support::{TestDir, tree};

const URL: &str = "https://e.org/";

/// A site in a directory that git ignores, with files that git ignores in it.
fn site() -> TestDir {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=a.html><a href=build/out.html>"),
        ("a.html", "<a href=index.html>"),
        (".gitignore", "build/\n*.tmp.html\n/draft.html\n"),
        ("build/out.html", "<a href=gone.html>"),
        ("docs/x.tmp.html", "<a href=gone.html>"),
        ("docs/draft.html", "<a href=../a.html>"),
        ("docs/kept/keep.tmp.html", "<a href=../../a.html>"),
        ("docs/kept/.gitignore", "!keep*\n"),
        ("draft.html", "<a href=gone.html>"),
        ("secret.html", "<a href=gone.html>"),
        ("local.html", "<a href=gone.html>"),
    ]);
    dir.write(".gitignore", b"/site/secret.html\n/site/\n");
    dir.write(".git/info/exclude", b"local.html\n");
    dir
}

fn files(path: &Path) -> Vec<String> {
    let names = tree(path);
    names.into_iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect()
}

const PUBLISHED: [&str; 6] = [
    ".gitignore", "a.html", "docs/draft.html", "docs/kept/.gitignore", "docs/kept/keep.tmp.html",
    "index.html",
];

#[test]
fn ignored_files_are_neither_read_nor_copied() {
    let dir = site();
    let audit = ["audit", "site", "--only", "broken-target"];
    let run = dir.rehref(&audit).status(1);
    assert!(run.stdout().contains("5 errors"), "{}", run.stdout());
    let run = dir.rehref(&[&audit[..], &["--gitignore"]].concat()).status(1);
    let expected = "index.html:1:24";
    assert!(run.stdout().contains(expected), "{}", run.stdout());
    assert!(run.stdout().contains("1 error in 4 documents"));
    let note = "note: --gitignore excludes 5 paths in the site: build, docs/x.tmp.html, draft.html and 2 more";
    assert!(run.stderr().contains(note), "{}", run.stderr());
    for url in [&[][..], &["--url", URL]] {
        let run = dir.rehref(&[&audit[..], &["--gitignore"], url].concat());
        let note = "note: the targets of 1 broken link exist, but git ignores these files";
        assert!(run.stderr().contains(note), "{}", run.stderr());
    }
    for command in [
        &["absolute", "site", "--url", URL, "--verify"][..],
        &["relative", "site", "--url", URL],
        &["audit", "site", "--fix", "--fail-on", "never"],
    ] {
        let output = ["--out", "out", "--gitignore", "-q", "--format", "json"];
        dir.rehref(&[command, &output].concat()).status(0);
        assert_eq!(files(&dir.path("out")), PUBLISHED, "{command:?}");
        let verify = ["verify", "site", "out", "--gitignore", "--url", URL, "-q"];
        dir.rehref(&verify).status(0);
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
    let links = dir.rehref(&["links", "site", "--gitignore", "-q"]);
    assert_eq!(links.status(0).stdout().lines().count(), 5);
    // The settings may say so, too.
    dir.write("rehref.toml", b"gitignore = true\n");
    let run = dir.rehref(&audit).status(1);
    assert!(run.stdout().contains("1 error in 4 documents"));
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn in_place_keeps_them() {
    let ignored = |dir: &TestDir| {
        let mut files = tree(&dir.path("site"));
        files.retain(|(path, _)| !PUBLISHED.contains(&&*path.to_string_lossy()));
        files
    };
    for arguments in [
        &["absolute", "site", "--url", URL][..],
        &["move", "site", "a.html=docs/a.html", "--verify"],
    ] {
        let dir = site();
        let before = ignored(&dir);
        assert_eq!(before.len(), 5);
        let in_place = ["--in-place", "--allow-dirty", "--gitignore"];
        dir.rehref(&[arguments, &in_place].concat()).status(0);
        let mut after = ignored(&dir);
        after.retain(|(path, _)| path != Path::new("docs/a.html"));
        assert!(after == before, "{arguments:?}");
    }
    // They move with their directory.
    let dir = site();
    let moved = ["move", "site", "docs=manual", "--gitignore", "-q"];
    dir.rehref(&[&moved[..], &["-o", "out"]].concat()).status(0);
    assert!(!dir.path("out/manual/x.tmp.html").exists());
    let in_place = ["--in-place", "--allow-dirty", "--verify"];
    dir.rehref(&[&moved[..], &in_place].concat()).status(0);
    assert!(dir.path("site/manual/x.tmp.html").exists() && !dir.path("site/docs").exists());
    let verify = ["verify", "site", "out", "--gitignore", "--url", URL, "-q"];
    dir.rehref(&verify).status(0);
}

#[test]
fn nothing_moves_onto_them_or_from_them() {
    let dir = site();
    for (request, expected) in [
        ("a.html=draft.html", "`draft.html` exists, and git ignores it"),
        ("a.html=build/a.html", "`build` exists, and git ignores it"),
        ("draft.html=b.html", "git ignores `draft.html`"),
        ("build/out.html=b.html", "git ignores `build`"),
        ("build=b", "git ignores `build`"),
    ] {
        let run = dir.rehref(&["move", "site", request, "--gitignore", "-n"]);
        let stderr = run.status(2).stderr();
        assert!(stderr.contains(expected), "{request}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn odd_ignore_files_end_no_run() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>"), ("b.html", "")]);
    std::os::unix::fs::symlink("/dev/zero", dir.path("site/.gitignore")).unwrap();
    dir.write("site/docs/.gitignore", &vec![b'*'; 2 << 20]);
    dir.write("site/docs/c.html", b"");
    let run = dir.rehref(&["links", "site", "--gitignore"]).status(0);
    let stderr = run.stderr();
    assert!(stderr.contains("docs/.gitignore: larger than 256 KiB"), "{stderr}");
}
