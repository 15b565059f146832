//! Messages: documents behind headers, mail and MHTML; the real binary.

use std::path::PathBuf;

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// The message rewritten by a command, and what was said; it is proved with `--verify` too.
fn rewritten(command: &str, name: &str, message: &[u8], options: &[&str]) -> (String, String) {
    let dir = TestDir::new();
    dir.write(&format!("site/{name}"), message);
    let arguments = [command, "site", "-o", "out", "--url", URL, "--verify"];
    let run = dir.rehref(&[&arguments, options].concat()).status(0);
    (dir.read(&format!("out/{name}")), run.stderr())
}

fn absolute(name: &str, message: &str) -> String {
    rewritten("absolute", name, message.as_bytes(), &["--quiet"]).0
}

fn relative(name: &str, message: &str) -> String {
    rewritten("relative", name, message.as_bytes(), &["--quiet"]).0
}

#[test]
fn references_in_headers_are_relative_to_the_message() {
    let message = "HTTP/1.1 200 OK\r\nCONTENT-TYPE: text/html\r\n\
        Link: <a.css>; rel=preload, <b.css>;\r\n rel=\"x <y>\"\r\nRefresh: 5; url=next.html\r\n\
        Location: here\r\ncontent-location:\r\n /x/y\r\nX-Link: <a>\r\n\r\n<a href=z>";
    let expected = "HTTP/1.1 200 OK\r\nCONTENT-TYPE: text/html\r\n\
        Link: <https://example.org/docs/a.css>; rel=preload, <https://example.org/docs/b.css>;\r\n \
        rel=\"x <y>\"\r\nRefresh: 5; url=https://example.org/docs/next.html\r\n\
        Location: https://example.org/docs/here\r\ncontent-location:\r\n https://example.org/x/y\r\n\
        X-Link: <a>\r\n\r\n<a href=https://example.org/docs/z>";
    assert_eq!(absolute("saved.html", message), expected);
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn saved_headers_are_told_from_text() {
    let block = "  HTTP/1.1 200 OK\n  Content-Type: text/html\n\n";
    let saved = block.replace("  ", "").replace('\n', "\r\n");
    let headed = saved.clone() + "<a href=x>";
    assert_eq!(
        absolute("d/page.html", &headed),
        saved.clone() + "<a href=https://example.org/docs/d/x>"
    );
    assert_eq!(absolute("view.php?id=3", &headed), saved + "<a href=https://example.org/docs/x>");
    let css = "Date: now\nContent-Type: text/css\n\na{b:url(c)}";
    let expected = "Date: now\nContent-Type: text/css\n\na{b:url(https://example.org/docs/c)}";
    assert_eq!(absolute("a.css", css), expected);
    // Two words with colons make no headers.
    let text = "Note: <a href=x>\nContent-Base: http://other/ <a href=y>";
    let expected = "Note: <a href=https://example.org/docs/x>\n\
        Content-Base: http://other/ <a href=https://example.org/docs/y>";
    assert_eq!(absolute("text.html", text), expected);
    let custom = "X-Base: a\n\n<a href=x>";
    let with = |options: &[&str]| {
        rewritten("absolute", "page.html", custom.as_bytes(), &[&["-q"], options].concat()).0
    };
    assert_eq!(with(&[]), with(&["--message"]), "no header that matters");
    let based = "Content-Base: http://other/\n\n<a href=x>";
    let with = |options: &[&str]| {
        rewritten("absolute", "page.html", based.as_bytes(), &[&["-q"], options].concat()).0
    };
    assert!(with(&[]).ends_with("<a href=https://example.org/docs/x>"));
    assert!(with(&["--message"]).ends_with("<a href=http://other/x>"));
}

#[test]
fn from_stdin() {
    let message = b"Date: now\nContent-Base: http://other/\n\n<a href=x>";
    let arguments = ["absolute", "-", "--url", URL, "-q"];
    let run = TestDir::new().rehref_with_stdin(&arguments, message).status(0);
    assert!(run.stdout().ends_with("\n\n<a href=http://other/x>"), "{}", run.stdout());
}

#[test]
fn the_charset_is_that_of_the_header() {
    let message = b"Date: now\nContent-Type: text/html; charset=iso-8859-2\n\n<a href='?\xB9'>";
    let dir = TestDir::new();
    dir.write("site/a.html", message);
    let links = dir.rehref(&["links", "site", "--url", URL, "-q"]).status(0);
    let target = "\"target\":\"https://example.org/docs/a.html?%B9\"";
    assert!(links.stdout().contains(target), "{}", links.stdout());
}

#[test]
fn a_length_follows_its_body() {
    let saved = |length: usize, body: &str| {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nContent-Type: text/html\r\n\r\n{body}"
        )
    };
    let body = "<a href=https://example.org/docs/x>";
    assert_eq!(absolute("a.html", &saved(10, "<a href=x>")), saved(body.len(), body));
    assert_eq!(absolute("a.html", &saved(99, "<a href=x>")), saved(99, body), "wrong before");
    let digest = "Date: now\nContent-Type: text/html\nContent-MD5: x\n\n<a href=x>";
    let (_, said) = rewritten("absolute", "a.html", digest.as_bytes(), &[]);
    assert!(said.contains("a.html:3:14: Content-MD5"), "{said}");
    let parts = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: text/plain\n\nx\n\
        --b\nContent-Type: text/html\nContent-MD5: x\n\n<a href=x>\n--b--";
    let (_, said) = rewritten("absolute", "mail.eml", parts.as_bytes(), &[]);
    assert!(said.contains("mail.eml:10:14: Content-MD5 of part 2"), "{said}");
}

#[test]
fn signed_parts_are_read_and_not_written() {
    let message = "MIME-Version: 1.0\nContent-Base: http://b/\n\
        Content-Type: multipart/signed; boundary=b\n\n\
        --b\nContent-Type: text/html\n\n<base href=c/><a href=x><a href=http://d/>\n--b--";
    for command in ["absolute", "relative"] {
        let (new, _) = rewritten(command, "mail.eml", message.as_bytes(), &["-q"]);
        assert_eq!(new, message);
    }
    let (_, said) = rewritten("absolute", "mail.eml", message.as_bytes(), &["-v"]);
    assert!(said.contains("<a> href in part 1 `x`: this part is signed"), "{said}");
    assert!(said.contains("2     in signed parts"), "{said}");
    let dir = TestDir::new();
    dir.write("site/mail.eml", message.as_bytes());
    let links = dir.rehref(&["links", "site", "-q"]).status(0).stdout();
    assert!(links.contains("\"target\":\"http://b/c/x\""), "{links}");
}

/// Parts in all encodings, with lines that must not change.
const MAIL: &str = "From: a@b\r\nSubject: =?utf-8?q?x?=\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/mixed;\r\n boundary=\"=_b\"\r\n\r\npreamble <a href=x>\r\n--=_b\r\n\
    Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
    <p>a long line that has to be broken, gr=C3=BC=c3=9fe, and then some more=\r\n \
    text=20\r\n<a href=3D\"x.html\">=\r\nlink</a> <img src=3D\"=\r\ny=20z\">\r\nend=\r\n\r\n--=_b\r\n\
    Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n\
    PGEgaHJlZj0i\r\neCI+PC9hPmFi\r\nYw==\r\n\r\n--=_b\r\n\
    Content-Type: text/plain\r\n\r\n<a href=x>\r\n--=_b--\r\nepilogue";

#[test]
fn parts_change_where_references_do() {
    let expected = "From: a@b\r\nSubject: =?utf-8?q?x?=\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed;\r\n boundary=\"=_b\"\r\n\r\npreamble <a href=x>\r\n--=_b\r\n\
        Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
        <p>a long line that has to be broken, gr=C3=BC=c3=9fe, and then some more=\r\n \
        text=20\r\n<a href=3D\"https://example.org/docs/x.html\">=\r\n\
        link</a> <img src=3D\"=\r\nhttps://example.org/docs/y=20z\">\r\nend=\r\n\r\n--=_b\r\n\
        Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n\
        PGEgaHJlZj0i\r\naHR0cHM6Ly9l\r\neGFtcGxlLm9y\r\nZy9kb2NzL3gi\r\nPjwvYT5hYmM=\r\n\r\n--=_b\r\n\
        Content-Type: text/plain\r\n\r\n<a href=x>\r\n--=_b--\r\nepilogue";
    assert_eq!(absolute("mail.eml", MAIL), expected);
    assert_eq!(absolute("mail.eml", expected), expected);
}

#[test]
fn where_references_stand_is_told() {
    let dir = TestDir::new();
    dir.write("site/mail.eml", MAIL.as_bytes());
    let run = dir.rehref(&["links", "site", "-q", "--format", "csv"]).status(0);
    let columns = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
    let found: Vec<String> = run.stdout().lines().skip(1).map(columns).collect();
    assert_eq!(
        found,
        [
            "mail.eml,14,12,part 1 > a,href,html,x.html",
            "mail.eml,16,1,part 1 > img,src,html,y z",
            "mail.eml,24,1,part 2 > a,href,html,x",
        ]
    );
}

#[test]
fn long_lines_are_broken() {
    let name = "n".repeat(90);
    let message = format!(
        "MIME-Version: 1.0\nContent-Type: text/html\n\
         Content-Transfer-Encoding: quoted-printable\n\n<a href=3D\"{}=\n{}\">=\nrest",
        &name[..60],
        &name[60..]
    );
    let new = absolute("mail.eml", &message);
    let lines: Vec<&str> = new.lines().skip(4).collect();
    assert!(lines.iter().all(|line| line.len() <= 76), "{new}");
    let joined = lines.join("\n").replace("=\n", "");
    assert_eq!(joined, format!("<a href=3D\"https://example.org/docs/{name}\">rest"));
    assert_eq!(*lines.last().unwrap(), "rest");
}

#[test]
fn signed_and_unreadable_text_is_skipped_and_reported() {
    let part = "Content-Type: text/html\n\n<a href=x>";
    for (message, said) in [
        (
            format!(
                "MIME-Version: 1.0\nContent-Type: multipart/signed; boundary=b\n\n--b\n{part}\n--b--"
            ),
            "this part is signed: changing the link to ",
        ),
        (
            format!(
                "MIME-Version: 1.0\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n{part}\n--b--"
            ),
            "encrypted",
        ),
        (
            format!("MIME-Version: 1.0\nContent-Type: multipart/mixed\n\n--b\n{part}\n--b--"),
            "has no boundary",
        ),
        (
            "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-16le\n\n<\0a\0".to_owned(),
            "the charset UTF-16LE is not supported",
        ),
        (
            "MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n?"
                .to_owned(),
            "not valid base64",
        ),
        (
            "MIME-Version: 1.0\nContent-Type: message/rfc822\n\
             Content-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg=="
                .to_owned(),
            "this part is a message in a transfer encoding",
        ),
        (
            "MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: x-y\n\n<p>"
                .to_owned(),
            "the transfer encoding x-y is unknown",
        ),
        (
            "MIME-Version: 1.0\nContent-Type: application/xml\n\n<a".to_owned(),
            "the document is not well-formed XML",
        ),
        ("MIME-Version: 1.0\nContent-Location: =?utf-8?q?x?=\n\n".to_owned(), "encoded word"),
    ] {
        let (new, told) = rewritten("absolute", "mail.eml", message.as_bytes(), &[]);
        assert_eq!(new, message);
        assert!(told.contains(said), "{message}\n{told}");
    }
}

const SAVED: &str = "From: <Saved>\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/related; type=\"text/html\"; boundary=b\r\n\r\n\
    --b\r\nContent-Type: text/html\r\nContent-ID: <frame@x>\r\n\
    Content-Location: https://example.org/docs/a/page.html\r\n\r\n\
    <link rel=stylesheet href=\"https://example.org/docs/a/s.css\">\
    <img src=\"https://example.org/docs/i.png\"><a href=\"https://other.example/\">\
    <img src=cid:i@x><p id=top><a href=\"https://example.org/docs/a/page.html#top\">\r\n\
    --b\r\nContent-Type: text/css\r\nContent-Location: https://example.org/docs/a/s.css\r\n\r\n\
    a { background: url(\"https://example.org/docs/i.png\") }\r\n\
    --b\r\nContent-Type: image/png\r\nContent-ID: <i@x>\r\nContent-Transfer-Encoding: base64\r\n\
    Content-Location: https://example.org/docs/i.png\r\n\r\niVBORw0KGgo=\r\n--b--\r\n";

#[test]
fn relative_references_still_match_the_parts() {
    let expected = SAVED
        .replace("href=\"https://example.org/docs/a/s.css\"", "href=\"s.css\"")
        .replace("src=\"https://example.org/docs/i.png\"", "src=\"../i.png\"")
        .replace("url(\"https://example.org/docs/i.png\")", "url(\"../i.png\")")
        .replace("href=\"https://example.org/docs/a/page.html#top\"", "href=\"#top\"");
    assert_eq!(relative("saved.mhtml", SAVED), expected);
    assert_eq!(absolute("saved.mhtml", &expected), SAVED);
}

#[test]
fn parts_stay_apart() {
    let message = SAVED.replace(
        "<a href=\"https://other.example/\">",
        "<a href=\"\r\nhttps://example.org/docs/a/--b\r\n\">",
    );
    let dir = TestDir::new();
    dir.write("site/saved.mhtml", message.as_bytes());
    let run = dir.rehref(&["relative", "site", "-o", "out", "--url", URL]);
    let run = run.status(2);
    assert!(
        run.stderr().contains("saved.mhtml: a rewritten link would look like the delimiter"),
        "{}",
        run.stderr()
    );
    assert_eq!(dir.read("out/saved.mhtml"), message);
}

#[test]
fn a_base_element_in_a_part_goes_like_any_other() {
    for (encoding, base, link, bare) in [
        (
            "7bit",
            "<base href=\"https://example.org/docs/x/\">",
            "<a href=\"y\">",
            "<a href=\"x/y\">",
        ),
        (
            "quoted-printable",
            "<base href=3D\"https://example.org/docs/x/\">",
            "<a href=3D\"y\">",
            "<a href=3D\"x/y\">",
        ),
    ] {
        let head = format!(
            "MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n"
        );
        let with = format!("{head}{base}{link}");
        assert_eq!(relative("mail.eml", &with), format!("{head}{bare}"));
        let alone = format!("{head}{base}<p>");
        assert_eq!(relative("mail.eml", &alone), format!("{head}<p>"));
        let (new, said) = rewritten(
            "absolute",
            "mail.eml",
            format!("{head}{link}").as_bytes(),
            &["--base-element", "http://b/"],
        );
        assert!(new.contains("https://example.org/docs/y"), "{new}");
        assert!(said.contains("adds no base element"), "{said}");
    }
}

#[test]
fn verify_finds_what_is_wrong_in_a_message() {
    for (from, to, said) in [
        ("preamble", "Preamble", "mail.eml:7:1"),
        ("long line", "long lime", "mail.eml:12:13"),
        ("x.html", "z.html", "the link has a different target"),
        ("PGEgaHJlZj0i\r\neCI+", "PGEgaHJlZj0i\r\neSI+", "the link has a different target"),
        ("YmM=", "YmQ=", "bytes outside of links differ"),
    ] {
        let dir = TestDir::new();
        let mail = MAIL.replace("PC9hPmFi\r\nYw==", "PC9hPmFiYmM=");
        dir.write("a/mail.eml", mail.as_bytes());
        dir.write("b/mail.eml", mail.replace(from, to).as_bytes());
        let run = dir.rehref(&["verify", "a", "b"]).status(1);
        assert!(run.stdout().contains(said), "{from}\n{}", run.stdout());
    }
    let dir = TestDir::new();
    let head = "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 10\n\n";
    dir.write("a/p.html", format!("{head}<a href=x>").as_bytes());
    dir.write("b/p.html", format!("{head}<a href=./x>").as_bytes());
    let run = dir.rehref(&["verify", "a", "b"]).status(1);
    assert!(run.stdout().contains("a body of 12 bytes"), "{}", run.stdout());
}

/// The findings of the audit in a saved page, as `check reference`.
fn findings(saved: &str) -> Vec<String> {
    let dir = TestDir::new();
    dir.write("site/saved.mhtml", saved.as_bytes());
    let run =
        dir.rehref(&["audit", "site", "--url", URL, "-q", "--format", "jsonl", "--fail-on=never"]);
    let run = run.status(0);
    let lines = run.stdout();
    let findings = lines.lines().map(|line| serde_json::from_str(line).unwrap());
    findings
        .filter(|finding: &serde_json::Value| finding["check"] != "absolute-self-link")
        .map(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            format!("{} {}", text("check"), text("reference"))
        })
        .collect()
}

#[test]
fn references_to_parts_are_not_broken() {
    let dir = TestDir::new();
    dir.write("site/saved.mhtml", SAVED.as_bytes());
    let links = dir.rehref(&["links", "site", "-q"]).status(0).stdout();
    let of_part = links
        .lines()
        .filter(|line| line.ends_with("\"kind\":\"part\",\"file\":null,\"found\":true}"));
    // The page, its style sheet and its picture as headers and as references, and `cid:`.
    assert_eq!(of_part.count(), 8, "{links}");
    assert_eq!(findings(SAVED), [""; 0]);
    // As Chromium has style sheets of a page's own.
    let by_location = SAVED
        .replace("href=\"https://example.org/docs/a/s.css\"", "href=\"cid:s@x\"")
        .replace("Content-Location: https://example.org/docs/a/s.css", "Content-Location: cid:s@x");
    assert_eq!(findings(&by_location), [""; 0]);
    let broken = SAVED
        .replace("src=cid:i@x", "src=cid:j@x")
        .replace("page.html#top", "page.html#bottom")
        .replace("src=\"https://example.org/docs/i.png", "src=\"https://example.org/docs/j.png");
    assert_eq!(
        findings(&broken),
        [
            "broken-target https://example.org/docs/j.png",
            "broken-target cid:j@x",
            "broken-fragment https://example.org/docs/a/page.html#bottom",
        ]
    );
}

/// With headers of the message, and a page; made absolute and what was said.
fn headed(headers: &str, page: &str) -> (String, String) {
    let message = format!("MIME-Version: 1.0\nContent-Type: text/html\n{headers}\n\n{page}");
    let (new, said) = rewritten("absolute", "a.mht", message.as_bytes(), &[]);
    let start = "MIME-Version: 1.0\nContent-Type: text/html\n";
    (new.strip_prefix(start).unwrap().to_owned(), said)
}

#[test]
fn what_is_no_base_does_not_become_one() {
    for header in [
        "Content-Base: sub/", "Content-Base: //h/sub/", "Base: <URL:sub/> (x)", "Base: Berlin",
        "Base-URL: <sub/>",
    ] {
        let (new, said) = headed(header, "<a href=x>");
        let expected = format!("{header}\n\n<a href=https://example.org/docs/x>");
        assert_eq!(new, expected);
        let complaint = "the URL is not absolute, so it is not a base URL";
        assert!(said.contains(complaint), "{header}\n{said}");
    }
    let (_, said) = headed("Content-Base: http://h/", "<p>");
    assert!(!said.contains("does not count"), "{said}");
}

#[test]
fn comments_and_brackets_around_bases_stay() {
    for header in [
        "Base: <URL:http://h/a/> (the <base>)",
        "Content-Base: http://h/a/ (the base)",
        "Content-Base: <http://h/a/>",
    ] {
        let (new, _) = headed(header, "<a href=x>");
        assert_eq!(new, format!("{header}\n\n<a href=http://h/a/x>"));
    }
    let (new, _) = headed("Content-Location: b/c (here)", "<a href=x>");
    let expected = "Content-Location: https://example.org/docs/b/c (here)\n\n\
        <a href=https://example.org/docs/b/x>";
    assert_eq!(new, expected);
}

#[test]
fn a_location_beside_a_base_is_made_absolute_against_it() {
    let headers = "Content-Base: http://h/a/\nContent-Location: b/c";
    let (new, _) = headed(headers, "<a href=x>");
    let expected = "Content-Base: http://h/a/\nContent-Location: http://h/a/b/c\n\n\
        <a href=http://h/a/x>";
    assert_eq!(new, expected);
}

fn saved(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// Bodies of which the headers speak truly, and of which they do not.
#[test]
fn codings_that_are_still_there_are_told() {
    let chunks = b"8\r\n<a href=\r\n2\r\nx>\r\n0\r\n\r\n";
    for (headers, body, said) in [
        ("Transfer-Encoding: chunked", &chunks[..], "chunked"),
        ("Content-Encoding: br", b"\x8B<a href=x>", "compressed with br"),
        ("Content-Encoding: deflate", b"\x78\x9C<a href=x>", "compressed with deflate"),
    ] {
        let headers = format!("Content-Type: text/html\r\n{headers}");
        let message = saved(&headers, body);
        let dir = TestDir::new();
        dir.write("site/a.html", &message);
        let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", URL, "--verify"]);
        let told = run.status(0).stderr();
        assert!(told.contains(said), "{told}");
        assert!(std::fs::read(dir.path("out/a.html")).unwrap() == message);
        let plain = String::from_utf8(saved(&headers, b"<a href=x>")).unwrap();
        let new = absolute("a.html", &plain);
        assert!(new.ends_with("<a href=https://example.org/docs/x>"), "{new}");
    }
}

#[test]
fn the_type_of_the_header_beats_the_name() {
    let of_type = |media_type: &str| {
        let message = saved(&format!("Content-Type: {media_type}"), b"<a href=x>");
        absolute("a.html", std::str::from_utf8(&message).unwrap())
    };
    for (media_type, is_page) in [
        ("text/plain", false),
        ("image/png", false),
        ("(c) text/html; (d) charset=utf-8", true),
        ("nonsense", true),
    ] {
        let new = of_type(media_type);
        assert_eq!(new.contains("https:"), is_page, "{media_type}\n{new}");
    }
}

#[test]
fn lengths_count_the_lengths_of_parts() {
    let message = |inner: &str| {
        let part =
            format!("Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{inner}", inner.len());
        let body = format!("--b\r\n{part}\r\n--b--\r\n");
        let headers =
            format!("Content-Type: multipart/mixed; boundary=b\r\nContent-Length: {}", body.len());
        String::from_utf8(saved(&headers, body.as_bytes())).unwrap()
    };
    let space = " ".repeat(80);
    let old = message(&format!("<a href=x>{space}"));
    let expected = message(&format!("<a href=https://example.org/docs/x>{space}"));
    assert_eq!(absolute("a.html", &old), expected);
}

/// As generators of sites write them before their pages.
#[test]
fn metadata_is_no_headers() {
    let text = "Location: Berlin\nDate: 1 May\n\n<a href=x>";
    let expected = "Location: Berlin\nDate: 1 May\n\n<a href=https://example.org/docs/x>";
    assert_eq!(absolute("a.html", text), expected);
}

#[test]
fn a_byte_order_mark_hides_no_header() {
    let text = "\u{feff}Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>";
    for name in ["a.mht", "a.html"] {
        let new = absolute(name, text);
        assert!(new.ends_with("<a href=http://h/x>"), "{name}\n{new}");
    }
}

#[test]
fn comments_in_content_ids_are_passed_over() {
    let saved = SAVED.replace("Content-ID: <i@x>", "Content-ID: (a) <i@x> (b)");
    assert_eq!(findings(&saved), [""; 0]);
}

/// `benches/document.rs` shows that the time grows with the length of the line and the number of parts
/// only, not with their squares.
#[test]
fn references_on_a_long_line_and_into_many_parts_are_found() {
    let links = "<a href=3D\"x\">y</a>".repeat(2_000);
    let space = " ".repeat(40_000);
    let message = format!(
        "MIME-Version: 1.0\nContent-Type: text/html\n\
         Content-Transfer-Encoding: quoted-printable\n\n{links}{space}{links}"
    );
    let new = absolute("a.mht", &message);
    // What begins a line is an escape in places.
    let new = new.replace("=\r\n", "").replace("=2E", ".");
    let changed = links.replace("\"x\"", "\"https://example.org/docs/x\"");
    assert!(new.ends_with(&format!("{changed}{space}{changed}")));
    let parts: String = (0..1_000)
        .map(|number| {
            format!("--b\nContent-Type: image/png\nContent-Location: p/{number}.png\n\nx\n")
        })
        .collect();
    let links: String = (0..1_000).map(|number| format!("<img src=p/{number}.png>")).collect();
    let message = format!(
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n\
         --b\nContent-Type: text/html\n\n{links}\n{parts}--b--\n"
    );
    assert_eq!(findings(&message), [""; 0]);
}

/// The test messages of mail-parser, where its sources are.
fn samples() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let registries = home.map(|home| home.join("registry/src"));
    let folders = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = registries
        .into_iter()
        .flat_map(folders)
        .flat_map(|registry| folders(registry.path()))
        .map(|package| package.path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("mail-parser-"))
        .flat_map(|path| walkdir::WalkDir::new(path.join("resources")))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file() && path.extension().is_none_or(|it| it != "json"))
        .collect();
    found.sort();
    found
}

/// All of them go through, and what has nothing to change does not change.
#[test]
fn real_messages() {
    let samples = samples();
    if samples.is_empty() {
        println!("skipped: no sources of mail-parser in cargo's registry");
        return;
    }
    let dir = TestDir::new();
    for (number, path) in samples.iter().enumerate() {
        let mail = std::fs::read(path).unwrap();
        dir.write(&format!("site/{number}.eml"), &mail);
    }
    let verified = ["absolute", "site", "-o", "out", "--url", URL, "--verify", "--format", "json"];
    let run = dir.rehref(&verified).status(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let changed = report["changed"].as_array().map_or(0, Vec::len);
    let is_same = |number: &usize| {
        let read = |tree: &str| std::fs::read(dir.path(&format!("{tree}/{number}.eml"))).unwrap();
        read("site") == read("out")
    };
    let same = (0..samples.len()).filter(is_same).count();
    assert_eq!(same + changed, samples.len(), "{report:#}");
    println!("{} messages, {changed} of them changed", samples.len());
    for command in [
        &["relative", "site", "-o", "out2", "--url", URL, "--verify"][..],
        &["audit", "site", "--url", URL, "--fail-on=never"],
        &["links", "site", "--url", URL],
    ] {
        let run = dir.rehref(command).status(0);
        assert!(!run.stderr().contains("internal error"), "{}", run.stderr());
    }
}
