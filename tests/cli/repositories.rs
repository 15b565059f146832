//! The data of version control systems is no part of a site, and stays where it is.

use std::path::Path;

use crate::support::{EXCHANGES, TestDir, tree};

const URL: &str = "https://e.org/";

/// A site whose repositories hold pages that would be rewritten, and be wrong.
fn site() -> TestDir {
    TestDir::with_site(&[
        ("a.html", "<a href=b.html>"),
        ("b.html", ""),
        (".git/description.html", "<a href=gone.html>"),
        (".git/objects/aa/bb", "x"),
        (".hg/x.html", "<a href=gone.html>"),
        ("folder/.git", "gitdir: ../.git/modules/folder"),
        ("folder/c.html", "<a href=../a.html>"),
        (".github/x.html", "<a href=../a.html>"),
    ])
}

fn repositories(site: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files = tree(site);
    files.retain(|(path, _)| {
        let mut names = path.components();
        names.any(|name| [".git", ".hg"].iter().any(|it| name.as_os_str() == *it))
    });
    files
}

#[test]
fn no_command_reads_or_copies_them() {
    let dir = site();
    dir.rehref(&["audit", "site"]).status(0);
    let links = dir.rehref(&["links", "site"]).status(0).stdout();
    assert!(!links.contains(".git/") && links.contains(".github/x.html"), "{links}");
    for command in [
        &["absolute", "site", "--url", URL][..],
        &["relative", "site"],
        &["move", "site", "folder=new"],
        &["audit", "site", "--fix"],
    ] {
        let copied = ["--out", "out", "--force", "--format", "json", "-q"];
        let run = dir.rehref(&[command, &copied].concat()).status(0);
        assert!(!run.stdout().contains("description.html"), "{}", run.stdout());
        assert!(repositories(&dir.path("out")).is_empty(), "{command:?}");
        assert!(dir.path("out/.github/x.html").exists());
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
    let verified = ["absolute", "site", "--url", URL, "-o", "out", "--verify"];
    dir.rehref(&verified).status(0);
    dir.rehref(&["verify", "out", "site", "--url", URL]).status(0);
}

#[test]
fn in_place_keeps_them() {
    for (command, folder) in [
        (&["absolute", "site", "--url", URL][..], "folder"),
        (&["move", "site", "a.html=d.html"], "folder"),
        (&["move", "site", "folder=new"], "new"),
    ] {
        if command[0] == "move" && !EXCHANGES {
            continue;
        }
        let dir = site();
        let before = repositories(&dir.path("site"));
        assert_eq!(before.len(), 4);
        let arguments = [command, &["--in-place", "--allow-dirty"]].concat();
        dir.rehref(&arguments).status(0);
        let mut after = repositories(&dir.path("site"));
        for (path, _) in &mut after {
            if let Ok(rest) = path.strip_prefix(folder) {
                *path = Path::new("folder").join(rest);
            }
        }
        after.sort();
        assert!(after == before, "{command:?}");
    }
    let dir = site();
    let run = dir.rehref(&["move", "site", ".git=x", "-n"]).status(2);
    assert!(run.stderr().contains(".git"), "{}", run.stderr());
}

#[test]
fn in_place_refuses_changes_that_git_could_not_tell_from_its_own() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>"), ("b.html", "")]);
    let in_place = ["absolute", "site", "--url", URL, "--in-place", "-q"];
    if dir.git("", &["init", "-q", "."]).is_none() {
        return;
    }
    let refused = |arguments: &[&str], expected: &str| {
        let run = dir.rehref(arguments).status(2);
        assert!(run.stderr().contains(expected), "{}", run.stderr());
        assert_eq!(dir.read("site/a.html"), "<a href=b.html>");
    };
    refused(&in_place, "the site has 1 uncommitted change (?? site/)");
    refused(
        &["move", "site", "a.html=c.html", "--in-place"],
        "commit or stash first, or add --allow-dirty",
    );
    dir.rehref(&[&in_place[..], &["--dry-run"]].concat()).status(0);
    dir.rehref(&["absolute", "site", "--url", URL, "--out", "out"]).status(0);
    dir.git("", &["add", "site"]);
    dir.git("", &["commit", "-qm", "x"]);
    // What is outside SITE does not matter.
    dir.rehref(&in_place).status(0);
    dir.write("site/b.html", b"changed");
    dir.write("site/a.html", b"<a href=b.html>");
    refused(&in_place, "the site has 1 uncommitted change (M site/b.html)");
    dir.rehref(&[&in_place[..], &["--allow-dirty"]].concat()).status(0);

    // From anywhere.
    dir.write("site/b.html", b"changed");
    let elsewhere = TestDir::new();
    let site = dir.path("site");
    let run = elsewhere
        .rehref(&["absolute", site.to_str().unwrap(), "--url", URL, "--in-place", "-q"])
        .status(2);
    assert!(run.stderr().contains("the site has 2 uncommitted changes"), "{}", run.stderr());
}

#[test]
fn reports_for_code_hosts_say_what_the_host_does_not_know() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>")]);
    if dir.git("", &["init", "-q", "."]).is_none() {
        return;
    }
    let stderr = |arguments: &[&str]| dir.rehref(arguments).status(1).stderr();
    let audit = ["audit", "site", "--format", "github"];
    assert!(!stderr(&audit).contains("code hosts"));
    dir.write(".gitignore", b"/site/\n");
    assert!(stderr(&audit).contains("git ignores site, so code hosts cannot show"));
    assert!(!stderr(&["audit", "site", "--format", "json"]).contains("code hosts"));
    let run = dir.rehref_in("site", &["audit", ".", "--format", "sarif=../x"]).status(1);
    let expected =
        "look for files from the root of the repository\nhelp: run rehref there: cd ../\n";
    assert!(run.stderr().contains(expected), "{}", run.stderr());
}

#[test]
fn other_hidden_files_are_of_the_site_unless_a_glob_excludes_them() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=.well-known/b.html>"),
        (".well-known/b.html", "<a href=../a.html>"),
        ("c/.d.html", "<a href=../a.html>"),
    ]);
    let documents = |arguments: &[&str]| {
        let all = [&["links", "site", "--format", "csv", "-q"], arguments].concat();
        let stdout = dir.rehref(&all).status(0).stdout();
        let names = stdout.lines().skip(1).filter_map(|line| line.split(',').next());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(documents(&[]), [".well-known/b.html", "a.html", "c/.d.html"]);
    assert_eq!(documents(&["--exclude", ".*"]), ["a.html"]);
}
