//! Which findings are told, and how the run ends.

#[cfg(unix)]
use std::fs;

use crate::support::TestDir;

fn site() -> TestDir {
    TestDir::with_site(&[
        ("index.html", "<a href=gone.html>\n<p id=a><p id=a>\n<a href=d>"),
        ("drafts/x.html", "<a href=../old/y.html>"),
        ("d/index.html", ""),
    ])
}

const ALL: [&str; 4] = [
    "drafts/x.html:1:9 broken-target ../old/y.html",
    "index.html:1:9 broken-target gone.html",
    "index.html:2:15 duplicate-id a",
    "index.html:3:9 missing-trailing-slash d -> d/",
];

#[test]
fn baselines() {
    let dir = site();
    let audit = |arguments: &[&str], status: i32| {
        let mut all = vec!["audit", "site", "-q", "--format", "jsonl", "--baseline", "b.json"];
        all.extend(arguments);
        dir.rehref(&all).status(status)
    };
    let missing = audit(&[], 2);
    assert_eq!(
        missing.stderr(),
        "error: --baseline b.json: no such file\nhelp: create it with --update-baseline\n"
    );
    // What is not told is accepted, too.
    audit(&["--update-baseline", "--min-level", "error"], 0);
    assert_eq!(audit(&["--fail-on", "note"], 0).stdout(), "");
    // Lines that move and other findings that go make nothing new.
    dir.write("site/index.html", b"\n\n<a href=gone.html>\n<a href=new.html><a href=gone.html>");
    let new = audit(&[], 1).stdout();
    let new: Vec<String> = new.lines().map(super::in_short).collect();
    assert_eq!(
        new,
        ["index.html:4:9 broken-target new.html", "index.html:4:26 broken-target gone.html",]
    );
    let written = dir.read("b.json");
    audit(&["--update-baseline"], 0);
    assert_ne!(dir.read("b.json"), written);
    assert_eq!(audit(&["--fail-on", "note"], 0).stdout(), "");
    for corrupt in ["", "{", "[]", "{\"format\":\"x\",\"version\":1,\"findings\":[]}"] {
        dir.write("b.json", corrupt.as_bytes());
        let run = audit(&[], 2);
        assert!(run.stderr().starts_with("error: --baseline b.json: "), "{}", run.stderr());
    }
    let run = dir.rehref(&["audit", "site", "--update-baseline"]).status(2);
    assert!(run.stderr().contains("--baseline"), "{}", run.stderr());
}

#[cfg(unix)]
#[test]
fn one_bad_file_stops_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let dir = site();
    dir.write("site/feed.xml", b"<rss>");
    let run = dir.rehref(&["audit", "site", "-q", "--format", "jsonl"]).status(1);
    assert_eq!(run.stderr(), "");
    assert_eq!(run.stdout().lines().count(), ALL.len() + 1);
    fs::remove_file(dir.path("site/feed.xml")).unwrap();
    dir.write("site/secret.html", b"");
    let secret = dir.path("site/secret.html");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads everything.
    if fs::read(&secret).is_err() {
        let run = dir.rehref(&["audit", "site", "-q", "--format", "jsonl"]).status(2);
        assert!(
            run.stderr().contains("error: secret.html: cannot read the file"),
            "{}",
            run.stderr()
        );
        assert_eq!(run.stdout().lines().count(), ALL.len());
    }
}

#[test]
fn stale_findings_of_the_baseline_can_fail_the_run() {
    let dir = site();
    let baseline = ["audit", "site", "-q", "--baseline", "b.json"];
    let audit = |arguments: &[&str], status| {
        dir.rehref(&[&baseline, arguments].concat()).status(status);
    };
    audit(&["--update-baseline"], 0);
    audit(&["--fail-on", "stale"], 0);
    dir.write("site/index.html", b"");
    audit(&[], 0);
    audit(&["--fail-on", "error,stale"], 1);
    audit(&["--fail-on", "never,stale"], 1);
    // A check that does not run finds nothing, which proves nothing.
    audit(&["--fail-on", "stale", "--only", "bad-url"], 0);
    // The reports say the same as the exit status.
    for (format, failing) in [
        ("junit", "<failure type=\"stale-baseline\""),
        ("github", "::error title=stale-baseline::"),
        ("markdown", "in the baseline; --update-baseline removes"),
    ] {
        for (fail_on, status) in [("error,stale", 1), ("error", 0)] {
            let run = ["--fail-on", fail_on, "--format", format];
            let run = dir.rehref(&[&baseline, &run[..]].concat()).status(status);
            assert_eq!(run.stdout().contains(failing), status == 1, "{}", run.stdout());
        }
    }
    audit(&["--fail-on", "stale", "--update-baseline"], 0);
}

#[test]
fn reports_for_code_hosts_have_paths_in_the_repository() {
    let dir = site();
    let absolute = dir.path("site");
    for format in ["github", "gitlab", "junit", "markdown"] {
        let run = |site: &str| dir.rehref(&["audit", site, "-q", "--format", format]).stdout();
        let timeless = |report: String| {
            let lines = report.lines().map(|line| line.split(" time=").next());
            lines.map(|line| line.unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        let absolute = run(absolute.to_str().unwrap());
        assert_eq!(timeless(absolute), timeless(run("site")), "{format}");
    }
}

#[test]
fn a_site_whose_links_scripts_write_is_noted() {
    let said = "which rehref does not run";
    for (page, expected) in [
        ("<div id=app></div><script src=app.js></script>", true),
        ("<a href=app.js></a><script src=app.js></script>", false),
        ("<link rel=icon href=app.js>", false),
        ("<svg><a xlink:href=app.js></a></svg><script src=app.js></script>", false),
    ] {
        let dir = TestDir::with_site(&[("index.html", page), ("app.js", "")]);
        let run = dir.rehref(&["audit", "site", "--url", "https://h.example/"]).status(0);
        assert_eq!(run.stderr().contains(said), expected, "{page}: {}", run.stderr());
    }
}
