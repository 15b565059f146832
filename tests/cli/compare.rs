//! `rehref compare`: what an earlier state of a site published, and a new one lacks.

use std::fs;

use crate::run::Run;
use crate::support::TestDir;
use crate::warc::response;

const PAGE: &str = "<title>Bees</title><h1 id=bees>All about bees</h1><p>They make honey all day.\
                    <p>And they sleep in the night.<p>Nobody knows their names.";

/// OLD, with a page that NEW has elsewhere, an anchor and a file that it lacks, and what it still has.
fn trees() -> TestDir {
    let dir = TestDir::new();
    for (path, text) in [
        (
            "old/index.html",
            "<a href=guide/bees.html#bees>b</a> <a href=#top-of>t</a><p id=top-of>x<p id=other>",
        ),
        ("old/guide/bees.html", PAGE),
        ("old/kept.html", "<p>Kept as it is, for years"),
        ("old/feed.xml", "<rss/>"),
        ("old/_redirects", "/old-bees /guide/bees.html\n/old-kept /kept.html\n"),
        ("new/index.html", "<a href=insects/bees.html#bees>b</a><p id=top>x"),
        ("new/insects/bees.html", PAGE),
        ("new/kept.html", "<p>Kept as it is, for years"),
        ("new/_redirects", "/old-kept /kept.html\n"),
    ] {
        dir.write(path, text.as_bytes());
    }
    dir
}

fn lost(run: &Run) -> Vec<String> {
    let lines = run.stdout();
    let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let text = |it: &serde_json::Value| it.as_str().unwrap_or_default().to_owned();
    let mut lost: Vec<String> = lines
        .map(|it| {
            format!("{} {} {}", text(&it["check"]), text(&it["target"]), text(&it["suggestion"]))
        })
        .collect();
    lost.sort();
    lost
}

const LOST: [&str; 4] = [
    "lost-anchor /#top-of ",
    "lost-file /feed.xml ",
    "lost-page /guide/bees.html /insects/bees.html",
    "lost-redirect /old-bees ",
];

#[test]
fn what_is_lost_is_found_and_where_it_went() {
    let dir = trees();
    let compare = ["compare", "old", "new", "--format", "jsonl", "-q"];
    let run = dir.rehref(&compare);
    assert_eq!(lost(&run.status(1)), LOST);
    let all = dir.rehref(&[&compare[..], &["--anchors", "all"]].concat()).status(1);
    assert!(lost(&all).contains(&"lost-anchor /#other ".to_owned()));
    let run = dir.rehref(&["compare", "old", "old", "-q"]).status(0);
    assert!(
        run.stdout().starts_with("No findings in 6 URLs and 2 anchors of OLD"),
        "{}",
        run.stdout()
    );
}

#[test]
fn sure_successors_are_redirected() {
    let dir = trees();
    let write = ["compare", "old", "new", "--write-redirects", "netlify=found", "-q"];
    dir.rehref(&write).status(1);
    assert!(dir.read("found").ends_with("\n/guide/bees.html /insects/bees.html 301\n"));
    let rules = dir.read("new/_redirects") + &dir.read("found");
    dir.write("new/_redirects", rules.as_bytes());
    let found = lost(&dir.rehref(&["compare", "old", "new", "--format", "jsonl", "-q"]).status(1));
    // The page is found by its redirect, and its old redirect leads nowhere as before.
    assert_eq!(found, [LOST[0], LOST[1], LOST[3]]);
    for refused in ["netlify", "html=x"] {
        dir.rehref(&["compare", "old", "new", "--write-redirects", refused]).status(2);
    }
}

#[test]
fn a_record_stands_for_the_old_tree() {
    let dir = trees();
    dir.rehref(&["compare", "old", "old", "--record", "published.txt", "-q"]).status(0);
    assert_eq!(
        dir.read("published.txt"),
        "/\n/#top-of\n/feed.xml\n/guide/bees.html\n/guide/bees.html#bees\n/kept.html\n/old-bees\n/old-kept\n"
    );
    let run = dir.rehref(&["compare", "published.txt", "new", "--format", "jsonl", "-q"]).status(1);
    let expected = [
        "lost-anchor /#top-of ",
        "lost-file /feed.xml ",
        // Without its text, the name of the file says where it went.
        "lost-page /guide/bees.html /insects/bees.html",
        "lost-page /old-bees ",
    ];
    let found = lost(&run);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!([&found[0], &found[1], &found[3]], [expected[0], expected[1], expected[3]]);
    assert!(found[2].starts_with("lost-page /guide/bees.html"));
}

#[test]
fn sitemaps_and_logs_are_lists() {
    let dir = trees();
    let map = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://h/kept.html</loc></url>\
               <url><loc>https://h/gone</loc></url><url><loc>https://other/x</loc></url></urlset>";
    dir.write("sitemap.xml", map.as_bytes());
    let run =
        dir.rehref(&["compare", "sitemap.xml", "new", "--url", "https://h/", "--format", "jsonl"]);
    let run = run.status(1);
    assert_eq!(lost(&run), ["lost-page https://h/gone "]);
    assert!(
        run.stderr()
            .contains("note: 1 URL skipped: rehref compares only URLs below the URL of the site"),
        "{}",
        run.stderr()
    );
    let log = "1.2.3.4 - - [x] \"GET /kept.html?a HTTP/1.1\" 200 5\n\
               1.2.3.4 - - [x] \"GET /feed.xml HTTP/1.1\" 200 5\n1.2.3.4 - - [x] \"GET /no HTTP/1.1\" 404 5\n";
    dir.write("access.log", log.as_bytes());
    let run = dir.rehref(&[
        "compare", "access.log", "new", "--from-log", "combined", "--format", "jsonl", "-q",
    ]);
    assert_eq!(lost(&run.status(1)), ["lost-file /feed.xml "]);
    let run =
        dir.rehref(&["compare", "sitemap.xml", "new", "--url", "https://elsewhere/"]).status(2);
    assert!(run.stderr().contains("names no URL of the site"), "{}", run.stderr());
}

#[test]
fn a_revision_of_git_is_read_without_a_checkout() {
    let dir = trees();
    if dir.git("", &["init", "-q", "."]).is_none() {
        return;
    }
    fs::rename(dir.path("old"), dir.path("site")).unwrap();
    dir.git("", &["add", "site"]);
    dir.git("", &["commit", "-qm", "x"]);
    dir.git("", &["tag", "v1"]);
    fs::remove_dir_all(dir.path("site")).unwrap();
    fs::rename(dir.path("new"), dir.path("site")).unwrap();
    let before = dir.git("", &["status", "--porcelain"]);
    let run = dir.rehref(&["compare", "git:v1", "site", "--format", "jsonl", "-q"]).status(1);
    assert_eq!(lost(&run), LOST);
    assert_eq!(dir.git("", &["status", "--porcelain"]), before);
    let run = dir.rehref(&["compare", "git:v2", "site"]).status(2);
    assert!(run.stderr().contains("git:v2: "), "{}", run.stderr());
    dir.rehref(&["compare", "git:--output=x", "site"]).status(2);
    // Another path, and a whole revision.
    fs::rename(dir.path("site"), dir.path("built")).unwrap();
    let run = dir.rehref(&["compare", "git:v1:site", "built", "--format", "jsonl", "-q"]).status(1);
    assert_eq!(lost(&run), LOST);
    let run = dir.rehref(&["compare", "git:v1:", "built", "--format", "jsonl", "-q"]).status(1);
    assert!(lost(&run).iter().any(|it| it.starts_with("lost-file /site/feed.xml ")));
    let run = dir.rehref(&["compare", "git:v1:other", "built"]).status(2);
    assert!(run.stderr().contains("git:v1:other: "), "{}", run.stderr());
}

/// The configuration above the documents is that of the revision.
#[test]
fn a_directory_of_a_revision_is_read_as_in_its_project() {
    let dir = TestDir::new();
    if dir.git("", &["init", "-q", "."]).is_none() {
        return;
    }
    dir.write("mkdocs.yml", b"site_name: x\nsite_url: https://e.org/\n");
    dir.write("docs/index.md", b"# x\n");
    dir.write("docs/a/bees.md", b"# Bees\n\nThey make honey all day.\n");
    dir.write("other/bees.md", b"# x\n");
    dir.git("", &["add", "."]);
    dir.git("", &["commit", "-qm", "x"]);
    fs::rename(dir.path("docs/a"), dir.path("docs/b")).unwrap();
    for site in [".", "docs"] {
        let run = dir.rehref(&["compare", "git:HEAD", site, "--format", "jsonl", "-q"]).status(1);
        assert_eq!(lost(&run), ["lost-page https://e.org/a/bees/ https://e.org/b/bees/"], "{site}");
    }
    let run = dir.rehref(&["compare", "git:HEAD", "docs/b"]).status(2);
    assert!(run.stderr().contains("git:HEAD: "), "{}", run.stderr());
}

/// Nothing is lost by a move that writes redirects, and each redirect counts.
#[test]
fn a_move_with_redirects_loses_nothing() {
    for (format, file) in [("netlify", "_redirects"), ("apache", ".htaccess")] {
        let dir = trees();
        let moved = ["move", "old", "guide=help/bees", "feed.xml=index.xml", "-o", "out", "-q"];
        dir.rehref(&[&moved[..], &["--write-redirects", format]].concat()).status(0);
        let compare = ["compare", "old", "out", "--format", "jsonl", "-q"];
        dir.rehref(&compare).status(0);
        let place = format!("out/{file}");
        let rules = dir.read(&place);
        let lines: Vec<&str> = rules.lines().collect();
        let is_rule = |line: &&&str| {
            line.contains("/guide") && line.contains("/help") || line.contains("index.xml")
        };
        let count = lines.iter().filter(is_rule).count();
        assert!(count >= 2, "{rules}");
        for rule in lines.iter().filter(is_rule) {
            let others = lines.iter().filter(|it| it != &rule);
            let others: String = others.map(|it| format!("{it}\n")).collect();
            dir.write(&place, others.as_bytes());
            assert!(!lost(&dir.rehref(&compare).status(1)).is_empty(), "{format}: {rule}");
        }
    }
}

#[test]
fn a_directory_without_its_slash_needs_a_rule_of_its_own() {
    let dir = TestDir::new();
    dir.write("old/a/index.html", PAGE.as_bytes());
    dir.write("new/b/index.html", PAGE.as_bytes());
    let compare = ["compare", "old", "new", "--format", "jsonl", "-q"];
    let rule = "Redirect 301 /a/ /b/\n";
    dir.write("new/.htaccess", rule.as_bytes());
    assert_eq!(lost(&dir.rehref(&compare).status(1)), ["lost-page /a /b/"]);
    for bare in ["RedirectMatch 301 ^/a$ /b/\n", "RedirectMatch 301 ^/a/?$ /b/\n"] {
        dir.write("new/.htaccess", format!("{bare}{rule}").as_bytes());
        dir.rehref(&compare).status(0);
    }
}

#[cfg(unix)]
#[test]
fn urls_through_symbolic_links_are_published() {
    use std::os::unix::fs::symlink;

    let dir = TestDir::new();
    dir.write("old/v2/index.html", b"<a href=../latest/a.html#x>a</a>");
    dir.write("old/v2/a.html", b"<p id=x>x");
    dir.write("old/other.txt", b"x");
    dir.write("elsewhere.txt", b"x");
    for (target, link) in
        [("v2", "latest"), ("other.txt", "copy.txt"), ("../elsewhere.txt", "e.txt")]
    {
        symlink(target, dir.path("old").join(link)).unwrap();
    }
    dir.write("new/v2/index.html", b"<p>");
    dir.write("new/v2/a.html", b"<p id=x>x");
    dir.write("new/other.txt", b"x");
    let compare = ["compare", "old", "new", "--format", "jsonl", "-q"];
    let found = lost(&dir.rehref(&compare).status(1));
    let found: Vec<&str> = found.iter().filter_map(|it| it.split(' ').nth(1)).collect();
    assert_eq!(found, ["/copy.txt", "/e.txt", "/latest/", "/latest/a.html"]);
    symlink("v2", dir.path("new/latest")).unwrap();
    symlink("other.txt", dir.path("new/copy.txt")).unwrap();
    let found = lost(&dir.rehref(&compare).status(1));
    assert_eq!(found, ["lost-file /e.txt "]);
}

#[test]
fn pages_of_a_generator_have_the_urls_that_it_gives_them() {
    let dir = TestDir::new();
    let page = "---\ntitle: Bees\n---\n# All about bees\n\nThey make honey all day.\n\nAnd they sleep in the night.\n";
    dir.write("old/hugo.toml", b"baseURL = 'https://example.org/'\n");
    dir.write("old/content/_index.md", b"home\n");
    dir.write("old/content/a/bees.md", page.as_bytes());
    let moved = ["move", "old", "content/a=content/b", "-q"];
    dir.rehref(&[&moved[..], &["-o", "new", "--write-redirects", "hugo"]].concat()).status(0);
    dir.rehref(&[&moved[..], &["-o", "bare"]].concat()).status(0);
    dir.rehref(&["compare", "old", "new", "-q"]).status(0);
    let run = dir.rehref(&["compare", "old", "bare", "--format", "jsonl", "-q"]).status(1);
    let url = "https://example.org";
    assert_eq!(lost(&run), [format!("lost-page {url}/a/bees/ {url}/b/bees/")]);
}

#[test]
fn rules_that_a_file_has_stay() {
    let dir = trees();
    let compare = ["compare", "old", "new", "-q", "--url", "https://example.org/"];
    let written = ["--write-redirects", "netlify=new/_redirects"];
    dir.rehref(&[&compare[..], &written].concat()).status(1);
    let rules = dir.read("new/_redirects");
    for rule in ["/old-kept /kept.html\n", "\n/guide/bees.html /insects/bees.html 301\n"] {
        assert!(rules.contains(rule), "{rules}");
    }
    dir.rehref(&[&compare[..], &written].concat()).status(1);
    assert_eq!(dir.read("new/_redirects"), rules);
    dir.write("old.zip", b"PK\x03\x04\x00");
    dir.rehref(&["compare", "old.zip", "new"]).status(2);
    dir.write("rules.json", b"[]");
    let run =
        dir.rehref(&[&compare[..], &["--write-redirects", "json=rules.json"]].concat()).status(2);
    assert!(run.stderr().contains("json=rules.json: this file exists"), "{}", run.stderr());
}

#[test]
fn redirects_in_the_configuration_of_sphinx_are_read() {
    for (format, rule) in [
        ("sphinx", "redirects = {\n    \"a/bees\": \"../b/bees.html\",\n}\n"),
        ("rediraffe", "rediraffe_redirects = {\n    \"a/bees.md\": \"b/bees.md\",\n}\n"),
    ] {
        let dir = TestDir::new();
        let configuration = "extensions = ['myst_parser']\n";
        dir.write("old/conf.py", configuration.as_bytes());
        dir.write("old/index.md", b"# x\n");
        dir.write("old/a/bees.md", b"# Bees\n");
        let written = format!("{format}=rules");
        let moved = ["move", "old", "a=b", "-o", "new", "-q", "--write-redirects", &written];
        dir.rehref(&moved).status(0);
        assert!(dir.read("rules").contains(rule), "{}", dir.read("rules"));
        dir.rehref(&["compare", "old", "new", "-q"]).status(1);
        dir.write("new/conf.py", format!("{configuration}{rule}").as_bytes());
        dir.rehref(&["compare", "old", "new", "-q"]).status(0);
    }
}

#[test]
fn redirects_in_the_configuration_of_docusaurus_are_read() {
    let configuration = |plugins: &str| {
        format!(
            "module.exports = {{\n  url: 'https://e.org',\n  baseUrl: '/b/',\n  plugins: [{plugins}],\n}}\n"
        )
    };
    let dir = TestDir::new();
    dir.write("old/docusaurus.config.js", configuration("").as_bytes());
    for path in ["old/docs/index.md", "old/docs/a/bees.md", "old/docs/a/ants.md"] {
        dir.write(path, b"# x\n");
    }
    let moved = ["move", "old", "docs/a=docs/c", "-o", "new", "-q", "--write-redirects"];
    let rules = dir.rehref(&[&moved[..], &["docusaurus"]].concat()).status(0).stdout();
    let compare = ["compare", "old", "new", "--format", "jsonl", "-q"];
    let left = |rules: &str| {
        let plugin = format!("['@docusaurus/plugin-client-redirects', {{redirects: {rules}}}]");
        dir.write("new/docusaurus.config.js", configuration(&plugin).as_bytes());
        let run = dir.rehref(&compare);
        lost(&run)
    };
    let url = "https://e.org/b/docs";
    let [ants, bees] = ["ants", "bees"].map(|it| format!("lost-page {url}/a/{it} "));
    assert_eq!(left("[]"), [&*ants, &*bees]);
    assert!(left(&rules).is_empty(), "{rules}");
    assert_eq!(left("[{from: ['/docs/a/bees'], to: '/docs/c/bees'}]"), [ants]);
}

#[test]
fn a_site_that_moves_to_another_url_keeps_its_paths() {
    let dir = TestDir::new();
    let old = "https://me.example/project/";
    for (path, text) in [
        (
            "old/index.html",
            "<a href=/project/a.html#x>a</a><a href=https://me.example/project/a.html#y>a</a>",
        ),
        ("old/a.html", "<p id=x>x<p id=y>y<p id=z>z"),
        ("old/b.html", "<p>b"),
        ("new/index.html", "<a href=https://project.example/a.html>a</a>"),
        ("new/a.html", "<p id=x>x"),
        ("list", "/project/\n/project/a.html#y\nhttps://me.example/project/b.html\n/other/\n"),
    ] {
        dir.write(path, text.as_bytes());
    }
    let urls = ["--url", old, "--new-url", "https://project.example/"];
    let compare = |of: &str, urls: &[&str], status| {
        let arguments = [&["compare", of, "new", "--format", "jsonl", "-q"], urls].concat();
        lost(&dir.rehref(&arguments).status(status))
    };
    let expected = [
        "lost-anchor https://project.example/a.html#y ",
        "lost-page https://project.example/b.html ",
    ];
    assert_eq!(compare("old", &urls, 1), expected);
    assert_eq!(compare("list", &urls, 1), expected);
    let run = dir.rehref(&["compare", "old", "new", "--new-url", "https://project.example/"]);
    assert!(run.status(2).stderr().contains("--url"));
}

#[test]
fn an_archive_has_published_all_that_it_holds() {
    let dir = TestDir::new();
    let html = "Content-Type: text/html\r\n";
    let archive = [
        response("https://e.org/", html, b"<a href=gone/>"),
        response("https://e.org/gone/", html, b"x"),
        response("https://e.org/a.png", "Content-Type: image/png\r\n", b"\x89PNG"),
        response("https://e.org/b.png", "Content-Type: image/png\r\n", b"\x89PNG"),
        response("https://other.example/c.png", "Content-Type: image/png\r\n", b"\x89PNG"),
    ];
    dir.write("a.warc", &archive.concat());
    dir.write("new/index.html", b"<a href=gone/>");
    dir.write("new/added.html", b"");
    dir.write("new/a.png", b"\x89PNG");
    let compare = ["compare", "a.warc", "new", "--url", "https://e.org/", "--format", "jsonl"];
    let run = dir.rehref(&compare).status(1);
    let expected = ["lost-file https://e.org/b.png ", "lost-page https://e.org/gone/ "];
    assert_eq!(lost(&run), expected);
    assert!(!run.stderr().contains("swap"), "{}", run.stderr());
    let run = dir.rehref(&["compare", "new", "a.warc", "--url", "https://e.org/"]).status(2);
    assert!(run.stderr().contains("--extract"), "{}", run.stderr());
    let run = dir.rehref(&["audit", "a.warc"]).status(0);
    assert!(!run.stderr().contains("can fix"), "{}", run.stderr());
}
