//! Stdout and stderr, also when their readers close them, and the exit status.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// A command of the binary in the directory, for what the usual helper cannot do.
fn command(dir: &TestDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(arguments).current_dir(dir.path(""));
    command
}

/// A device that takes nothing.
fn full() -> Option<Stdio> {
    let full = File::options().write(true).open("/dev/full").ok();
    if full.is_none() {
        println!("skipped: no /dev/full");
    }
    full.map(Stdio::from)
}

/// A pipe whose reader has gone away.
fn broken_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_full_disk_under_stdout_is_an_error() {
    let dir = TestDir::with_site(&[("x.html", "<a href=y>")]);
    for arguments in [
        &["absolute", "-", "--url", URL][..],
        &["absolute", "site", "--url", URL, "--dry-run"],
        &["absolute", "site", "--url", URL, "--diff"],
        &["absolute", "site", "--url", URL, "-o", "out", "--force", "--format", "json"],
    ] {
        let Some(full) = full() else { return };
        let mut child = command(&dir, arguments)
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // No final newline: what a line buffer would hold back.
        let _ = child.stdin.take().unwrap().write_all(b"<a href=x>");
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("error: stdout: "), "{stderr}");
    }
}

#[test]
fn a_reader_who_goes_away_changes_nothing_but_the_printing() {
    let dir = TestDir::with_site(&[("a.html", "<a href=y>"), ("b.html", "<a href=y>")]);
    for (arguments, status) in [
        (&["absolute", "site", "--url", URL, "--dry-run"][..], 0),
        (&["absolute", "site", "--url", URL, "--diff"], 0),
        (&["absolute", "site", "--url", URL, "-o", "o", "--format", "json"], 0),
        (&["absolute", "site", "--url", URL, "--in-place"], 0),
        (&["absolute", "-", "--url", URL], 0),
    ] {
        let output =
            command(&dir, arguments).stdin(Stdio::null()).stdout(broken_pipe()).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    }

    dir.write("odd/odd.html", b"\xFF\xFEx");
    let output =
        command(&dir, &["absolute", "odd", "--url", URL, "--diff"]).stdout(broken_pipe()).output();
    assert_eq!(output.unwrap().status.code(), Some(1));
}

#[test]
fn a_stderr_that_is_gone_is_no_panic() {
    let dir = TestDir::with_site(&[("a.html", "<a href='http://[::1'><a href=y>")]);
    for (arguments, status) in [
        (&["absolute", "site", "-o", "out", "--url", URL][..], 0),
        (&["absolute", "site", "--dry-run", "--url", URL], 0),
        (&["absolute", "missing", "-o", "o"], 2),
        (&["absolute", "-", "--url", URL], 0),
    ] {
        let output =
            command(&dir, arguments).stdin(Stdio::null()).stderr(broken_pipe()).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    }
    assert!(dir.path("out/a.html").exists());
}

#[test]
fn a_skipped_document_is_reported_even_with_quiet() {
    let odd = b"\xFF\xFEx\0y";
    let dir = TestDir::with_site(&[("a.html", "<a href=y>")]);
    dir.write("site/odd.html", odd);
    for arguments in [&["-o", "out"][..], &["--dry-run"], &["--diff"], &["--in-place"]] {
        let common = ["absolute", "site", "--url", URL, "--quiet"];
        let run = dir.rehref(&[&common[..], arguments].concat()).status(1);
        assert!(
            run.stderr().starts_with("error: odd.html: ") && run.stderr().ends_with("; skipped\n"),
            "{}",
            run.stderr()
        );
    }
    assert_eq!(std::fs::read(dir.path("out/odd.html")).unwrap(), odd);
    assert!(dir.read("out/a.html").contains(URL));

    let run = dir.rehref_with_stdin(&["absolute", "-", "--url", URL, "-q"], odd).status(1);
    assert_eq!(run.stdout_bytes(), odd);
    let passed = "; the document was printed unchanged\n";
    assert!(run.stderr().ends_with(passed), "{}", run.stderr());
}

#[test]
fn a_filter_refuses_what_is_for_directories() {
    let dir = TestDir::new();
    for option in [
        &["--format", "json"][..],
        &["--include", "x"],
        &["--exclude", "x"],
        &["--html", "x"],
        &["--allow-empty"],
        &["--jobs", "2"],
        &["--out", "x"],
        &["--in-place"],
        &["--dry-run"],
        &["--diff"],
    ] {
        let run = dir.rehref(&[&["absolute", "-", "--url", URL], option].concat()).status(2);
        assert_eq!(
            run.stderr(),
            format!(
                "error: {0} does not apply: rehref reads one document from stdin\nhelp: remove {0}\n",
                option[0]
            )
        );
    }
}

#[test]
fn the_report_of_a_dry_run() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=y><a href=z>"),
        ("b.html", "<p>"),
        ("c/d.html", "<a href=y>"),
    ]);
    let changed = |arguments: &[&str], status| {
        let common = ["absolute", "site", "--url", URL, "--format", "json"];
        let run = dir.rehref(&[&common[..], arguments].concat()).status(status);
        let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
        report["changed"].clone()
    };
    let expected = serde_json::json!([
        { "path": "a.html", "references": 2 },
        { "path": "c/d.html", "references": 1 },
    ]);
    assert_eq!(changed(&["--dry-run"], 0), expected);
    assert!(!dir.read("site/a.html").contains(URL));
    assert_eq!(changed(&["-o", "out"], 0), expected);
    dir.rehref(&["absolute", "site", "--url", URL, "--diff", "--format", "json"]).status(2);
}

#[cfg(unix)]
#[test]
fn names_cannot_steer_the_terminal() {
    let dir =
        TestDir::with_site(&[("a\x1b[31m\nerror: b.html", "<a href='http://[::1'><a href=y>")]);
    dir.write("site/c\x07.html", b"\xFF\xFEx");
    let run = dir.rehref(&["absolute", "site", "--dry-run", "--url", URL, "--html", "*"]);
    let printed = run.stdout() + &run.stderr();
    assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed:?}");
    assert!(run.stdout().contains("a\\u{1b}[31m\\nerror: b.html: 1 link\n"));
    assert!(run.stderr().contains("error: c\\u{7}.html: "), "{}", run.stderr());
}

/// A diff that is no patch, since it has colors.
#[test]
fn pages_cannot_steer_the_terminal_by_a_colored_diff() {
    let page = "<a href=x>\x1b[2J\u{9b}2J\tcafé\r\n<a href=y>\x1b[2J";
    let dir = TestDir::with_site(&[("a.html", page)]);
    let diff = ["absolute", "site", "--diff", "--url", URL, "--color"];
    let colored = dir.rehref(&[&diff[..], &["always"]].concat()).stdout();
    assert!(!colored.contains("\x1b[2J") && !colored.contains('\u{9b}'), "{colored:?}");
    assert!(colored.contains("x>\\u{1b}[2J\\u{9b}2J\tcafé\x1b[0m\n"), "{colored:?}");
    let patch = dir.rehref(&[&diff[..], &["never"]].concat()).stdout();
    assert!(patch.contains("x>\x1b[2J\u{9b}2J\tcafé\r\n"), "{patch:?}");
}

#[test]
fn numbers_of_threads() {
    let dir = TestDir::new();
    for number in ["0", "-1", "many"] {
        let run = dir.rehref(&["absolute", "site", &format!("-j{number}")]).status(2);
        assert!(run.stderr().contains("pass a number, 1 or more"), "{}", run.stderr());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_move_in_place_whose_stdout_is_in_the_site_is_refused() {
    let dir = TestDir::with_site(&[("a.html", "<p>")]);
    let move_it = ["move", "site", "a.html=b.html", "--in-place", "--write-redirects", "apache"];
    let stdout = File::create(dir.path("site/.htaccess")).unwrap();
    let output = command(&dir, &move_it).stdout(stdout).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: stdout is .htaccess, a file in the site, which the shell has made or emptied\nhelp: write the output to a file outside the site, and remove .htaccess, or restore it\n"
    );
    assert!(dir.path("site/a.html").exists());
}
