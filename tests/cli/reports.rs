//! `--format FORMAT[=FILE]`: the same in every command.

use serde_json::Value;

use crate::support::TestDir;

const URL: &str = "https://e.org/";

fn site() -> TestDir {
    TestDir::with_site(&[("a.html", "<a href=gone.html>\n<a href=a.html>")])
}

#[test]
fn one_run_prints_for_people_and_writes_files_for_programs() {
    let dir = site();
    for (command, text, formats) in [
        (
            &["audit", "site", "-q"][..],
            "site/a.html:1:9: error",
            &["json", "jsonl", "sarif", "junit", "github", "gitlab", "markdown", "html"][..],
        ),
        (&["verify", "site", "site", "--url", URL], "no differences", &["json"]),
        (&["absolute", "site", "--url", URL, "-n"], "a.html: 2 links", &["json"]),
        (&["base", "site/a.html"], "retrieval URL", &["json"]),
        (&["resolve", "--base", URL, "b"], "https://e.org/b\n", &["json"]),
    ] {
        let given = formats.iter().map(|name| format!("--format={name}=r.{name}"));
        let given: Vec<String> = given.collect();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let stdout = dir.rehref(&[command, &given].concat()).stdout();
        assert!(stdout.contains(text), "{command:?}: {stdout}");
        for name in formats {
            let printed = dir.rehref(&[command, &["--format", name]].concat());
            let timeless = |text: &str| {
                let lines = text.lines().filter(|line| {
                    !["time=\"", " seconds", "<footer>"].iter().any(|it| line.contains(it))
                });
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            let file = dir.read(&format!("r.{name}"));
            assert_eq!(timeless(&file), timeless(&printed.stdout()), "{command:?} {name}");
        }
    }
    dir.rehref(&["links", "site", "--format=csv=l.csv", "--format", "jsonl=l.jsonl"]).status(0);
    assert_eq!(dir.read("l.csv").lines().count(), 3);
    assert_eq!(dir.read("l.jsonl").lines().count(), 2);
    let dash = dir.rehref(&["audit", "site", "-q", "--format", "jsonl=-"]);
    assert!(dash.stdout().starts_with("{\"check\""), "{}", dash.stdout());
}

#[test]
fn a_report_of_json_says_what_it_is_and_not_when_it_was_made() {
    let dir = site();
    for (command, format) in [
        (&["audit", "site"][..], "rehref-audit"),
        (&["absolute", "site", "--url", URL, "-n"], "rehref-rewrite"),
        (&["relative", "site", "-n"], "rehref-rewrite"),
        (&["move", "site", "a.html=b.html", "-n"], "rehref-rewrite"),
        (&["verify", "site", "site"], "rehref-verify"),
    ] {
        let run = |more: &str| -> Value {
            let run = dir.rehref(&[command, &["--format", "json", more]].concat());
            serde_json::from_str(&run.stdout()).unwrap()
        };
        let report = run("-q");
        assert_eq!(report["format"], format);
        assert_eq!(report["version"], 1);
        assert_eq!(report["tool"]["name"], "rehref");
        assert!(!report.to_string().contains("\"seconds\""), "{report}");
        assert!(run("-v").to_string().contains("\"seconds\""));
    }
}

#[test]
fn reports_that_cannot_be_written_are_refused_before_the_run() {
    let dir = site();
    for (arguments, expected) in [
        (
            &["--format", "json", "--format", "text"][..],
            "--format json and --format text both print to stdout\nhelp: write one to a file: --format text=FILE",
        ),
        (
            &["--format", "json=r", "--format", "html=r"],
            "--format json and --format html both write r\nhelp: pass two files",
        ),
        (&["--format", "json=no/r"], "--format json=no/r: no such directory: no"),
        (&["--format", "json=site"], "this is a directory\nhelp: pass a file"),
        (&["--format", "json="], "write json=FILE, or json for stdout"),
        (&["--format", "jsn=r"], "a similar value exists: 'json'"),
    ] {
        let run = dir.rehref(&[&["audit", "site"], arguments].concat()).status(2);
        assert!(run.stderr().contains(expected), "{}", run.stderr());
    }
    let diff = ["absolute", "site", "--url", URL, "--diff", "--format"];
    let run = dir.rehref(&[&diff[..], &["json"]].concat()).status(2);
    let expected = "--diff and --format both print to stdout\nhelp: write the report to a file: --format json=FILE";
    assert!(run.stderr().contains(expected), "{}", run.stderr());
    let run = dir.rehref(&[&diff[..], &["json=r.json"]].concat()).status(0);
    assert!(run.stdout().starts_with("--- a/a.html"));
    assert!(dir.read("r.json").starts_with("{\n  \"format\": \"rehref-rewrite\""));
}

#[test]
fn no_report_overwrites_a_file_of_site() {
    let dir = site();
    let page = dir.read("site/a.html");
    for (command, format) in [
        (&["audit", "site"][..], "json"),
        (&["links", "site"], "jsonl"),
        (&["absolute", "site", "--url", URL, "-o", "out"], "json"),
    ] {
        let report = format!("{format}=site/a.html");
        let refused = dir.rehref(&[command, &["--format", &report]].concat());
        let refused = refused.status(2).stderr();
        let expected = format!(
            "--format {report} would overwrite a file of the site\nhelp: pass a file outside the site"
        );
        assert!(refused.contains(&expected), "{command:?}: {refused}");
        assert_eq!(dir.read("site/a.html"), page);
    }
}

/// Of the names of a site nothing may steer a terminal, forge a line, or look like another name.
#[test]
fn names_are_visible_in_every_format() {
    let dir = TestDir::with_site(&[
        (
            "a\u{202e}b\u{2028}c\u{9b}d.html",
            "<a href='x\u{202e}y\u{2028}z\u{9b}.html'>x</a><a id=i>\u{202e}",
        ),
        ("index.html", "<a href='a\u{202e}b\u{2028}c\u{9b}d.html#q\u{202e}\u{9b}'>y</a>"),
        ("plain.html", "<a href='no\u{202e}control.html'>x</a>"),
    ]);
    let is_unseen = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let visible = |arguments: &[&str]| {
        let run = dir.rehref(arguments);
        let text = run.stdout() + &run.stderr();
        assert!(
            text.contains("202e") || text.contains("202E") || text.contains("%E2%80%AE"),
            "{arguments:?}\n{text}"
        );
        let at = text.find(is_unseen);
        assert_eq!(
            at.map(|at| text[at..].escape_unicode().take(60).collect::<String>()),
            None,
            "{arguments:?}\n{text}"
        );
    };
    for format in
        ["text", "json", "jsonl", "sarif", "junit", "github", "gitlab", "markdown", "html"]
    {
        visible(&["audit", "site", "--url", "https://h.example/", "--format", format]);
    }
    for format in ["urls", "csv", "jsonl"] {
        visible(&["links", "site", "--format", format]);
    }
    dir.rehref(&["absolute", "site", "--url", "https://h.example/", "-o", "out"]).status(0);
    for format in ["text", "json"] {
        visible(&["absolute", "site", "--url", "https://h.example/", "-n", "--format", format]);
        visible(&["verify", "site", "out", "--url", "https://i.example/", "--format", format]);
    }
}
