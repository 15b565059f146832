//! `--max-document-size`: larger documents are skipped, and named with their size.

use std::fs::{self, File};

use crate::compressed::{Coding, compress};
use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// A page of 100 bytes, and one of a byte more.
fn site() -> TestDir {
    let link = "<a href=small.html>";
    let page = |size: usize| format!("{link}{}", " ".repeat(size - link.len()));
    TestDir::with_site(&[("large.html", &page(101)), ("small.html", &page(100))])
}

const REFUSED: &str = "the document is too large: 101 bytes, and --max-document-size is 100";

#[test]
fn a_rewriting_copies_larger_documents_unchanged() {
    for command in ["absolute", "relative"] {
        let dir = site();
        let limited = ["--max-document-size", "100", "--url", URL, "-q"];
        let run = dir.rehref(&[&[command, "site", "-o", "out"][..], &limited].concat());
        let run = run.status(1);
        assert_eq!(run.stderr(), format!("error: large.html: {REFUSED}; skipped\n"));
        let [before, after] = ["site", "out"].map(|it| fs::read(dir.path(it).join("large.html")));
        assert_eq!(before.unwrap(), after.unwrap());
        let small = fs::read_to_string(dir.path("out/small.html")).unwrap();
        let is_absolute = small.starts_with("<a href=https://example.org/docs/small.html>");
        assert_eq!(is_absolute, command == "absolute");
        let unlimited = ["--max-document-size", "101", "--url", URL, "-q", "--force"];
        let run = dir.rehref(&[&[command, "site", "-o", "out"][..], &unlimited].concat());
        assert_eq!(run.status(0).stderr(), "");
    }
}

#[test]
fn the_audit_reports_them_and_every_other_command_names_them() {
    let dir = site();
    let run = dir
        .rehref(&["audit", "site", "--max-document-size", "100", "--format", "jsonl", "-q"])
        .status(1);
    let finding: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(finding["check"], "too-complex");
    assert_eq!(finding["document"], "large.html");
    assert_eq!(finding["message"], REFUSED);
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    for arguments in [
        &["links", "site"][..],
        &["base", "site/large.html"],
        &["move", "site", "-n", "small.html=x.html"],
        &["verify", "site", "out", "--url", URL],
    ] {
        let arguments = [arguments, &["--max-document-size", "100"]].concat();
        let run = dir.rehref(&arguments);
        let stderr = match arguments[0] {
            // Wrong usage: there is nothing but that document.
            "base" => run.status(2),
            _ => run.status(1),
        };
        let text = format!("{}{}", stderr.stdout(), stderr.stderr());
        assert!(text.contains(REFUSED), "{arguments:?}: {text}");
        assert!(text.contains("large.html"), "{arguments:?}: {text}");
    }
}

#[test]
fn they_are_not_even_read() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>"), ("b.html", "")]);
    // A tebibyte of nothing, which no disk holds.
    let hole = File::create(dir.path("site/b.html")).unwrap();
    if hole.set_len(1 << 40).is_err() {
        println!("skipped: the file system has no sparse files");
        return;
    }
    let run = dir.rehref(&["links", "site", "--max-document-size", "2G", "-q"]).status(1);
    let refused =
        "the document is too large: 1099511627776 bytes, and --max-document-size is 2147483648";
    assert_eq!(run.stderr(), format!("error: b.html: {refused}; skipped\n"));
}

#[test]
fn the_size_of_a_compressed_page_and_of_stdin_is_that_of_the_text() {
    let page = format!("<a href=x>{}", " ".repeat(1000));
    let packed = compress(Coding::Gzip, &page);
    assert!(packed.len() < 100);
    let dir = TestDir::new();
    dir.write("site/a.html.gz", &packed);
    let refused = "the document is too large: 1010 bytes, and --max-document-size is 100";
    let run = dir
        .rehref(&["links", "site", "--compressed", "--max-document-size", "100", "-q"])
        .status(1);
    assert_eq!(run.stderr(), format!("error: a.html.gz: {refused}; skipped\n"));
    let run = dir
        .rehref_with_stdin(
            &["absolute", "-", "--url", URL, "--max-document-size", "100"],
            page.as_bytes(),
        )
        .status(1);
    assert!(run.stderr().contains(refused), "{}", run.stderr());
    assert_eq!(run.stdout(), page);
}

#[test]
fn a_size_is_a_number_with_a_unit_and_a_setting() {
    let dir = site();
    for wrong in ["0", "big", "1.5M"] {
        let run = dir.rehref(&["links", "site", "--max-document-size", wrong]).status(2);
        let hint = "pass a number of bytes, or one with a unit: 500K, 16M or 2G";
        assert!(run.stderr().contains(hint), "{}", run.stderr());
    }
    dir.write("rehref.toml", b"max-document-size = \"100\"\n");
    let run = dir.rehref(&["links", "site", "--config", "rehref.toml", "-q"]).status(1);
    assert_eq!(run.stderr(), format!("error: large.html: {REFUSED}; skipped\n"));
}
