//! Digests of files and of inline code, the real binary on real directories.

use data_encoding::BASE64;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::support::TestDir;

const URL: &[&str] = &["--url", "https://h/d/"];

const CSS: &str = "@import '/d/base.css';\nbody { background: url(/d/img/b.png) }\n";

pub(crate) fn sha256(content: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::digest(content)))
}

pub(crate) fn sha384(content: &str) -> String {
    format!("sha384-{}", BASE64.encode(&Sha384::digest(content)))
}

fn sha512(content: &str) -> String {
    format!("sha512-{}", BASE64.encode(&Sha512::digest(content)))
}

/// A site with a style sheet that every command changes, and pages that state its digests.
fn site() -> TestDir {
    let other = sha384("another file");
    let page = format!(
        "<link rel=stylesheet href=/d/css/site.css integrity=\"{all}\">\n\
         <link rel=preload as=style href='css/site.css' integrity={unquoted}>\n\
         <link rel=stylesheet href=/d/css/site.css integrity='{other}'>\n\
         <link rel=modulepreload href=/d/m.mjs integrity={module}>\n\
         <script src=/d/m.mjs type=module integrity='{module}'></script>\n\
         <script type=importmap>{{\"integrity\": {{\"/d/css/site.css\": \"{json}\"}}}}</script>\n\
         <iframe srcdoc=\"<link rel=stylesheet href=/d/css/site.css integrity='{all}'>\"></iframe>\n",
        all = format!("{} {other} {}", sha256(CSS), sha512(CSS)),
        unquoted = sha384(CSS),
        json = sha384(CSS),
        module = sha384("import '/d/x.mjs';\n"),
    );
    TestDir::with_site(&[
        ("index.html", &page),
        ("z/index.html", &page.replace("'css/site.css'", "../css/site.css")),
        ("css/site.css", CSS),
        ("base.css", "p { color: red }\n"),
        ("m.mjs", "import '/d/x.mjs';\n"),
        ("img/b.png", ""),
    ])
}

/// Asserts that the page at `page` of `out` states the digests of the style sheet at `css`.
#[track_caller]
fn assert_digests(dir: &TestDir, page: &str, css: &str) {
    let (page, css) = (dir.read(page), dir.read(css));
    assert_ne!(css, CSS);
    let count = |digest: String| page.matches(&digest).count();
    let after = [sha256(&css), sha384(&css), sha512(&css)].map(count);
    assert_eq!(after, [2, 2, 2], "{page}");
    assert_eq!([sha256(CSS), sha384(CSS), sha512(CSS)].map(count), [0; 3], "{page}");
    assert_eq!(count(sha384("another file")), 3, "{page}");
    assert_eq!(count(sha384("import '/d/x.mjs';\n")), 2, "{page}");
}

#[test]
fn digests_follow_the_style_sheets_that_a_run_changes() {
    for (arguments, css) in [
        (&["absolute", "site", "-o", "out", "--verify"][..], "css/site.css"),
        (&["relative", "site", "-o", "out", "--verify"], "css/site.css"),
        (&["move", "site", "css=styles", "img=i", "-o", "out", "--verify"], "styles/site.css"),
        (&["move", "site", "--new-url", "https://h/e/", "-o", "out", "--verify"], "css/site.css"),
    ] {
        let dir = site();
        let run = dir.rehref(&[arguments, URL].concat()).status(0);
        assert!(run.stderr().contains("8 values updated"), "{}", run.stderr());
        for page in ["out/index.html", "out/z/index.html"] {
            assert_digests(&dir, page, &format!("out/{css}"));
        }
    }
}

#[test]
fn in_place_runs_update_digests_on_any_number_of_threads() {
    for threads in ["1", "4"] {
        let dir = site();
        let arguments = ["relative", "site", "--in-place", "-j", threads];
        dir.rehref(&[&arguments, URL].concat()).status(0);
        for page in ["site/index.html", "site/z/index.html"] {
            assert_digests(&dir, page, "site/css/site.css");
        }
        let again = ["relative", "site", "--dry-run"];
        dir.rehref(&[&again, URL].concat()).status(0);
    }
}

#[test]
fn a_style_sheet_that_does_not_change_keeps_its_digests() {
    let dir = site();
    let arguments = ["relative", "site", "-o", "out", "--exclude", "*.css"];
    let run = dir.rehref(&[&arguments, URL].concat()).status(0);
    assert!(!run.stderr().contains("digest"), "{}", run.stderr());
    assert!(dir.read("out/index.html").contains(&sha384(CSS)));
}

#[test]
fn verify_accepts_no_digest_but_that_of_the_file() {
    let dir = site();
    let verified = ["verify", "site", "out", "--same-file"];
    let make = ["relative", "site", "-o", "out", "--force"];
    let page = || {
        dir.rehref(&[&make, URL].concat()).status(0);
        dir.read("out/index.html")
    };
    dir.rehref(&[&make, URL].concat()).status(0);
    dir.rehref(&[&verified, URL].concat()).status(0);
    let css = dir.read("out/css/site.css");
    for (old, new, code) in [
        // The digest of the file before, which the browser blocks now.
        (sha384(&css), sha384(CSS), "block the file"),
        (sha384(&css), sha384("x"), "block the file"),
        (sha512(&css), sha512(""), "bytes outside of links differ"),
        (sha384("another file"), sha384(&css), "bytes outside of links differ"),
    ] {
        let damaged = page().replacen(&old, &new, 1);
        dir.write("out/index.html", damaged.as_bytes());
        let run = dir.rehref(&[&verified, URL].concat()).status(1);
        assert!(run.stdout().contains(code), "{}", run.stdout());
    }
    page();
    dir.write("out/m.mjs", b"");
    let run = dir.rehref(&[&verified, URL].concat()).status(1);
    assert!(run.stdout().contains("block the file"), "{}", run.stdout());
}

#[test]
fn verify_accepts_no_other_algorithm_and_no_digest_more() {
    let script = "x()";
    let (one, other) = (sha256(script), sha384(script));
    let page = |digests: &str| {
        format!(
            "<meta http-equiv=Content-Security-Policy content=\"script-src '{digests}'\">\
             <script>{script}</script>"
        )
    };
    let both = format!("{one}' '{other}");
    for (before, after, status) in
        [(&one, &one, 0), (&one, &other, 1), (&one, &both, 1), (&both, &one, 1)]
    {
        let dir = TestDir::with_site(&[("a.html", &page(before))]);
        dir.write("out/a.html", page(after).as_bytes());
        dir.rehref(&[&["verify", "site", "out"], URL].concat()).status(status);
    }
}
