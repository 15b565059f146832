//! WACZ files: zip files with the archives of a crawl.

use crate::support::TestDir;
use crate::warc::{crawl, findings, member, page, record};
use crate::zip::{Method, zip};

const METHODS: [Method; 2] = [Method::Stored, Method::Deflated];

const EXTRACT: [&str; 6] = ["relative", "crawl.wacz", "--extract", "--out", "out", "--force"];

/// The crawl of the tests of archives, each of its archives plain or compressed.
fn archives() -> [Vec<u8>; 3] {
    let [first, second, third] = crawl();
    [first, member(&second), third]
}

/// That crawl as a WACZ file, whose entries are stored by `method`.
fn wacz(method: Method) -> Vec<u8> {
    let [first, second, third] = archives();
    zip(&[
        ("indexes/index.cdxj", Method::Stored, b""),
        ("archive/1.warc", method, &first),
        ("archive/2.warc.gz", method, &second),
        ("archive/sub/3.warc", method, &third),
        ("pages/pages.jsonl", Method::Deflated, b"{}\n"),
    ])
}

#[test]
fn a_wacz_file_has_the_findings_of_its_archives() {
    let dir = TestDir::new();
    let [first, second, third] = archives();
    dir.write("crawl/1.warc", &first);
    dir.write("crawl/2.warc.gz", &second);
    dir.write("crawl/sub/3.warc", &third);
    let expected: Vec<String> = findings(&dir, "crawl", 1)
        .iter()
        .map(|finding| {
            let (_, rest) = finding.split_once(" > ").unwrap();
            format!("crawl.wacz > {rest}")
        })
        .collect();
    assert_eq!(expected.len(), 4);
    for method in METHODS {
        dir.write("crawl.wacz", &wacz(method));
        assert_eq!(findings(&dir, "crawl.wacz", 1), expected);
        let arguments = ["links", "crawl.wacz", "-q", "--broken"];
        let links = dir.rehref(&arguments).status(0).stdout();
        assert_eq!(links.lines().count(), 3, "{links}");
        // The other archives of its directory are of the same site.
        dir.write("set/a.wacz", &wacz(method));
        dir.write("set/b.warc", &page("http://h.example/d", "<a href=c>"));
        assert_eq!(findings(&dir, "set", 1).len(), 2);
    }
}

#[test]
fn a_wacz_file_on_stdin_is_read_like_a_file() {
    let dir = TestDir::new();
    let run = dir.rehref_with_stdin(&["audit", "-"], &wacz(Method::Stored));
    let report = run.status(1).stdout();
    assert!(report.contains("stdin.wacz > http://h.example/"), "{report}");
}

#[test]
fn a_wacz_file_is_extracted() {
    let dir = TestDir::new();
    for method in METHODS {
        dir.write("crawl.wacz", &wacz(method));
        let said = dir.rehref(&EXTRACT).status(0).stderr();
        assert!(said.contains("1 archive"), "{said}");
        let start = dir.read("out/h.example/index.html");
        assert!(start.contains("<a href=b.html#here>"), "{start}");
        assert!(start.contains("<a href=http://h.example/d>"), "{start}");
        assert_eq!(dir.read("out/h.example/b.html"), "<p id=here><a href=index.html>");
    }
}

#[test]
fn a_damaged_archive_in_a_wacz_file_is_named() {
    let dir = TestDir::new();
    let [first, second, third] = archives();
    let cut = &second[..second.len() - 12];
    for method in METHODS {
        let file = zip(&[
            ("archive/1.warc", method, &first),
            ("archive/2.warc.gz", method, cut),
            ("archive/3.warc", method, &third),
        ]);
        dir.write("crawl.wacz", &file);
        let said = dir.rehref(&["audit", "crawl.wacz"]).status(2).stderr();
        let expected = "error: crawl.wacz: archive/2.warc.gz: record 2, at byte";
        assert_eq!(said.matches(expected).count(), 1, "{said}");
        // The archive after it is read, and links into the damaged one are no findings.
        let expected = [
            "crawl.wacz > http://h.example/ 2 broken-fragment",
            "crawl.wacz > http://h.example/ 5 broken-target",
        ];
        assert_eq!(findings(&dir, "crawl.wacz", 2), expected);
        let said = dir.rehref(&EXTRACT).status(2).stderr();
        assert!(said.contains("archive/2.warc.gz: record 2"), "{said}");
        assert!(dir.path("out/h.example/b.html").is_file());
    }
}

#[test]
fn a_damaged_zip_file_is_an_error_that_says_what_is_wrong() {
    let dir = TestDir::new();
    let whole = wacz(Method::Stored);
    let archive = page("http://h.example/", "<a href=b>");
    let entry = |method, name| zip(&[(name, method, &archive)]);
    let one = entry(Method::Stored, "archive/a.warc");
    let changed = |file: &[u8], from: &[u8], to: &[u8]| {
        let at = file.windows(from.len()).rposition(|it| it == from).unwrap();
        [&file[..at], to, &file[at + from.len()..]].concat()
    };
    let deflated = entry(Method::Deflated, "archive/a.warc");
    let start = whole.len() - 30;
    let mut wrong_checksum = deflated.clone();
    // The checksum in the directory.
    let at = deflated.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap() + 16;
    wrong_checksum[at] ^= 1;
    let mut bomb = deflated.clone();
    bomb[at + 8..at + 12].copy_from_slice(&u32::MAX.wrapping_sub(1).to_le_bytes());
    let mut count = one.clone();
    let last = count.len() - 22;
    count[last + 8] = 2;
    count[last + 10] = 2;
    let twice = zip(&[
        ("archive/a.warc", Method::Stored, &archive),
        ("archive/a.warc", Method::Stored, &archive),
    ]);
    let mut overlapping = zip(&[
        ("archive/a.warc", Method::Stored, &archive),
        ("archive/b.warc", Method::Stored, &archive),
    ]);
    // The second entry begins where the first one does.
    let at = overlapping.len() - 22 - 14 - 4;
    overlapping[at..at + 4].copy_from_slice(&[0; 4]);
    for (file, expected) in [
        (whole[..start].to_vec(), "not a zip file, or a damaged one"),
        (b"not a zip file at all".to_vec(), "not a zip file, or a damaged one"),
        (entry(Method::Stored, "data/a.warc"), "not a WACZ file"),
        (count, "it declares 2 entries and has 1"),
        (changed(&one, b"PK\x03\x04", b"PK\x07\x08"), "archive/a.warc: the zip entry is damaged"),
        (
            wrong_checksum,
            "archive/a.warc: record 1, at byte 0: cannot read the file: the zip entry has a wrong",
        ),
        (bomb, "archive/a.warc: the zip entry is larger than rehref decompresses"),
        (twice, "archive/a.warc: the zip file has two entries of this name"),
        (overlapping, "archive/b.warc: the zip entry overlaps another one"),
        (
            changed(&one, b"\x14\x03\x14\0\0\0\0\0", b"\x14\x03\x14\0\x01\0\0\0"),
            "archive/a.warc: the zip entry is encrypted",
        ),
        (
            changed(&one, b"\x14\x03\x14\0\0\0\0\0", b"\x14\x03\x14\0\0\0\x0C\0"),
            "archive/a.warc: the zip entry is compressed with BZIP2; rehref reads only stored",
        ),
    ] {
        dir.write("crawl.wacz", &file);
        for command in ["audit", "links"] {
            let said = dir.rehref(&[command, "crawl.wacz"]).status(2).stderr();
            assert!(said.contains("error: crawl.wacz: "), "{said}");
            assert!(said.contains(expected), "{expected}\n{said}");
        }
    }
}

#[test]
fn skipped_records_of_all_archives_are_counted_together() {
    let dir = TestDir::new();
    let partial = b"HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n\r\n<p>";
    let record = record("response", "http://h.example/p", "", partial);
    let file = zip(&[
        ("archive/1.warc", Method::Stored, &record),
        ("archive/2.warc", Method::Stored, &record),
        ("archive/3.warc", Method::Deflated, &page("http://h.example/", "<p>")),
    ]);
    dir.write("crawl.wacz", &file);
    let said = dir.rehref(&["audit", "crawl.wacz"]).status(0).stderr();
    let expected = "crawl.wacz: 2 records with only part of a resource skipped";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn the_archives_of_two_wacz_files_are_compared() {
    let dir = TestDir::new();
    let old = page("http://h.example/", "<a href=b>b</a>");
    let [absolute, other] = ["<a href=http://h.example/b>b</a>", "<a href=c>b</a>"]
        .map(|html| page("http://h.example/", html));
    let file = |archive: &[u8], method, pages: &[u8], name| {
        zip(&[
            (name, method, archive),
            ("indexes/index.cdx", Method::Stored, b"\n"),
            ("pages/pages.jsonl", Method::Stored, pages),
            ("datapackage.json", Method::Stored, b"{}"),
        ])
    };
    let (stored, name) = (Method::Stored, "archive/a.warc");
    dir.write("old.wacz", &file(&old, stored, b"{}", name));
    for (file, status, expected) in [
        (file(&old, stored, b"{}", name), 0, ""),
        (file(&absolute, stored, b"{}", name), 0, ""),
        (file(&absolute, Method::Deflated, b"{}", name), 0, ""),
        (file(&other, stored, b"{}", name), 1, "archive/a.warc: record 1, http://h.example/"),
        (file(&absolute, stored, b"[]", name), 1, "pages/pages.jsonl: the entry differs"),
        (
            file(&absolute, stored, b"{}", "archive/b.warc"),
            1,
            "the file does not contain the same archives as in the old tree",
        ),
        (
            file(&[old.clone(), old.clone()].concat(), stored, b"{}", name),
            1,
            "archive/a.warc: the archive has more records than in the old tree",
        ),
    ] {
        dir.write("new.wacz", &file);
        let run = dir.rehref(&["verify", "old.wacz", "new.wacz"]).status(status);
        assert!(run.stdout().contains(expected), "{expected}\n{}", run.stdout());
    }
}

#[test]
fn a_second_archive_is_an_error_with_the_command_for_both() {
    let dir = TestDir::new();
    let [first, second, _] = archives();
    dir.write("set/a.warc", &first);
    dir.write("set/b.warc.gz", &second);
    dir.write("set/c.warc", b"not an archive");
    let both = "--include '/a.warc' --include '/b.warc.gz'";
    for (command, status, more) in [
        ("audit", 1, ""),
        ("links", 0, ""),
        ("absolute", 0, " --url URL --out OUT"),
        ("relative", 0, " --out OUT"),
    ] {
        let run = dir.rehref_in("set", &[command, "a.warc", "b.warc.gz"]);
        let said = run.status(2).stderr();
        let tip = "to select documents or archives, pass their directory, and add `--include GLOB`";
        assert!(said.contains(tip), "{said}");
        let more = more.replace("URL", "http://h.example/");
        let more = more.replace("OUT", &format!("../{command}"));
        let typed = format!("{command} . {both}{more}").replace('\'', "");
        let words: Vec<&str> = typed.split(' ').collect();
        dir.rehref_in("set", &words).status(status);
    }
}

/// Programs that unpack the file would fail, although all records are the same.
#[test]
fn a_damaged_entry_of_a_wacz_file_is_an_error_of_the_file_that_has_it() {
    let dir = TestDir::new();
    let (archive, pages) = (page("http://h.example/", "<a href=b>b</a>"), b"{\"id\": \"pages\"}\n");
    for (damaged, name) in [(&pages[..], "pages/pages.jsonl"), (&archive, "archive/a.warc")] {
        for method in METHODS {
            let whole =
                zip(&[("archive/a.warc", method, &archive), ("pages/pages.jsonl", method, pages)]);
            // The checksum in the directory, and the data.
            let mut crc = flate2::Crc::new();
            crc.update(damaged);
            let crc = crc.sum().to_le_bytes();
            let at = whole.windows(4).rposition(|it| it == crc).unwrap();
            let mut checksum = whole.clone();
            checksum[at] ^= 1;
            let mut zeros = whole.clone();
            let start = whole.windows(name.len()).position(|it| it == name.as_bytes());
            let start = start.unwrap() + name.len();
            zeros[start..start + 8].fill(0);
            let is_archive = name.starts_with("archive/");
            for broken in [checksum, zeros] {
                // Zeros in an archive are a damaged record, or a damaged entry.
                let place = if is_archive {
                    "archive/a.warc: "
                } else {
                    "pages/pages.jsonl: cannot read the file: "
                };
                dir.write("whole.wacz", &whole);
                dir.write("broken.wacz", &broken);
                let said = |files: [&str; 2], status| {
                    let run = dir.rehref(&["verify", files[0], files[1]]).status(status);
                    run.stdout() + &run.stderr()
                };
                let after = said(["whole.wacz", "broken.wacz"], 2);
                assert!(
                    after.contains(&format!("error: whole.wacz: in the new tree: {place}")),
                    "{after}"
                );
                let before = said(["broken.wacz", "whole.wacz"], 1);
                let expected = format!(
                    "the file changed, although rehref cannot read it in the old tree: {place}"
                );
                assert!(before.contains(&expected), "{before}");
            }
        }
    }
    // Programs read the name from the header before the data, too.
    let mut other_name = zip(&[
        ("archive/a.warc", Method::Stored, &archive),
        ("pages/pages.jsonl", Method::Stored, pages),
    ]);
    dir.write("whole.wacz", &other_name);
    let at = other_name.windows(5).position(|it| it == b"pages").unwrap();
    other_name[at] = b'P';
    dir.write("broken.wacz", &other_name);
    let said = dir.rehref(&["verify", "whole.wacz", "broken.wacz"]);
    let said = said.status(2).stderr();
    let expected = "in the new tree: pages/pages.jsonl: the header before the data differs from the zip directory";
    assert!(said.contains(expected), "{said}");
    // As the rewriting copies it.
    let mut old = zip(&[
        ("archive/a.warc", Method::Stored, &archive),
        ("pages/pages.jsonl", Method::Stored, pages),
    ]);
    let at = old.windows(6).position(|it| it == b"{\"id\":").unwrap();
    old[at] = b'[';
    dir.write("old.wacz", &old);
    let words = ["absolute", "old.wacz", "-o", "new.wacz"];
    dir.rehref(&words).status(0);
    let said = dir.rehref(&["verify", "old.wacz", "new.wacz"]).status(0).stderr();
    let expected = "pages/pages.jsonl: cannot read the file: the zip entry has a wrong checksum, in both trees";
    assert!(said.contains(expected), "{said}");
}
