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
    let said =
        "say that its directory pub/, and not the site itself, is at https://e.org/docs/\nhelp: ";
    let absolute = ["absolute", "site", "-o", "out"];
    let run = |more: &[&str], status| message(&dir, &[&absolute[..], more].concat(), status);
    let auto = run(&["--url", "auto"], 2);
    let advice = "2 canonical links say that its directory pub/, and not the site itself, is at https://e.org/docs/\nhelp: pass that directory instead, with --url https://e.org/docs/";
    assert_eq!(auto, format!("error: --url auto: {advice}\n"));
    assert!(run(&[], 2).contains(advice));
    let given = run(&["--url", URL], 0);
    let warning = format!("warning: 2 canonical links {said}if so, pass that directory instead\n");
    assert!(given.contains(&warning), "{given}");
    let audit = message(&dir, &["audit", "site", "--url", URL], 1);
    assert!(audit.contains(&warning), "{audit}");
    // At another URL the folder may well be where it is.
    let other = run(&["--url", "https://e.org/", "--force"], 0);
    assert!(!other.contains("its directory pub/"), "{other}");
    let right = message(&dir, &["absolute", "site/pub", "-n", "--url", "auto"], 0);
    assert!(right.contains("3 canonical links and robots.txt say"), "{right}");
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
    let right = "3 links say that the site is at https://e.org/docs/";
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
                format!("--url is {url}, but 3 links say that the site is at https://e.org/docs/");
            assert!(stderr.contains(&expected), "{stderr}");
        }
        let stderr = message(&dir, &[command, &["--url", URL]].concat(), 0);
        assert!(!stderr.contains("links say"), "{stderr}");
        let stderr = message(&dir, &["audit", "site", "--fail-on", "never"], 0);
        assert!(!stderr.contains("links say"), "{stderr}");
    }
}

#[test]
fn auto_uses_the_url_that_the_site_names() {
    let dir = stated();
    let run = dir.rehref(&["relative", "site", "-o", "out", "--url", "auto", "--verify"]);
    let stderr = run.status(0).stderr();
    assert!(
        stderr.starts_with(
            "note: --url auto: 3 canonical links say that the site is at https://e.org/docs/\n"
        ),
        "{stderr}"
    );
    assert!(dir.read("out/index.html").contains("<a href=a/b.html>"));
    let audit = dir.rehref(&["audit", "site", "--url", "auto", "--format", "json"]);
    assert!(audit.status(1).stdout().contains("\"url\": \"https://e.org/docs/\""));
    for (files, expected) in [
        (&[("a.html", "<a href=b.html>")][..], "the site does not state its URL"),
        (
            &[
                ("a.html", "<link rel=canonical href=https://a.org/a.html>"),
                ("b.html", "<meta property='og:url' content=https://b.org/b.html>"),
            ],
            "the site contradicts itself about its URL: 1 canonical link says https://a.org/, 1 og:url element says https://b.org/\nhelp: pass the URL, like --url",
        ),
    ] {
        let dir = TestDir::with_site(files);
        let stderr = message(&dir, &["relative", "site", "-o", "out", "--url", "auto"], 2);
        assert!(stderr.contains(expected), "{stderr}");
    }
}
