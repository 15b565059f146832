//! `--url`: where the site is published, given, inferred or missing.

use crate::support::{TestDir, directory_url};

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

/// The messages of the command.
fn message(dir: &TestDir, arguments: &[&str], status: i32) -> String {
    let run = dir.rehref(arguments).status(status);
    match arguments[0] {
        // A contradiction is a finding there.
        "audit" => run.stdout() + &run.stderr(),
        _ => run.stderr(),
    }
}

#[test]
fn absolute_refuses_without_a_url() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>")]);
    assert_eq!(
        message(&dir, &["absolute", "site", "-o", "out"], 2),
        "error: absolute needs --url, the URL at which SITE is published: SITE does not say where it is published (no \
         canonical link, og:url, sitemap, robots.txt or CNAME); give the URL, like --url https://example.org/docs/; for links to the files on this disk, use --url file:\n"
    );
    assert!(!dir.path("out").exists());
    let base = ["absolute", "site", "-o", "out", "--base-element", "https://e.org/"];
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
fn absolute_notes_in_page_links_of_pages_whose_url_lacks_an_extension() {
    let page =
        |canonical: &str| format!("<link rel=canonical href={canonical}><a href=#top>top</a>");
    for (name, canonical, is_noted) in [
        ("about.html", "https://e.org/about", true),
        ("about.html", "https://e.org/about/", true),
        ("about.html", "https://e.org/about.html", false),
        ("about/index.html", "https://e.org/about/", false),
    ] {
        let page = page(canonical);
        let dir = TestDir::with_site(&[("index.html", "<a href=#a>a</a>"), (name, &page)]);
        for url in ["https://e.org/", "auto"] {
            let run = dir.rehref(&["absolute", "site", "-n", "--url", url]).status(0);
            let said = "https://e.org/about.html#top in the page that says its URL is https://e.org/about,";
            assert_eq!(run.stderr().contains(said), is_noted, "{}", run.stderr());
        }
    }
}

#[test]
fn canonical_links_that_do_not_say_the_url_are_named() {
    let page = |path: &str| {
        format!("<link rel=canonical href=file:///usr/share/doc/x/html/{path}><a href=b.html>")
    };
    let dir = TestDir::with_site(&[("a.html", &page("a.html")), ("b.html", &page("b.html"))]);
    assert_eq!(
        message(&dir, &["absolute", "site", "-o", "out", "--url", "auto"], 2),
        "error: --url auto: 2 canonical links with a URL that is not the path of the page on a web server, like \
         file:///usr/share/doc/x/html/a.html; give the URL, like --url https://example.org/docs/\n"
    );
    let absolute = ["absolute", "site", "-n", "--url", "https://e.org/"];
    let note = "note: URLs of files on a disk, like file:///usr/share/doc/x/html/a.html: 2 canonical links; \
                absolute does not change such links\n";
    assert!(dir.rehref(&absolute).status(0).stderr().contains(note));
    // A page that was saved from its URL.
    let page = "<link rel=canonical href=https://e.org/docs/><a href=b.html>";
    let dir = TestDir::with_site(&[("page.html", page)]);
    let page = "site/page.html";
    assert_eq!(
        message(&dir, &["absolute", page, "-o", "-", "--url", "auto"], 2),
        "error: --url auto: page.html says that its URL is https://e.org/docs/ (1 canonical link), which is not the \
         URL of a file named page.html; to use the directory of this URL, give --url https://e.org/docs/\n"
    );
    let stderr = message(&dir, &["absolute", page, "-o", "-"], 2);
    assert!(
        stderr.contains("to use the directory of this URL, give --url https://e.org/docs/;"),
        "{stderr}"
    );
    let given = ["absolute", page, "-o", "-", "--url", "https://e.org/docs/"];
    let out = dir.rehref(&given).status(0).stdout();
    assert!(out.ends_with("<a href=https://e.org/docs/b.html>"), "{out}");
}

#[test]
fn a_site_in_a_folder_of_site_is_found() {
    let page = |path: &str| {
        format!("<link rel=canonical href=https://e.org/docs/{path}><a href=a.html>x</a>")
    };
    let (index, a, b) = (page(""), page("a.html"), page("d/b"));
    let sitemap = "Sitemap: https://e.org/docs/sitemap.xml\n";
    let dir = TestDir::with_site(&[
        ("pub/index.html", &index),
        ("pub/a.html", &a),
        ("pub/d/b.html", &b),
        // Beside the site, not of it.
        ("pub/robots.txt", sitemap),
        ("d/b.html", &b),
    ]);
    let said = "say that SITE/pub/, and not SITE, is at https://e.org/docs/; ";
    let absolute = ["absolute", "site", "-o", "out"];
    let run = |more: &[&str], status| message(&dir, &[&absolute[..], more].concat(), status);
    let auto = run(&["--url", "auto"], 2);
    let advice = "2 canonical links say that SITE/pub/, and not SITE, is at https://e.org/docs/; give that \
                  directory as SITE, with --url https://e.org/docs/";
    assert_eq!(auto, format!("error: --url auto: {advice}\n"));
    assert!(run(&[], 2).contains(advice));
    let given = run(&["--url", URL], 0);
    let warning = format!("warning: 2 canonical links {said}if so, give that directory as SITE\n");
    assert!(given.contains(&warning), "{given}");
    let audit = message(&dir, &["audit", "site", "--url", URL], 1);
    assert!(audit.contains(&warning), "{audit}");
    // At another URL the folder may well be where it is.
    let other = run(&["--url", "https://e.org/", "--force"], 0);
    assert!(!other.contains("SITE/pub/"), "{other}");
    let right = message(&dir, &["absolute", "site/pub", "-n", "--url", "auto"], 0);
    assert!(right.contains("3 canonical links and robots.txt say"), "{right}");
}

#[test]
fn a_missing_output_and_a_missing_url_are_said_at_once() {
    let dir = TestDir::with_site(&[("my page.html", "<a href=b.html>")]);
    assert_eq!(
        message(&dir, &["absolute", "site/my page.html"], 2),
        "error: no output: add --out FILE (- for stdout), --in-place, --dry-run, --diff or --check\n\
         error: absolute needs --url, the URL of my page.html or of its directory: SITE does not say where it is published \
         (no canonical link, og:url, sitemap, robots.txt or CNAME); give the URL, like --url \
         https://example.org/docs/my%20page.html; for links to the files on this disk, use --url file:\n"
    );
    assert_eq!(
        message(&dir, &["absolute", "site"], 2),
        "error: no output: add --out DIR, --in-place, --dry-run, --diff or --check\n\
         error: absolute needs --url, the URL at which SITE is published: SITE does not say where it is published (no \
         canonical link, og:url, sitemap, robots.txt or CNAME); give the URL, like --url https://example.org/docs/; for links to the files on this disk, use --url file:\n"
    );
    let stderr = message(&dir, &["absolute", "site", "--url", URL], 2);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    let stderr = message(&dir, &["absolute", "site", "-n"], 2);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn absolute_says_that_other_urls_of_the_site_stay() {
    let dir = TestDir::with_site(&[("a.html", "<a href=file:///x/b.html>")]);
    let arguments = ["absolute", "site", "-n", "--url", URL, "--also"];
    let note = "--also file:///x/: absolute does not change links that are already absolute; to change their URL, \
                use `rehref move --url file:///x/ --new-url https://e.org/docs/`";
    let stderr = message(&dir, &[&arguments[..], &["file:///x/"]].concat(), 0);
    assert!(stderr.contains(note), "{stderr}");
    let others = [&arguments[..], &["http://e.org/docs/"]].concat();
    assert!(!message(&dir, &others, 0).contains("--also"));
    // The advice holds.
    let moved = ["move", "site", "-o", "out", "--url", "file:///x/", "--new-url", URL];
    dir.rehref(&moved).status(0);
    assert_eq!(dir.read("out/a.html"), "<a href=https://e.org/docs/b.html>");
}

#[test]
fn links_that_contradict_the_url_are_noted() {
    let page = "<a href=/docs/b.html><a href=https://e.org/docs/b.html><a href=https://e.org/docs/><a \
                href=https://e.org/docs/d/c.html><a href=https://o.org/a/1><a href=https://o.org/a/2><a \
                href=https://o.org/a/3>";
    let own = "<a href=https://own.org/b.html>";
    let dir = TestDir::with_site(&[
        ("index.html", page),
        ("b.html", own),
        ("d/c.html", ""),
        ("d/e.html", ""),
    ]);
    let right = "3 links say that SITE is at https://e.org/docs/; if https://e.org/docs/ is right, use --url \
                 https://e.org/docs/";
    for arguments in [
        &["absolute", "site", "-n"][..],
        &["relative", "site", "-n"],
        &["move", "site", "-n", "b.html=x.html"],
        &["audit", "site", "--fail-on", "never"],
    ] {
        for url in ["http://e.org/docs/", "https://own.org/", "https://e.org/"] {
            let stderr = message(&dir, &[arguments, &["--url", url]].concat(), 0);
            let note = format!(": --url is {url}, but {right}");
            assert!(stderr.contains(&note), "{arguments:?}: {stderr}");
        }
        for known in [&["--url", URL][..], &["--url", "https://own.org/", "--also", URL]] {
            let stderr = message(&dir, &[arguments, known].concat(), 0);
            assert!(!stderr.contains("links say"), "{arguments:?}: {stderr}");
        }
    }
    // As many links lead to either.
    let dir = TestDir::with_site(&[
        ("index.html", page),
        ("b.html", &page.replace("e.org", "own.org").replace("docs/", "")),
        ("d/c.html", ""),
    ]);
    for url in [URL, "https://own.org/"] {
        let stderr = message(&dir, &["absolute", "site", "-n", "--url", url], 0);
        assert!(!stderr.contains("say that"), "{stderr}");
    }
}

#[test]
fn links_from_the_root_contradict_a_wrong_folder() {
    let page = "<a href=/docs/b.html><a href=/docs/><a href=/docs/d/c.html>";
    let dir = TestDir::with_site(&[("index.html", page), ("b.html", ""), ("d/c.html", "")]);
    for command in [&["absolute", "site", "-n"][..], &["audit", "site", "--fail-on", "never"]] {
        for url in ["https://e.org/doc/", "https://e.org/"] {
            let stderr = message(&dir, &[command, &["--url", url]].concat(), 0);
            let expected =
                format!("--url is {url}, but 3 links say that SITE is at https://e.org/docs/;");
            assert!(stderr.contains(&expected), "{stderr}");
        }
        let stderr = message(&dir, &[command, &["--url", URL]].concat(), 0);
        assert!(!stderr.contains("links say"), "{stderr}");
        let stderr = message(&dir, &["audit", "site", "--fail-on", "never"], 0);
        assert!(!stderr.contains("links say"), "{stderr}");
    }
}

#[test]
fn absolute_says_how_to_change_links_to_another_url_of_the_site() {
    let page = |url: &str| format!("<a href={url}><a href={url}b.html><a href={url}d/c.html>");
    let files = [("b.html", ""), ("d/c.html", "")];
    let (old, new) = ("https://e.org/docs/", "https://new.org/");
    let dir = TestDir::with_site(&[files[0], files[1], ("index.html", &page(old))]);
    let stderr = message(&dir, &["absolute", "site", "-n", "--url", new], 0);
    let advice = "note: absolute does not change links to https://e.org/docs/; to change them, use `rehref move SITE \
                  --out DIR --url https://e.org/docs/ --new-url https://new.org/`\n";
    assert!(stderr.contains(advice), "{stderr}");
    let moved = ["move", "site", "-o", "out", "--url", old, "--new-url", new];
    dir.rehref(&moved).status(0);
    assert_eq!(dir.read("out/index.html"), page(new));
}

#[test]
fn nothing_is_fixed_where_only_links_say_where_the_site_is() {
    let page = "<a href=/docs/b.html><a href=https://e.org/docs/b.html><a href=https://e.org/docs/><a \
                href=https://e.org/docs/d/c.html>";
    let dir = TestDir::with_site(&[("index.html", page), ("b.html", ""), ("d/c.html", "")]);
    let stderr = message(&dir, &["audit", "site", "--fix", "-n"], 2);
    assert!(stderr.contains("add --url https://e.org/docs/"), "{stderr}");
    let stderr = message(&dir, &["audit", "site"], 1);
    assert!(!stderr.contains("--fix"), "{stderr}");
    let url = ["audit", "site", "--fix", "-n", "--url", "https://e.org/"];
    dir.rehref(&url).status(0);
}

#[test]
fn file_means_this_disk() {
    let dir = TestDir::with_site(&[("index.html", "<a href=b.html><a href=#top>")]);
    let site = directory_url(&dir.path("site"));
    dir.rehref(&["absolute", "site", "-o", "out", "--url", "file:", "--verify"]).status(0);
    assert_eq!(
        dir.read("out/index.html"),
        format!("<a href={site}b.html><a href={site}index.html#top>")
    );
    dir.rehref(&["verify", "site", "out", "--url", "file:"]).status(0);
    let stderr = message(&dir, &["move", "site", "-o", "o", "--url", URL, "--new-url", "file:"], 2);
    assert!(stderr.contains("--new-url: `file:` does not name a directory"), "{stderr}");
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
    assert!(audit.status(1).stdout().contains("\"url\": \"https://e.org/docs/\""));
    for (files, expected) in [
        (&[("a.html", "<a href=b.html>")][..], "SITE does not say where it is published"),
        (
            &[
                ("a.html", "<link rel=canonical href=https://a.org/a.html>"),
                ("b.html", "<meta property='og:url' content=https://b.org/b.html>"),
            ],
            "SITE contradicts itself about its URL: 1 canonical link says \
             https://a.org/, 1 og:url element says https://b.org/; give the URL, like --url",
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
        ("robots.txt", "Sitemap: https://e.org/docs/sitemap.xml", "robots.txt says"),
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
fn a_rule_for_every_path_does_not_hide_where_the_links_lead() {
    let links = "<a href=https://e.org/docs/><a href=https://e.org/docs/x><a href=https://e.org/docs/a/b.html>";
    let dir = TestDir::with_site(&[
        ("index.html", ""),
        ("a/b.html", ""),
        ("x.html", links),
        ("_redirects", "/* /index.html 200\n"),
    ]);
    let stderr = message(&dir, &["audit", "site", "--fail-on", "never"], 0);
    assert!(stderr.contains("3 links say"), "{stderr}");
}

#[test]
fn relative_and_move_count_links_to_where_the_site_seems_to_be() {
    let dir = stated();
    for arguments in
        [&["relative", "site", "-o", "out"][..], &["move", "site", "-o", "moved", "c.html=d.html"]]
    {
        let stderr = message(&dir, arguments, 0);
        let expected = "links with targets at https://e.org/docs/: 6; if SITE is published there, add --url https://e.org/docs/";
        assert!(stderr.contains(expected), "{stderr}");
    }
    let known = ["relative", "site", "-o", "known", "--url", URL];
    assert!(!message(&dir, &known, 0).contains("lead to"));
}

#[test]
fn slashes_are_merged_as_servers_do() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=d//b.html><a href='/docs//d/b.html#x'><a href=d//>"),
        ("d/b.html", "<p id=x>"),
        ("d/index.html", ""),
    ]);
    let url = ["--url", URL];
    dir.rehref(&[&["audit", "site"], &url[..]].concat()).status(0);
    let strict = ["audit", "site", "--strict-slashes", "--format", "jsonl"];
    let strict = dir.rehref(&[&strict, &url[..]].concat()).status(1).stdout();
    assert_eq!(strict.matches("broken-target").count(), 3, "{strict}");
    dir.rehref(&[&["move", "site", "-o", "out", "d=e", "--verify"], &url[..]].concat()).status(0);
    assert_eq!(dir.read("out/a.html"), "<a href=e/b.html><a href='/docs/e/b.html#x'><a href=e/>");
}
