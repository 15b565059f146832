//! Malformed documents are findings with status 1; status 2 is for what could not be read or
//! written.

use std::fs;

use serde_json::Value;

use crate::support::TestDir;

const URL: &str = "https://example.org/";

/// A good page, XML that is not well-formed, a document in half a UTF-16, and one that is
/// nested without end.
fn site() -> TestDir {
    // The tree decides what the frameset is.
    let deep = "<div>".repeat(6_000) + "<frameset>";
    let dir = TestDir::with_site(&[
        ("deep.html", &deep),
        ("feed.xml", "<rss>\n<a></rss>"),
        ("index.html", "<a href=index.html>"),
    ]);
    dir.write("site/odd.html", b"\xFF\xFEx\0y");
    dir
}

const FOUND: [(&str, &str); 3] = [
    ("deep.html", "too-complex"),
    ("feed.xml", "not-well-formed"),
    ("odd.html", "wrong-charset"),
];

#[test]
fn the_audit_reports_them_as_errors_and_no_failure() {
    let dir = site();
    let run = dir
        .rehref(&["audit", "site", "--format", "jsonl", "-q"])
        .status(1);
    assert_eq!(run.stderr(), "");
    let findings: Vec<Value> = run
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let found: Vec<_> = findings
        .iter()
        .map(|it| {
            (
                it["document"].as_str().unwrap(),
                it["check"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(found, FOUND);
    assert!(
        findings.iter().all(|it| it["level"] == "error"),
        "{findings:?}"
    );
    assert_eq!(findings[1]["line"], 2);
    let message = findings[1]["message"].as_str().unwrap();
    assert!(message.starts_with("not well-formed XML: "), "{message}");
}

#[test]
fn every_format_shows_them() {
    let dir = site();
    for format in ["text", "json", "jsonl", "sarif", "junit", "github", "html"] {
        let run = dir
            .rehref(&["audit", "site", "--format", format, "-q"])
            .status(1);
        for (document, check) in FOUND {
            let stdout = run.stdout();
            assert!(
                stdout.contains(check) && stdout.contains(document),
                "{format}\n{stdout}"
            );
        }
    }
}

#[test]
fn rules_and_baselines_accept_them() {
    let dir = site();
    let ignore = [
        "too-complex",
        "not-well-formed path:feed.xml",
        "path:odd.html",
    ];
    let ignore: Vec<&str> = ignore.iter().flat_map(|rule| ["--ignore", rule]).collect();
    let audit = ["audit", "site", "-q", "--fail-on", "note"];
    dir.rehref(&[&audit[..], &ignore].concat()).status(0);
    let baseline = ["--baseline", "b.json"];
    dir.rehref(&[&audit[..], &baseline, &["--update-baseline"]].concat())
        .status(0);
    dir.rehref(&[&audit[..], &baseline].concat()).status(0);
    dir.write("site/new.xml", b"<a");
    dir.rehref(&[&audit[..], &baseline].concat()).status(1);
}

#[test]
fn each_has_a_page() {
    for (_, check) in FOUND {
        let run = TestDir::new()
            .rehref(&["audit", "--explain", check])
            .status(0);
        assert!(run.stdout().contains("None of its links") || run.stdout().contains("none of"));
    }
}

#[test]
fn a_rewriting_skips_them_and_ends_with_status_1() {
    for command in [
        &["absolute", "site", "--url", URL, "-o", "out"][..],
        &["absolute", "site", "--url", URL, "-o", "out", "--verify"],
        &["relative", "site", "--url", URL, "-o", "out"],
        &["move", "site", "index.html=a.html", "-o", "out"],
        &["absolute", "site", "--url", URL, "--dry-run"],
        &["absolute", "site", "--url", URL, "--diff"],
        &["absolute", "site", "--url", URL, "--in-place"],
        &["move", "site", "index.html=a.html", "--in-place"],
    ] {
        let dir = site();
        let stderr = dir.rehref(command).status(1).stderr();
        for line in [
            "error: deep.html: too complex: ",
            "error: feed.xml:2:",
            "error: odd.html: not valid UTF-16LE: ",
            "3 documents ",
        ] {
            assert!(stderr.contains(line), "{command:?}: {line}\n{stderr}");
        }
        let out = if command.contains(&"-o") {
            "out"
        } else {
            "site"
        };
        assert_eq!(
            fs::read(dir.path(&format!("{out}/odd.html"))).unwrap(),
            b"\xFF\xFEx\0y"
        );
    }
}

#[test]
fn reports_of_a_rewriting_name_the_fault() {
    let dir = site();
    let run = dir.rehref(&[
        "absolute", "site", "--url", URL, "-o", "out", "--report", "json",
    ]);
    let report: Value = serde_json::from_str(&run.status(1).stdout()).unwrap();
    let problems = report["problems"].as_array().unwrap();
    let problems: Vec<_> = problems
        .iter()
        .map(|it| (it["path"].as_str().unwrap(), it["id"].as_str().unwrap()))
        .collect();
    assert_eq!(problems, FOUND);
    assert_eq!(report["documents"]["skipped"], 3);
    assert_eq!(report["documents"]["malformed"], 3);
    assert_eq!(report["errors"].as_array().unwrap().len(), 0);
}

#[test]
fn links_lists_the_others_and_ends_with_status_1() {
    let run = site().rehref(&["links", "site", "-q"]).status(1);
    assert_eq!(run.stdout().lines().count(), 1);
    assert_eq!(run.stderr().lines().count(), 3, "{}", run.stderr());
    assert!(
        run.stderr().contains("error: feed.xml:2:"),
        "{}",
        run.stderr()
    );
}

#[test]
fn verify_does_not_call_their_links_proven() {
    let dir = site();
    let run = dir.rehref(&["verify", "site", "site"]).status(1);
    for (document, _) in FOUND {
        let warning = format!("warning: {document}:");
        assert!(run.stderr().contains(&warning), "{}", run.stderr());
    }
    assert!(
        run.stderr().contains("; its links are not proven"),
        "{}",
        run.stderr()
    );
    assert!(
        run.stdout().starts_with("no differences"),
        "{}",
        run.stdout()
    );
    let run = dir
        .rehref(&["verify", "site", "site", "--report", "json"])
        .status(1);
    let report: Value = serde_json::from_str(&run.stdout()).unwrap();
    let malformed = report["malformed"].as_array().unwrap();
    let ids: Vec<_> = malformed
        .iter()
        .map(|it| it["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, FOUND.map(|(_, id)| id));
}

#[test]
fn a_fix_reports_them_once_as_findings() {
    let dir = site();
    dir.write("site/Case.html", b"<a href=INDEX.html>");
    let run = dir
        .rehref(&["audit", "site", "--fix", "-o", "out"])
        .status(1);
    assert!(!run.stderr().contains("error:"), "{}", run.stderr());
    assert_eq!(dir.read("out/Case.html"), "<a href=index.html>");
    let ignore = ["too-complex", "not-well-formed", "wrong-charset"];
    let ignore: Vec<&str> = ignore.iter().flat_map(|rule| ["--ignore", rule]).collect();
    let fix = ["audit", "site", "--fix", "-o", "out", "--force"];
    dir.rehref(&[&fix[..], &ignore].concat()).status(0);
}

#[test]
fn stdin_passes_through_with_status_1() {
    let arguments = ["absolute", "-", "--url", "https://example.org/f.xml", "-q"];
    let run = TestDir::new()
        .rehref_with_stdin(&arguments, b"<a>")
        .status(1);
    assert_eq!(run.stdout(), "<a>");
    let stderr = run.stderr();
    assert!(stderr.starts_with("error: stdin:1:"), "{stderr}");
    assert!(
        stderr.ends_with("; the document was printed unchanged\n"),
        "{stderr}"
    );
}

#[test]
fn what_cannot_be_read_or_written_outweighs_them() {
    let dir = site();
    dir.write("site/page.html.gz", b"\x1f\x8bdamaged");
    for command in [
        &["absolute", "site", "--url", URL, "-o", "out"][..],
        &["audit", "site"],
        &["links", "site"],
    ] {
        let run = dir.rehref(&[command, &["--compressed"]].concat()).status(2);
        assert!(run.stderr().contains("page.html.gz: "), "{}", run.stderr());
    }
}
