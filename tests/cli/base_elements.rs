//! The `base` elements after a rewrite, and the messages about them.

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// A site with one page, `d/p.html`, made relative with these options and verified.
fn relative(page: &str, options: &[&str]) -> (String, String) {
    let dir = TestDir::with_site(&[("d/p.html", page)]);
    let arguments = ["relative", "site", "-o", "out", "--url", URL, "--verify"];
    let run = dir.rehref(&[&arguments, options].concat()).status(0);
    (dir.read("out/d/p.html"), run.stderr())
}

#[test]
fn a_removed_base_changes_nothing_else() {
    for (before, after) in [
        ("<base href='/docs/'target=_blank><a href=x>", "<base target=_blank><a href=../x>"),
        ("<iframe srcdoc='&#x20<base href=/docs/>'></iframe>", "<iframe srcdoc='&#x20'></iframe>"),
        (
            "<iframe srcdoc='&#x20<base href=/docs/><a href=x>'></iframe>",
            "<iframe srcdoc='&#x20<a href=../x>'></iframe>",
        ),
        ("<base id=a/ href=/docs/><a href=x>", "<base id=a/><a href=../x>"),
        ("<base id=a href='/docs/'/><a href=x>", "<base id=a /><a href=../x>"),
        (
            "<base href=/docs/>\n<!DOCTYPE html>\n<a href=x>",
            "<base>\n<!DOCTYPE html>\n<a href=../x>",
        ),
        ("<pre><base href=/docs/>\n<a href=x>", "<pre><base>\n<a href=../x>"),
        (
            "<!DOCTYPE html><head><base href=/docs/>\n<a href=x>",
            "<!DOCTYPE html><head>\n<a href=../x>",
        ),
    ] {
        assert_eq!(relative(before, &[]).0, after, "{before}");
    }
}

#[test]
fn a_second_run_changes_nothing() {
    for page in [
        "<base href=\"\"><base href=\"/c/\"><a href=x>",
        "<base href=/c/><base href=/e/><a href=x>",
        "<base href=/docs/ href=/other/><a href=x>",
        "<base href='/docs/'target=_top><a href=x>",
        "<base href=/docs/><script></script><a href=x>",
    ] {
        let dir = TestDir::with_site(&[("d/p.html", page)]);
        let url = ["--url", URL];
        let first = ["relative", "site", "--in-place"];
        dir.rehref(&[&first, &url[..]].concat()).status(0);
        let again = ["relative", "site", "--dry-run"];
        let run = dir.rehref(&[&again, &url[..]].concat()).status(0);
        assert_eq!(run.stdout(), "", "{page}");
        let diff = dir.rehref(&["relative", "site", "--diff", "--url", URL]);
        assert_eq!(diff.status(0).stdout(), "", "{page}");
    }
}

#[test]
fn the_documents_that_keep_their_base_are_counted_and_listed() {
    let page = "<base href=/><script></script><a href=x>";
    let paths = ["a.html", "b.html", "c.html", "d.html", "e.html"];
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, page)).collect();
    let dir = TestDir::with_site(&files);
    let run = dir.rehref(&["relative", "site", "-o", "out", "--format", "json"]).status(0);
    assert!(
        run.stderr().contains(
            "note: base elements stay in 5 documents, since scripts may create links that resolve against them: a.html, b.html, c.html and 2 more\nhelp: to remove them, add --base-element drop\n"
        ),
        "{}",
        run.stderr()
    );
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let kept = report["diagnostics"].as_array().unwrap();
    let listed: Vec<&str> = kept
        .iter()
        .filter(|problem| problem["id"] == "base-kept")
        .map(|problem| problem["path"].as_str().unwrap())
        .collect();
    assert_eq!(listed, paths);
}

#[test]
fn verify_compares_base_urls() {
    let absolute = "<a href=https://example.org/docs/x>x</a>";
    let page = |base: &str| format!("<head>{base}{absolute}");
    for (before, after, options, message) in [
        (
            "<base href=/docs/>",
            "<base href=/e/>",
            &[][..],
            Some(
                "base href: the document has a different base URL\n  before `/docs/` -> \
                 https://example.org/docs/\n  after  `/e/` -> https://example.org/e/\n",
            ),
        ),
        (
            "",
            "<base href=/e/>",
            &[],
            Some(
                "base href: the new tree adds this base URL: links that scripts create resolve against it\n",
            ),
        ),
        ("", "<base href=/e/>", &["--base-element", "https://example.org/e/"], None),
        ("<base href=/docs/>", "<base href=..>", &[], None),
        ("<base href=/docs/>", "", &[], None),
    ] {
        let dir = TestDir::with_site(&[("d/p.html", &page(before))]);
        dir.write("out/d/p.html", page(after).as_bytes());
        let arguments = ["verify", "site", "out", "--url", URL];
        let run = dir.rehref(&[&arguments, options].concat());
        let run = run.status(i32::from(message.is_some()));
        let stdout = run.stdout();
        assert!(stdout.contains(message.unwrap_or("no differences")), "{stdout}");
    }
}

/// A page as Chromium saves it: its frame is a part that a `cid:` link names.
fn saved_page(link: &str) -> String {
    format!(
        "From: <Saved by Blink>\r\n\
         Snapshot-Content-Location: https://example.org/docs/d/p.html\r\n\
         MIME-Version: 1.0\r\n\
         Content-Type: multipart/related; type=\"text/html\"; boundary=\"b\"\r\n\r\n\r\n\
         --b\r\n\
         Content-Type: text/html\r\n\
         Content-ID: <frame-1@mhtml.blink>\r\n\
         Content-Location: https://example.org/docs/d/p.html\r\n\r\n\
         <iframe src=\"cid:frame-2@mhtml.blink\"></iframe><a href=\"https://example.org/docs/x\">\r\n\
         --b\r\n\
         Content-Type: text/html\r\n\
         Content-ID: <frame-2@mhtml.blink>\r\n\
         Content-Location: https://example.org/docs/frame.html\r\n\r\n\
         <a href=\"{link}\">\r\n\
         --b--\r\n"
    )
}

#[test]
fn a_part_that_a_cid_link_names_keeps_absolute_links() {
    let frame = "https://example.org/docs/y";
    let dir = TestDir::with_site(&[("p.mhtml", &saved_page(frame))]);
    let url = ["--url", URL];
    let arguments = ["relative", "site", "-o", "out", "--verify"];
    dir.rehref(&[&arguments, &url[..]].concat()).status(0);
    let expected = saved_page(frame).replace("\"https://example.org/docs/x\"", "\"../x\"");
    assert_eq!(dir.read("out/p.mhtml"), expected);
    // A relative link there is a difference.
    dir.write("out/p.mhtml", expected.replace(frame, "y").as_bytes());
    let run = dir.rehref(&[&["verify", "site", "out"], &url[..]].concat());
    let stdout = run.status(1).stdout();
    assert!(
        stdout.contains("the link is now relative, but must be an absolute URL here"),
        "{stdout}"
    );
}

#[test]
fn what_a_charset_cannot_write_is_skipped_with_all_that_depends_on_it() {
    let page =
        b"<meta charset=windows-1252><base href=\"http://h/caf\xe9/\"><a href=b.html>".as_slice();
    let dir = TestDir::with_site(&[]);
    dir.write("site/a.html", page);
    let absolute = ["absolute", "site", "-o", "absolute", "--url", "http://h/"];
    let run = dir.rehref(&[&absolute[..], &["--standard", "rfc3986"]].concat());
    let stderr = run.status(0).stderr();
    assert!(stderr.contains("http://h/café/b.html cannot be written in this place"), "{stderr}");
    assert_eq!(std::fs::read(dir.path("absolute/a.html")).unwrap(), page);
}

#[test]
fn a_base_stays_where_a_link_cannot_be_written_without_it() {
    let page =
        b"<meta charset=windows-1252><base href=\"http://h/caf\xe9/\"><a href=b.html>".as_slice();
    let dir = TestDir::with_site(&[]);
    dir.write("site/a.html", page);
    let options = ["--url", "http://h/", "--standard", "rfc3986", "--verify"];
    let run = dir.rehref(&[&["relative", "site", "-o", "out"], &options[..]].concat());
    let stderr = run.status(0).stderr();
    assert!(
        stderr.contains("the base element stays, since a link has no correct spelling without it"),
        "{stderr}"
    );
    assert!(dir.read("out/a.html").contains("<base href="));
}

#[test]
fn a_base_that_stays_for_a_link_moves_with_its_page() {
    let page =
        b"<meta charset=windows-1252><base href=\"caf\xe9/\"><a href=b.html><a href=../c.html>"
            .as_slice();
    let dir = TestDir::with_site(&[]);
    dir.write("site/a.html", page);
    let moves = ["move", "site", "a.html=e/a.html", "-o", "out"];
    let options = ["--url", "http://h/", "--standard", "rfc3986", "--verify"];
    let drop = ["--base-element", "drop"];
    let run = dir.rehref(&[&moves[..], &options[..], &drop[..]].concat());
    let stderr = run.status(0).stderr();
    assert!(stderr.contains("stays, since a link"), "{stderr}");
    let moved =
        b"<meta charset=windows-1252><base href=\"../caf\xe9/\"><a href=b.html><a href=../c.html>"
            .as_slice();
    let found = std::fs::read(dir.path("out/e/a.html")).unwrap();
    assert_eq!(found.escape_ascii().to_string(), moved.escape_ascii().to_string());
}

/// The base URL of a custom property's value is that of the style sheet that uses it: known if the page
/// itself does, in whichever of its styles.
#[test]
fn custom_properties_that_the_page_uses_count_from_its_base() {
    let uses = "<style>p { background: var(--x) }</style>";
    for (defines, expected) in [
        ("<style>p { --x: url(a.png) }</style>", "<style>p { --x: url(../a.png) }</style>"),
        ("<p style='--x: url(a.png)'>", "<p style='--x: url(../a.png)'>"),
    ] {
        for order in [[defines, uses], [uses, defines]] {
            let (page, stderr) = relative(&format!("<base href=/docs/>{}", order.concat()), &[]);
            assert!(page.contains(expected), "{page}");
            assert!(!stderr.contains("warning"), "{stderr}");
        }
        let (page, stderr) = relative(&format!("<base href=/docs/>{defines}"), &[]);
        assert!(page.contains(defines), "{page}");
        assert!(stderr.contains("the base URL is unknown; skipped"), "{stderr}");
    }
}

/// The counts of references of a run over one page.
fn counts(page: &str, arguments: &[&str]) -> [u64; 3] {
    let dir = TestDir::with_site(&[("d/p.html", page)]);
    let json = ["site", "-o", "out", "--url", URL, "--format", "json"];
    let run = dir.rehref(&[arguments, &json].concat()).status(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    ["seen", "rewritten", "already_correct"].map(|key| report["references"][key].as_u64().unwrap())
}

#[test]
fn each_base_element_is_counted_once() {
    let base = "--base-element=https://example.org/b/";
    for (page, arguments, expected) in [
        ("<base href='' href=/docs/>", &["relative"][..], [1, 0, 1]),
        ("<base href=''><base href=/docs/>", &["relative"], [2, 2, 0]),
        ("<base href=/docs/><base href=/docs/>", &["relative"], [2, 2, 0]),
        ("<base href=/docs/><p>", &["relative"], [1, 1, 0]),
        ("<base href=https://example.org/b/>", &["absolute", base], [1, 0, 1]),
        ("<base href=/docs/>", &["absolute", base], [1, 1, 0]),
        ("<p>", &["absolute", base], [1, 1, 0]),
        ("<iframe srcdoc='<base href=/docs/>'></iframe>", &["relative"], [1, 1, 0]),
    ] {
        assert_eq!(counts(page, arguments), expected, "{arguments:?} {page}");
    }
}

#[test]
fn a_base_element_that_browsers_ignore_is_warned_of_once() {
    let (_, stderr) = relative("<base href=data:x><base href=/docs/><a href=y>", &[]);
    assert_eq!(stderr.matches("browsers ignore a data: URL in base").count(), 1, "{stderr}");
}
