//! `rehref base`: the precedence of base URLs, rule by rule, and the real binary.

use crate::support::{TestDir, directory_url};

const URL: &str = "http://found.example/d/f.html";

/// The output of `rehref base` for a document on stdin, spaces made one.
fn base_of(document: &str) -> Vec<String> {
    let arguments = ["base", "-", "--url", URL];
    let run = TestDir::new().rehref_with_stdin(&arguments, document.as_bytes());
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    run.status(0).stdout().lines().map(words).collect()
}

#[track_caller]
fn assert_base(document: &str, base: &str, origin: &str) {
    let found = base_of(document);
    let expected = format!("{base} {origin}");
    let last = found.last().unwrap();
    assert!(last.ends_with(&expected), "{document}\n{last}\n{expected}");
}

/// The headers, with one more so that they are known for headers, and a page.
fn headed(headers: &str, page: &str) -> String {
    format!("Content-Type: text/html\r\n{headers}\r\n\r\n{page}")
}

/// B1, B2, B3: four sources, innermost first. B4: embedded beats header.
#[test]
fn the_innermost_source_counts() {
    let page = "<p>";
    assert_base(page, URL, "retrieval URL");
    assert_base("<base href=http://in/>", "http://in/", "embedded base element");
    for header in [
        "Content-Base: http://head/",
        "Content-Location: http://head/",
        "Base: <URL:http://head/>",
        "Base-URL: <http://head/>",
    ] {
        let name = header.split(':').next().unwrap();
        assert_base(&headed(header, page), "http://head/", &format!("header {name}"));
        let both = headed(header, "<base href=http://in/>");
        assert_base(&both, "http://in/", "embedded base element");
    }
}

/// B5, B6, B7, and D1, D2, D3, D5: how the headers are written.
#[test]
fn headers_are_read_whatever_their_case_and_folding() {
    for (header, base) in [
        ("bAsE-uRL: <http://h/\r\n  a/b>", "http://h/a/b"),
        ("base-url:\r\n\t< http://h/ >", "http://h/"),
        ("Base: <URL:http://www.ics.uci.edu/Test/a/b/c>", "http://www.ics.uci.edu/Test/a/b/c"),
        ("BASE: <url:http://h/\r\n\ta/ b>", "http://h/a/b"),
        ("Base: <http://h/a>", "http://h/a"),
        ("Base: <URL:http://a/b/c/d;p?q#f>", "http://a/b/c/d;p?q#f"),
        (
            "CONTENT-BASE: http://www.ics.uci.edu/\r\n\tTest/a/b/c",
            "http://www.ics.uci.edu/Test/a/b/c",
        ),
        ("content-location: http://h/\r\n a\r\n b", "http://h/ab"),
        ("Content-Base: \"http://h/\"", "http://h/"),
        // Brackets delimit a URL wherever it stands; comments are no part of one.
        ("Content-Base: <http://h/a/>", "http://h/a/"),
        ("Content-Base: <URL:http://h/a/>", "http://h/a/"),
        ("Content-Base: http://h/a/ (the base)", "http://h/a/"),
        ("Content-Location: http://h/a\r\n (b (c))", "http://h/a"),
        ("Base: <URL:http://h/a/> (the base)", "http://h/a/"),
        ("Base: (the base) <URL:http://h/a/>", "http://h/a/"),
        // D4: the hyphen before a line break may be one that was brought in; it is kept.
        ("Base: <URL:http://h/a-\r\n b>", "http://h/a-b"),
    ] {
        let found = base_of(&headed(header, "<p>"));
        assert!(found[0].contains(&format!(" {base} header ")), "{header}: {found:?}");
        let found = base_of(&headed(&header.replace("\r\n", "\n"), "<p>"));
        assert!(found[0].contains(&format!(" {base} header ")), "{header}: {found:?}");
    }
}

/// B7, B8: which header counts, and what a relative `Content-Location` is relative to.
#[test]
fn content_base_beats_content_location() {
    let both = "Content-Location: http://location/\r\nContent-Base: http://base/";
    assert_base(&headed(both, "<p>"), "http://base/", "header Content-Base");
    let relative = headed("Content-Location: ../e/g.html", "<p>");
    assert_base(&relative, "http://found.example/e/g.html", "header Content-Location");
    // It is relative to what is absolute beside it.
    let relative = headed("Base: <URL:http://old/a/>\r\nContent-Location: b/c", "<p>");
    assert_base(&relative, "http://old/a/b/c", "header Content-Location");
    // Where that is no URL, it is passed over.
    let bad = headed("Content-Base: http://[\r\nContent-Location: b/c", "<p>");
    assert_base(&bad, "http://found.example/d/b/c", "header Content-Location");
    let old = "Base: <URL:http://old/>\r\nContent-Location: http://location/";
    assert_base(&headed(old, "<p>"), "http://location/", "header Content-Location");
    let oldest = "Base-URL: <http://oldest/>\r\nBase: <URL:http://old/>";
    assert_base(&headed(oldest, "<p>"), "http://old/", "header Base");
    // What has to be absolute and is not gives no base.
    assert_base(&headed("Content-Base: a/b", "<p>"), URL, "retrieval URL");
    assert_base(
        &headed("Content-Base: a/b\r\nContent-Location: http://location/", "<p>"),
        "http://location/",
        "header Content-Location",
    );
    assert_base(&headed("Content-Base: http://[", "<p>"), URL, "retrieval URL");
}

/// B10: the base of what is composite is that of its parts, unless they have one.
#[test]
fn parts_take_the_base_of_what_they_are_in() {
    let message = "Content-Type: multipart/mixed; boundary=x\r\nBase: <URL:http://x/a/>\r\n\r\n\
        --x\r\nContent-Type: text/html\r\n\r\n<p>\r\n\
        --x\r\nContent-Type: text/html\r\n\r\n<BASE href=http://y/b/>\r\n\
        --x\r\nContent-Type: multipart/alternative; boundary=xx\r\nBase: <URL:http://z/>\r\n\r\n\
        --xx\r\nContent-Type: text/html\r\n\r\n<p>\r\n\
        --xx\r\nContent-Type: text/html\r\nContent-Location: c/d\r\n\r\n<p>\r\n--xx--\r\n\
        --x\r\nContent-Type: message/rfc822\r\n\r\n\
        Content-Type: text/html\r\nContent-Base: http://w/\r\n\r\n<p>\r\n\
        --x\r\nContent-Type: message/rfc822\r\nContent-Location: e\r\n\r\n\
        Content-Type: text/html\r\n\r\n<p>\r\n--x--\r\n";
    assert_eq!(
        base_of(message),
        [
            "message http://x/a/ header Base",
            "part 1 http://x/a/ header Base of the message",
            "part 2 http://y/b/ embedded base element",
            "part 3 http://z/ header Base",
            "part 3.1 http://z/ header Base of part 3",
            "part 3.2 http://z/c/d header Content-Location",
            "part 4 http://x/a/ header Base of the message",
            "part 4.1 http://w/ header Content-Base",
            "part 5 http://x/a/e header Content-Location",
            "part 5.1 http://x/a/e header Content-Location of part 5",
        ]
    );
}

/// B11: after redirects the last URL is that of the document.
#[test]
fn the_last_url_after_redirects_counts() {
    let saved = "HTTP/1.1 301 Moved\r\nLocation: /new/\r\n\r\n\
        HTTP/1.1 302 Found\r\nLocation: page.html\r\n\r\n\
        HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>";
    let found = base_of(saved);
    let last = found.last().unwrap();
    assert!(last.ends_with(" http://found.example/new/page.html retrieval URL"), "{last}");
}

/// Answers that ask who the client is lead to the next as those that send it on.
#[test]
fn what_is_answered_once_known_counts() {
    let saved = "HTTP/1.1 401 Unauthorized\r\nServer: x\r\n\r\n\
        HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<base href=http://h/>";
    let found = base_of(saved);
    let last = found.last().unwrap();
    assert!(last.ends_with(" http://h/ embedded base element"), "{last}");
}

/// B12, B14, R1: nothing is relative to what has no hierarchy, and then what is relative stays.
#[test]
fn nothing_is_relative_to_an_unsuitable_base() {
    let page = headed("Content-Location: cid:x@y", "<a href=../x><a href=http://h/a>");
    assert_base(&page, "cid:x@y", "header Content-Location");
    let run = TestDir::new()
        .rehref_with_stdin(&["absolute", "-", "--url", URL, "--quiet"], page.as_bytes())
        .status(0);
    assert_eq!(run.stdout(), page);
    let empty = ["resolve", "--base", "", "--standard", "rfc1808", "../x"];
    assert_eq!(TestDir::new().rehref(&empty).status(0).stdout(), "../x\n");
}

/// B13: the element counts wherever the document came from; today it may be relative.
#[test]
fn an_embedded_base_may_be_relative_to_that_of_the_headers() {
    let page = headed("Content-Base: http://head/a/b", "<BASE HREF=c/d>");
    assert_base(&page, "http://head/a/c/d", "embedded base element");
    let forbidden = headed("Content-Base: http://head/", "<base href=data:x>");
    assert_base(&forbidden, "http://head/", "header Content-Base");
}

/// B15: a base may have a fragment, as in the drafts.
#[test]
fn a_base_may_have_a_fragment() {
    let page = headed("Content-Base: http://a/b/c/d;p?q#f", "<a href=g>");
    assert_base(&page, "http://a/b/c/d;p?q#f", "header Content-Base");
}

#[test]
fn files_and_formats() {
    let dir = TestDir::new();
    dir.write("a b.mhtml", b"Content-Type: text/html\nContent-Location: c\n\n<p>");
    dir.write("x.png", b"\x89PNG");
    dir.write("x.svg", b"<svg xmlns='http://www.w3.org/2000/svg' xml:base='http://s/'/>");
    let run = dir.rehref(&["base", "a b.mhtml"]).status(0);
    let folder = directory_url(&dir.path(""));
    let expected = format!("message  {folder}c  header Content-Location\n");
    assert_eq!(run.stdout(), expected);
    let url = ["--url", "https://example.org/"];
    let run = dir.rehref(&[&["base", "a b.mhtml", "--format", "json"], &url[..]].concat());
    assert_eq!(
        run.status(0).stdout(),
        "{\"base\":\"https://example.org/c\",\"file\":\"a b.mhtml\",\"header\":\"Content-Location\",\
         \"header_of\":null,\"level\":\"header\",\"part\":\"\",\"type\":\"text/html\"}\n"
    );
    let run = dir.rehref(&[&["base", "x.svg"], &url[..]].concat()).status(0);
    assert_eq!(run.stdout(), "document  https://example.org/  retrieval URL\n");
    let run = dir.rehref(&["base", "x.png"]).status(2);
    assert!(run.stderr().contains("x.png: this is a picture"), "{}", run.stderr());
    let run = dir.rehref(&["base", "none.html"]).status(2);
    assert!(run.stderr().contains("none.html"), "{}", run.stderr());
    let run = dir.rehref(&["base", "-"]).status(2);
    assert!(run.stderr().contains("--url"), "{}", run.stderr());
}
