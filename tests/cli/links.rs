//! `rehref links`, the real binary on real directories.

use std::fs;
use std::path::Path;

use crate::support::TestDir;

#[test]
fn a_style_sheet_has_the_charset_of_its_pages() {
    // 表 in Shift_JIS ends in a backslash, which is an escape in CSS.
    let sheet = b"a { background: url(../img/\x95\x5C.png) } b { background: url(x.png) }";
    let dir = TestDir::with_site(&[("img/表.png", "")]);
    let page = b"<meta charset=shift_jis><link rel=stylesheet href='css/s.css'>";
    dir.write("site/p.html", page);
    dir.write("site/css/s.css", sheet);
    dir.write(
        "site/css/declared.css",
        b"@charset \"shift_jis\"; a { background: url(../img/\x95\x5C.png) }",
    );
    let found = |name: &str| {
        let run = dir.rehref(&["links", "site", "--quiet", "--include", name]).status(0);
        run.stdout().matches("\"file\":\"img/表.png\"").count()
    };
    assert_eq!(found("css/s.css"), 1);
    assert_eq!(found("declared.css"), 1);
    let arguments = ["absolute", "site", "-o", "out", "--verify", "--quiet"];
    dir.rehref(&[&arguments[..], &["--url", "https://example.org/"]].concat()).status(0);
    let after = std::fs::read(dir.path("out/css/s.css")).unwrap();
    assert_eq!(
        after.escape_ascii().to_string(),
        b"a { background: url(https://example.org/img/\x95\x5C.png) } \
          b { background: url(https://example.org/css/x.png) }"
            .escape_ascii()
            .to_string()
    );
    // Pages that differ say nothing.
    dir.write("site/q.html", b"<meta charset=koi8-r><link rel=stylesheet href=css/s.css>");
    assert_eq!(found("css/s.css"), 0);
}

/// A report that is not complete takes the place of no file.
#[test]
fn a_file_keeps_its_content_if_another_report_fails() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: no /dev/full");
        return;
    }
    let dir = TestDir::new();
    dir.write("site/a.html", b"<a href=b.html>");
    dir.write("old.csv", b"old");
    let run = dir.rehref(&[
        "links", "site", "--format", "jsonl=/dev/full", "--format", "csv=old.csv", "--format",
        "urls=new.txt",
    ]);
    let said = run.status(2).stderr();
    assert!(said.contains("error: /dev/full: "), "{said}");
    assert_eq!(fs::read_to_string(dir.path("old.csv")).unwrap(), "old");
    assert!(!dir.path("new.txt").exists());
}
