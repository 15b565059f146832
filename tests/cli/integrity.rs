//! Digests of files and of inline code, the real binary on real directories.

use data_encoding::BASE64;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::support::TestDir;

const URL: &[&str] = &["--url", "https://h/d/"];

const CSS: &str = "@import '/d/base.css';\nbody { background: url(/d/img/b.png) }\n";

fn sha256(content: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::digest(content)))
}

fn sha384(content: &str) -> String {
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
        assert!(run.stderr().contains("8 digests updated"), "{}", run.stderr());
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
fn a_policy_lists_the_inline_code_of_the_page_as_it_is_after_the_run() {
    let style = "a{background:url(/d/b.png)}\r\n";
    let script = "location='/d/x.html'";
    // Browsers see line feeds only.
    let listed = sha256(&style.replace('\r', ""));
    let policy = format!(
        "default-src 'self'; style-src '{listed}' 'unsafe-inline', x '{}'; script-src '{}'",
        sha512("body{}"),
        sha384(script)
    );
    let page = |style: &str, policy: &str| {
        format!(
            "<meta http-equiv=Content-Security-Policy content=\"{policy}\">\
             <style>{style}</style><script>{script}</script><style>body{{}}</style>"
        )
    };
    let dir = TestDir::with_site(&[("p/q.html", &page(style, &policy)), ("b.png", "")]);
    let arguments = ["relative", "site", "-o", "out", "--verify"];
    dir.rehref(&[&arguments, URL].concat()).status(0);
    let after = "a{background:url(../b.png)}\r\n";
    let policy = policy.replace(&listed, &sha256(&after.replace('\r', "")));
    assert_eq!(dir.read("out/p/q.html"), page(after, &policy));
}

#[test]
fn a_policy_lists_all_that_becomes_of_equal_pieces_of_code() {
    let style = "a{background:url(/d/b.png)}";
    let page = |digests: &[String], styles: [&str; 3], base: &str| {
        let [first, second, third] = styles;
        format!(
            "<meta http-equiv=Content-Security-Policy content=\"style-src '{}'; img-src *\">\
             <style>{first}</style>\
             <iframe srcdoc='<base href=https://e/><style>{second}</style>'></iframe>\
             <iframe srcdoc='<base href={base}><style>{third}</style>'></iframe>",
            digests.join("' '")
        )
    };
    let dir = TestDir::with_site(&[
        ("p/q.html", &page(&[sha256(style)], [style; 3], "/d/x/y/")),
        ("b.png", ""),
    ]);
    let [near, far] = ["../b.png", "../../b.png"].map(|link| style.replace("/d/b.png", link));
    let arguments = ["relative", "site", "-o", "out", "--verify", "--base-element=keep"];
    dir.rehref(&[&arguments, URL].concat()).status(0);
    let mut digests = [&near, style, &far].map(sha256);
    digests.sort();
    let written = page(&digests, [&near, style, &far], "../x/y/");
    assert_eq!(dir.read("out/p/q.html"), written);
    let verify = [&["verify", "site", "out", "--same-file"], URL].concat();
    for (old, new) in [
        (format!(" '{}'", digests[1]), String::new()),
        (format!("' '{}", digests[1]), format!("' x '{}", digests[1])),
        (format!("{}'", digests[2]), format!("{}' '{}'", digests[2], sha256("x"))),
    ] {
        assert!(written.contains(&old));
        dir.write("out/p/q.html", written.replace(&old, &new).as_bytes());
        dir.rehref(&verify).status(1);
    }
}

#[test]
fn a_digest_may_be_spelled_with_character_references() {
    // As Hugo writes it.
    let page = format!(
        "<link rel=stylesheet href=s.css integrity=\"{}\">",
        sha512(CSS).replace('+', "&#43;").replace('/', "&#x2f;")
    );
    let dir = TestDir::with_site(&[("index.html", &page), ("s.css", CSS)]);
    let arguments = ["absolute", "site", "-o", "out", "--verify"];
    dir.rehref(&[&arguments, URL].concat()).status(0);
    let digest = sha512(&dir.read("out/s.css"));
    assert!(dir.read("out/index.html").contains(&digest));
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
fn the_audit_finds_digests_that_block_files_of_the_site() {
    let script = "x()";
    let (right, wrong) = (sha256(script), sha384("y()"));
    let page = format!(
        "<script src=x.js integrity={right}></script>\n\
         <script src=x.js integrity='{wrong}'></script>\n\
         <script src=x.js integrity='{right} {wrong}'></script>\n\
         <script src=gone.js integrity='{wrong}'></script>\n\
         <script src=https://elsewhere.example/x.js integrity='{wrong}'></script>\n\
         <script src=x.js integrity='{wrong}' data-rehref-ignore></script>\n\
         <script type=importmap>{{\"integrity\": {{\"./x.js\": \"{wrong}\"}}}}</script>\n"
    );
    let dir = TestDir::with_site(&[("index.html", &page), ("x.js", script)]);
    let audit = ["audit", "site", "--format", "jsonl", "-q"];
    let run = dir.rehref(&[&audit, URL].concat()).status(1);
    let found: Vec<serde_json::Value> = run
        .stdout()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|finding| finding["check"] == "wrong-integrity")
        .collect();
    let lines: Vec<_> = found.iter().map(|finding| &finding["line"]).collect();
    assert_eq!(lines, [2, 3, 7]);
    for finding in &found {
        let message = finding["message"].as_str().unwrap();
        assert!(message.ends_with(&sha384(script)), "{message}");
    }
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
