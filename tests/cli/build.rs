//! `--build`: what its processes and copies leave, which a case file cannot show.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{TestDir, tree};

/// A project with a script as its generator, and a directory for temporary files.
fn project(script: &str) -> TestDir {
    let dir = TestDir::with_site(&[
        ("book.toml", "[book]\n"),
        ("src/SUMMARY.md", "- [A](a.md)\n"),
        ("src/a.md", "# A\n"),
        ("generate.sh", script),
    ]);
    fs::create_dir(dir.path("temporary")).unwrap();
    dir
}

fn rehref(dir: &TestDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command
        .args(arguments)
        .args(["--build", "sh generate.sh {out}"])
        .current_dir(dir.path("site"))
        .env("TMPDIR", dir.path("temporary"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// What is left in the directory for temporary files.
fn left(dir: &TestDir) -> usize {
    fs::read_dir(dir.path("temporary")).unwrap().count()
}

fn is_alive(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    !status.is_empty() && !status.contains("State:\tZ")
}

/// Moves a document to another tree, and expects that SITE does not change and nothing is left of the builds.
fn move_leaves_site(dir: &TestDir) {
    let before = tree(&dir.path("site"));
    let arguments = ["move", ".", "src/a.md=src/b.md", "-o", "../new", "-q"];
    let output = rehref(dir, &arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(tree(&dir.path("site")), before);
    assert_eq!(left(dir), 0);
}

#[test]
fn a_signal_ends_the_command_and_all_that_it_started() {
    for arguments in [&["audit", "."][..], &["move", ".", "src/a.md=src/b.md", "-o", "../new"]] {
        let dir = project("");
        let started = dir.path("started").display().to_string();
        let script = format!("echo $$ >{started}\nsleep 1000 &\necho $! >>{started}\nwait\n");
        dir.write("site/generate.sh", script.as_bytes());
        let child = rehref(&dir, arguments).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let processes = loop {
            let text = fs::read_to_string(dir.path("started")).unwrap_or_default();
            if text.lines().count() == 2 {
                break text;
            }
            assert!(Instant::now() < deadline, "the command did not start");
            std::thread::sleep(Duration::from_millis(10));
        };
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(stderr.contains("interrupted"), "{stderr}");
        for process in processes.lines() {
            // A killed process takes a moment to end.
            while Instant::now() < deadline && is_alive(process) {
                std::thread::sleep(Duration::from_millis(10));
            }
            assert!(!is_alive(process), "{process} runs");
        }
        assert_eq!(left(&dir), 0);
        assert!(!dir.path("new").exists());
    }
}

#[test]
fn copies_of_a_project_are_whole_and_leave_nothing() {
    let script = "test -e node_modules/theme/index.js && test -L node_modules/theme || exit 3\n\
                  test -L venv/pyvenv.cfg || exit 4\n\
                  test ! -e .git || exit 5\n\
                  test -e src/outside.md || exit 6\n\
                  echo x >>src/a.md; echo y >made\n\
                  cd src; for page in *.md; do cp $page \"$1/${page%.md}.html\"; done\n";
    let dir = project(script);
    dir.write("site/node_modules/theme/index.js", b"");
    dir.write("site/venv/pyvenv.cfg", b"");
    dir.write("site/.git/HEAD", b"ref: refs/heads/main\n");
    dir.write("outside.md", b"# Outside\n");
    symlink("../../outside.md", dir.path("site/src/outside.md")).unwrap();
    move_leaves_site(&dir);
    assert!(!dir.path("new/made").exists());
}

#[test]
fn a_project_finds_the_programs_above_it() {
    let dir = project("cp ../node_modules/page.html \"$1/a.html\"\n");
    dir.write("node_modules/page.html", b"<p>");
    let arguments = ["verify", ".", "../copy", "-q"];
    crate::support::copy_tree(&dir.path("site"), &dir.path("copy"));
    let output = rehref(&dir, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_link_to_programs_is_followed_in_both_copies() {
    let page = "cat ../node_modules/page.html >\"$1/${page%.md}.html\"";
    let dir = project(&format!("cd src; for page in *.md; do {page} || exit 3; done\n"));
    dir.write("programs/page.html", b"<p>");
    symlink("../programs", dir.path("site/node_modules")).unwrap();
    move_leaves_site(&dir);
}

#[test]
fn a_home_directory_is_not_a_project() {
    let dir = project("touch \"$1/a.html\"\n");
    let mut command = rehref(&dir, &["verify", "site", "site"]);
    let output = command.current_dir(dir.path("")).env("HOME", dir.path("")).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("run rehref in the directory of the site's generator"), "{stderr}");
    assert_eq!(left(&dir), 0);
}

#[test]
fn copies_have_the_commits_and_nothing_else_of_the_repository() {
    let script = "set -e\ntest \"$(git log --format=%s -- src/a.md src/b.md)\" = first\n\
                  git rev-parse --show-toplevel >top\ntest \"$(cat top)\" = \"$(pwd -P)\"\n\
                  git add -A\ngit -c user.name=n -c user.email=e commit -q -m second\ngit branch other\n\
                  cd src; for page in *.md; do cp $page \"$1/${page%.md}.html\"; done\n";
    let dir = project(script);
    let commit = ["-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "first"];
    for arguments in [&["init", "-q"][..], &["add", "-A"], &commit] {
        if dir.git("site", arguments).is_none() {
            return;
        }
    }
    move_leaves_site(&dir);
}
