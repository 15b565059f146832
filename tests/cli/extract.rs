//! `relative --extract`: a crawl as a directory that opens from disk.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{TestDir, tree};
use crate::warc::{member, record};

fn response(uri: &str, more: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 {headers}\r\n\r\n").as_bytes(), body].concat();
    record("response", uri, more, &block)
}

fn page(uri: &str, html: &str) -> Vec<u8> {
    response(uri, "", "200 OK\r\nContent-Type: text/html; charset=utf-8", html.as_bytes())
}

fn redirect(uri: &str, to: &str) -> Vec<u8> {
    response(uri, "", &format!("301 Moved\r\nLocation: {to}"), b"")
}

/// The files below `out`, as text.
fn files(dir: &TestDir) -> BTreeMap<String, String> {
    let files = tree(&dir.path("out")).into_iter();
    let files = files.filter(|(path, _)| dir.path("out").join(path).is_file());
    files
        .map(|(path, bytes)| {
            let path = path.to_str().unwrap().to_owned();
            (path, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

fn crawl(dir: &TestDir) {
    let first = [
        page(
            "https://h.example/",
            "<base href=/d/><a href=b?x=1#f>1</a><a href=/old#g>2</a><a href=none>3</a><img src=//cdn.example/i.png>\
             <a href=#top>4</a><link rel=stylesheet href=/s.css?v=2 integrity=sha256-x crossorigin>",
        ),
        record("resource", "metadata://gnu.org/wget.log", "Content-Type: text/plain\r\n", b"log"),
        redirect("https://h.example/old", "/d/b?x=1"),
        redirect("https://h.example/logo", "https://cdn.example/i.png"),
        response("https://h.example/gone", "", "404 Not Found\r\nContent-Type: text/html", b"<p>"),
        response("https://cdn.example/i.png", "", "200 OK\r\nContent-Type: image/png", b"\x89PNG"),
    ];
    let second = [
        page("http://h.example/d/b?x=1", "<p id=f>\u{e9}<a href=../>home</a><img src=/logo>"),
        response(
            "https://h.example/s.css?v=2",
            "",
            "200 OK\r\nContent-Type: text/css",
            b"a{background:url(//cdn.example/i.png)}",
        ),
        record(
            "revisit",
            "https://h.example/again",
            "WARC-Refers-To-Target-URI: http://h.example/d/b?x=1\r\n",
            b"HTTP/1.1 200 OK\r\n\r\n",
        ),
    ];
    dir.write("crawl/1.warc", &first.concat());
    dir.write("crawl/2.warc", &second.concat());
}

#[test]
fn a_crawl_becomes_files_that_link_to_each_other() {
    let dir = TestDir::new();
    crawl(&dir);
    let said = dir.rehref(&["audit", "crawl"]).status(1).stderr();
    assert!(!said.contains("no --url"), "{said}");
    let run = dir.rehref(&["relative", "crawl", "--extract", "-o", "out"]).status(0);
    let said = run.stderr().replace('\\', "/");
    assert!(said.contains("written to out; open out/h.example/index.html"), "{said}");
    assert!(said.contains("1 URL not written: only errors in the archives"), "{said}");
    let files = files(&dir);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "cdn.example/i.png", "h.example/again.html", "h.example/d/b@x=1.html",
            "h.example/index.html", "h.example/old.html", "h.example/s.css@v=2.css",
        ]
    );
    assert_eq!(
        files["h.example/index.html"],
        "<a href=d/b@x=1.html#f>1</a><a href=d/b@x=1.html#g>2</a><a href=https://h.example/d/none>3</a><img \
         src=../cdn.example/i.png><a href=https://h.example/d/#top>4</a><link rel=stylesheet href=s.css@v=2.css>"
    );
    // Only the HTTP headers said that it is UTF-8.
    let expected =
        "\u{FEFF}<p id=f>\u{e9}<a href=../index.html>home</a><img src=../../cdn.example/i.png>";
    assert_eq!(files["h.example/d/b@x=1.html"], expected);
    assert_eq!(
        files["h.example/again.html"],
        expected.replace("../index.html", "index.html").replace("../../", "../")
    );
    assert_eq!(files["h.example/s.css@v=2.css"], "a{background:url(../cdn.example/i.png)}");
    assert!(
        files["h.example/old.html"].contains("0; url=d/b@x=1.html"),
        "{}",
        files["h.example/old.html"]
    );
    assert_eq!(std::fs::read(dir.path("out/cdn.example/i.png")).unwrap(), b"\x89PNG");
}

#[test]
fn one_archive_beside_the_output_can_be_extracted() {
    let dir = TestDir::new();
    dir.write("a.warc", &page("http://h.example/a", "<a href=b>"));
    dir.rehref(&["relative", "a.warc", "--extract", "-o", "out", "-q"]).status(0);
    assert_eq!(dir.read("out/h.example/a.html"), "<a href=http://h.example/b>");
    let json = ["relative", "a.warc", "--extract", "-o", "out2", "-q", "--format", "json"];
    let report: serde_json::Value =
        serde_json::from_str(&dir.rehref(&json).status(0).stdout()).unwrap();
    assert_eq!(report["extracted"]["first_page"], "h.example/a.html");
}

#[test]
fn what_cannot_be_extracted_is_refused() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b>")]);
    crawl(&dir);
    for (arguments, expected) in [
        (
            &["crawl", "-o", "out", "--url", "https://h.example/"][..],
            "--url does not apply to --extract",
        ),
        (&["crawl", "-o", "-"], "--extract writes a directory: add --out DIR"),
        (&["site", "-o", "out"], "no archive (.warc, .warc.gz, .wacz) to extract"),
        (&["site/a.html", "-o", "out"], "--extract reads WARC and WACZ archives only"),
        (&["crawl", "-o", "crawl/out"], "inside the site"),
    ] {
        let run = dir.rehref(&[&["relative", "--extract"], arguments].concat());
        let said = run.status(2).stderr();
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    assert!(!Path::new(&dir.path("out")).exists());
}

#[test]
fn a_damaged_archive_gives_the_files_before_the_damage() {
    let dir = TestDir::new();
    let mut file =
        [page("http://h.example/a", "<a href=b>"), page("http://h.example/b", "<p>")].concat();
    file.truncate(file.len() - 8);
    dir.write("a.warc", &file);
    let said = dir.rehref(&["relative", "a.warc", "--extract", "-o", "out"]).status(2).stderr();
    assert_eq!(said.matches("a.warc: record 2").count(), 1, "{said}");
    // The content of the other page is lost.
    assert_eq!(files(&dir).len(), 1, "{said}");
}

/// A small archive must not become a large tree.
#[test]
fn a_crawl_that_grows_too_far_is_an_error() {
    let dir = TestDir::new();
    let large = {
        let body = vec![b'x'; 1 << 20];
        response("https://h.example/large", "", "200 OK\r\nContent-Type: text/plain", &body)
    };
    let revisit = |number: usize| {
        let more = "WARC-Refers-To-Target-URI: https://h.example/large\r\n";
        member(&record("revisit", &format!("https://h.example/{number}"), more, b""))
    };
    let revisits: Vec<Vec<u8>> = (0..40).map(revisit).collect();
    dir.write("revisits.warc.gz", &[member(&large), revisits.concat()].concat());
    dir.write("few.warc.gz", &[member(&large), revisits[..9].concat()].concat());
    for (archive, status, expected, files) in [
        ("few", 0, "", 10),
        ("revisits", 2, "the files of the crawl are larger than rehref extracts: at least 1", 18),
    ] {
        let archive = format!("{archive}.warc.gz");
        let words = ["relative", &archive, "--extract", "-o", "out", "--force"];
        let said = dir.rehref(&words).status(status).stderr();
        assert!(said.contains(expected), "{said}");
        let written = tree(&dir.path("out"));
        let written = written.iter().filter(|(_, bytes)| bytes.len() == 1 << 20);
        assert!(written.count() <= files);
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
}

#[test]
fn a_url_of_many_segments_becomes_a_file() {
    let dir = TestDir::new();
    let deep = format!("https://h.example/{}", "a/".repeat(8000));
    let pages = [
        page("https://h.example/", &format!("<a href={deep}x>x</a>")),
        page(&format!("{deep}x"), "<a href=/>start</a>"),
    ];
    dir.write("crawl.warc", &pages.concat());
    let words = ["relative", "crawl.warc", "--extract", "-o", "out"];
    dir.rehref(&words).status(0);
    let files = files(&dir);
    assert_eq!(files.len(), 2);
    let (path, text) = files.iter().find(|(path, _)| path.ends_with("/x.html")).unwrap();
    let up = "../".repeat(path.matches('/').count() - 1);
    assert_eq!(*text, format!("<a href={up}index.html>start</a>"));
    let start = &files["h.example/index.html"];
    assert_eq!(
        *start,
        format!("<a href={}>x</a>", path.strip_prefix("h.example/").unwrap().replace('%', "%25"))
    );
}

#[test]
fn a_record_that_is_too_large_for_memory_is_a_warning() {
    let dir = TestDir::new();
    let small = page("https://h.example/", "<a href=large>large</a>");
    let large = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://h.example/large\r\n\
                 Content-Type: application/zip\r\nContent-Length: 300000000\r\n\r\n";
    let before = [&small, large.as_bytes()].concat();
    dir.write("crawl.warc", &before);
    let file = std::fs::OpenOptions::new().write(true).open(dir.path("crawl.warc"));
    file.unwrap().set_len(before.len() as u64 + 300_000_000).unwrap();
    let words = ["relative", "crawl.warc", "--extract", "-o", "out"];
    let said = dir.rehref(&words).status(0).stderr();
    let warning = "warning: crawl.warc: 1 record too large to process skipped";
    assert!(said.contains(warning), "{said}");
    let files = files(&dir);
    assert_eq!(files.len(), 1);
    assert_eq!(files["h.example/index.html"], "<a href=https://h.example/large>large</a>");
}
