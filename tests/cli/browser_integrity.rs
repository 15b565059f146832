//! Chromium applies what the digests of rewritten pages admit: style sheets and modules with
//! `integrity`, inline code with a hash in a Content Security Policy.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::browser::is_installed;
use crate::integrity::{sha256, sha384};
use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

const PICTURE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect \
                       width='9' height='9'/></svg>";

const SHEET: &str = "body { color: teal; background: url(../img/sky.svg) }\n";

const INLINE: &str = "h1 { color: purple; background: url(../img/sky.svg) }";

const MODULE: &str = "export const tide = 'high';\n";

const MAIN: &str = "import { tide } from 'tide';\n\
                    document.body.append(Object.assign(document.createElement('b'), { id: tide }));\n";

/// A page whose style sheets and scripts load only if their digests are right, and which every
/// command changes.
fn site() -> TestDir {
    let map = format!(
        "{{\"imports\": {{\"tide\": \"../js/tide.js\"}}, \"integrity\": {{\"../js/tide.js\": \"{}\"}}}}",
        sha384(MODULE)
    );
    let page = format!(
        "<!DOCTYPE html><html><head><title>t</title>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"style-src 'self' '{inline}'; script-src 'self' '{map_hash}'\">\n\
         <link rel=\"stylesheet\" href=\"../css/site.css\" integrity=\"{sheet}\">\n\
         <style>{INLINE}</style>\n\
         <script type=\"importmap\">{map}</script>\n\
         <script type=\"module\" src=\"../js/main.js\" integrity=\"{main}\"></script>\n\
         </head><body><h1>t</h1></body></html>\n",
        inline = sha256(INLINE),
        map_hash = sha256(&map),
        sheet = sha384(SHEET),
        main = sha384(MAIN),
    );
    TestDir::with_site(&[
        ("guide/page.html", &page),
        ("css/site.css", SHEET),
        ("img/sky.svg", PICTURE),
        ("js/tide.js", MODULE),
        ("js/main.js", MAIN),
    ])
}

/// Compares two trees in Chromium. Returns the differences as `kind: message`.
fn verify(dir: &TestDir, before: &str, after: &str, more: &[&str]) -> (BTreeSet<String>, Value) {
    let arguments =
        ["verify", before, after, "--url", URL, "--browser", "--no-sandbox", "--format", "json"];
    let stdout = dir.rehref(&[&arguments[..], more].concat()).stdout();
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let files = report["different"].as_array().unwrap();
    let differences = files.iter().flat_map(|file| file["differences"].as_array().unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let named = differences.map(|it| format!("{}: {}", text(&it["kind"]), text(&it["message"])));
    (named.collect(), report)
}

/// Each command with the tree that it rewrites, its output, its page, and its options.
const REWRITINGS: &[(&str, &str, &str, &str, &[&str])] = &[
    ("absolute", "site", "absolute", "guide/page.html", &[]),
    ("relative", "absolute", "relative", "guide/page.html", &[]),
    ("move", "site", "moved", "a/guide/page.html", &["--map", "moves"]),
];

#[test]
fn rewritten_digests_admit_what_they_admitted() {
    if !is_installed() {
        return;
    }
    let dir = site();
    dir.write("moves", b"guide\ta/guide\ncss\tassets/deep/css\njs\tscripts\n");
    for (command, before, after, page, options) in REWRITINGS {
        let rewrite = [command, before, "-o", after, "--url", URL];
        dir.rehref(&[&rewrite[..], options].concat()).status(0);
        let old = dir.read(&format!("{before}/{}", page.trim_start_matches("a/")));
        let text = dir.read(&format!("{after}/{page}"));
        for digest in ["style-src 'self' '", "'self' 'sha256", "integrity=\""] {
            assert!(text.contains(digest), "{command}: {text}");
        }
        assert_ne!(old, text, "{command}");
        let (differences, report) = verify(&dir, before, after, options);
        assert_eq!(differences, BTreeSet::new(), "{command}: {report}");
        assert_eq!(report["browser"]["opened"], 1, "{report}");
    }
}

#[test]
fn policies_admit_what_they_admitted_under_another_url_and_from_disk() {
    if !is_installed() {
        return;
    }
    let page = "<!DOCTYPE html><title>t</title>\n\
                <meta http-equiv=Content-Security-Policy content=\"default-src https://example.org\">\n\
                <link rel=stylesheet href=../a.css><script src=https://example.org/docs/a.js></script><img src=../i.svg>";
    let files = [
        ("a/page.html", page),
        ("a.css", "p { color: teal }"),
        ("a.js", "x = 1"),
        ("i.svg", PICTURE),
    ];
    let dir = TestDir::with_site(&files);
    for (command, out, options) in [
        ("move", "moved", &["--new-url", "https://new.example/b/"][..]),
        ("relative", "offline", &["--offline"]),
    ] {
        let rewrite = [command, "site", "-o", out, "--verify", "--url", URL];
        dir.rehref(&[&rewrite[..], options].concat()).status(0);
        let from_disk: &[&str] = if command == "relative" { &["--from-disk"] } else { &[] };
        let (differences, report) = verify(&dir, "site", out, &[options, from_disk].concat());
        assert_eq!(differences, BTreeSet::new(), "{command}: {report}");
        let policy = "default-src https://example.org";
        let new = dir.read(&format!("{out}/a/page.html"));
        dir.write(
            &format!("{out}/a/page.html"),
            new.replace("default-src 'self'", policy)
                .replace("default-src https://new.example", policy)
                .as_bytes(),
        );
        let (differences, report) = verify(&dir, "site", out, &[options, from_disk].concat());
        assert!(differences.iter().any(|it| it.contains("blocked: csp")), "{command}: {report}");
    }
}

/// A digest of the rewritten page, by the text before it, and what Chromium finds when it is wrong.
const DAMAGES: &[(&str, &str)] = &[
    ("site.css\" integrity=\"sha384-", "style-sheet: the style sheet is not applied"),
    ("main.js\" integrity=\"sha384-", "console: new error on the console: "),
    ("tide.js\": \"sha384-", "console: new error on the console: "),
    ("style-src 'self' 'sha256-", "style: "),
    ("script-src 'self' 'sha256-", "live-document: 1 element of the live page missing"),
];

#[test]
fn wrong_digests_are_noticed() {
    if !is_installed() {
        return;
    }
    let dir = site();
    let absolute = ["absolute", "site", "-o", "after", "--url", URL];
    dir.rehref(&absolute).status(0);
    let page = dir.read("after/guide/page.html");
    for (before, expected) in DAMAGES {
        let (start, rest) = page.split_once(before).unwrap();
        let letter = if rest.starts_with('A') { "B" } else { "A" };
        let damaged = format!("{start}{before}{letter}{}", &rest[1..]);
        dir.write("after/guide/page.html", damaged.as_bytes());
        let (differences, report) = verify(&dir, "site", "after", &[]);
        assert!(differences.iter().any(|it| it.starts_with(expected)), "{before}: {report}");
    }
}
