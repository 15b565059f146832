//! Which findings are told, and how the run ends.

#[cfg(unix)]
use std::fs;

use super::found;
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
fn ignore_rules() {
    for (rules, left) in [
        (&[][..], &[0, 1, 2, 3][..]),
        (&["broken-target"], &[2, 3]),
        (&["path:drafts"], &[1, 2, 3]),
        (&["target:/old/*"], &[1, 2, 3]),
        (&["target:gone*"], &[0, 2, 3]),
        (&["broken-target path:index.html"], &[0, 2, 3]),
        (&["broken-target duplicate-id", "missing-trailing-slash"], &[]),
    ] {
        let arguments: Vec<&str> = rules.iter().flat_map(|rule| ["--ignore", rule]).collect();
        let expected: Vec<&str> = left.iter().map(|&at| ALL[at]).collect();
        assert_eq!(found(&site(), &arguments), expected, "{rules:?}");
    }
    for (rule, message) in [
        ("", "the rule is empty"),
        ("broken", "`broken` is not a condition; give a check"),
        ("path:[", "`[` is not a glob"),
        ("path:a path:b", "path: is repeated in one rule"),
    ] {
        let run = site().rehref(&["audit", "site", "--ignore", rule]).status(2);
        assert!(run.stderr().contains(message), "{}", run.stderr());
    }
}

#[test]
fn ignore_marks() {
    let dir = TestDir::with_site(&[
        (
            "a.html",
            "<div data-rehref-ignore><a href=gone1></a><a href=z.html#no></a>\
             <a href='#/route'></a><a href='z.html#/route'></a></div>\n\
             <a href=gone2 data-rehref-ignore=broken-target></a>\n\
             <a href=gone3 data-rehref-ignore=duplicate-id></a>\n\
             <!-- rehref-ignore --><p><a href=gone4></a></p><a href=gone5></a>",
        ),
        ("z.html", ""),
    ]);
    assert_eq!(
        found(&dir, &[]),
        ["a.html:3:9 broken-target gone3", "a.html:4:56 broken-target gone5"]
    );
    let run = dir.rehref(&["audit", "site", "--format", "json", "-q"]).status(1);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(report.pointer("/summary/ignored"), Some(&6.into()), "{report:#}");
}

#[test]
fn levels_and_statuses() {
    for (arguments, status, findings) in [
        (&[][..], 1, 4),
        (&["--fail-on", "never"], 0, 4),
        (&["--min-level", "warning"], 1, 3),
        (&["--min-level", "error"], 1, 2),
        (&["--ignore", "broken-target"], 0, 2),
        (&["--ignore", "broken-target", "--fail-on", "warning"], 1, 2),
        (&["--ignore", "broken-target duplicate-id", "--fail-on", "warning"], 0, 1),
        (&["--ignore", "broken-target duplicate-id", "--fail-on", "note"], 1, 1),
    ] {
        let mut all = vec!["audit", "site", "-q", "--format", "jsonl"];
        all.extend(arguments);
        let run = site().rehref(&all).status(status);
        assert_eq!(run.stdout().lines().count(), findings, "{arguments:?}");
    }
}

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
        "error: --baseline b.json: no such file; create it with --update-baseline\n"
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

#[test]
fn what_cannot_be_audited() {
    let dir = TestDir::new();
    let run = dir.rehref(&["audit"]).status(2);
    assert!(run.stderr().contains("<SITE>"), "{}", run.stderr());
    let run = dir.rehref(&["audit", "none"]).status(2);
    assert!(run.stderr().contains("error: none: "), "{}", run.stderr());
    dir.write("file.txt", b"");
    let run = dir.rehref(&["audit", "file.txt"]).status(2);
    assert!(run.stderr().contains("not a directory"), "{}", run.stderr());
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
        assert!(run.stderr().contains("error: secret.html: cannot be read"), "{}", run.stderr());
        assert_eq!(run.stdout().lines().count(), ALL.len());
    }
}

#[test]
fn checks_are_chosen_and_get_levels() {
    for (arguments, status, findings) in [
        (&["--only", "broken-target"][..], 1, 2),
        (&["--only", "broken-target,duplicate-id"], 1, 3),
        (&["--only", "duplicate-id"], 0, 1),
        (&["--level", "broken-target=off"], 0, 2),
        (&["--level", "broken-target=warning"], 0, 4),
        (&["--level", "broken-target=note", "--min-level", "warning"], 0, 1),
        (&["--level", "duplicate-id=error"], 1, 4),
        (&["--level", "broken-target=off,duplicate-id=error"], 1, 2),
        // The last one counts, as with other options.
        (&["--level", "broken-target=off", "--level", "broken-target=note"], 0, 4),
    ] {
        let all = ["audit", "site", "-q", "--format", "jsonl"];
        let run = site().rehref(&[&all, arguments].concat()).status(status);
        let lines = run.stdout().lines().count();
        assert_eq!(lines, findings, "{arguments:?}");
    }
    for (arguments, expected) in [
        (&["--level", "error"][..], "give --min-level LEVEL"),
        (&["--level", "broken-fragments=off"], "did you mean broken-fragment?"),
        (&["--level", "broken-target=high"], "give error, warning, note or off"),
        (&["--only", "broken-targets"], "'broken-target'"),
        (&["--only", "orphan"], "--only orphan needs --entry GLOB"),
        (&["--only", "orphan", "--baseline", "b", "--update-baseline"], "cannot be used with"),
    ] {
        let run = site().rehref(&[&["audit", "site"], arguments].concat());
        let stderr = run.status(2).stderr();
        assert!(stderr.contains(expected), "{stderr}");
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
fn formats_that_always_group_say_so() {
    for (arguments, expected) in [
        (&["--format", "github"][..], true),
        (&["--format", "markdown=report.md"], true),
        (&["--format", "jsonl"], false),
        (&[], false),
    ] {
        let run = site().rehref(&[&["audit", "site", "--no-group"], arguments].concat());
        let has_note = run.stderr().contains("github and markdown always group findings");
        assert_eq!(has_note, expected, "{arguments:?}");
    }
}

#[test]
fn rules_for_targets_that_nothing_has_are_noted() {
    let dir =
        TestDir::with_site(&[("index.html", "<a href=gone.html><a href=https://away.example/>")]);
    let url = ["--url", "https://h.example/"];
    for (rule, more, expected) in [
        (
            "target:https://away.example/**",
            &[][..],
            Some("; the audit does not fetch links that leave the site"),
        ),
        ("target:https://h.example/x", &[], Some("no finding has such a target\n")),
        ("target:gone.html", &[], None),
        ("broken-fragment target:x", &["--only", "broken-target"], None),
        ("target:x", &["--include", "index.html"], None),
    ] {
        let run = dir.rehref(&[&["audit", "site", "--ignore", rule], &url[..], more].concat());
        let stderr = run.stderr();
        match expected {
            Some(expected) => assert!(stderr.contains(expected), "{rule}: {stderr}"),
            None => assert!(!stderr.contains("ignores nothing"), "{rule}: {stderr}"),
        }
    }
}

#[test]
fn a_site_whose_links_scripts_write_is_noted() {
    let said = "rehref does not run scripts";
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
