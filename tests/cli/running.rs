//! Options that mean the same in every command: dry runs, threads, verbosity, colors.

use std::process::Command;

use crate::support::TestDir;

const URL: &[&str] = &["absolute", "site", "--url", "https://e.org/"];

#[test]
fn a_check_writes_nothing_and_tells_by_its_status_whether_something_would_change() {
    let changing = TestDir::with_site(&[("a.html", "<a href=b>")]);
    let correct = TestDir::with_site(&[("a.html", "<a href=https://e.org/b>")]);
    for (arguments, status) in [
        (&["--check"][..], 1),
        (&["--dry-run", "--check"], 1),
        (&["--diff", "--check"], 1),
        (&["--out", "out", "--check"], 1),
        (&["--in-place", "--check", "--verify"], 1),
        (&["--dry-run"], 0),
        (&["--diff"], 0),
    ] {
        let arguments = [URL, arguments].concat();
        changing.rehref(&arguments).status(status);
        assert_eq!(changing.read("site/a.html"), "<a href=b>");
        assert!(!changing.path("out").exists());
        correct.rehref(&arguments).status(0);
    }
    let list = changing.rehref(&[URL, &["--check", "-q"]].concat());
    assert_eq!(list.status(1).stdout(), "a.html: 1 link\n");
    let moved = ["move", "site", "a.html=c.html", "--check"];
    changing.rehref(&moved).status(1);
    let fixed = TestDir::with_site(&[("a.html", "<a href=A.html>")]);
    let fix = ["audit", "site", "--fix"];
    fixed.rehref(&[&fix[..], &["--check"]].concat()).status(1);
    fixed.rehref(&[&fix[..], &["--dry-run"]].concat()).status(0);
}

#[test]
fn every_command_takes_the_options_of_the_console() {
    let dir = TestDir::with_site(&[("a.html", "<a href=a.html>")]);
    let color = ["--color", "never", "--no-progress"];
    let [quiet, verbose] =
        [["-q", "--quiet"], ["-v", "--verbose"]].map(|it| [&color[..], &it].concat());
    for command in [
        &["absolute", "site", "--url", "https://e.org/", "-n"][..],
        &["relative", "site", "--dry-run", "--threads", "1"],
        &["move", "site", "a.html=b.html", "-n", "--jobs", "1"],
        &["audit", "site", "-j1"],
        &["verify", "site", "site"],
        &["links", "site"],
        &["base", "site/a.html"],
        &["resolve", "--base", "https://e.org/", "a"],
        &["explain"],
        &["man"],
        &["completions", "bash"],
    ] {
        for console in [&quiet, &verbose] {
            dir.rehref(&[command, console].concat()).status(0);
            dir.rehref(&[console, command].concat()).status(0);
        }
    }
    dir.write("site/slow.html", b"<table><a href=x></table>");
    let run = dir.rehref(&[URL, &["-n", "-v", "-j2"]].concat());
    let stderr = run.stderr();
    assert!(
        stderr.contains("site: 2 files; URL https://e.org/; standard whatwg; 2 threads\n"),
        "{stderr}"
    );
}

#[test]
fn the_environment_decides_on_colors_where_the_command_line_does_not() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b>")]);
    for (variables, colors) in [
        (&[][..], false),
        (&[("CLICOLOR_FORCE", "1")], true),
        (&[("CLICOLOR_FORCE", "0")], false),
        (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true),
        (&[("CLICOLOR", "1")], false),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
        command.current_dir(dir.path("")).args(URL).arg("--diff");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let has_color = output.stdout.contains(&0x1b);
        assert_eq!(has_color, colors, "{variables:?}");
    }
}
