//! `--url`: where the site is published, given, inferred or missing.

use crate::support::TestDir;

const URL: &str = "https://e.org/docs/";

/// Pages that say by canonical links that they are below [`URL`].
fn stated() -> TestDir {
    let page = |path: &str, link: &str| {
        let canonical = format!("<link rel=canonical href={URL}{path}>");
        canonical + &format!("<a href={URL}{link}>x</a><a href=https://other.org/>y</a>")
    };
    TestDir::with_site(&[
        ("index.html", &page("", "a/b.html")),
        ("a/b.html", &page("a/b.html", "c")),
        ("c.html", &page("c", "#top")),
    ])
}

/// What the command says, without its first word.
fn message(dir: &TestDir, arguments: &[&str], status: i32) -> String {
    dir.rehref(arguments).status(status).stderr()
}

#[test]
fn absolute_refuses_without_a_url() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>")]);
    assert_eq!(
        message(&dir, &["absolute", "site", "-o", "out"], 2),
        "error: absolute needs --url, the URL at which SITE is published: for example --url \
         https://example.org/docs/; for links to the files on this disk, use --url file:\n"
    );
    assert!(!dir.path("out").exists());
    let base = [
        "absolute",
        "site",
        "-o",
        "out",
        "--base-element",
        "https://e.org/",
    ];
    assert_eq!(
        message(&dir, &base, 2),
        "error: --base-element needs --url, the URL at which SITE is published; if SITE \
         is at https://e.org/, add --url https://e.org/\n"
    );
    assert!(!dir.path("out").exists());
    dir.rehref(&[&base[..], &["--url", URL]].concat()).status(0);
    assert_eq!(
        dir.read("out/a.html"),
        "<base href=\"https://e.org/\"><a href=https://e.org/docs/b.html>"
    );
}

#[test]
fn absolute_says_which_url_the_site_names() {
    let stderr = message(&stated(), &["absolute", "site", "-o", "out"], 2);
    assert!(
        stderr.contains("3 canonical links say that SITE is at https://e.org/docs/; add --url https://e.org/docs/;"),
        "{stderr}"
    );
}

#[test]
fn file_means_this_disk() {
    let dir = TestDir::with_site(&[("index.html", "<a href=b.html><a href=#top>")]);
    let site = dir.path("site").canonicalize().unwrap();
    let site = site.to_str().unwrap();
    dir.rehref(&[
        "absolute", "site", "-o", "out", "--url", "file:", "--verify",
    ])
    .status(0);
    assert_eq!(
        dir.read("out/index.html"),
        format!("<a href=file://{site}/b.html><a href=file://{site}/index.html#top>")
    );
    dir.rehref(&["verify", "site", "out", "--url", "file:"])
        .status(0);
    let stderr = message(
        &dir,
        &[
            "move",
            "site",
            "-o",
            "o",
            "--url",
            URL,
            "--new-url",
            "file:",
        ],
        2,
    );
    assert!(
        stderr.contains("--new-url: `file:` names no directory"),
        "{stderr}"
    );
}

#[test]
fn the_url_of_a_file_is_refused_for_a_tree() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>")]);
    let file = "https://e.org/docs/index.html";
    for arguments in [
        &["absolute", "site", "-o", "out", "--url", file][..],
        &["relative", "site", "-o", "out", "--url", file],
        &["move", "site", "-o", "out", "a.html=b.html", "--url", file],
        &["move", "site", "-o", "out", "--url", URL, "--new-url", file],
        &["audit", "site", "--url", file],
        &["audit", "site", "--url", URL, "--also", file],
        &["links", "site", "--url", file],
        &["verify", "site", "site", "--url", file],
    ] {
        let stderr = message(&dir, arguments, 2);
        let expected = "`https://e.org/docs/index.html` is the URL of a file; give the URL of the site's \
                        root, https://e.org/docs/";
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
    }
    let filter = ["absolute", "-", "--url", file];
    let run = dir.rehref_with_stdin(&filter, b"<a href=x>").status(0);
    assert_eq!(run.stdout(), "<a href=https://e.org/docs/x>");
}

#[test]
fn auto_uses_the_url_that_the_site_names() {
    let dir = stated();
    let run = dir.rehref(&["relative", "site", "-o", "out", "--url", "auto", "--verify"]);
    let stderr = run.status(0).stderr();
    assert!(
        stderr.starts_with(
            "note: --url auto: 3 canonical links say that SITE is at https://e.org/docs/\n"
        ),
        "{stderr}"
    );
    assert!(dir.read("out/index.html").contains("<a href=a/b.html>"));
    let audit = dir.rehref(&["audit", "site", "--url", "auto", "--format", "json"]);
    assert!(
        audit
            .status(1)
            .stdout()
            .contains("\"url\": \"https://e.org/docs/\"")
    );
    for (files, expected) in [
        (
            &[("a.html", "<a href=b.html>")][..],
            "SITE does not say where it is published",
        ),
        (
            &[
                ("a.html", "<link rel=canonical href=https://a.org/a.html>"),
                (
                    "b.html",
                    "<meta property='og:url' content=https://b.org/b.html>",
                ),
            ],
            "SITE contradicts itself about its URL: 1 canonical link says \
             https://a.org/, 1 og:url element says https://b.org/; give the right one with --url",
        ),
    ] {
        let dir = TestDir::with_site(files);
        let stderr = message(&dir, &["relative", "site", "-o", "out", "--url", "auto"], 2);
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn every_source_is_read() {
    let sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
        <url><loc>https://e.org/docs/</loc></url><url><loc>https://e.org/docs/a/b.html</loc></url></urlset>";
    for (file, content, expected) in [
        ("sitemap.xml", sitemap, "1 sitemap says"),
        (
            "robots.txt",
            "Sitemap: https://e.org/docs/sitemap.xml",
            "robots.txt says",
        ),
        (
            "x.html",
            "<meta content=https://e.org/docs/x.html property=og:url>",
            "1 og:url element says",
        ),
        (
            "x.html",
            "<meta content=https://e.org/docs/x.html property=og:image>",
            "no --url: assuming that SITE is at the root of its host; links with a host name count as external\n",
        ),
        (
            "x.html",
            "<a href=https://e.org/docs/><a href=https://e.org/docs/x><a href=https://e.org/docs/a/b.html>",
            "3 links say",
        ),
    ] {
        let dir = TestDir::with_site(&[("index.html", ""), ("a/b.html", ""), (file, content)]);
        let stderr = message(&dir, &["links", "site"], 0);
        assert!(stderr.contains(expected), "{file}: {stderr}");
    }
    let dir = TestDir::with_site(&[("index.html", ""), ("CNAME", "Docs.e.org\n")]);
    let stderr = message(&dir, &["audit", "site"], 0);
    assert!(
        stderr.contains(
            "CNAME says that SITE is at https://docs.e.org/; add --url https://docs.e.org/"
        )
    );
}

#[test]
fn relative_and_move_count_links_to_where_the_site_seems_to_be() {
    let dir = stated();
    for arguments in [
        &["relative", "site", "-o", "out"][..],
        &["move", "site", "-o", "moved", "c.html=d.html"],
    ] {
        let stderr = message(&dir, arguments, 0);
        let expected = "6 links have targets at https://e.org/docs/; if SITE is published there, add --url https://e.org/docs/";
        assert!(stderr.contains(expected), "{stderr}");
    }
    let known = ["relative", "site", "-o", "known", "--url", URL];
    assert!(!message(&dir, &known, 0).contains("lead to"));
}

#[test]
fn slashes_are_merged_as_servers_do() {
    let dir = TestDir::with_site(&[
        (
            "a.html",
            "<a href=d//b.html><a href='/docs//d/b.html#x'><a href=d//>",
        ),
        ("d/b.html", "<p id=x>"),
        ("d/index.html", ""),
    ]);
    let url = ["--url", URL];
    dir.rehref(&[&["audit", "site"], &url[..]].concat())
        .status(0);
    let strict = ["audit", "site", "--strict-slashes", "--format", "jsonl"];
    let strict = dir.rehref(&[&strict, &url[..]].concat()).status(1).stdout();
    assert_eq!(strict.matches("broken-target").count(), 3, "{strict}");
    dir.rehref(&[&["move", "site", "-o", "out", "d=e", "--verify"], &url[..]].concat())
        .status(0);
    assert_eq!(
        dir.read("out/a.html"),
        "<a href=e/b.html><a href='/docs/e/b.html#x'><a href=e/>"
    );
}
