//! WACZ files that are rewritten: their archives, and the indexes and digests of these.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::support::TestDir;
use crate::warc::{member, page, record, sha256};
use crate::warc_reader::records;
use crate::zip::{Method, unzip, zip};

const ADVICE: &str =
    "unzip the file, rewrite the archives in its directory archive/, and run `wacz create` on them";

/// The members of an archive: a page, an image and another page.
fn parts() -> Vec<Vec<u8>> {
    let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG";
    [
        page("http://h.example/", "<a href=http://h.example/b>b</a>"),
        record("response", "http://h.example/i.png", "", image),
        page("http://h.example/b", "<a href=http://h.example/>start</a>"),
    ]
    .iter()
    .map(|record| member(record))
    .collect()
}

/// The lines of CDXJ of an archive of these members, with numbers or strings as offsets.
fn cdxj(file: &str, parts: &[Vec<u8>], is_text: bool) -> Vec<String> {
    let mut offset = 0;
    let mut lines = Vec::new();
    for part in parts {
        let record = &records(part)[0];
        let (start, length) = if is_text {
            (json!(offset.to_string()), json!(part.len().to_string()))
        } else {
            (json!(offset), json!(part.len()))
        };
        lines.push(format!(
            "h)/ 20240101000000 {{\"url\": \"{}\",  \"offset\":{start}, \"length\": {length}, \"recordDigest\": \"{}\", \
             \"filename\": \"{file}\", \"mime\": \"x\"}}\n",
            record.target_uri(),
            sha256(part)
        ));
        offset += part.len();
    }
    lines
}

/// The WACZ file of two archives, one of them unchanged by `relative`, with all kinds of indexes.
fn wacz(method: Method) -> Vec<u8> {
    let parts = parts();
    let still = page("http://h.example/still", "<a href=b>");
    let lines = cdxj("a.warc.gz", &parts, true);
    let blocks = [
        member(lines[..2].concat().as_bytes()),
        member(lines[2..].concat().as_bytes()),
        // Without changes, and of one line only.
        member(cdxj("still.warc", std::slice::from_ref(&still), true).concat().as_bytes()),
    ];
    let mut idx =
        String::from("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n");
    let mut offset = 0;
    for block in &blocks {
        let (length, digest) = (block.len(), sha256(block));
        idx += &format!(
            "h)/ 2024 {{\"offset\": {offset}, \"length\": {length}, \"digest\": \"{digest}\"}}\n"
        );
        offset += length;
    }
    let plain = [
        cdxj("a.warc.gz", &parts, false).concat(),
        cdxj("still.warc", std::slice::from_ref(&still), false).concat(),
    ]
    .concat();
    let mut columns = String::from(" CDX N b a m s k r M S V g\n");
    let mut offset = 0;
    for part in &parts {
        let url = records(part)[0].target_uri().to_owned();
        let length = part.len();
        columns += &format!("h)/ 2024 {url} x 200 - - - {length} {offset} a.warc.gz\n");
        offset += length;
    }
    let archive = parts.concat();
    let resources: Vec<Value> = [
        ("archive/a.warc.gz", &archive[..]),
        ("archive/still.warc", &still),
        ("indexes/index.idx", idx.as_bytes()),
    ]
    .iter()
    .map(|(path, bytes)| json!({"path": path, "hash": sha256(bytes), "bytes": bytes.len()}))
    .collect();
    let package = format!("{{\"z\": 1,\n \"resources\": {}, \"a\":  2}}", Value::from(resources));
    let digest = format!(
        "{{\"path\": \"datapackage.json\", \"hash\": \"{}\", \"signedData\": {{\"x\": 1}}}}",
        sha256(package.as_bytes())
    );
    zip(&[
        ("indexes/index.cdx.gz", Method::Stored, &blocks.concat()),
        ("indexes/index.idx", Method::Deflated, idx.as_bytes()),
        ("indexes/plain.cdxj", Method::Deflated, plain.as_bytes()),
        ("indexes/columns.cdx", Method::Stored, columns.as_bytes()),
        ("archive/a.warc.gz", method, &archive),
        ("archive/still.warc", method, &still),
        ("pages/pages.jsonl", Method::Deflated, b"{}\n"),
        ("datapackage.json", Method::Deflated, package.as_bytes()),
        ("datapackage-digest.json", Method::Stored, digest.as_bytes()),
    ])
}

fn entries(file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let entries = unzip(file).into_iter();
    entries.map(|(name, _, bytes)| (name, bytes)).collect()
}

/// Checks that each line of CDXJ in `index` refers to the record of its URL, and has its digest. Returns the number of
/// lines.
fn check_lines(index: &[u8], entries: &BTreeMap<String, Vec<u8>>) -> usize {
    let text = String::from_utf8(index.to_vec()).unwrap();
    for line in text.lines() {
        assert!(line.ends_with(", \"mime\": \"x\"}"), "{line}");
        let fields: Value = serde_json::from_str(line.splitn(3, ' ').nth(2).unwrap()).unwrap();
        let number = |name: &str| match &fields[name] {
            Value::String(text) => text.parse::<usize>().unwrap(),
            other => other.as_u64().unwrap() as usize,
        };
        let archive = &entries[&format!("archive/{}", fields["filename"].as_str().unwrap())];
        let part = &archive[number("offset")..][..number("length")];
        let found = records(part);
        assert_eq!(found.len(), 1, "{line}");
        assert_eq!(fields["url"], found[0].target_uri());
        assert_eq!(fields["recordDigest"], sha256(part));
    }
    text.lines().count()
}

fn check(old: &[u8], new: &[u8]) {
    let places = |file: &[u8]| -> Vec<(String, u16)> {
        let entries = unzip(file).into_iter();
        entries.map(|(name, method, _)| (name, method)).collect()
    };
    assert_eq!(places(old), places(new));
    let (old, new) = (entries(old), entries(new));
    assert_ne!(old["archive/a.warc.gz"], new["archive/a.warc.gz"]);
    for name in ["archive/still.warc", "pages/pages.jsonl"] {
        assert_eq!(old[name], new[name]);
    }
    assert_eq!(check_lines(&new["indexes/plain.cdxj"], &new), 4);
    let compressed = &new["indexes/index.cdx.gz"];
    let (idx, mut count) = (String::from_utf8(new["indexes/index.idx"].clone()).unwrap(), 0);
    for line in idx.lines().skip(1) {
        let fields: Value = serde_json::from_str(line.splitn(3, ' ').nth(2).unwrap()).unwrap();
        let [offset, length] = ["offset", "length"].map(|it| fields[it].as_u64().unwrap() as usize);
        let block = &compressed[offset..offset + length];
        assert_eq!(fields["digest"], sha256(block));
        count += check_lines(&crate::warc_reader::members(block).concat(), &new);
    }
    assert_eq!((idx.lines().count(), count), (4, 4));
    let last = member(&crate::warc_reader::members(compressed)[2]);
    assert!(compressed.ends_with(&last));
    for line in String::from_utf8(new["indexes/columns.cdx"].clone()).unwrap().lines().skip(1) {
        let columns: Vec<&str> = line.split(' ').collect();
        let [length, offset] = [8, 9].map(|at| columns[at].parse::<usize>().unwrap());
        let found = records(&new["archive/a.warc.gz"][offset..offset + length]);
        assert_eq!((found.len(), found[0].target_uri()), (1, columns[2]));
    }
    let package = &new["datapackage.json"];
    let text = String::from_utf8(package.clone()).unwrap();
    assert!(text.starts_with("{\"z\": 1,\n ") && text.ends_with(", \"a\":  2}"), "{text}");
    let value: Value = serde_json::from_slice(package).unwrap();
    for resource in value["resources"].as_array().unwrap() {
        let bytes = &new[resource["path"].as_str().unwrap()];
        assert_eq!(resource["hash"], sha256(bytes));
        assert_eq!(resource["bytes"], bytes.len());
    }
    let digest: Value = serde_json::from_slice(&new["datapackage-digest.json"]).unwrap();
    assert_eq!(digest, json!({"path": "datapackage.json", "hash": sha256(package)}));
}

#[test]
fn the_indexes_and_digests_of_a_rewritten_wacz_file_fit_its_archives() {
    let dir = TestDir::new();
    for method in [Method::Stored, Method::Deflated] {
        let old = wacz(method);
        dir.write("crawl.wacz", &old);
        let run = dir.rehref(&["relative", "crawl.wacz", "-o", "new.wacz", "--force"]);
        let said = run.status(0).stderr();
        let warning = "warning: crawl.wacz: datapackage-digest.json: the signature is not valid for the new contents";
        assert!(said.contains(warning), "{said}");
        let new = fs::read(dir.path("new.wacz")).unwrap();
        check(&old, &new);
        dir.rehref(&["verify", "crawl.wacz", "new.wacz"]).status(0);
        let stdout = dir.rehref(&["relative", "crawl.wacz", "-o", "-"]);
        assert_eq!(stdout.status(0).stdout_bytes(), new);
        // In a directory, in place.
        dir.write("set/crawl.wacz", &old);
        dir.rehref(&["relative", "set", "--in-place"]).status(0);
        assert_eq!(fs::read(dir.path("set/crawl.wacz")).unwrap(), new);
        // Unchanged, the file is copied.
        let again = ["relative", "new.wacz", "-o", "again.wacz", "--force"];
        dir.rehref(&again).status(0);
        assert_eq!(fs::read(dir.path("again.wacz")).unwrap(), new);
    }
}

#[test]
fn a_dry_run_and_a_check_of_a_wacz_file_write_nothing() {
    let dir = TestDir::new();
    let old = wacz(Method::Stored);
    dir.write("crawl.wacz", &old);
    let said = dir.rehref(&["relative", "crawl.wacz", "--dry-run"]).status(0).stderr();
    assert!(said.contains("2 of 3 documents"), "{said}");
    dir.rehref(&["relative", "crawl.wacz", "--check"]).status(1);
    assert_eq!(fs::read(dir.path("crawl.wacz")).unwrap(), old);
}

#[test]
fn an_index_that_cannot_be_updated_is_an_error_that_names_it() {
    let dir = TestDir::new();
    let archive = parts().concat();
    for (name, text, expected) in [
        (
            "indexes/index.cdxj",
            "h)/ 2024 {\"url\": \"http://h.example/\", \"offset\": 7, \"filename\": \"a.warc.gz\"}\n",
            "indexes/index.cdxj: line 1: no record begins at byte 7 of archive/a.warc.gz",
        ),
        (
            "indexes/index.cdx",
            "\nnot an index\n",
            "indexes/index.cdx: line 2 is not a line of a CDX or CDXJ index",
        ),
        ("indexes/index.idx", "x\n", "indexes/index.idx: line 1 is not a line"),
        ("datapackage.json", "[]", "datapackage.json: the file is not a data package"),
        (
            "datapackage.json",
            "{\"resources\": [{\"path\": \"archive/a.warc.gz\", \"hash\": \"crc:1\"}]}",
            "datapackage.json: the hash crc:1 is not of SHA-256 or MD5",
        ),
    ] {
        let file = zip(&[
            (name, Method::Stored, text.as_bytes()),
            ("archive/a.warc.gz", Method::Stored, &archive),
        ]);
        dir.write("crawl.wacz", &file);
        let run = dir.rehref(&["relative", "crawl.wacz", "-o", "new.wacz", "--force"]);
        let said = run.status(2).stderr();
        assert!(said.contains(&format!("error: crawl.wacz: {expected}")), "{said}");
        assert!(said.contains(ADVICE), "{said}");
        for mode in ["--dry-run", "--check", "--diff"] {
            let run = dir.rehref(&["relative", "crawl.wacz", mode]);
            let tried = run.status(2).stderr();
            let errors = |said: &str| -> Vec<String> {
                let errors = said.lines().filter(|line| line.starts_with("error: "));
                errors.map(str::to_owned).collect()
            };
            assert_eq!(errors(&tried), errors(&said), "{mode}");
        }
        dir.rehref(&["relative", "crawl.wacz", "--in-place"]).status(2);
        assert_eq!(fs::read(dir.path("crawl.wacz")).unwrap(), file);
    }
}

/// `file` with other entries.
fn with(file: &[u8], change: impl FnOnce(&mut Vec<(String, u16, Vec<u8>)>)) -> Vec<u8> {
    let mut entries = unzip(file);
    change(&mut entries);
    let entries: Vec<(&str, Method, &[u8])> = entries
        .iter()
        .map(|(name, method, bytes)| {
            let method = match method {
                0 => Method::Stored,
                _ => Method::Deflated,
            };
            (&**name, method, &bytes[..])
        })
        .collect();
    zip(&entries)
}

/// The bytes of the entry `name`.
fn bytes_of<'e>(entries: &'e mut [(String, u16, Vec<u8>)], name: &str) -> &'e mut Vec<u8> {
    &mut entries.iter_mut().find(|it| it.0 == name).unwrap().2
}

/// `file` with `to` in place of the first `from` in the line `line` of its entry `name`.
fn with_text(file: &[u8], name: &str, line: usize, from: &str, to: &str) -> Vec<u8> {
    with(file, |entries| {
        let bytes = bytes_of(entries, name);
        let text = String::from_utf8(bytes.clone()).unwrap();
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        assert!(lines[line - 1].contains(from), "{from}: {text}");
        lines[line - 1] = lines[line - 1].replacen(from, to, 1);
        *bytes = lines.concat().into_bytes();
    })
}

#[test]
fn verify_compares_indexes_and_digests_of_wacz_files() {
    let dir = TestDir::new();
    let old = wacz(Method::Stored);
    dir.write("old.wacz", &old);
    dir.rehref(&["relative", "old.wacz", "-o", "right.wacz"]).status(0);
    let right = fs::read(dir.path("right.wacz")).unwrap();
    let (plain, columns, idx, package, digest) = (
        "indexes/plain.cdxj", "indexes/columns.cdx", "indexes/index.idx", "datapackage.json",
        "datapackage-digest.json",
    );
    let text =
        |name: &str, line: usize, from: &str, to: &str| with_text(&right, name, line, from, to);
    let pages = "pages/pages.jsonl";
    let second = |name: &str| {
        with(&right, |entries| {
            let entry = entries.iter().find(|it| it.0 == name).unwrap().clone();
            entries.push(entry);
        })
    };
    // The place of the last record, in BEFORE and AFTER.
    let place = |line: &str| {
        let (_, rest) = line.split_once(",  ").unwrap();
        rest.split(", \"recordDigest\"").next().unwrap().to_owned()
    };
    let old_line = cdxj("a.warc.gz", &parts(), false)[2].clone();
    let right_line = String::from_utf8(entries(&right)[plain].clone()).unwrap();
    let right_line = right_line.lines().nth(2).unwrap().to_owned();
    assert_ne!(place(&right_line), place(&old_line));
    let offset = "the offset points to a different record than in the old tree";
    let more = "the line differs in more than the place and the digests of its record";
    let digests = "the digest does not match the record";
    for (new, place, expected) in [
        (text(plain, 1, ":0,", ":1,"), "plain.cdxj: line 1", offset),
        (text(plain, 2, "\"offset\":", "\"offset\":1"), "plain.cdxj: line 2", offset),
        (text(plain, 3, &place(&right_line), &place(&old_line)), "plain.cdxj: line 3", offset),
        (
            text(plain, 3, "\"length\": ", "\"length\": 1"),
            "plain.cdxj: line 3",
            "the length does not match the record",
        ),
        (text(plain, 1, "sha256:", "sha256:0"), "plain.cdxj: line 1", digests),
        (text(plain, 2, "sha256:", "sha256:0"), "plain.cdxj: line 2", digests),
        (text(plain, 3, "example/b", "example/c"), "plain.cdxj: line 3", more),
        (text(plain, 3, "a.warc.gz", "still.warc"), "plain.cdxj: line 3", more),
        (
            text(plain, 4, ":0,", ":1,"),
            "plain.cdxj: line 4",
            "the line differs, although its archive is the same",
        ),
        (
            with(&right, |entries| {
                let bytes = bytes_of(entries, plain);
                bytes.truncate(bytes.len() / 2);
            }),
            "plain.cdxj: line 3",
            "the line is not valid in a CDX or CDXJ index",
        ),
        (
            with(&right, |entries| {
                let bytes = bytes_of(entries, plain);
                let line = bytes.iter().position(|it| *it == b'\n').unwrap() + 1;
                bytes.drain(..line);
            }),
            plain,
            "has fewer lines than in the old tree",
        ),
        (text(columns, 2, " 0 a.warc", " 1 a.warc"), "columns.cdx: line 2", offset),
        (text(columns, 1, " CDX N", " CDX M"), "columns.cdx: line 1", more),
        (
            text(idx, 2, "\"offset\": 0", "\"offset\": 1"),
            "index.idx: line 2",
            "the offset points to a different block",
        ),
        (
            text(idx, 3, "\"length\": ", "\"length\": 1"),
            "index.idx: line 3",
            "the length does not match the block",
        ),
        (
            text(idx, 2, "sha256:", "sha256:0"),
            "index.idx: line 2",
            "the digest does not match the block",
        ),
        (
            with(&right, |entries| {
                let bytes = bytes_of(entries, "indexes/index.cdx.gz");
                let mut blocks = crate::warc_reader::members(bytes);
                let text = String::from_utf8(blocks[0].clone()).unwrap();
                blocks[0] = text.replace("\"offset\":\"0\"", "\"offset\":\"1\"").into();
                *bytes = blocks.iter().flat_map(|it| member(it)).collect();
            }),
            "index.cdx.gz: line 1",
            offset,
        ),
        (
            with(&right, |entries| {
                let bytes = bytes_of(entries, "indexes/index.cdx.gz");
                *bytes = member(&crate::warc_reader::members(bytes).concat());
            }),
            "indexes/index.cdx.gz",
            "has more lines than in the old tree",
        ),
        (with(&right, |entries| entries.retain(|it| it.0 != columns)), columns, "is missing"),
        (
            with(&right, |entries| {
                entries.push(("indexes/x.cdx".to_owned(), 0, Vec::new()));
            }),
            "indexes/x.cdx",
            "the old tree has no such entry",
        ),
        (
            text(package, 2, "sha256:", "sha256:0"),
            "datapackage.json: archive/a.warc.gz",
            "the hash sha256:0",
        ),
        (
            with(&right, |entries| {
                bytes_of(entries, idx).push(b'\n');
            }),
            "datapackage.json: indexes/index.idx",
            "the size does not match the file",
        ),
        (
            text(package, 1, "1", "2"),
            package,
            "the file differs in more than the sizes and hashes of files",
        ),
        (text(digest, 3, "sha256:", "sha256:0"), digest, "the hash sha256:0"),
        (
            with(&right, |entries| {
                let bytes = bytes_of(entries, digest);
                let text = String::from_utf8(bytes.clone()).unwrap();
                *bytes = text.replace('}', ", \"signedData\": {\"x\": 1}}").into_bytes();
            }),
            digest,
            "the signature is not valid for the new datapackage.json",
        ),
        (
            text(digest, 2, "datapackage.json", "x.json"),
            digest,
            "the file differs in more than the hash and the signature",
        ),
        (text(pages, 1, "{", "["), pages, "the entry differs"),
        (with(&right, |entries| entries.retain(|it| it.0 != pages)), pages, "is missing"),
        (
            with(&right, |entries| {
                entries.push(("logs/x.log".to_owned(), 0, Vec::new()));
            }),
            "logs/x.log",
            "the old tree has no such entry",
        ),
        (second(pages), pages, "more entries with this name than in the old tree"),
        (second(package), package, "more entries with this name than in the old tree"),
        (second(plain), plain, "more entries with this name than in the old tree"),
    ] {
        dir.write("new.wacz", &new);
        let run = dir.rehref(&["verify", "old.wacz", "new.wacz", "--quiet"]);
        let report = run.status(1).stdout();
        let found = |line: &str| line.contains(place) && line.contains(expected);
        assert!(report.lines().any(found), "{place}: {expected}\n{report}");
    }
    // Of an unchanged file, too.
    for (name, line, from, to, expected) in [
        (columns, 2, " 0 a.warc", " 1 a.warc", "although its archive is the same"),
        (digest, 1, ", \"signedData\": {\"x\": 1}", "", "the signature is missing"),
        (digest, 1, "\"x\": 1", "\"x\": 2", "differs in more than the hash"),
        (package, 2, "archive/still.warc", "archive/other.warc", "differs in more than"),
    ] {
        dir.write("new.wacz", &with_text(&old, name, line, from, to));
        let run = dir.rehref(&["verify", "old.wacz", "new.wacz", "--quiet"]);
        let report = run.status(1).stdout();
        assert!(report.contains(name) && report.contains(expected), "{report}");
    }
}

#[test]
fn a_wrong_hash_in_a_wacz_file_is_a_warning() {
    let dir = TestDir::new();
    let right = wacz(Method::Deflated);
    let archive = sha256(&entries(&right)["archive/a.warc.gz"]);
    let still = sha256(&entries(&right)["archive/still.warc"]);
    let wrong = |hash: &str| hash.replacen("sha256:", "sha256:0", 1)[..hash.len()].to_owned();
    let package = "datapackage.json";
    let old = with_text(&right, package, 2, &archive, &wrong(&archive));
    let old = with_text(&old, package, 2, &still, &wrong(&still));
    dir.write("old.wacz", &old);
    let warnings = [
        "warning: old.wacz: datapackage.json: the size or hash of archive/a.warc.gz was wrong before the rewrite; the new one \
         is right",
        "warning: old.wacz: datapackage.json: the size or hash of archive/still.warc was wrong before the rewrite; rehref \
         did not update it, because the file did not change",
        "warning: old.wacz: datapackage-digest.json: the size or hash of datapackage.json was wrong before the rewrite; the \
         new one is right",
    ];
    for options in [&["--dry-run"][..], &["-o", "new.wacz"]] {
        let words = [&["relative", "old.wacz"], options].concat();
        let said = dir.rehref(&words).status(0).stderr();
        for warning in warnings {
            assert!(said.contains(warning), "{said}");
        }
    }
    let new = entries(&fs::read(dir.path("new.wacz")).unwrap());
    let resources: Value = serde_json::from_slice(&new[package]).unwrap();
    let hashes: Vec<&str> =
        (0..2).map(|at| resources["resources"][at]["hash"].as_str().unwrap()).collect();
    assert_eq!(hashes, [sha256(&new["archive/a.warc.gz"]), wrong(&still)]);
    let said = dir.rehref(&["verify", "old.wacz", "new.wacz"]).status(0).stderr();
    let warning =
        "datapackage.json: archive/still.warc: the hash does not match the file, in both trees";
    assert!(said.contains(warning), "{said}");
}

/// The size of the file bounds what is read and written.
#[test]
fn what_a_wacz_file_makes_of_few_bytes_is_an_error() {
    let dir = TestDir::new();
    let parts = parts();
    let archive = ("archive/a.warc.gz", Method::Stored, &parts.concat()[..]);
    // Many lines for one record are not.
    let lines = cdxj("a.warc.gz", &parts, false).concat().repeat(100);
    let index = ("indexes/index.cdxj", Method::Deflated, lines.as_bytes());
    let mut overlapping = zip(&[
        archive,
        ("pages/a.jsonl", Method::Stored, b"{}"),
        ("pages/b.jsonl", Method::Stored, b"{}"),
    ]);
    // The last entry begins where the one before does.
    let at = overlapping.len() - 22 - "pages/b.jsonl".len() - 4;
    let is_start = |at: &usize| overlapping[*at..].starts_with(b"PK\x03\x04");
    let start = (0..at).filter(is_start).nth(1).unwrap();
    overlapping[at..at + 4].copy_from_slice(&(start as u32).to_le_bytes());
    for (file, status, expected) in [
        (zip(&[archive, index]), 0, ""),
        (overlapping, 2, "pages/b.jsonl: the zip entry overlaps another one"),
    ] {
        dir.write("old.wacz", &file);
        let words = ["relative", "old.wacz", "-o", "new.wacz", "--force"];
        let said = dir.rehref(&words).status(status).stderr();
        assert!(said.contains(expected), "{said}");
    }
}
