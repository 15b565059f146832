//! SITE is a single document: a file, or stdin for `links`.

use crate::cases::values;
use crate::support::TestDir;

const URL: &str = "https://example.org/docs/guide/a.html";
const FOLDER: &str = "https://example.org/docs/guide/";

const PAGE: &str = "<p id=x>\n<a href=b.html#no>\n<a href=b.html#yes>\n<a href=old.html#moved>\n\
    <a href=../c.html>\n<a href=/d.html>\n<a href=nope.html>\n<a href=#x>\n<a href=https://example.org/>\n";

/// A page among others, one of them broken.
fn site() -> TestDir {
    TestDir::with_site(&[
        ("guide/a.html", PAGE),
        ("guide/b.html", "<p id=yes><a href=broken.html>"),
        (
            "guide/old.html",
            "<meta http-equiv=refresh content='0; url=new.html'><script>location.hash</script>",
        ),
        ("guide/new.html", "<p id=moved><a href=broken.html>"),
        ("guide/_redirects", "/x /x 301\n"),
        ("c.html", ""),
    ])
}

/// The findings of an audit: line, check and message.
fn findings(dir: &TestDir, arguments: &[&str], status: i32) -> Vec<String> {
    let all = [&["audit", "--format", "jsonl"], arguments].concat();
    let report = dir.rehref(&all).status(status).stdout();
    values(&report, "document line check").lines().map(str::to_owned).collect()
}

#[test]
fn an_audit_of_a_document_checks_its_links_against_the_files_beside_it() {
    let dir = site();
    let expected = [
        "a.html 2 broken-fragment", "a.html 4 script-fragment", "a.html 5 escapes-root",
        "a.html 7 broken-target",
    ];
    assert_eq!(findings(&dir, &["site/guide/a.html"], 1), expected);
    assert_eq!(findings(&dir, &["site/guide/a.html", "--url", URL], 1), expected);
    assert_eq!(findings(&dir, &["site/guide/a.html", "--url", FOLDER], 1), expected);
    let run = dir.rehref(&["audit", "site/guide/a.html"]).status(1);
    let said = "note: 2 links with a target outside the directory of the document were not checked; to check \
                them, audit the root directory of the site with --include a.html";
    assert!(run.stdout().contains(said), "{}", run.stdout());
    assert!(run.stdout().contains("in 1 document, 8 links"), "{}", run.stdout());
    assert_eq!(run.stderr(), "");
    let run = dir.rehref(&["audit", "site", "--include", "a.html", "--format", "jsonl"]).status(1);
    assert!(!run.stdout().contains("escapes-root"), "{}", run.stdout());
}

#[test]
fn an_unreadable_neighbor_does_not_fail_the_audit_of_a_document() {
    #[cfg(unix)]
    {
        use std::fs::{Permissions, read_dir, set_permissions};
        use std::os::unix::fs::PermissionsExt;

        let dir = TestDir::with_site(&[("a.html", "<a href=closed/x>"), ("closed/x", "")]);
        let closed = dir.path("site/closed");
        set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        let is_root = read_dir(&closed).is_ok();
        if !is_root {
            let run = dir.rehref(&["audit", "site/a.html"]).status(0);
            let said = "warning: closed: cannot read this directory: ";
            assert!(run.stderr().contains(said), "{}", run.stderr());
        }
        set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
    }
}

const ABSOLUTE: &str = "<p id=x>\n<a href=https://example.org/docs/guide/b.html#no>\n\
    <a href=https://example.org/docs/guide/b.html#yes>\n<a href=https://example.org/docs/guide/old.html#moved>\n\
    <a href=https://example.org/docs/c.html>\n<a href=https://example.org/d.html>\n\
    <a href=https://example.org/docs/guide/nope.html>\n<a href=#x>\n\
    <a href=https://example.org/>\n";

#[test]
fn a_document_is_rewritten_to_a_file_to_stdout_or_in_place() {
    let dir = site();
    for url in [URL, FOLDER] {
        let run = dir.rehref(&["absolute", "site/guide/a.html", "--url", url, "-o", "-", "-q"]);
        assert_eq!(run.status(0).stdout(), ABSOLUTE);
    }
    let run = dir
        .rehref(&["absolute", "site/guide/a.html", "--url", URL, "-o", "new.html", "--verify"])
        .status(0);
    assert!(run.stderr().contains("verified in"), "{}", run.stderr());
    assert_eq!(dir.read("new.html"), ABSOLUTE);
    assert_eq!(dir.read("site/guide/a.html"), PAGE);
    dir.rehref(&["verify", "site/guide/a.html", "new.html", "--url", URL]).status(0);
    dir.write("new.html", ABSOLUTE.replace("#no", "#on").as_bytes());
    dir.rehref(&["verify", "site/guide/a.html", "new.html", "--url", URL]).status(1);

    dir.rehref(&["absolute", "site/guide/a.html", "--url", URL, "--check"]).status(1);
    dir.rehref(&["absolute", "site/guide/a.html", "--url", URL, "--in-place"]).status(0);
    assert_eq!(dir.read("site/guide/a.html"), ABSOLUTE);
    assert_eq!(dir.read("site/guide/b.html"), "<p id=yes><a href=broken.html>");
    // Without a URL, the files on disk are the site.
    dir.write("site/guide/e.html", b"<a href=b.html><a href=/d.html>");
    dir.rehref(&["relative", "site/guide/e.html", "--in-place"]).status(0);
    assert_eq!(dir.read("site/guide/e.html"), "<a href=b.html><a href=/d.html>");
    dir.rehref(&["relative", "site/guide/a.html", "--url", URL, "--in-place"]).status(0);
    let relative = dir.read("site/guide/a.html");
    assert!(relative.starts_with("<p id=x>\n<a href=b.html#no>"), "{relative}");
}

#[test]
fn what_has_no_meaning_for_a_document_is_refused() {
    let dir = site();
    let page = "site/guide/a.html";
    for (arguments, said) in [
        (&["absolute", page, "-n"][..], "absolute needs --url"),
        (&["absolute", page, "--url", URL], "no output: add --out FILE (- for stdout)"),
        (
            &["absolute", page, "--url", URL, "-o", "none/o.html"],
            "none does not exist\nhelp: create it first",
        ),
        (&["absolute", page, "--url", URL, "-o", page], "--in-place"),
        (
            &["absolute", page, "--url", URL, "-o", "site"],
            "is a directory, but the site is one file",
        ),
        (
            &["absolute", page, "--url", URL, "-n", "--format", "json=site/guide/a.html"],
            "would overwrite the site",
        ),
        (
            &["relative", page, "-n", "--offline"],
            "--offline does not apply: the site is a single document",
        ),
        (&["audit", page, "--entry", "a.html"], "--entry does not apply"),
        (&["audit", page, "--exclude", "a.html"], "--exclude does not apply"),
        (&["audit", page, "--format", "json=site/guide/a.html"], "would overwrite the site"),
        (
            &["audit", page, "--url", "https://example.org/docs/guide/b.html"],
            "is neither the URL of a.html nor",
        ),
        (
            &["audit", page, "--url", "https://example.org/docs/guide/a"],
            "is neither the URL of a.html nor",
        ),
        (&["audit", "site", "--kind", "html"], "--kind applies only to a single document"),
        (&["verify", "site", page], "two directories, two documents or two archives"),
        (
            &["move", page, "a=b"],
            "pass the root directory of the site, and the file in the move: rehref move site guide/a.html=NEW",
        ),
    ] {
        let run = dir.rehref(arguments).status(2);
        assert!(run.stderr().contains(said), "{arguments:?}: {}", run.stderr());
    }
    assert_eq!(dir.read(page), PAGE);
}

#[test]
fn settings_of_a_site_do_not_choose_its_only_document() {
    let dir = site();
    dir.write(
        "rehref.toml",
        b"url = 'https://example.org/docs/'\nexclude = ['a.html']\n[audit]\nignore = ['broken-fragment']\n",
    );
    let expected = ["a.html 4 script-fragment", "a.html 5 escapes-root", "a.html 7 broken-target"];
    assert_eq!(findings(&dir, &["site/guide/a.html"], 1), expected);
    // As for a directory: a stranger's tree does not silence its audit.
    dir.write("site/guide/rehref.toml", b"[audit]\nignore = ['broken-target']\n");
    let run = dir.rehref_in("site/guide", &["audit", "a.html"]).status(1);
    assert!(run.stdout().contains("[broken-target]"), "{}", run.stdout());
    assert!(run.stderr().contains("is in the site, so rehref did not read it"), "{}", run.stderr());
}

#[test]
fn no_report_overwrites_a_document_in_the_directory_of_a_document() {
    let dir = site();
    let page = "site/guide/a.html";
    dir.write("site/guide/deep/c.html", b"c");
    for command in [
        &["audit", page, "--format"][..],
        &["links", page, "--format"],
        &["absolute", page, "--url", URL, "-o", "out.html", "--format"],
    ] {
        for neighbor in ["site/guide/b.html", "site/guide/deep/c.html"] {
            let before = dir.read(neighbor);
            let report = format!("json={neighbor}");
            let report = report.replace("json", if command[0] == "links" { "csv" } else { "json" });
            let refused = dir.rehref(&[command, &[&report]].concat());
            let refused = refused.status(2).stderr();
            let said = format!(
                "--format {report} would overwrite a document in the directory of the site\nhelp: pass another file"
            );
            assert!(refused.contains(&said), "{command:?}: {refused}");
            assert_eq!(dir.read(neighbor), before);
        }
    }
    // What is no document, or elsewhere, is replaced as ever.
    for file in ["site/guide/r.csv", "site/c.html"] {
        dir.write(file, b"old");
        let report = format!("csv={file}");
        dir.rehref(&["links", page, "--format", &report]).status(0);
        assert_ne!(dir.read(file), "old");
    }
}

#[test]
fn what_is_not_a_document_is_refused() {
    let dir = TestDir::new();
    dir.write("empty.html", b"");
    let run = dir.rehref(&["audit", "empty.html"]).status(0);
    let said = "empty documents (0 bytes): 1";
    assert!(run.stderr().contains(said), "{}", run.stderr());
    dir.write("pic.png", b"\x89PNG\r\n\x1a\n");
    let said = "pic.png: this is a picture, an archive or another binary file, not a document";
    for command in [
        &["audit", "pic.png"][..],
        &["audit", "pic.png", "--fix", "--in-place"],
        &["links", "pic.png"],
        &["absolute", "pic.png", "--url", FOLDER, "-o", "o.html"],
    ] {
        let run = dir.rehref(&[command, &["--kind", "html"]].concat()).status(2);
        assert_eq!(run.stderr().matches(said).count(), 1, "{}", run.stderr());
    }
    let run = dir.rehref(&["base", "pic.png"]).status(2);
    assert!(run.stderr().contains(said), "{}", run.stderr());
}

#[test]
fn the_url_of_the_site_is_not_taken_for_that_of_a_folder_in_silence() {
    let dir = TestDir::with_site(&[("index.html", ""), ("news/a.html", "<a href=b.html>")]);
    for (url, is_noted) in [("https://e.org/", true), ("https://e.org/news/", false)] {
        let run = dir.rehref(&["absolute", "site/news/a.html", "--url", url, "-n"]);
        let run = run.status(if is_noted { 2 } else { 0 });
        let said = "pass the URL of the document: --url https://e.org/news/a.html";
        assert_eq!(run.stderr().contains(said), is_noted, "{}", run.stderr());
    }
}

#[test]
fn a_compressed_page_is_read_in_its_directory() {
    let dir = TestDir::new();
    dir.write("w/page.html.gz", b"\x1F\x8B");
    for command in [&["audit"][..], &["links"], &["absolute", "-n", "--url", FOLDER]] {
        let run = dir.rehref(&[command, &["w/page.html.gz"]].concat()).status(2);
        let stderr = run.stderr();
        let said = "to read a compressed page, pass its directory: w --compressed --include '/page.html.gz'";
        assert!(stderr.contains(said), "{stderr}");
        assert!(!stderr.contains("--kind"), "{stderr}");
    }
}
