//! No command succeeds over nothing: no document, globs that match nothing, hidden findings.

use crate::support::TestDir;

const URL: &str = "https://example.org/";

/// A move that would change SITE; without documents, it ends before it does so. Windows cannot exchange SITE.
const MOVE: &[&str] =
    &["move", "site", "a.rst=b.rst", if cfg!(windows) { "--out=out" } else { "--in-place" }];

/// Every command that reads the documents of a directory, on `site`.
const COMMANDS: &[&[&str]] = &[
    &["absolute", "site", "--url", URL, "-o", "out"],
    &["absolute", "site", "--url", URL, "--in-place"],
    &["absolute", "site", "--url", URL, "--dry-run"],
    &["absolute", "site", "--url", URL, "--diff"],
    &["relative", "site", "--url", URL, "-o", "out", "--verify"],
    &["move", "site", "a.rst=b.rst", "-o", "out", "--verify"],
    MOVE,
    &["audit", "site"],
    &["audit", "site", "--fix", "-o", "out"],
    &["links", "site"],
    &["verify", "site", "site"],
];

/// The error of `arguments`, run with `more`; asserts that the status is 2 and that nothing was
/// printed or written.
#[track_caller]
fn refusal(dir: &TestDir, arguments: &[&str], more: &[&str]) -> String {
    let arguments = [arguments, &["-q"], more].concat();
    let run = dir.rehref(&arguments).status(2);
    assert_eq!(run.stdout(), "", "{arguments:?}");
    assert!(!dir.path("out").exists(), "{arguments:?}");
    run.stderr()
}

#[test]
fn a_tree_without_documents_is_an_error_that_names_its_files() {
    let dir = TestDir::with_site(&[
        ("a.rst", "A"),
        ("sub/c.RST", "C"),
        ("logo.png", ""),
        ("LICENSE", "Free."),
    ]);
    for command in COMMANDS {
        let name = if command[0] == "verify" { "the old tree" } else { "the site" };
        assert_eq!(
            refusal(&dir, command, &[]),
            format!(
                "error: no document in {name}: 2 .rst, 1 file without an extension, 1 .png: none of these is a document\nhelp: pass the directory of the site that is built from them (audit and move also read .rst, with --markdown sphinx), or add --allow-empty\n"
            ),
            "{command:?}"
        );
    }
    assert!(dir.path("site/a.rst").exists());
}

#[test]
fn an_empty_directory_is_an_error() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("site")).unwrap();
    for command in COMMANDS.iter().filter(|command| command[0] != "move") {
        let error = refusal(&dir, command, &[]);
        assert!(
            error.contains(" is empty\nhelp: build the site first, or pass another directory, or"),
            "{error}"
        );
    }
}

#[test]
fn globs_that_leave_no_document_are_an_error_that_names_them() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b>"), ("b.css", ""), ("a.rst", "")]);
    for command in COMMANDS {
        for globs in [&["--include", "drafts"][..], &["--exclude", "*"]] {
            let error = refusal(&dir, command, globs);
            let expected = "--include and --exclude select none of its documents\nhelp: change the globs (--exclude wins over --include), or";
            assert!(error.contains(expected), "{command:?}: {error}");
        }
    }
}

#[test]
fn compressed_pages_alone_are_an_error_that_says_how_to_read_them() {
    let dir = TestDir::with_site(&[("a.html.gz", ""), ("a.rst", "")]);
    for command in COMMANDS {
        let error = refusal(&dir, command, &[]);
        let expected = "only 1 compressed page\nhelp: read them with --compressed, or";
        assert!(error.contains(expected), "{command:?}: {error}");
    }
}

#[test]
fn an_archive_without_documents_is_an_error() {
    let dir = TestDir::new();
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/a.png\r\n\
        Content-Type: image/png\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
    dir.write("a.warc", record.as_bytes());
    for command in [
        &["absolute", "a.warc", "--dry-run"][..],
        &["relative", "a.warc", "--diff"],
        &["audit", "a.warc"],
        &["links", "a.warc"],
        &["verify", "a.warc", "a.warc"],
    ] {
        let error = refusal(&dir, command, &[]);
        let expected = "1 archive without a document that this command reads\nhelp: pass another";
        assert!(error.contains(expected), "{command:?}: {error}");
        dir.rehref(&[command, &["--allow-empty"]].concat()).status(0);
    }
    // `move` copies archives.
    dir.write("site/a.warc", record.as_bytes());
    dir.write("site/a.rst", b"");
    let command = [MOVE, &["-q"]].concat();
    let error = dir.rehref(&command).status(2).stderr();
    assert!(error.contains("1 archive without a document"), "{error}");
    assert!(dir.path("site/a.rst").exists());
}

#[test]
fn a_glob_that_matches_nothing_is_warned_of_in_every_command() {
    for command in COMMANDS {
        let dir = TestDir::with_site(&[("a.html", "<p>"), ("a.rst", "")]);
        let globs = ["--exclude", "drafts", "--include", "a.*", "--html", "*.tmpl"];
        let run = dir.rehref(&[command, &globs[..]].concat());
        let stderr = run.stderr();
        for warning in [
            "warning: --exclude drafts matches nothing in the site\n",
            "warning: --html *.tmpl matches nothing in the site\n",
        ] {
            assert_eq!(stderr.matches(warning).count(), 1, "{command:?}\n{stderr}");
        }
        assert!(!stderr.contains("--include"), "{command:?}\n{stderr}");
    }
}
