//! `move --git` and the check for uncommitted changes run git, and git runs nothing that a repository names.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::TestDir;

/// A repository with a site that is committed, in which `.rehref` runs.
fn repository() -> Option<TestDir> {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=b.html>"),
        ("b.html", "<a href=a.html>"),
        ("c.html", "c"),
    ]);
    dir.git("", &["init", "-q", "."])?;
    dir.git("", &["add", "site"])?;
    dir.git("", &["commit", "-qm", "x"])?;
    Some(dir)
}

/// A program that leaves a file, `ran-NAME`, in `dir`; the command that starts it, as a filter too.
fn trap(dir: &TestDir, name: &str) -> String {
    let path = dir.path(&format!("trap-{name}"));
    let script =
        format!("#!/bin/sh\ntouch '{}'\ncat\n", dir.path(&format!("ran-{name}")).display());
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn ran(dir: &TestDir) -> Vec<String> {
    let names = fs::read_dir(dir.path("")).unwrap();
    let names = names.map(|it| it.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("ran-")).collect()
}

#[test]
fn a_move_is_staged_as_git_mv_stages_it() {
    let Some(dir) = repository() else { return };
    dir.write("site/new.html", b"not tracked");
    let run = dir.rehref(&[
        "move", "site", "b.html=d/e.html", "c.html=b.html", "new.html=old.html", "--in-place",
        "--git", "--allow-dirty",
    ]);
    run.status(0);
    let status = dir.git("", &["status", "--porcelain"]).unwrap();
    assert_eq!(
        status,
        "M  site/a.html\nM  site/b.html\nD  site/c.html\nA  site/d/e.html\n?? site/old.html\n"
    );
    let staged = dir.git("", &["show", ":site/d/e.html"]).unwrap();
    assert_eq!(staged, "<a href=../a.html>");
}

#[test]
fn links_follow_the_renames_that_git_finds() {
    let Some(dir) = repository() else { return };
    let run = || {
        let run = ["move", "site", "--already-moved", "--git", "--in-place"];
        dir.rehref(&run)
    };
    assert!(run().status(2).stderr().contains("git knows of no renamed file in the site"));
    dir.write("site/a.html", format!("{}<a href=b.html>", "text ".repeat(50)).as_bytes());
    dir.git("", &["commit", "-qam", "y"]).unwrap();
    fs::create_dir(dir.path("site/d")).unwrap();
    dir.git("", &["mv", "site/a.html", "site/d/e.html"]).unwrap();
    run().status(0);
    assert!(dir.read("site/d/e.html").ends_with("<a href=../b.html>"));
    assert_eq!(dir.read("site/b.html"), "<a href=d/e.html>");
    let status = dir.git("", &["status", "--porcelain"]).unwrap();
    assert_eq!(status, "M  site/b.html\nR  site/a.html -> site/d/e.html\n");
}

#[test]
fn a_repository_within_the_site_runs_nothing() {
    let Some(dir) = repository() else { return };
    let inner = dir.path("site/inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("x.html"), "x").unwrap();
    fs::write(inner.join(".gitattributes"), "* filter=trap\n").unwrap();
    dir.git("site/inner", &["init", "-q", "."]);
    dir.git("site/inner", &["add", "."]);
    dir.git("site/inner", &["commit", "-qm", "x"]);
    dir.git("", &["add", "site/inner"]);
    dir.git("", &["commit", "-qm", "inner"]);
    let clean = trap(&dir, "filter");
    dir.git("site/inner", &["config", "filter.trap.clean", &clean]);
    dir.git("site/inner", &["config", "core.fsmonitor", &trap(&dir, "monitor")]);
    // Git has to read it to know whether it changed.
    fs::write(inner.join("x.html"), "y").unwrap();
    dir.rehref(&["move", "site", "b.html=d/e.html", "--in-place", "--git"]).status(0);
    assert_eq!(ran(&dir), [""; 0]);
    let staged = dir.git("", &["diff-index", "--cached", "--name-status", "HEAD"]).unwrap();
    assert_eq!(staged, "M\tsite/a.html\nD\tsite/b.html\nA\tsite/d/e.html\n");
}

#[test]
fn hooks_and_monitors_do_not_run() {
    let Some(dir) = repository() else { return };
    let hook = trap(&dir, "hook");
    fs::create_dir_all(dir.path(".git/hooks")).unwrap();
    for name in ["post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman"] {
        fs::copy(&hook, dir.path(&format!(".git/hooks/{name}"))).unwrap();
    }
    dir.git("", &["config", "core.fsmonitor", &trap(&dir, "monitor")]);
    let _ = ran(&dir).iter().map(|name| fs::remove_file(dir.path(name)).unwrap());
    dir.rehref(&["move", "site", "b.html=d/e.html", "--in-place", "--git"]).status(0);
    assert_eq!(ran(&dir), [""; 0]);
}

/// Their result would be in the index, and without them it would be another one.
#[test]
fn where_the_repository_names_filters_nothing_is_staged() {
    let Some(dir) = repository() else { return };
    dir.write(".gitattributes", b"* filter=tr.ap\n");
    dir.git("", &["add", ".gitattributes"]);
    dir.git("", &["commit", "-qm", "attributes"]);
    dir.git("", &["config", "filter.tr.ap.clean", &trap(&dir, "clean")]);
    dir.git("", &["config", "filter.tr.ap.required", "true"]);
    // The same bytes at another time: git has to read it.
    fs::write(dir.path("site/c.html"), "c").unwrap();
    let run = dir.rehref(&["move", "site", "b.html=d/e.html", "--in-place", "--git"]).status(2);
    let expected = "--git: the configuration of the repository names the filter tr.ap, a program that rehref does not run";
    assert!(run.stderr().contains(expected), "{}", run.stderr());
    assert!(dir.path("site/b.html").exists());
    dir.rehref(&["move", "site", "b.html=d/e.html", "--in-place"]).status(0);
    assert_eq!(ran(&dir), [""; 0]);
}

#[test]
fn git_runs_only_in_the_repository_of_the_working_directory() {
    let Some(site) = repository() else { return };
    let elsewhere = TestDir::new();
    let site_path = site.path("site");
    let in_place =
        ["move", site_path.to_str().unwrap(), "b.html=d/e.html", "--in-place", "--allow-dirty"];
    let run = elsewhere.rehref(&[&in_place[..], &["--git"]].concat()).status(2);
    assert!(
        run.stderr().contains("run the command in that directory, or remove --git"),
        "{}",
        run.stderr()
    );
    assert!(site.path("site/b.html").exists());
}

/// A partial clone gets missing objects from where its configuration says, by a program if it says so.
#[test]
fn nothing_is_fetched() {
    let Some(dir) = repository() else { return };
    let fetch = trap(&dir, "fetch");
    dir.git("", &["config", "extensions.partialClone", "origin"]);
    dir.git("", &["config", "remote.origin.promisor", "true"]);
    dir.git("", &["config", "remote.origin.url", &format!("ext::{fetch}")]);
    dir.git("", &["config", "protocol.ext.allow", "always"]);
    let object = dir.git("", &["rev-parse", "HEAD:site/a.html"]).unwrap();
    let (folder, name) = object.trim().split_at(2);
    fs::remove_file(dir.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
    dir.rehref(&["move", "site", "b.html=d/e.html", "--in-place", "--git", "--allow-dirty"]);
    assert_eq!(ran(&dir), [""; 0]);
}
