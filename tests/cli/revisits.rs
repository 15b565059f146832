//! Revisit records of WARC archives, whose digests follow those of the captures that they refer to.

use std::fs;
use std::path::Path;

use crate::support::TestDir;
use crate::warc::{member, record, sha1, sha256};
use crate::warc_reader;
use crate::zip::{Method, zip};

const HTML: &str = "<a href=b.html>b</a>";
const IMAGE: &str = "not an image";
const A: &str = "http://h.example/d/a";
const B: &str = "http://h.example/e/b";

/// A capture with this number in its ID, and with the digest of its body.
fn capture(number: usize, uri: &str, media_type: &str, body: &str, digest: &str) -> Vec<u8> {
    let fields = format!(
        "WARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2026-01-0{number}T00:00:00Z\r\n\
         WARC-Payload-Digest: {digest}\r\n"
    );
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n{body}");
    record("response", uri, &fields, block.as_bytes())
}

fn page(number: usize, uri: &str) -> Vec<u8> {
    capture(number, uri, "text/html", HTML, &sha1(HTML))
}

fn revisit(uri: &str, fields: &str, digest: &str) -> Vec<u8> {
    let fields = format!("{fields}WARC-Payload-Digest: {digest}\r\n");
    record("revisit", uri, &fields, b"HTTP/1.1 200 OK\r\n\r\n")
}

fn refers_to(uri: &str) -> String {
    format!(
        "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n\
         WARC-Refers-To-Target-URI: {uri}\r\nWARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n"
    )
}

/// The page with absolute links, as a page below this directory has it.
fn absolute(directory: &str) -> String {
    format!("<a href=http://h.example/{directory}/b.html>b</a>")
}

/// Two pages with the same payload, and revisits with the digests that they should have afterwards.
fn crawl() -> (Vec<Vec<u8>>, Vec<String>) {
    let (old, of_c) = (sha1(HTML), sha256(HTML));
    let (of_a, of_b) = (sha1(absolute("d")), sha1(absolute("e")));
    let by_id = "WARC-Refers-To: <urn:uuid:2>\r\n";
    let revisits = [
        // Before its capture, after it, under another URL, and by the ID.
        (revisit(A, "", &old), of_a.clone()),
        (revisit(A, &refers_to(A), &old), of_a.clone()),
        (revisit(B, "", &old), of_b.clone()),
        (revisit("http://h.example/x", &refers_to(A), &old), of_a),
        (revisit("http://h.example/x", &refers_to(B), &old), of_b.clone()),
        (revisit("http://h.example/x", by_id, &old), of_b),
        (revisit("http://h.example/d/c", "", &of_c), sha256(absolute("d"))),
        // Of an image, of what no archive has, and with a digest that no capture has.
        (revisit("http://h.example/i", "", &sha1(IMAGE)), sha1(IMAGE)),
        (revisit("http://h.example/gone", "", &old), old.clone()),
        (revisit("http://h.example/gone.png", "", &old), old),
        (revisit(A, "", &sha1("other")), sha1("other")),
    ];
    let (mut revisits, digests): (Vec<_>, Vec<_>) = revisits.into_iter().unzip();
    let rest = revisits.split_off(1);
    let captures = [
        page(1, A),
        page(2, B),
        capture(3, "http://h.example/d/c", "text/html", HTML, &sha256(HTML)),
        capture(4, "http://h.example/i", "image/png", IMAGE, &sha1(IMAGE)),
    ];
    revisits.extend(captures);
    revisits.extend(rest);
    (revisits, digests)
}

/// The digests of the revisit records in the archive at `path`.
fn digests(path: &Path) -> Vec<String> {
    let file = fs::read(path).unwrap();
    let records = warc_reader::records(&file);
    let revisits = records.iter().filter(|record| record.value("warc-type") == Some("revisit"));
    revisits
        .map(|record| {
            assert_eq!(record.block, b"HTTP/1.1 200 OK\r\n\r\n");
            record.value("WARC-Payload-Digest").unwrap().to_string()
        })
        .collect()
}

#[test]
fn digests_of_revisits_follow_their_captures() {
    let (records, expected) = crawl();
    let members: Vec<u8> = records.iter().flat_map(|it| member(it)).collect();
    for (name, file) in [
        ("a.warc", records.concat()),
        ("a.warc.gz", members),
        ("a.warc.gz", member(&records.concat())),
    ] {
        let dir = TestDir::new();
        dir.write(name, &file);
        let out = |threads: &str| {
            let out = format!("{threads}-{name}");
            let run =
                dir.rehref(&["absolute", name, "-o", &out, "-j", threads, "--verify"]).status(0);
            let stderr = run.stderr();
            assert!(stderr.contains("\n7 digests updated in revisit records\n"), "{stderr}");
            let warning = format!(
                "warning: {name}: 2 revisit records refer to captures that no archive in the site has, so their digests were not updated\nhelp: rewrite the archives of a crawl together, in one directory\n"
            );
            assert!(stderr.contains(&warning), "{stderr}");
            out
        };
        let [one, two] = ["1", "2"].map(out);
        assert_eq!(digests(&dir.path(&one)), expected);
        let bytes = |name: &str| fs::read(dir.path(name)).unwrap();
        assert!(bytes(&one) == bytes(&two));
        dir.rehref(&["verify", name, &one]).status(0);
        // A second run finds nothing to do.
        dir.rehref(&["absolute", &one, "-o", "again", "-q"]).status(0);
        assert!(bytes(&one) == bytes("again"));
        let audits = [name, &one].map(|name| dir.rehref(&["audit", name, "-q"]).status(0).stdout());
        assert!(!audits[1].contains("broken"), "{}", audits[1]);
    }
}

#[test]
fn verify_reports_any_other_digest_of_a_revisit() {
    let (records, expected) = crawl();
    let dir = TestDir::new();
    dir.write("a.warc", &records.concat());
    dir.rehref(&["absolute", "a.warc", "-o", "b.warc", "-q"]).status(0);
    let written = dir.read("b.warc");
    let at = written.rfind(&expected[5]).unwrap();
    let with = |digest: &str| [&written[..at], digest, &written[at + expected[5].len()..]].concat();
    let other =
        "the WARC-Payload-Digest does not match the record that this revisit record refers to";
    for (file, message) in [
        (with(&sha1(HTML)), other),
        (with(&expected[0]), other),
        (
            written.replace("WARC-Refers-To: <urn:uuid:2>", "WARC-Refers-To: <urn:uuid:1>"),
            "the header of the record differs",
        ),
        (
            written.replace("HTTP/1.1 200 OK\r\n\r\n\r\n", "HTTP/1.1 300 OK\r\n\r\n\r\n"),
            "the record differs, and is not a document",
        ),
    ] {
        assert_ne!(file, written);
        dir.write("c.warc", file.as_bytes());
        let run = dir.rehref(&["verify", "a.warc", "c.warc"]).status(1);
        assert!(run.stdout().contains(message), "{}", run.stdout());
    }
}

/// Of a crawl in several archives, the revisits may be in others than the captures, before or after these.
#[test]
fn revisits_refer_to_captures_in_other_archives() {
    let new = || [sha1(absolute("d")), sha1(absolute("e"))];
    let write = |dir: &TestDir| {
        dir.write("site/1.warc", &[page(1, A), revisit(B, "", &sha1(HTML))].concat());
        dir.write("site/2.warc", &revisit(A, "", &sha1(HTML)));
        dir.write("site/3.warc", &page(2, B));
    };
    let check = |dir: &TestDir, out: &str| {
        let [of_a, of_b] = new();
        assert_eq!(digests(&dir.path(&format!("{out}/1.warc"))), [of_b]);
        assert_eq!(digests(&dir.path(&format!("{out}/2.warc"))), [of_a]);
    };
    let dir = TestDir::new();
    write(&dir);
    let run = dir
        .rehref(&[
            "absolute", "site", "--url", "http://s.example/", "-o", "out", "--verify", "--format",
            "json=report",
        ])
        .status(0);
    assert!(!run.stderr().contains("warning"), "{}", run.stderr());
    check(&dir, "out");
    let report: serde_json::Value = serde_json::from_str(&dir.read("report")).unwrap();
    assert_eq!(report["archives"]["revisits"], 2);
    assert_eq!(report["archives"]["rewritten"], 3);
    dir.rehref(&["verify", "site", "out", "-q", "--url", "http://s.example/"]).status(0);
    // An archive that is the same as before, although a capture in another one changed.
    fs::copy(dir.path("site/2.warc"), dir.path("out/2.warc")).unwrap();
    let run = dir.rehref(&["verify", "site", "out", "-q", "--url", "http://s.example/"]).status(1);
    assert!(run.stdout().contains("this revisit record refers to"), "{}", run.stdout());
    dir.rehref(&["absolute", "site", "--in-place", "-q", "--url", "http://s.example/"]).status(0);
    check(&dir, "site");
}

#[test]
fn a_capture_that_is_not_rewritten_keeps_its_digest_in_revisits() {
    let dir = TestDir::new();
    // A damaged archive is skipped as a whole.
    dir.write("site/1.warc", &[page(1, A), b"no record".to_vec()].concat());
    let revisits = [revisit(A, "", &sha1(HTML)), page(2, B), revisit(B, "", &sha1(HTML))];
    dir.write("site/2.warc", &revisits.concat());
    dir.rehref(&["absolute", "site", "-o", "out", "-q", "--url", "http://s.example/"]).status(2);
    let expected = [sha1(HTML), sha1(absolute("e"))];
    assert_eq!(digests(&dir.path("out/2.warc")), expected);
    // An excluded one, too, but nobody knows what is in it.
    dir.write("site/1.warc", &page(1, A));
    let run = dir
        .rehref(&[
            "absolute", "site", "--url", "http://s.example/", "-o", "out", "--force", "--exclude",
            "1.warc",
        ])
        .status(0);
    let warning = "2.warc: 1 revisit record refers to a capture that no archive in the site has, so its digest was";
    assert!(run.stderr().contains(warning), "{}", run.stderr());
    assert_eq!(digests(&dir.path("out/2.warc")), expected);
}

/// The captures may be rewritten in a run of their own, so the warning does not depend on other changes.
#[test]
fn an_archive_without_the_captures_gets_a_warning_and_stays() {
    let dir = TestDir::new();
    let digest = sha1("<p>");
    let unlinked = capture(1, B, "text/html", "<p>", &digest);
    let file = [unlinked, revisit(A, "", &sha1(HTML)), revisit(B, "", &digest)].concat();
    dir.write("a.warc", &file);
    let run = dir.rehref(&["absolute", "a.warc", "-o", "b.warc"]).status(0);
    let warning =
        "warning: a.warc: 1 revisit record refers to a capture that no archive in the site has";
    assert!(run.stderr().contains(warning), "{}", run.stderr());
    assert!(!run.stderr().contains("updated in revisit records"), "{}", run.stderr());
    assert!(fs::read(dir.path("b.warc")).unwrap() == file);
}

/// Captures in WACZ files are rewritten like those in archives, so revisits get their new digests.
#[test]
fn revisits_refer_to_captures_in_wacz_files() {
    let dir = TestDir::new();
    let wacz = |archive: &[u8]| zip(&[("archive/1.warc", Method::Stored, archive)]);
    dir.write("site/1.wacz", &wacz(&page(1, A)));
    let revisits = [revisit(A, "", &sha1(HTML)), page(2, B), revisit(B, "", &sha1(HTML))];
    dir.write("site/2.warc", &revisits.concat());
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", "http://s.example/"]);
    let said = run.status(0).stderr();
    assert!(!said.contains("no archive in the site has"), "{said}");
    let expected = [sha1(absolute("d")), sha1(absolute("e"))];
    assert_eq!(digests(&dir.path("out/2.warc")), expected);

    // `verify` knows the captures of WACZ files, too.
    let rewritten = capture(1, A, "text/html", &absolute("d"), &sha1(absolute("d")));
    for (digest, status) in [(&absolute("d"), 0), (&HTML.to_owned(), 1)] {
        let old = [page(1, A), revisit(A, "", &sha1(HTML))].concat();
        let new = [rewritten.clone(), revisit(A, "", &sha1(digest))].concat();
        dir.write("old.wacz", &wacz(&old));
        dir.write("new.wacz", &wacz(&new));
        dir.rehref(&["verify", "old.wacz", "new.wacz"]).status(status);
    }
}
