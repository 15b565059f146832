//! WARC archives, the real binary on files made here.

use std::fs;
use std::io::Write;

use data_encoding::{BASE32, HEXLOWER};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha1::{Digest, Sha1};
use sha2::Sha256;

use crate::cases::values;
use crate::support::TestDir;
use crate::warc_reader;

/// The spelling of a digest in records.
pub(crate) fn sha1(bytes: impl AsRef<[u8]>) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

/// The spelling of a digest in records and in the files of WACZ.
pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// A record with a block.
pub(crate) fn record(kind: &str, uri: &str, more: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nwarc-type: {kind}\r\nWARC-Target-URI: {uri}\r\nX-Odd :  spaced \r\n\tfolded\r\n\
         WARC-Block-Digest: {}\r\n{more}Content-Length: {}\r\n\r\n",
        sha1(block),
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response with a body as it was sent.
pub(crate) fn response(uri: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\n{headers}\r\n");
    let digest = format!("WARC-Payload-Digest: {}\r\n", sha1(body));
    record("response", uri, &digest, &[http.as_bytes(), body].concat())
}

pub(crate) fn page(uri: &str, html: &str) -> Vec<u8> {
    let headers =
        format!("Content-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n", html.len());
    response(uri, &headers, html.as_bytes())
}

fn chunked(bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for chunk in bytes.chunks(10) {
        body.extend(format!("{:X}\r\n", chunk.len()).into_bytes());
        body.extend_from_slice(chunk);
        body.extend_from_slice(b"\r\n");
    }
    [&body[..], b"0\r\n\r\n"].concat()
}

pub(crate) fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const HTML: &str = "<p><a href=b.html#x>b</a> <a href=//other.example/>other</a> <img src=/i.png>";

/// One record of every kind, some with documents in every coding.
fn records() -> Vec<Vec<u8>> {
    let gzipped = member(HTML.as_bytes());
    vec![
        record("warcinfo", "", "", b"software: test\r\n"),
        page("http://h.example/d/a.html", HTML),
        record("request", "http://h.example/d/a.html", "", b"GET / HTTP/1.1\r\n\r\n"),
        response(
            "<http://h.example/d/chunked.html>",
            "content-type: TEXT/HTML\r\ntransfer-encoding: chunked\r\n",
            &chunked(HTML.as_bytes()),
        ),
        response(
            "http://h.example/d/gzip",
            "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            &chunked(&gzipped),
        ),
        response(
            "http://h.example/d/zipped",
            &format!(
                "Content-Encoding: gzip\r\nContent-Length: {}\r\nContent-Type: text/html\r\n",
                gzipped.len()
            ),
            &gzipped,
        ),
        record(
            "resource",
            "http://h.example/d/page.css",
            "Content-Type: text/css\r\n",
            b"a { b: url(i.png) }",
        ),
        response("http://h.example/i.png", "Content-Type: image/png\r\n", b"<a href=x>"),
        response(
            "http://h.example/d/other?q",
            "Content-Location: /e/other.html\r\n",
            b"<!DOCTYPE html><a href=x.html>",
        ),
        page("http://h.example/d/b.html", "<p id=x>"),
        record("metadata", "http://h.example/d/b.html", "", b"via: http://h.example/\r\n"),
        record("revisit", "http://h.example/d/again.html", "", b"HTTP/1.1 200 OK\r\n\r\n"),
        record("conversion", "http://h.example/d/b.txt", "", b"text"),
        record("dummy", "urn:x:y", "", b"<a href=x>"),
    ]
}

fn plain() -> Vec<u8> {
    records().concat()
}

fn zipped() -> Vec<u8> {
    records().iter().flat_map(|it| member(it)).collect()
}

/// Every page and style sheet of an archive: URL and text, with lengths and digests checked by an
/// independent reader.
fn documents(file: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for record in warc_reader::records(file) {
        let uri = record.target_uri();
        let digest = record.value("WARC-Block-Digest").unwrap();
        assert!(warc_reader::digest_fits(digest, &record.block), "{uri}");
        assert_eq!(record.value("X-Odd").unwrap(), "spaced \tfolded");
        if let Some((fields, body)) = record.http() {
            if let Some(digest) = record.value("WARC-Payload-Digest") {
                assert!(warc_reader::digest_fits(digest, body), "{uri}");
            }
            let length = fields.iter().find(|(name, _)| name == "Content-Length");
            if let Some((_, length)) = length {
                assert_eq!(*length, body.len().to_string(), "{uri}");
            }
        }
        if let Some(text) = record.document() {
            found.push((uri.to_owned(), text));
        }
    }
    found
}

const ABSOLUTE: &str = "<p><a href=http://h.example/d/b.html#x>b</a> <a href=http://other.example/>other</a> \
                        <img src=http://h.example/i.png>";

#[test]
fn documents_become_absolute() {
    for (name, file) in [("a.warc", plain()), ("a.warc.gz", zipped())] {
        let dir = TestDir::new();
        dir.write(name, &file);
        let run = dir.rehref(&["absolute", name, "-o", "out"]).status(0);
        assert!(run.stderr().contains("6 of 7 documents rewritten in "), "{}", run.stderr());
        assert!(run.stderr().contains("read 1 archive (14 records)\n"));
        let written = fs::read(dir.path("out")).unwrap();
        let url = |name: &str| format!("http://h.example/d/{name}");
        let expected = [
            ("a.html", ABSOLUTE),
            ("chunked.html", ABSOLUTE),
            ("gzip", ABSOLUTE),
            ("zipped", ABSOLUTE),
            ("page.css", "a { b: url(http://h.example/d/i.png) }"),
            ("other?q", "<!DOCTYPE html><a href=http://h.example/d/x.html>"),
            ("b.html", "<p id=x>"),
        ];
        let expected = expected.map(|(name, text)| (url(name), text.to_owned()));
        assert_eq!(documents(&written), expected);
    }
}

#[test]
fn every_other_record_is_copied_byte_for_byte() {
    let dir = TestDir::new();
    dir.write("a.warc.gz", &zipped());
    dir.rehref(&["absolute", "a.warc.gz", "-o", "out.warc.gz", "-q", "-j", "3"]).status(0);
    let written = fs::read(dir.path("out.warc.gz")).unwrap();
    for record in records() {
        let member = member(&record);
        let is_there = written.windows(member.len()).any(|it| it == member);
        let text = String::from_utf8_lossy(&record);
        let changes = text.contains("href=b.html")
            || text.contains("Content-Encoding: gzip")
            || text.contains("chunked")
            || text.contains("url(i.png)")
            || text.contains("x.html");
        assert_eq!(is_there, !changes, "{text}");
    }
}

#[test]
fn what_says_already_what_is_wanted_is_identical() {
    for (name, file) in [("a.warc", plain()), ("a.warc.gz", zipped())] {
        let dir = TestDir::new();
        dir.write(name, &file);
        dir.rehref(&["absolute", name, "-o", "one.warc", "-q"]).status(0);
        dir.rehref(&["absolute", "one.warc", "-o", "two.warc", "-q"]).status(0);
        let read = |name| fs::read(dir.path(name)).unwrap();
        assert!(read("one.warc") == read("two.warc"));
        dir.rehref(&["relative", "one.warc", "-o", "back.warc", "-q"]).status(0);
        let back = documents(&read("back.warc"));
        let before = documents(&file);
        // The link to the other server has been spelled out.
        let spelled = HTML.replace("//other", "http://other").replace("/i.png", "../i.png");
        assert_eq!(back[0].1, spelled);
        assert_eq!(back[4..], before[4..]);
    }
}

#[test]
fn relative_to_a_site_that_is_named() {
    let dir = TestDir::new();
    let html = "<a href=http://h.example/d/b>b</a> <a href=http://h.example/c>c</a>";
    let also = "<a href=https://www.h.example/d/b>b</a>";
    let file = [page("http://h.example/d/a", html), page("http://h.example/d/e", also)];
    dir.write("a.warc", &file.concat());
    dir.rehref(&[
        "relative", "a.warc", "-o", "out", "-q", "--url", "http://h.example/d/", "--also",
        "https://www.h.example/d/",
    ])
    .status(0);
    let found = documents(&fs::read(dir.path("out")).unwrap());
    assert_eq!(found[0].1, "<a href=b>b</a> <a href=http://h.example/c>c</a>");
    assert_eq!(found[1].1, "<a href=b>b</a>");
}

#[test]
fn archives_in_a_tree() {
    let dir = TestDir::with_site(&[("index.html", "<a href=x.html>")]);
    dir.write("site/crawl/a.warc.gz", &zipped());
    dir.write("site/crawl/b.warc", &plain());
    dir.write("site/left/c.warc", &plain());
    let run = dir
        .rehref(&[
            "absolute", "site", "-o", "out", "--url", "https://s.example/", "--exclude", "left/",
            "--format", "json", "-q",
        ])
        .status(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(report["archives"]["seen"], 2);
    assert_eq!(report["archives"]["records"], 28);
    assert_eq!(report["documents"]["seen"], 15);
    assert_eq!(report["changed"][0]["path"], "crawl/a.warc.gz");
    assert_eq!(report["copied"]["files"], 1);
    assert_eq!(dir.read("out/index.html"), "<a href=https://s.example/x.html>");
    for name in ["a.warc.gz", "b.warc"] {
        let written = fs::read(dir.path(&format!("out/crawl/{name}"))).unwrap();
        assert_eq!(documents(&written)[0].1, ABSOLUTE);
    }
    assert_eq!(dir.read("out/left/c.warc"), dir.read("site/left/c.warc"));
}

#[test]
fn in_place_and_shown_only() {
    let dir = TestDir::new();
    dir.write("a.warc.gz", &zipped());
    let before = fs::read(dir.path("a.warc.gz")).unwrap();
    let run = dir.rehref(&["absolute", "a.warc.gz", "--dry-run", "-q"]).status(0);
    assert_eq!(run.stdout(), "a.warc.gz: 15 links\n");
    let run = dir.rehref(&["absolute", "a.warc.gz", "--diff", "-q"]).status(0);
    assert_eq!(run.stdout(), "Binary files a/a.warc.gz and b/a.warc.gz differ\n");
    assert_eq!(fs::read(dir.path("a.warc.gz")).unwrap(), before);
    dir.rehref(&["absolute", "a.warc.gz", "--in-place", "-q"]).status(0);
    assert_eq!(documents(&fs::read(dir.path("a.warc.gz")).unwrap())[0].1, ABSOLUTE);
}

#[test]
fn one_gzip_member_for_all_becomes_one_for_each() {
    let dir = TestDir::new();
    dir.write("a.warc.gz", &member(&plain()));
    dir.rehref(&["absolute", "a.warc.gz", "-o", "out.warc.gz", "-q"]).status(0);
    let written = fs::read(dir.path("out.warc.gz")).unwrap();
    assert_eq!(documents(&written)[0].1, ABSOLUTE);
    let members = warc_reader::members(&written);
    assert_eq!(members.len(), 14);
    for member in members {
        assert_eq!(warc_reader::records(&member).len(), 1);
    }
    // Where nothing is to be done it stays as it is.
    dir.write(
        "b.warc.gz",
        &member(&[page("http://h.example/", "<p>"), page("http://h.example/x", "<p>")].concat()),
    );
    dir.rehref(&["absolute", "b.warc.gz", "-o", "same.warc.gz", "-q"]).status(0);
    let read = |name| fs::read(dir.path(name)).unwrap();
    assert_eq!(read("same.warc.gz"), read("b.warc.gz"));
}

#[test]
fn a_damaged_archive_is_kept_and_told() {
    let whole = zipped();
    let second = member(&records()[0]).len();
    let mut garbled = whole.clone();
    garbled[second + 30] ^= 0x55;
    let cut = &plain()[..plain().len() - 30];
    for (name, file, said) in [
        ("cut.warc", cut.to_vec(), "record 14, at byte "),
        ("cut.warc.gz", whole[..whole.len() - 5].to_vec(), "record 14, at byte "),
        (
            "garbled.warc.gz",
            garbled,
            &*format!("record 2, at byte {second}: the gzip member is damaged ("),
        ),
        (
            "no.warc",
            b"nothing of the kind".to_vec(),
            "record 1, at byte 0: no WARC record begins here: not a WARC archive, or a damaged one",
        ),
    ] {
        let dir = TestDir::new();
        dir.write(name, &file);
        let run = dir.rehref(&["absolute", name, "-o", "out", "-q"]).status(2);
        let stderr = run.stderr();
        assert!(stderr.starts_with(&format!("error: {name}: {said}")), "{stderr}");
        assert!(stderr.ends_with("; skipped\n"), "{stderr}");
        assert_eq!(fs::read(dir.path("out")).unwrap(), file);
        for command in ["links", "audit"] {
            let run = dir.rehref(&[command, name, "-q"]).status(2);
            assert!(run.stderr().contains(said), "{}", run.stderr());
        }
    }
}

#[test]
fn what_cannot_be_rewritten_is_kept_and_told() {
    let odd = record(
        "response",
        "http://h.example/odd",
        "WARC-Payload-Digest: blake3:00\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>",
    );
    let coded = response(
        "http://h.example/coded",
        "Content-Type: text/html\r\nContent-Encoding: compress\r\n",
        b"<a href=x>",
    );
    let part = page("http://h.example/part", "<a href=x>");
    let segment = String::from_utf8(part).unwrap();
    let segment = segment.replace("WARC-Payload", "WARC-Segment-Number: 1\r\nWARC-Payload");
    let partial = "HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n\r\n<a href=x>";
    let partial = record("response", "http://h.example/206", "", partial.as_bytes());
    let wrong = String::from_utf8(page("http://h.example/wrong", "<a href=x>")).unwrap();
    let wrong = wrong.replace("WARC-Payload-Digest: sha1:", "WARC-Payload-Digest: sha1:A");
    let dir = TestDir::new();
    let file = [odd, coded, segment.into_bytes(), partial, wrong.into_bytes()].concat();
    dir.write("a.warc", &file);
    let run = dir.rehref(&["absolute", "a.warc", "-o", "out"]).status(2);
    let stderr = run.stderr();
    for line in [
        "warning: a.warc > http://h.example/wrong: the WARC-Payload-Digest was wrong before the rewrite, so \
         rehref did not update it",
        "warning: a.warc: 1 record in several segments skipped",
        "warning: a.warc: 1 record with only part of a resource skipped",
        "error: a.warc > http://h.example/odd: the header WARC-Payload-Digest uses an unsupported algorithm; skipped",
        "error: a.warc > http://h.example/coded: the content coding `compress` is not supported; skipped",
        "1 of 3 documents rewritten in ",
    ] {
        assert!(stderr.contains(line), "{line}\n{stderr}");
    }
}

#[test]
fn stdout_takes_an_archive() {
    let dir = TestDir::new();
    dir.write("a.warc", &page("http://h.example/d/a", HTML));
    dir.rehref(&["absolute", "a.warc", "-o", "out.warc", "-q"]).status(0);
    let run = dir.rehref(&["absolute", "a.warc", "-o", "-", "--verify"]).status(0);
    assert_eq!(run.stdout(), dir.read("out.warc"));
    let stderr = run.stderr();
    assert!(stderr.ends_with("written to stdout\n"), "{stderr}");
    dir.write("bad.warc", b"WARC/1.0\r\n");
    let run = dir.rehref(&["absolute", "bad.warc", "-o", "-"]).status(2);
    // As a file would be: a damaged archive is copied unchanged.
    assert_eq!(run.stdout(), "WARC/1.0\r\n");
    dir.write("site/a.html", b"");
    for (arguments, message) in [
        (&["a.warc", "--format", "json"][..], "--format json=FILE"),
        (&["site", "--url", "http://h.example/"], "the site is a directory"),
    ] {
        let run = dir.rehref(&[&["absolute", "-o", "-"], arguments].concat());
        assert!(run.status(2).stderr().contains(message));
    }
    let run = dir.rehref_with_stdin(
        &["absolute", "-", "-o", "-", "--url", "http://h.example/"],
        b"<a href=x>",
    );
    assert_eq!(run.status(0).stdout(), "<a href=http://h.example/x>");
}

#[test]
fn refusals() {
    let dir = TestDir::new();
    dir.write("a.warc", &plain());
    dir.write("out.warc", b"");
    dir.write("text.txt", b"");
    fs::create_dir(dir.path("folder")).unwrap();
    for (arguments, said) in [
        (&["absolute", "a.warc", "-o", "a.warc"][..], "a.warc is the site itself"),
        (
            &["absolute", "a.warc", "-o", "out.warc"],
            "out.warc already exists\nhelp: use --force to replace it",
        ),
        (&["absolute", "a.warc", "-o", "new.WARC.gz"], "new.WARC.gz: the output is not compressed"),
        (
            &["absolute", "a.warc", "-o", "folder"],
            "folder is a directory, but the site is one file\nhelp: pass a file",
        ),
        (
            &["absolute", "a.warc", "-o", "o", "--url", "http://h/"],
            "--url does not apply: the site is an archive",
        ),
        (&["relative", "a.warc", "-o", "o", "--offline"], "--offline does not apply"),
        (&["audit", "a.warc", "--url", "http://h/"], "--url does not apply"),
        (&["audit", "a.warc", "--fix", "--diff"], "--fix does not apply"),
        (
            &["absolute", "text.txt", "-o", "o"],
            "text.txt is not a site, a document or an archive that rehref reads (.warc, .warc.gz, .wacz)",
        ),
    ] {
        let run = dir.rehref(arguments).status(2);
        assert!(run.stderr().contains(said), "{}", run.stderr());
    }
    dir.rehref(&["absolute", "a.warc", "-o", "out.warc", "--force", "-q"]).status(0);
}

#[test]
fn references_are_listed_with_their_records() {
    let dir = TestDir::new();
    dir.write("a.warc.gz", &zipped());
    let run = dir.rehref(&["links", "a.warc.gz", "-q"]).status(0);
    let links: Vec<serde_json::Value> =
        run.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(links.len(), 15);
    let link = |at: usize, field: &str| links[at][field].clone();
    assert_eq!(link(0, "document"), "a.warc.gz > http://h.example/d/a.html");
    assert_eq!(link(0, "target"), "http://h.example/d/b.html#x");
    assert_eq!(link(0, "kind"), "internal");
    assert_eq!(link(0, "file"), "http://h.example/d/b.html");
    assert_eq!(link(0, "found"), true);
    assert_eq!(link(1, "kind"), "external");
    assert_eq!(link(2, "found"), true);
    assert_eq!(link(13, "attribute"), "Content-Location");
    assert_eq!(link(13, "target"), "http://h.example/e/other.html");
    assert_eq!(link(14, "base"), "http://h.example/d/other?q");
    assert_eq!(link(14, "found"), false);
}

/// For targets alone, no index of the archive is made.
#[test]
fn targets_alone_are_those_of_the_records() {
    let dir = TestDir::new();
    dir.write("a.warc.gz", &zipped());
    let listed = dir.rehref(&["links", "a.warc.gz", "-q"]).status(0);
    let listed = listed.stdout();
    let mut expected: Vec<String> = Vec::new();
    for line in listed.lines() {
        let link: serde_json::Value = serde_json::from_str(line).unwrap();
        let target = link["target"].as_str().map(str::to_owned);
        expected.extend(target.filter(|target| !expected.contains(target)));
    }
    assert!(expected.len() > 5);
    let kinds = "internal,external,part,other";
    for filter in [&[][..], &["--only", kinds]] {
        let arguments = [&["links", "a.warc.gz", "-q", "--format", "urls"], filter].concat();
        let urls = dir.rehref(&arguments).status(0);
        let urls: Vec<String> = urls.stdout().lines().map(str::to_owned).collect();
        assert_eq!(urls, expected, "{filter:?}");
    }
}

#[test]
fn references_in_headers_become_absolute_too() {
    let block = b"HTTP/1.1 301 Moved\r\nlocation:  /b.html \r\nLink: </s.css>; rel=preload\r\n\
                  Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc";
    let moved = record("response", "http://h.example/d/a", "", block);
    let dir = TestDir::new();
    dir.write("a.warc", &moved);
    dir.rehref(&["absolute", "a.warc", "-o", "out", "-q"]).status(0);
    let new = String::from_utf8_lossy(block)
        .replace("/b.html", "http://h.example/b.html")
        .replace("/s.css", "http://h.example/s.css");
    let expected = record("response", "http://h.example/d/a", "", new.as_bytes());
    assert_eq!(dir.read("out"), String::from_utf8(expected).unwrap());
}

#[test]
fn what_was_written_is_verified() {
    let dir = TestDir::with_site(&[("index.html", "<a href=x.html>")]);
    dir.write("site/a.warc.gz", &zipped());
    dir.write("site/b.warc", &plain());
    let run = dir
        .rehref(&["absolute", "site", "-o", "out", "--url", "https://s.example/", "--verify"])
        .status(0);
    assert!(run.stderr().contains("31 links with the expected target"), "{}", run.stderr());
    dir.rehref(&["verify", "site", "out", "--url", "https://s.example/"]).status(0);
    // Single archives, of whatever name.
    dir.rehref(&["relative", "site/a.warc.gz", "-o", "rel.warc.gz", "--verify"]).status(0);
    dir.rehref(&["verify", "site/a.warc.gz", "rel.warc.gz"]).status(0);
    let run = dir.rehref(&["verify", "site", "rel.warc.gz"]).status(2);
    assert!(run.stderr().contains("compares two directories, two documents or two archives"));
    // A link that leads elsewhere, a header, a digest.
    let written = fs::read(dir.path("out/b.warc")).unwrap();
    for (old, new, said) in [
        ("d/b.html#x>b", "d/c.html#x>b", "the WARC-Block-Digest is wrong"),
        ("d/b.html#x>b", "d/c.html#x>b", "`http://h.example/d/c.html#x`"),
        ("X-Odd :  spaced", "X-Odd :\t spaced", "the header of the record differs"),
        ("software: test", "software: text", "the record differs, and is not a document"),
    ] {
        let at = written.windows(old.len()).position(|it| it == old.as_bytes()).unwrap();
        let mut other = written.clone();
        other[at..at + old.len()].copy_from_slice(new.as_bytes());
        fs::write(dir.path("out/b.warc"), other).unwrap();
        let run = dir.rehref(&["verify", "site", "out", "--url", "https://s.example/"]).status(1);
        assert!(run.stdout().contains(said), "{said}: {}", run.stdout());
    }
}

#[test]
fn an_archive_is_audited_by_what_it_holds() {
    let redirect = |uri: &str, to: &str| {
        let block = format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n");
        record("response", uri, "", block.as_bytes())
    };
    let gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p id=x>";
    let file = [
        page(
            "http://h.example/",
            "<a href=b.html#x>1</a>\n<a href=b.html#y>2</a>\n<a href=/old#x>3</a>\n\
             <a href=/gone>4</a>\n<a href=/not-there>5</a>\n<a href=https://h.example/b.html>6</a>\n\
             <a href=http://elsewhere.example/>7</a>\n<a href=http://h.example/away>8</a>\n\
             <a href=/old#z>9</a>",
        ),
        page("http://h.example/b.html", "<p id=x>"),
        redirect("http://h.example/old", "/b.html"),
        redirect("http://h.example/away", "http://elsewhere.example/"),
        record("response", "http://h.example/gone", "", gone),
    ];
    let file: Vec<u8> = file.iter().flat_map(|it| member(it)).collect();
    let dir = TestDir::new();
    dir.write("a.warc.gz", &file);
    let run = dir.rehref(&["audit", "a.warc.gz", "-q", "--format", "jsonl"]).status(1);
    let found: Vec<String> = run
        .stdout()
        .lines()
        .map(|line| {
            let finding: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(finding["document"], "a.warc.gz > http://h.example/");
            let text = |field: &str| finding[field].as_str().unwrap().to_owned();
            format!("{} {}: {}", finding["line"], text("check"), text("message"))
        })
        .collect();
    assert_eq!(
        found,
        [
            "2 broken-fragment: no anchor `#y` in `http://h.example/b.html`",
            "4 broken-target: broken link: the archives contain only a response with status 404 for `http://h.example/gone`",
            "5 not-archived: no archive has a capture of `http://h.example/not-there`",
            "8 absolute-self-link: the absolute URL leads into the same site",
            "9 broken-fragment: no anchor `#z` in `http://h.example/b.html`",
        ]
    );
    // Beside a tree, as a part of it.
    dir.write("site/a.warc.gz", &file);
    dir.write("site/index.html", b"<a href=gone.html>");
    let run = dir.rehref(&["audit", "site", "-q", "--no-group"]).status(1);
    assert!(run.stdout().contains("site/index.html:1:9: error: broken link: "));
    assert!(run.stdout().contains("site/a.warc.gz > http://h.example/:2:9: error: "));
}

#[test]
fn a_damaged_body_is_kept_and_told() {
    let html = HTML.as_bytes();
    let whole = chunked(html);
    let zipped_chunks = chunked(&member(html));
    let coded = |more: &str| format!("Content-Type: text/html\r\n{more}");
    let chunks = coded("Transfer-Encoding: chunked\r\n");
    let zip = coded("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n");
    let damaged = "the chunked body is damaged or cut off";
    for (headers, body, said) in [
        (&chunks, whole[..whole.len() - 12].to_vec(), damaged),
        (&chunks, whole[..30].to_vec(), damaged),
        (&chunks, [&whole[..], b"junk"].concat(), damaged),
        (&zip, zipped_chunks[..40].to_vec(), damaged),
        (&zip, whole.clone(), "the content is not gzip, although the headers say so"),
    ] {
        let dir = TestDir::new();
        let file = response("http://h.example/d/x", headers, &body);
        dir.write("a.warc", &file);
        let run = dir.rehref(&["absolute", "a.warc", "-o", "out", "-q"]).status(2);
        let expected = format!("error: a.warc > http://h.example/d/x: {said}; skipped\n");
        assert_eq!(run.stderr(), expected);
        assert_eq!(fs::read(dir.path("out")).unwrap(), file);
    }
    // A line end too many does no harm, and stays.
    let dir = TestDir::new();
    let body = [&whole[..], b"\r\n"].concat();
    dir.write("a.warc", &response("http://h.example/d/x", &chunks, &body));
    dir.rehref(&["absolute", "a.warc", "-o", "out", "-q", "--verify"]).status(0);
    let written = fs::read(dir.path("out")).unwrap();
    assert_eq!(documents(&written)[0].1, ABSOLUTE);
    assert!(written.ends_with(b"\r\n0\r\n\r\n\r\n\r\n\r\n"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt;

    let dir = TestDir::new();
    dir.write("a.warc", &plain());
    let _socket = std::os::unix::net::UnixListener::bind(dir.path("socket")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.path("pipe")).status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("pipe", dir.path("link")).unwrap();
    for name in ["pipe", "socket", "link"] {
        for force in [&["-q"][..], &["-q", "--force"]] {
            let run = dir.rehref(&[&["absolute", "a.warc", "-o", name], force].concat()).status(2);
            let said = format!(
                "{name} is a device, pipe or socket, which the output would replace\nhelp: pass a regular file"
            );
            assert!(run.stderr().contains(&said), "{}", run.stderr());
        }
    }
    let kind = |name| fs::symlink_metadata(dir.path(name)).unwrap().file_type();
    assert!(kind("pipe").is_fifo() && kind("socket").is_socket() && kind("link").is_symlink());
}

#[test]
fn headers_with_references_are_verified_with_their_new_length() {
    let body = "<a href=b.html>b</a>";
    for more in [
        "Link: <s.css>; rel=stylesheet\r\n",
        "Refresh: 1; url=x.html\r\n",
        "Content-Location: c.html\r\n",
    ] {
        let headers =
            format!("Content-Type: text/html\r\nContent-Length: {}\r\n{more}", body.len());
        let dir = TestDir::new();
        let file = response("http://h.example/d/a", &headers, body.as_bytes());
        dir.write("a.warc", &file);
        dir.rehref(&["absolute", "a.warc", "-o", "b.warc", "--verify", "-q"]).status(0);
        let written = fs::read(dir.path("b.warc")).unwrap();
        assert_eq!(documents(&written)[0].1, "<a href=http://h.example/d/b.html>b</a>");
        // Another reference in the headers is still one.
        let other = String::from_utf8(written).unwrap();
        let other = other.replace("http://h.example/d/s.css", "http://h.example/d/t.css");
        let other = other.replace("http://h.example/d/x.html", "http://h.example/d/y.html");
        let other = other.replace("http://h.example/d/c.html", "http://h.example/d/d.html");
        dir.write("b.warc", other.as_bytes());
        let run = dir.rehref(&["verify", "a.warc", "b.warc"]).status(1);
        assert!(run.stdout().contains("http://h.example/d/"), "{}", run.stdout());
    }
}

#[test]
fn what_is_said_of_a_compressed_body_is_verified() {
    let dir = TestDir::new();
    let coded = |html: &str, more: &str, length: usize| {
        let body = member(html.as_bytes());
        let length = body.len() + length;
        let headers = format!(
            "Content-Type: text/html\r\nContent-Encoding: gzip\r\n{more}Content-Length: {length}\r\n"
        );
        response("http://h.example/d/a", &headers, &body)
    };
    let text = |record: Vec<u8>, from: &str, to: &str| -> Vec<u8> {
        let at = record.windows(from.len()).position(|it| it == from.as_bytes()).unwrap();
        [&record[..at], to.as_bytes(), &record[at + from.len()..]].concat()
    };
    dir.write("a.warc", &coded(HTML, "X: y\r\n", 0));
    let digest = |html: &str| sha1(member(html.as_bytes()));
    for (name, file, said) in [
        ("right", coded(ABSOLUTE, "X: y\r\n", 0), None),
        (
            "length",
            coded(ABSOLUTE, "X: y\r\n", 1),
            Some("the Content-Length is not the length of the body"),
        ),
        ("headers", coded(ABSOLUTE, "X: z\r\n", 0), Some("the HTTP headers differ")),
        (
            "digest",
            text(
                coded(ABSOLUTE, "X: y\r\n", 0),
                &format!("Payload-Digest: {}", digest(ABSOLUTE)),
                &format!("Payload-Digest: {}", digest(HTML)),
            ),
            Some("the WARC-Payload-Digest is wrong"),
        ),
        (
            "coding",
            page("http://h.example/d/a", ABSOLUTE),
            Some("the body has other content codings than in the old tree"),
        ),
    ] {
        dir.write("b.warc", &file);
        let run = dir.rehref(&["verify", "a.warc", "b.warc"]);
        match said {
            None => drop(run.status(0)),
            Some(said) => {
                let stdout = run.status(1).stdout();
                assert!(stdout.contains(said), "{name}: {stdout}");
            }
        }
    }
}

#[test]
fn http_headers_are_compared_also_where_only_one_side_has_references_in_them() {
    let dir = TestDir::new();
    let headers =
        "Content-Type: text/html\r\nLocation: /x\r\nX-Frame-Options: DENY\r\nSet-Cookie: a=1\r\n";
    let file =
        |headers: &str, html: &str| response("http://h.example/d/a", headers, html.as_bytes());
    dir.write("a.warc", &file(headers, HTML));
    dir.write("right.warc", &file(&headers.replace(": /x", ": http://h.example/x"), ABSOLUTE));
    dir.rehref(&["verify", "a.warc", "right.warc"]).status(0);
    for (from, to) in [
        ("Location", "Xocation"),
        ("Location: /x\r\n", ""),
        ("DENY", "DENX"),
        ("a=1", "a=2"),
        ("text/html", "text/css"),
    ] {
        for html in [HTML, ABSOLUTE] {
            dir.write("b.warc", &file(&headers.replace(from, to), html));
            for files in [["a.warc", "b.warc"], ["b.warc", "a.warc"]] {
                dir.rehref(&["verify", files[0], files[1]]).status(1);
            }
        }
    }
}

#[test]
fn responses_without_status_line_get_a_warning() {
    let odd = |line: &str| {
        let block = format!("{line}\r\nContent-Type: text/html\r\n\r\n{HTML}");
        record("response", "http://h.example/d/x", "", block.as_bytes())
    };
    let mut lines = ["HTTP/1.1 200OK", "http/1.1 200 OK", "ICY 200 OK"].map(odd).to_vec();
    lines.push(page("http://h.example/d/a", HTML));
    let dir = TestDir::new();
    // All in one gzip member, so that they are read twice.
    dir.write("a.warc.gz", &member(&lines.concat()));
    let run = dir.rehref(&["absolute", "a.warc.gz", "-o", "out.warc.gz"]).status(0);
    let warning = "warning: a.warc.gz: 3 records without an HTTP status line skipped\n";
    assert!(run.stderr().contains(warning), "{}", run.stderr());
}

/// The grammar of WARC ignores the case of text in quotes, and some programs write it so.
#[test]
fn the_version_may_be_in_lower_case() {
    let file = String::from_utf8(page("http://h.example/d/a", "<a href=x>")).unwrap();
    let file = file.replacen("WARC/1", "warc/1", 1);
    let dir = TestDir::new();
    dir.write("a.warc", file.as_bytes());
    let run = dir.rehref(&["links", "a.warc", "-q"]).status(0);
    assert_eq!(run.stdout().lines().count(), 1);
    let report = dir.rehref(&["audit", "a.warc", "-q"]).status(0).stdout();
    assert!(report.contains("[not-archived]"), "{report}");
    dir.rehref(&["absolute", "a.warc", "-o", "b.warc", "-q", "--verify"]).status(0);
    assert!(dir.read("b.warc").starts_with("warc/1"));
    assert!(dir.read("b.warc").contains("href=http://h.example/d/x"));
    dir.rehref(&["verify", "a.warc", "b.warc", "-q"]).status(0);
}

/// Records that are intact, but whose documents cannot be put together, are warned of everywhere.
#[test]
fn all_commands_warn_of_skipped_records_and_end_with_status_0() {
    let segment = String::from_utf8(page("http://h.example/part", "<a href=x>")).unwrap();
    let segment = segment.replace("WARC-Payload", "WARC-Segment-Number: 1\r\nWARC-Payload");
    let whole = page("http://h.example/d/a", "<a href=a>");
    let dir = TestDir::new();
    dir.write("a.warc", &[segment.as_bytes(), &whole].concat());
    for command in [
        &["absolute", "a.warc", "-o", "b.warc"][..],
        &["absolute", "a.warc", "-o", "c.warc", "--verify"],
        &["relative", "a.warc", "-o", "d.warc"],
        &["audit", "a.warc"],
        &["links", "a.warc"],
        &["verify", "a.warc", "a.warc"],
        &["verify", "a.warc", "b.warc"],
    ] {
        let run = dir.rehref(command).status(0);
        let warning = "warning: a.warc: 1 record in several segments skipped\n";
        assert!(run.stderr().contains(warning), "{command:?}\n{}", run.stderr());
        let quiet = [command, &["-q", "--force"]].concat();
        let quiet = if command.contains(&"-o") { quiet } else { [command, &["-q"]].concat() };
        assert_eq!(dir.rehref(&quiet).status(0).stderr(), "", "{command:?}");
    }
    // Alone, it leaves no document to read.
    dir.write("s.warc", segment.as_bytes());
    for command in [
        &["absolute", "s.warc", "--dry-run"][..],
        &["audit", "s.warc"],
        &["links", "s.warc"],
        &["verify", "s.warc", "s.warc"],
    ] {
        let stderr = dir.rehref(command).status(2).stderr();
        assert!(stderr.contains("several segments skipped\nerror: no document"), "{stderr}");
    }
}

#[test]
fn an_archive_on_stdin_is_read_like_a_file() {
    let dir = TestDir::new();
    for (name, file) in [("a.warc", plain()), ("a.warc.gz", zipped())] {
        dir.write(name, &file);
        dir.rehref(&["absolute", name, "-o", "out", "-q", "--force"]).status(0);
        let expected = fs::read(dir.path("out")).unwrap();
        for arguments in [&["absolute", "-", "-q"][..], &["absolute", "-", "-q", "-o", "-"]] {
            let run = dir.rehref_with_stdin(arguments, &file).status(0);
            assert!(run.stdout_bytes() == expected, "{arguments:?}");
        }
        let links = |site: &str, stdin: &[u8]| {
            let run = dir.rehref_with_stdin(&["links", site, "-q"], stdin).status(0);
            run.stdout().replace(name, "")
        };
        let of_stdin = links("-", &file).replace(&format!("stdin{}", &name[1..]), "");
        assert_eq!(of_stdin, links(name, b""));
        let report = dir.rehref_with_stdin(&["audit", "-", "-q"], &file).status(0).stdout();
        let expected = format!("\nstdin{} > http://h.example/", &name[1..]);
        assert!(format!("\n{report}").contains(&expected), "{report}");
        let extract = ["relative", "-", "--extract", "-o", "pages", "-q", "--force"];
        dir.rehref_with_stdin(&extract, &file).status(0);
        assert!(dir.path("pages/h.example/d/b.html").is_file());
        dir.rehref_with_stdin(&["absolute", "-", "--in-place"], &file).status(2);
    }
    // A page that begins like gzip or an archive is a document if its kind is given.
    let page = b"WARC/1.0 <a href=b>";
    let arguments = ["absolute", "-", "--url", "https://h/", "--kind", "html"];
    let run = dir.rehref_with_stdin(&arguments, page).status(0);
    assert_eq!(run.stdout(), "WARC/1.0 <a href=https://h/b>");
}

/// The findings of an audit of `site`, as `DOCUMENT LINE CHECK`.
pub(crate) fn findings(dir: &TestDir, site: &str, status: i32) -> Vec<String> {
    let arguments = ["audit", site, "-q", "--format", "jsonl"];
    let report = dir.rehref(&arguments).status(status).stdout();
    values(&report, "document line check").lines().map(str::to_owned).collect()
}

/// A crawl in three archives: pages that link to each other, and one URL that nothing has.
pub(crate) fn crawl() -> [Vec<u8>; 3] {
    let gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n";
    [
        page(
            "http://h.example/",
            "<a href=b#here>1</a>\n<a href=b#there>2</a>\n<a href=c>3</a>\n<a href=d>4</a>\n<a href=gone>5</a>",
        ),
        [
            page("http://h.example/b", "<p id=here><a href=/>"),
            page("http://h.example/c", "<a href=d>"),
        ]
        .concat(),
        record("response", "http://h.example/gone", "", gone),
    ]
}

#[test]
fn archives_of_one_directory_are_one_site() {
    let dir = TestDir::new();
    for (name, file) in ["1.warc", "2.warc", "sub/3.warc"].iter().zip(crawl()) {
        dir.write(&format!("crawl/{name}"), &file);
    }
    assert_eq!(
        findings(&dir, "crawl", 1),
        [
            "1.warc > http://h.example/ 2 broken-fragment",
            "1.warc > http://h.example/ 4 not-archived",
            "1.warc > http://h.example/ 5 broken-target",
            "2.warc > http://h.example/c 1 not-archived",
        ]
    );
    // One of them alone is all that is known of the crawl.
    assert_eq!(findings(&dir, "crawl/1.warc", 0).len(), 5);
    let links = dir.rehref(&["links", "crawl", "-q", "--broken"]).status(0).stdout();
    assert_eq!(links.lines().count(), 3, "{links}");
}

#[test]
fn a_directory_of_archives_needs_no_url() {
    let dir = TestDir::new();
    dir.write("crawl/1.warc", &page("http://h.example/d/a", "<a href=b>"));
    dir.write("crawl/2.warc", &page("http://h.example/d/b", "<a href=http://h.example/>"));
    let read = || dir.read("out/1.warc");
    let said = dir.rehref(&["absolute", "crawl", "-o", "out"]).status(0).stderr();
    assert!(read().contains("<a href=http://h.example/d/b>"));
    assert!(!said.contains("--url"), "{said}");
    let run = |url| dir.rehref(&["absolute", "crawl", "-o", "out", "--force", "--url", url]);
    for url in ["none", "http://other.example/"] {
        let said = run(url).status(0).stderr();
        assert!(said.contains("note: --url has no effect"), "{said}");
        assert!(read().contains("<a href=http://h.example/d/b>"), "{url}");
    }
    for command in ["links", "audit"] {
        let said = dir.rehref(&[command, "crawl"]).stderr();
        assert!(!said.contains("no --url"), "{said}");
    }
    // The pages beside archives need one.
    dir.write("crawl/p.html", b"<a href=b>");
    dir.rehref(&["absolute", "crawl", "-o", "other"]).status(2);
    run("none").status(0);
    assert!(read().contains("<a href=http://h.example/d/b>"));
}

#[test]
fn bodies_that_were_compressed_again_with_the_same_content_are_verified() {
    let dir = TestDir::new();
    let html = format!("<p>{}<a href=b>", "text ".repeat(100));
    let headers = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    // At another level than that of rehref.
    let mut body = GzEncoder::new(Vec::new(), Compression::none());
    body.write_all(html.as_bytes()).unwrap();
    let file = response("http://h.example/d/a", headers, &body.finish().unwrap());
    dir.write("a.warc", &file);
    dir.rehref(&["absolute", "a.warc", "-o", "b.warc"]).status(0);
    dir.rehref(&["relative", "b.warc", "-o", "c.warc"]).status(0);
    assert!(fs::read(dir.path("c.warc")).unwrap() != file);
    dir.rehref(&["verify", "a.warc", "c.warc"]).status(0);
}

#[test]
fn links_above_the_root_of_a_host_get_no_advice_about_site() {
    let dir = TestDir::new();
    dir.write("a.warc", &page("http://h.example/d/a", "<a href=../../x>"));
    let run = dir.rehref(&["absolute", "a.warc", "-o", "b.warc"]);
    let said = run.status(0).stderr();
    assert!(!said.contains("segments"), "{said}");
    assert!(!said.contains("rehref.invalid"), "{said}");
}

/// The first capture takes longer to read than the second one.
#[test]
fn the_anchors_of_a_url_are_those_of_its_first_capture() {
    let dir = TestDir::new();
    let long = format!("<p id=first>{}", "<b>x</b>".repeat(400_000));
    let captures = [
        page("http://h.example/b", &long),
        page("http://h.example/b", "<p id=second>"),
        page("http://h.example/", "<a href=b#first>1</a>\n<a href=b#second>2</a>"),
    ];
    dir.write("crawl.warc", &captures.concat());
    let expected = ["crawl.warc > http://h.example/ 2 broken-fragment"];
    for threads in ["1", "2", "4"] {
        let arguments = ["audit", "crawl.warc", "-q", "--format", "jsonl", "-j", threads];
        let report = dir.rehref(&arguments).status(1).stdout();
        assert_eq!(report.lines().count(), 1, "{threads} threads: {report}");
        assert!(report.contains("b#second"), "{threads} threads: {report}");
    }
    assert_eq!(findings(&dir, "crawl.warc", 1), expected);
}

#[test]
fn links_into_a_damaged_archive_are_no_findings() {
    let dir = TestDir::new();
    let [first, mut second, third] = crawl();
    second.truncate(second.len() - 8);
    for (name, file) in [("1.warc", first), ("2.warc", second), ("3.warc", third)] {
        dir.write(&format!("crawl/{name}"), &file);
    }
    let expected = [
        "1.warc > http://h.example/ 2 broken-fragment",
        "1.warc > http://h.example/ 5 broken-target",
    ];
    assert_eq!(findings(&dir, "crawl", 2), expected);
    let said = dir.rehref(&["audit", "crawl"]).status(2).stderr();
    assert_eq!(said.matches("2.warc: record 2, at byte").count(), 1, "{said}");
    dir.rehref(&["links", "crawl"]).status(2);
}

#[test]
fn a_damaged_archive_is_an_error_in_every_command() {
    let dir = TestDir::new();
    let mut file = page("http://h.example/d/a", "<a href=x>");
    file.truncate(file.len() - 8);
    dir.write("a.warc", &file);
    for command in [
        &["absolute", "a.warc", "--dry-run"][..],
        &["relative", "a.warc", "--diff"],
        &["audit", "a.warc"],
        &["links", "a.warc"],
        &["verify", "a.warc", "a.warc"],
    ] {
        let stderr = dir.rehref(command).status(2).stderr();
        let expected = "error: a.warc: record 1, at byte 0: the file ends";
        assert!(stderr.contains(expected), "{command:?}\n{stderr}");
    }
}

#[test]
fn a_target_uri_that_is_not_utf_8() {
    let text = String::from_utf8(page("http://h.example/@/a", HTML)).unwrap();
    let at = text.find('@').unwrap();
    let file = [&text.as_bytes()[..at], b"\xE9", &text.as_bytes()[at + 1..]].concat();
    let dir = TestDir::new();
    dir.write("a.warc", &file);
    dir.rehref(&["absolute", "a.warc", "-o", "out", "-q", "--verify"]).status(0);
    let found = documents(&fs::read(dir.path("out")).unwrap());
    assert_eq!(found[0].0, "http://h.example/%E9/a");
    assert!(found[0].1.contains("<a href=http://h.example/%E9/b.html#x>"));
}

#[test]
fn differences_name_their_record() {
    let pages = |link: &str, header: &str| {
        let html = format!("<a href={link}>");
        let more = format!("Content-Type: text/html\r\nX: {header}\r\n");
        let page = |uri: &str| response(uri, &more, html.as_bytes());
        [page("http://h.example/d/a"), page("http://h.example/d/b")].concat()
    };
    let dir = TestDir::new();
    dir.write("a.warc", &pages("x", "1"));
    for (after, place) in [(pages("y", "1"), ": a href"), (pages("x", "2"), "")] {
        dir.write("b.warc", &after);
        let run = dir.rehref(&["verify", "a.warc", "b.warc", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&run.status(1).stdout()).unwrap();
        assert_eq!(report["differences"], 2);
        let differences = &report["different"][0]["differences"];
        let places = [(1, "a"), (2, "b")];
        let places = places
            .map(|(number, name)| format!("record {number}, http://h.example/d/{name}{place}"));
        let found = [0, 1].map(|at| differences[at]["place"].as_str().unwrap());
        assert_eq!(found, places, "{differences}");
    }
}

#[test]
fn differences_of_many_records_are_counted_beyond_those_shown() {
    let pages = |header: &str, link: &str| {
        let headers = format!("Content-Type: text/html\r\nX: {header}\r\n");
        let html = format!("<a href={link}>");
        response("http://h.example/a", &headers, html.as_bytes()).repeat(60)
    };
    let dir = TestDir::new();
    dir.write("a.warc", &pages("1", "x"));
    dir.write("b.warc", &pages("2", "y"));
    let stdout = dir.rehref(&["verify", "a.warc", "b.warc"]).status(1).stdout();
    assert!(
        stdout.contains("70 more differences not shown; verify --all prints all\n120 differences"),
        "{stdout}"
    );
}

#[test]
fn a_malformed_document_in_an_archive_is_unchanged_or_a_difference() {
    let image =
        |uri: &str, text: &str| response(uri, "Content-Type: image/svg+xml\r\n", text.as_bytes());
    let (uri, malformed) = ("http://h.example/d/i.svg", "<svg><a href='x'>");
    let dir = TestDir::new();
    dir.write("a.warc", &image(uri, malformed));
    dir.write("b.warc", &image(uri, malformed));
    dir.rehref(&["verify", "a.warc", "b.warc"]).status(0);
    dir.write("b.warc", &image(uri, "<svg><a href='y'>"));
    let run = dir.rehref(&["verify", "a.warc", "b.warc"]).status(1);
    let stdout = run.stdout();
    assert!(stdout.contains("changed, although rehref cannot read it in the old tree"), "{stdout}");
    assert!(stdout.contains(uri), "{stdout}");
    // An envelope that differs proves nothing of what is in it.
    let headers = "Content-Type: image/svg+xml\r\nX: y\r\n";
    dir.write("b.warc", &response(uri, headers, malformed.as_bytes()));
    let run = dir.rehref(&["verify", "a.warc", "b.warc", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.status(1).stdout()).unwrap();
    let path = report["malformed"][0]["path"].as_str().unwrap_or_default();
    assert!(path.contains(uri), "{report}");
}

#[test]
fn what_is_not_proven_in_an_archive_names_its_record() {
    let dir = TestDir::new();
    let uri = "http://h.example/d/a";
    let link = "<a href='{{ x }}'>";
    let base = "<base href=http://h.example/e/>";
    dir.write("a.warc", &page(uri, &[base, link].concat()));
    dir.write("b.warc", &page(uri, link));
    let run = dir.rehref(&["verify", "a.warc", "b.warc", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let warning = &report["not_proven"][0];
    assert_eq!(warning["place"], format!("record 1, {uri}: a href"), "{report}");
}
