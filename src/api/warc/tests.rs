use super::*;
use rawzip::CompressionMethod;
use rehref_audit::Check;
use rehref_corpus::warc::gzip;
use streamed_zip::streamed;

#[path = "../../../tests/support/streamed_zip.rs"]
mod streamed_zip;

fn response(url: &str, head: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {head}\r\n\r\n{body}");
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn records(archive: &str) -> Vec<WarcRecord> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.warc");
    std::fs::write(&path, archive).unwrap();
    let reader = WarcReader::open(&path).unwrap();
    reader.collect::<Result<_, _>>().unwrap()
}

const HTML: &str = "200 OK\r\nContent-Type: text/html; charset=windows-1252";

#[test]
fn records_come_with_their_places_and_documents() {
    let parts = [
        response("http://h/a#x", HTML, "<p>a"),
        response("http://h/b.png", "200 OK\r\nContent-Type: image/png", "png"),
        response("http://h/c", "301 Moved\r\nLocation: /a#y", ""),
        response("http://h/d", "206 x\r\nContent-Type: text/html", "<p>"),
        response("http://h/e", "404 x\r\nContent-Type: text/html", "<p>"),
    ];
    let archive = parts.concat();
    let records = records(&archive);
    let mut start = 0;
    for (record, part) in records.iter().zip(&parts) {
        let end = start + part.len() as u64;
        assert_eq!(record.place, Some(start..end));
        start = end;
    }
    let [page, image, redirect, part, error] = &records[..] else {
        panic!("{} records", records.len())
    };
    assert_eq!(page.archive, None);
    assert_eq!(page.url.as_deref(), Some("http://h/a"));
    assert_eq!(page.charset.as_deref(), Some("windows-1252"));
    assert_eq!(page.status, Some(200));
    let document = page.document().unwrap().unwrap();
    assert_eq!(document.content, b"<p>a");
    assert_eq!(document.base_url, "http://h/a");
    assert_eq!(image.media_type, "image/png");
    assert_eq!(image.document(), Ok(None));
    assert_eq!(image.capture, Some(CaptureState::Content));
    let to = CaptureState::Redirect("http://h/a".into());
    assert_eq!(redirect.capture, Some(to));
    assert!(part.document().is_err());
    assert_eq!(error.capture, Some(CaptureState::Error));
}

#[test]
fn a_wacz_file_has_the_records_of_its_archives() {
    let parts = ["a", "b", "c"].map(|name| response(&format!("http://h/{name}"), HTML, name));
    let cut = &parts[1][..parts[1].len() - 9];
    let (stored, deflated) = (CompressionMethod::STORE, CompressionMethod::DEFLATE);
    let first = parts[..2].concat();
    for file in [
        [
            ("archive/1.warc", stored, first.as_bytes()),
            ("archive/2.warc", deflated, cut.as_bytes()),
            ("archive/3.warc", deflated, parts[2].as_bytes()),
            ("indexes/index.cdx", stored, b"x"),
        ],
        [
            ("archive/1.warc", deflated, first.as_bytes()),
            ("archive/2.warc", stored, cut.as_bytes()),
            ("archive/3.warc", stored, parts[2].as_bytes()),
            ("pages/pages.jsonl", stored, b"x"),
        ],
    ] {
        let dir = tempfile::tempdir().unwrap();
        // The name does not count unless it has a known suffix.
        for name in ["a.wacz", "a.zip"] {
            let path = dir.path().join(name);
            std::fs::write(&path, streamed(&file)).unwrap();
            let read: Vec<_> = WarcReader::open(&path).unwrap().collect();
            let [Ok(one), Ok(two), Err(error), Ok(four)] = &read[..] else { panic!("{read:?}") };
            assert!(error.to_string().starts_with("archive/2.warc: record 1"));
            for (record, number, archive, part) in [
                (one, 1, "archive/1.warc", &parts[0]),
                (two, 2, "archive/1.warc", &parts[1]),
                (four, 4, "archive/3.warc", &parts[2]),
            ] {
                assert_eq!(record.number, number);
                assert_eq!(record.archive.as_deref(), Some(archive));
                let place = record.place.as_ref().unwrap();
                let mut bytes = WarcBytes::open(&path, Some(archive)).unwrap();
                assert_eq!(bytes.read(place).unwrap(), part.as_bytes());
                assert!(bytes.read(&(place.start..1 << 40)).is_err());
            }
            let missing = WarcBytes::open(&path, Some("archive/4.warc"));
            let error = missing.unwrap_err().to_string();
            assert_eq!(error, "has no archive archive/4.warc");
            assert!(WarcBytes::open(&path, None).is_err());
        }
        let path = dir.path().join("a.warc");
        std::fs::write(&path, streamed(&file)).unwrap();
        assert!(WarcReader::open(&path).unwrap().next().unwrap().is_err());
    }
    assert!(WarcReader::open("missing.wacz").is_err());
    assert!(WarcReader::has_archive_name("x/A.WARC.gz"));
    assert!(!WarcReader::has_archive_name("x/a.zip"));
}

#[test]
fn records_that_share_a_gzip_member_have_no_place() {
    let image = response("http://h/i", "200 OK\r\nContent-Type: image/png", "png");
    let parts = [response("http://h/a", HTML, "<p>a"), image];
    let shared = gzip::member(&[parts.concat().as_bytes()]).unwrap();
    let file = streamed(&[
        ("archive/1.warc.gz", CompressionMethod::STORE, &shared),
        ("archive/2.warc.gz", CompressionMethod::DEFLATE, &shared),
    ]);
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), file).unwrap();
    let records = WarcReader::open(path.path()).unwrap();
    let records: Vec<_> = records.map(Result::unwrap).collect();
    let found: Vec<_> = records
        .iter()
        .map(|it| (it.number, it.archive.as_deref().unwrap(), it.place.clone()))
        .collect();
    let [one, two] = ["archive/1.warc.gz", "archive/2.warc.gz"];
    let expected = [(1, one, None), (2, one, None), (3, two, None), (4, two, None)];
    assert_eq!(found, expected);
    assert_eq!(records[2].document().unwrap().unwrap().content, b"<p>a");
}

#[test]
fn a_document_is_replaced_with_its_lengths() {
    let old = response("http://h/a", HTML, "<p>old");
    assert_eq!(with_content(old.as_bytes(), b"<p>old").unwrap(), old.as_bytes());
    let new = with_content(old.as_bytes(), b"<p>newer").unwrap();
    let new = String::from_utf8(new).unwrap();
    assert_eq!(records(&new)[0].document().unwrap().unwrap().content, b"<p>newer");
    let image = response("http://h/b", "200 OK\r\nContent-Type: image/png", "png");
    assert!(with_content(image.as_bytes(), b"x").is_err());
    assert!(with_content(b"", b"x").is_err());
}

#[test]
fn rows_say_what_links_need() {
    let html = "<p id=b><a href='#b'><a href='#c'><a href='/x#y%20z'><a href='mailto:m@h'>\
        <link rel=preconnect href='/hint'><a href='//other/#12-34' data-rehref-ignore>\
        <a href='{{ x }}'><a href='/t#top'>";
    let records = records(&response("http://h/a", HTML, html));
    let rows = AuditTables::new().unwrap().rows(&records[0]).unwrap();
    assert_eq!(rows.anchors, Some(vec!["b".to_owned()]));
    let links: Vec<_> = rows
        .links
        .iter()
        .map(|link| {
            (
                link.reference.as_str(),
                link.finding,
                link.target_url.as_deref(),
                link.reports_target,
                link.anchors.join(" "),
            )
        })
        .collect();
    assert_eq!(
        links,
        [
            ("#c", Some(Check::BrokenFragment), None, false, String::new()),
            ("/x#y%20z", None, Some("http://h/x"), true, "y%20z y z".into()),
            ("//other/#12-34", None, Some("http://other/"), false, String::new()),
            ("/t#top", None, Some("http://h/t"), true, String::new()),
        ]
    );
}
