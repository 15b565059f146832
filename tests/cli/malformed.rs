//! Malformed documents are findings with status 1; status 2 is for what could not be read or
//! written.

use std::fs;

use serde_json::Value;

use crate::compressed::{Coding, compress};
use crate::support::{EXCHANGES, TestDir};

const URL: &str = "https://example.org/";

/// A good page, XML that is not well-formed, a document in half a UTF-16, and one that is
/// nested without end.
fn site() -> TestDir {
    // The tree decides what the frameset is.
    let deep = "<span>".repeat(6_000) + "<frameset>";
    let dir = TestDir::with_site(&[
        ("deep.html", &deep),
        ("feed.xml", "<rss>\n<a></rss>"),
        ("index.html", "<a href=index.html>"),
    ]);
    dir.write("site/odd.html", b"\xFF\xFEx\0y");
    dir
}

const FOUND: [(&str, &str); 3] =
    [("deep.html", "too-complex"), ("feed.xml", "not-well-formed"), ("odd.html", "wrong-charset")];

#[test]
fn the_audit_reports_them_as_errors_and_no_failure() {
    let dir = site();
    let run = dir.rehref(&["audit", "site", "--format", "jsonl", "-q"]).status(1);
    assert_eq!(run.stderr(), "");
    let findings: Vec<Value> =
        run.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = findings
        .iter()
        .map(|it| (it["document"].as_str().unwrap(), it["check"].as_str().unwrap()))
        .collect();
    assert_eq!(found, FOUND);
    assert!(findings.iter().all(|it| it["level"] == "error"), "{findings:?}");
    assert_eq!(findings[1]["line"], 2);
    let message = findings[1]["message"].as_str().unwrap();
    assert!(message.starts_with("the document is not well-formed XML: "), "{message}");
}

#[test]
fn every_format_shows_them() {
    let dir = site();
    for format in
        ["text", "json", "jsonl", "sarif", "junit", "github", "gitlab", "markdown", "html"]
    {
        let run = dir.rehref(&["audit", "site", "--format", format, "-q"]).status(1);
        for (document, check) in FOUND {
            let stdout = run.stdout();
            assert!(stdout.contains(check) && stdout.contains(document), "{format}\n{stdout}");
        }
    }
}

#[test]
fn rules_and_baselines_accept_them() {
    let dir = site();
    let ignore = ["too-complex", "not-well-formed path:feed.xml", "path:odd.html"];
    let ignore: Vec<&str> = ignore.iter().flat_map(|rule| ["--ignore", rule]).collect();
    let audit = ["audit", "site", "-q", "--fail-on", "note"];
    dir.rehref(&[&audit[..], &ignore].concat()).status(0);
    let baseline = ["--baseline", "b.json"];
    dir.rehref(&[&audit[..], &baseline, &["--update-baseline"]].concat()).status(0);
    dir.rehref(&[&audit[..], &baseline].concat()).status(0);
    dir.write("site/new.xml", b"<a");
    dir.rehref(&[&audit[..], &baseline].concat()).status(1);
}

#[test]
fn each_has_a_page() {
    for (_, check) in FOUND {
        let run = TestDir::new().rehref(&["explain", check]).status(0);
        assert!(run.stdout().contains("did not check") || run.stdout().contains("did not\ncheck"));
    }
}

#[test]
fn a_rewriting_skips_them_and_ends_with_status_1() {
    let in_place = if EXCHANGES { "--in-place" } else { "--out=out" };
    for command in [
        &["absolute", "site", "--url", URL, "-o", "out"][..],
        &["absolute", "site", "--url", URL, "-o", "out", "--verify"],
        &["relative", "site", "--url", URL, "-o", "out"],
        &["move", "site", "index.html=a.html", "-o", "out"],
        &["absolute", "site", "--url", URL, "--dry-run"],
        &["absolute", "site", "--url", URL, "--diff"],
        &["absolute", "site", "--url", URL, "--in-place"],
        &["move", "site", "index.html=a.html", in_place],
    ] {
        let dir = site();
        let stderr = dir.rehref(command).status(1).stderr();
        for line in [
            "error: deep.html: the document is too complex: ",
            "error: feed.xml:2:",
            "error: odd.html: the document is not valid UTF-16LE, ",
            "3 documents ",
        ] {
            assert!(stderr.contains(line), "{command:?}: {line}\n{stderr}");
        }
        let out = if command.contains(&"-o") { "out" } else { "site" };
        assert_eq!(fs::read(dir.path(&format!("{out}/odd.html"))).unwrap(), b"\xFF\xFEx\0y");
    }
}

#[test]
fn reports_of_a_rewriting_name_the_fault() {
    let dir = site();
    let run = dir.rehref(&["absolute", "site", "--url", URL, "-o", "out", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.status(1).stdout()).unwrap();
    let problems = report["diagnostics"].as_array().unwrap();
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
    assert!(run.stderr().contains("error: feed.xml:2:"), "{}", run.stderr());
}

#[test]
fn verify_accepts_them_unchanged_at_the_same_url() {
    let dir = site();
    let run = dir.rehref(&["verify", "site", "site"]).status(1);
    for (document, _) in FOUND {
        let warning = format!("warning: {document}:");
        assert!(run.stderr().contains(&warning), "{}", run.stderr());
    }
    assert!(
        run.stderr().contains("; the document is unchanged and has the same URL"),
        "{}",
        run.stderr()
    );
    assert!(run.stdout().starts_with("no differences in "), "{}", run.stdout());
    let run = dir.rehref(&["verify", "site", "site", "--format", "json"]).status(1);
    let report: Value = serde_json::from_str(&run.stdout()).unwrap();
    let malformed = report["malformed"].as_array().unwrap();
    let ids: Vec<_> = malformed.iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids, FOUND.map(|(_, id)| id));
    assert_eq!(report.get("unproven"), None);
}

/// Each document of [`UNREADABLE`] links to `logo.png` beside it, and cannot be read.
const UNREADABLE: &[(&str, &[u8])] = &[
    ("a/p.svg", b"<svg><image href=\"logo.png\">"),
    ("a/p.xhtml", b"<html><p><img src=\"logo.png\"></html>"),
    ("a/p.xml", b"<rss><link>logo.png</link>"),
    ("a/p.html", b"\xFF\xFE<\0i\0m\0g\0 \0s\0r\0c\0=\0l\0o\0g\0o\0.\0p\0n\0g\0>"),
    ("a/p.html.gz", b"\x1f\x8bdamaged"),
];

/// How `verify` is told where the files of BEFORE are in AFTER, and where `a/p.*` is there.
const MOVES: &[(&[&str], &str)] = &[
    (&["--map", "page"], "b"),
    (&["--map", "logo"], "a"),
    (&["--new-url", "https://example.org/new/"], "a"),
    (&["--offline"], "a"),
];

#[test]
fn verify_does_not_prove_them_where_something_moved() {
    for (path, contents) in UNREADABLE {
        let name = path.trim_start_matches("a/");
        let verify = ["verify", "site", "out", "--compressed", "--url", URL];
        for (options, folder) in MOVES {
            let dir = TestDir::with_site(&[("index.html", "<p>"), ("a/logo.png", "")]);
            dir.write(&format!("site/{path}"), contents);
            dir.write("page", format!("{path}\tb/{name}\n").as_bytes());
            dir.write("logo", b"a/logo.png\tlogo.png\n");
            dir.write("out/index.html", b"<p>");
            dir.write(&format!("out/{folder}/{name}"), contents);
            let logo = if options.contains(&"logo") { "" } else { "a/" };
            dir.write(&format!("out/{logo}logo.png"), b"");
            let run = dir.rehref(&[&verify[..], options].concat()).status(2);
            let stderr = run.stderr();
            let error = format!("error: {path}");
            assert!(stderr.contains(&error), "{path} {options:?}: {stderr}");
            assert!(stderr.contains("its targets may have changed"), "{stderr}");
            let stdout = run.stdout();
            assert!(
                stdout.starts_with("no differences, 1 document not proven (see above), in "),
                "{stdout}"
            );
            let json = [&verify[..], options, &["--format", "json"]].concat();
            let report: Value = serde_json::from_str(&dir.rehref(&json).stdout()).unwrap();
            assert_eq!(report["unproven"][0]["path"], *path, "{report}");
        }
    }
}

#[test]
fn a_compressed_page_that_moved_is_compared_link_by_link() {
    let dir = TestDir::with_site(&[("a/logo.png", ""), ("index.html", "<p>")]);
    let page = compress(Coding::Gzip, "<img src=logo.png>");
    dir.write("site/a/p.html.gz", &page);
    dir.write("out/index.html", b"<p>");
    dir.write("out/a/logo.png", b"");
    dir.write("out/b/p.html.gz", &page);
    dir.write("map", b"a/p.html.gz\tb/p.html.gz\n");
    let verify = ["verify", "site", "out", "--compressed", "--map", "map"];
    let stdout = dir.rehref(&verify).status(1).stdout();
    assert!(stdout.contains("b/p.html.gz:1:"), "{stdout}");
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_verified_move_in_place_refuses_them() {
    let dir = site();
    let verified = ["move", "site", "index.html=a.html", "--in-place", "--verify"];
    let stderr = dir.rehref(&verified).status(2).stderr();
    assert!(
        stderr.contains("the site is unchanged: the rewritten tree is not proven (see above)"),
        "{stderr}"
    );
    assert!(dir.path("site/index.html").is_file());
    let out = ["move", "site", "index.html=a.html", "-o", "out", "--verify"];
    let stderr = dir.rehref(&out).status(2).stderr();
    assert!(!stderr.contains("verified in "), "{stderr}");
}

#[test]
fn a_fix_reports_them_once_as_findings() {
    let dir = site();
    dir.write("site/Case.html", b"<a href=INDEX.html>");
    let run = dir.rehref(&["audit", "site", "--fix", "-o", "out"]).status(1);
    assert!(!run.stderr().contains("error:"), "{}", run.stderr());
    assert_eq!(dir.read("out/Case.html"), "<a href=index.html>");
    let ignore = ["too-complex", "not-well-formed", "wrong-charset"];
    let ignore: Vec<&str> = ignore.iter().flat_map(|rule| ["--ignore", rule]).collect();
    let fix = ["audit", "site", "--fix", "-o", "out", "--force"];
    dir.rehref(&[&fix[..], &ignore].concat()).status(0);
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

/// As for an upload whose server says that they are compressed.
#[test]
fn compressed_pages_under_the_names_of_pages_are_not_read() {
    for coding in [Coding::Gzip, Coding::Zstd] {
        let dir = TestDir::new();
        dir.write("site/a.html", &compress(coding, "<a href=gone.html>"));
        let run = dir.rehref(&["audit", "site"]).status(1);
        assert!(run.stdout().contains("its name does not say so"), "{}", run.stdout());
    }
}

#[test]
fn an_archive_on_stdin_stays_whole() {
    let dir = TestDir::new();
    let mut tar = vec![0; 257];
    tar.extend_from_slice(b"ustar\x0000<a href=b.html>");
    let run = dir.rehref_with_stdin(&["absolute", "-", "--url", "https://e.org/"], &tar).status(0);
    assert_eq!(run.stdout_bytes(), tar);
    assert!(run.stderr().contains("not a document"), "{}", run.stderr());
}
