//! One set of pages in every kind of storage gives the same findings.

use serde_json::Value;

use crate::support::TestDir;
use crate::{compressed, warc};

const SITE: &str = "https://h.example/";

/// Paths, media types and contents, in the order in which a folder is walked.
#[rustfmt::skip]
const PAGES: &[(&str, &str, &str)] = &[
    ("alone.html", "text/html",
     "<base href='d/only.html'><base href='e/style.css'><a href=/b.html>b</a><p id=x>"),
    ("b.html", "text/html",
     "<p id=chapter>\n<p id=x><p id=x>\n<a href='#chaptre'>own</a> <a href='#/route'>own route</a>"),
    ("base.html", "text/html",
     "<a href=b.html>early</a><base href='https://h.example/d/only.html'><base href='/elsewhere/'>\n\
      <a href=only.html>only</a> <a href=b.html>not here</a> <a href='#x'>not here</a>"),
    ("d/escape.html", "text/html",
     "<a href=../../b.html>b</a> <a href=../../../gone.html>gone</a> <a href=/../b.html>b</a>"),
    ("d/only.html", "text/html",
     "<p id=x><a href=../B.html>case</a> <a href=https://h.example/b.html>self</a>"),
    ("e/style.css", "text/css",
     "p { background: url(../missing.png) } q { background: url(../d/only.html) }"),
    ("feed.xml", "application/atom+xml",
     "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://h.example/b.html'/>\
      <link href='gone.html'/><link href='b.html#chaptre'/></feed>"),
    ("hash.html", "text/html",
     "<meta http-equiv=refresh content='0; url=b.html'>\
      <script>location.replace('b.html' + location.hash)</script>"),
    ("ignored.html", "text/html",
     "<div data-rehref-ignore><a href=gone.html>gone</a><a href=b.html#gone>gone</a></div>"),
    ("index.html", "text/html",
     "<a href=gone.html>gone</a> <a href=b.htm>near</a> <a href=b>extension</a>\n\
      <a href=B.html#x>case</a> <a href=D/only.html>case</a> <a href=only.html>moved</a>\n\
      <a href=b.html#x>well</a> <a href=b.html#chaptre>fragment</a> <a href=b.html#nothing>fragment</a>\n\
      <a href=b.html#!/route>script</a> <a href=b.html#L1-L2>script</a> <a href=hash.html#x>hash</a>\n\
      <a href=https://h.example/d/only.html>self</a> <a href=//h.example/b.html>self</a>\n\
      <a href=https://h.example/gone.html>gone</a> <a href=https://other.example/>other</a>\n\
      <a href=HTTPS://h.example/index.html#top>self</a> <a href='http://['>bad</a>\n\
      <img src=http://other.example/i.png> <a href=http://localhost/>leak</a>\n\
      <a href=http://u:p@other.example/>password</a> <a href='b .html'>space</a>\n\
      <a href='{{ url }}'>template</a> <img src=''> <a href=https:b.html>lookalike</a>\n\
      <iframe srcdoc='<a href=gone.html>gone</a><a href=#x>x</a>'></iframe>\n\
      <a href=picture.svg#icno>fragment</a> <a href=picture.svg#svgView(1)>view</a>\n\
      <link rel=canonical href=https://h.example/index.html>"),
    ("loop1.html", "text/html", "<meta http-equiv=refresh content='0; url=loop2.html'>"),
    ("loop2.html", "text/html", "<meta http-equiv=refresh content='0; url=loop1.html'>"),
    ("loop3.html", "text/html", "<p>\n<meta http-equiv=refresh content='0; url=loop3.html'>"),
    ("picture.svg", "image/svg+xml",
     "<svg xmlns='http://www.w3.org/2000/svg'><g id='icon'/><use href='#icno'/>\
      <a href='gone.html'/><a href='https://h.example/b.html'/></svg>"),
];

/// The findings of `place`, without what only the storage's names change.
fn findings(dir: &TestDir, place: &str, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["audit", place, "--format", "jsonl", "-q"];
    all.extend(arguments);
    let run = dir.rehref(&all).status(1);
    let lines = run.stdout();
    let mut found: Vec<Value> = lines
        .lines()
        .map(|line| {
            let mut finding: Value = serde_json::from_str(line).unwrap();
            for key in ["document", "message"] {
                let text = finding[key].as_str().unwrap();
                let archive = format!("{place} > ");
                let text = text.replace(&archive, "").replace(SITE, "");
                let text = text.replace(".gz", "");
                finding[key] = text.into();
            }
            finding
        })
        .collect();
    found.sort_by_key(|finding| (finding["document"].to_string(), finding["line"].as_u64()));
    found
}

/// The `finding` of a site in an archive: what the archive lacks may exist elsewhere.
fn in_archive(mut finding: Value) -> Value {
    if ["broken-target", "wrong-case"].contains(&finding["check"].as_str().unwrap()) {
        finding["check"] = "not-archived".into();
        finding["level"] = "note".into();
        let path = finding["message"].as_str().unwrap().split('`').nth(1).unwrap();
        finding["message"] = format!("no archive has a capture of `{path}`").into();
        finding["suggestion"] = Value::Null;
        finding["help"] = Value::Null;
    }
    finding
}

#[test]
fn the_same_pages_have_the_same_findings_in_every_storage() {
    let dir = TestDir::new();
    let (mut plain, mut zipped) = (Vec::new(), Vec::new());
    for (path, media_type, contents) in PAGES {
        dir.write(&format!("site/{path}"), contents.as_bytes());
        let compressed = compressed::compress(compressed::Coding::Gzip, contents);
        dir.write(&format!("packed/{path}.gz"), &compressed);
        let headers = format!("Content-Type: {media_type}\r\n");
        let record = warc::response(&format!("{SITE}{path}"), &headers, contents.as_bytes());
        zipped.extend(warc::member(&record));
        plain.extend(record);
    }
    dir.write("a.warc", &plain);
    dir.write("a.warc.gz", &zipped);
    // The records have the URLs of files.
    let expected = findings(&dir, "site", &["--url", SITE, "--no-index-files"]);
    let checks: std::collections::BTreeSet<&str> =
        expected.iter().map(|finding| finding["check"].as_str().unwrap()).collect();
    for check in [
        "absolute-self-link", "bad-url", "base-late", "base-multiple", "base-relative",
        "broken-fragment", "broken-target", "duplicate-id", "escapes-root", "meta-refresh-loop",
        "script-fragment", "wrong-case",
    ] {
        assert!(checks.contains(check), "{check}: {checks:?}");
    }
    for (place, arguments) in [
        ("a.warc", &[][..]),
        ("a.warc.gz", &[]),
        ("packed", &["--url", SITE, "--no-index-files", "--compressed"]),
    ] {
        let found = findings(&dir, place, arguments);
        let expected: Vec<Value> = match place {
            "packed" => expected.clone(),
            _ => expected.iter().cloned().map(in_archive).collect(),
        };
        for finding in &found {
            assert!(expected.contains(finding), "only in {place}: {finding:#}");
        }
        for finding in &expected {
            assert!(found.contains(finding), "not in {place}: {finding:#}");
        }
        assert_eq!(found, expected, "{place}");
    }
}
