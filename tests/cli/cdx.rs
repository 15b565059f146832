//! Index files (CDX, CDXJ) in a directory of archives.

use crate::support::TestDir;
use crate::warc::{crawl, findings, member};

const CDXJ: &str = "example,h)/d 20240506070809 {\"url\": \"http://h.example/d\", \"mime\": \"text/html\", \
                    \"status\": \"200\", \"filename\": \"elsewhere.warc.gz\"}\n\
                    example,h)/ 20240506070809 {\"url\": \"http://h.example/\", \"status\": \"404\"}\n";

const CDX: &str = " CDX N b a m s k r M S V g\n\
                   example,h)/d 20240506070809 http://h.example/d text/html 302 A - - 9 0 elsewhere.warc.gz\n";

/// A directory of archives: without the third one, a link leads to a URL that no archive has.
fn archives(dir: &TestDir) {
    for (name, file) in ["1.warc", "2.warc", "3.warc"].iter().zip(crawl()) {
        dir.write(&format!("crawl/{name}"), &file);
    }
}

#[test]
fn urls_that_an_index_lists_are_archived() {
    for (name, index) in [
        ("index.cdxj", CDXJ.as_bytes().to_vec()),
        ("indexes/index.cdx.gz", member(CDXJ.as_bytes())),
        ("index.cdx", CDX.as_bytes().to_vec()),
        ("INDEX.CDX.GZ", member(CDX.as_bytes())),
    ] {
        let dir = TestDir::new();
        archives(&dir);
        assert_eq!(findings(&dir, "crawl", 1).len(), 4);
        dir.write(&format!("crawl/{name}"), &index);
        let expected = [
            "1.warc > http://h.example/ 2 broken-fragment",
            "1.warc > http://h.example/ 5 broken-target",
        ];
        assert_eq!(findings(&dir, "crawl", 1), expected, "{name}");
        let arguments = ["links", "crawl", "-q", "--broken"];
        let links = dir.rehref(&arguments).status(0).stdout();
        assert_eq!(links.lines().count(), 1, "{links}");
    }
}

#[test]
fn an_error_that_an_index_lists_is_a_finding() {
    let dir = TestDir::new();
    archives(&dir);
    dir.write("crawl/index.cdxj", CDXJ.replace("200", "404").as_bytes());
    let found = findings(&dir, "crawl", 1);
    let expected = "1.warc > http://h.example/ 4 broken-target";
    assert!(found.iter().any(|it| it == expected), "{found:?}");
    // An archive has the content of a URL of which the index lists an error.
    assert!(!found.iter().any(|it| it.contains("/b ")), "{found:?}");
}

#[test]
fn an_index_that_cannot_be_read_is_an_error() {
    let dir = TestDir::new();
    archives(&dir);
    let mut cut = member(CDXJ.as_bytes());
    cut.truncate(cut.len() - 9);
    for (index, expected) in [
        (b"ChemDraw".to_vec(), "line 1 is not a line of a CDX or CDXJ index"),
        (cut, "cannot read the file: "),
    ] {
        dir.write("crawl/index.cdx", &index);
        let run = dir.rehref(&["audit", "crawl"]).status(2);
        let expected = format!("error: index.cdx: {expected}");
        assert!(run.stderr().contains(&expected), "{}", run.stderr());
        // What it would list is not known.
        assert!(!run.stdout().contains("not-archived"), "{}", run.stdout());
        dir.rehref(&["links", "crawl"]).status(2);
        dir.rehref(&["audit", "crawl", "--exclude", "*.cdx"]).status(1);
    }
}
