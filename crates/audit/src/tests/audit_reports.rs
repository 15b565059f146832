//! The reports of the audit, on findings with hard characters.

use crate::finding::ReportedFile;
use crate::report::{
    HtmlOptions, Summary, TextOptions, github, gitlab, html, json, jsonl, junit, markdown, sarif,
    text,
};
use crate::{Check, Finding};
use rehref_document::Position;
use rehref_site::Location;
use rehref_site::Severity;

const ESCAPES: &str = "a\u{1b}[31m\u{202e}gpj.html";

pub(super) fn summary() -> Summary {
    Summary {
        version: "1.2.3".to_owned(),
        site: "./pub lic/".to_owned(),
        sources: None,
        url: Some("https://example.org/docs/?a=<b>&c".to_owned()),
        documents: 1234,
        references: 56789,
        external: 120,
        seconds: Some(1.25),
        fail_on: Some(Severity::Warning),
        unread: Vec::new(),
        hidden_failures: 0,
        baselined: 7,
        unjudged: 0,
        ignored: 1,
        stale: vec![format!("broken-target in {ESCAPES}: x"), "bad-url in b".to_owned()],
        fails_on_stale: true,
        compared: None,
        is_elsewhere: false,
        trees: None,
    }
}

pub(super) fn html_options() -> HtmlOptions<'static> {
    HtmlOptions { source: &|_| None, source_url: None, date: None, command: None }
}

/// A finding in `href` of `a`.
pub(super) fn finding(
    check: Check,
    document: &str,
    place: Option<(usize, usize)>,
    reference: Option<&str>,
    target: Option<&str>,
    message: &str,
) -> Finding {
    let element = if place.is_some() { "a" } else { "" };
    let attribute = if reference.is_some() { "href" } else { "" };
    let position = place.map(|(line, column)| Position { line, column });
    let location = Location::new(document, position, element, attribute);
    let mut finding = Finding::new(check, location, message.to_owned());
    finding.reference = reference.map(Box::from);
    finding.target = target.map(Box::from);
    finding
}

pub(super) fn findings() -> Vec<Finding> {
    let missing = "there is no such file";
    let mut findings = vec![
        finding(
            Check::WrongCharset,
            "old/page.html",
            None,
            None,
            None,
            "cannot be decoded as windows-1252",
        ),
        finding(
            Check::WrongCase,
            "a.html",
            Some((3, 16)),
            Some("Guide.html"),
            Some("/Guide.html"),
            "a file of that name differs in letter case",
        ),
        finding(
            Check::BadUrl,
            "a.html",
            Some((4, 25)),
            Some("http://[::1"),
            None,
            "not a URL: IPv6 address without `]` (see [WHATWG](https://url.spec.whatwg.org))",
        ),
        finding(
            Check::TemplateMarkup,
            "a.html",
            Some((5, 10)),
            Some("{{ url }}%20,:"),
            None,
            "template markup {0}",
        ),
        finding(
            Check::EmptyReference,
            "a.html",
            Some((6, 10)),
            Some(""),
            Some("/a.html"),
            "an empty reference means this document",
        ),
        finding(
            Check::BrokenTarget,
            "hard/1% #?,:漢字 </script><!--.html",
            Some((7, 13)),
            Some(ESCAPES),
            Some("/hard/a%1B[31m%E2%80%AEgpj.html"),
            "no \"file\" <here> & 'there'\u{0}\u{fffe}",
        ),
        finding(
            Check::DuplicateId,
            "hard/z.html",
            Some((8, 2)),
            None,
            None,
            "id `x]]>` is there twice",
        ),
    ];
    findings[1].suggestion = Some("guide.html".into());
    findings[5].location.element = "iframe srcdoc > img".into();
    findings[5].location.attribute = "src".into();
    for page in 1..=12 {
        findings.push(finding(
            Check::BrokenTarget,
            &format!("pages/{page:02}/index.html"),
            Some((9, 15)),
            Some("../../search.html?a=1&b=2"),
            Some("/search.html?a=1&b=2"),
            missing,
        ));
    }
    findings[9].reference = Some("/search.html?a=1&b=2".into());
    findings.sort_by(|a, b| {
        (&a.location.path, a.line(), a.column()).cmp(&(&b.location.path, b.line(), b.column()))
    });
    findings
}

/// The text of all documents.
fn source(_file: ReportedFile<'_>) -> Option<String> {
    Some((1..=9).map(line).collect::<Vec<_>>().join("\n"))
}

fn line(number: usize) -> String {
    let line = match number {
        3 => "\t<p>漢字<a href=\"Guide.html\">a guide</a>",
        4 => "<img alt='…'><a\thref=  'http://[::1'>",
        5 => "<a href='{{ url }}%20,:'>",
        6 => "<a href=\"\">empty</a>",
        7 => "\u{feff}<a href='./a\u{1b}[31m\u{202e}gpj.html'>picture</a>\r",
        8 => "<div id=\"x]]>\">",
        9 => {
            return format!(
                "<nav><a href=\"../../search.html?a=1&amp;b=2\">{}</nav>",
                "Search ".repeat(1000)
            );
        }
        _ => "",
    };
    line.to_owned()
}

fn shown(group: bool, color: bool, width: usize) -> String {
    let options = TextOptions { group, color, width, source: &source };
    String::from_utf8(text(&summary(), &findings(), &options)).unwrap()
}

#[test]
fn text_grouped() {
    insta::assert_snapshot!("text_grouped", shown(true, false, 80));
}

#[test]
fn text_ungrouped() {
    insta::assert_snapshot!("text_ungrouped", shown(false, false, 60));
}

#[test]
fn color_is_all_that_color_adds() {
    let colored = shown(true, true, 80);
    let mut plain = String::new();
    let mut parts = colored.split("\x1b[");
    plain.push_str(parts.next().unwrap());
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap();
        assert!(code.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{code}");
        plain.push_str(rest);
    }
    assert_ne!(colored, plain);
    assert_eq!(plain, shown(true, false, 80));
}

#[test]
fn text_moves_no_cursor() {
    for group in [true, false] {
        let shown = shown(group, false, 80);
        for c in shown.chars() {
            assert!(c == '\n' || !c.is_control(), "{c:?}");
            assert_ne!(c, '\u{202e}');
        }
        // Lines with places are left to the terminal, for editors to read.
        for line in shown.lines().filter(|line| line.contains(" | ")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn nothing_found() {
    let options = TextOptions { group: true, color: false, width: 80, source: &source };
    let summary =
        Summary { site: "public".to_owned(), documents: 1, references: 2, ..Summary::default() };
    let all =
        [text(&summary, &[], &options), jsonl(&[]), junit(&summary, &[]), github(&summary, &[])];
    let all = all.map(|bytes| String::from_utf8(bytes).unwrap());
    insta::assert_snapshot!("nothing_found", all.join("---\n"));
}

#[test]
fn json_and_lines() {
    let bytes = json(&summary(), &findings());
    insta::assert_snapshot!("json", String::from_utf8(bytes.clone()).unwrap());
    let whole: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let lines = jsonl(&findings());
    let lines: Vec<serde_json::Value> = String::from_utf8(lines)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(whole["findings"].as_array().unwrap(), &lines);
    assert_eq!(lines[0].as_object().unwrap().len(), 13);
}

#[test]
fn no_line_of_a_report_is_a_command_of_the_ci_server() {
    let said = "x\n::error::planted\r::error::planted";
    let place = Some((1, 1));
    let findings = [finding(Check::BrokenTarget, said, place, Some(said), Some(said), said)];
    let source = |_: ReportedFile<'_>| Some(said.to_owned());
    let options = |group| TextOptions { group, color: false, width: 80, source: &source };
    for report in [
        text(&summary(), &findings, &options(true)),
        text(&summary(), &findings, &options(false)),
        json(&summary(), &findings),
        jsonl(&findings),
        html(&summary(), &findings, &html_options()),
        markdown(&summary(), &findings),
        junit(&summary(), &findings),
        sarif(&summary(), &findings),
        gitlab(&summary(), &findings),
    ] {
        let report = String::from_utf8(report).unwrap();
        let mut lines = report.split(['\n', '\r']);
        assert!(lines.all(|line| !line.trim_start().starts_with("::")), "{report}");
    }
    // The commands are the report, but none is the page's.
    let commands = String::from_utf8(github(&summary(), &findings)).unwrap();
    let mut commands = commands.split(['\n', '\r']);
    assert!(
        commands
            .all(|line| !line.contains("::error::planted") || line.starts_with("::error file="))
    );
}

#[test]
fn junit_xml() {
    let xml = String::from_utf8(junit(&summary(), &findings())).unwrap();
    insta::assert_snapshot!("junit", xml);
    let mut reader = quick_xml::Reader::from_str(&xml);
    reader.config_mut().check_end_names = true;
    let mut failures = 0;
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(start) => {
                for attribute in start.attributes() {
                    attribute.unwrap();
                }
                failures += usize::from(start.name().as_ref() == "failure");
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    let notes = findings().iter().filter(|f| f.check == Check::TemplateMarkup).count();
    // The stale entries are one failure.
    assert_eq!(failures, findings().len() - notes + 1);
    assert!(xml.contains(&format!("failures=\"{failures}\"")));
}

#[test]
fn junit_fails_what_makes_the_audit_fail() {
    for (fail_on, failures) in
        [(None, 0), (Some(Severity::Note), findings().len()), (Some(Severity::Error), 15)]
    {
        let summary = Summary { fail_on, fails_on_stale: false, ..summary() };
        let xml = String::from_utf8(junit(&summary, &findings())).unwrap();
        assert_eq!(xml.matches("<failure ").count(), failures, "{fail_on:?}");
    }
    // Two links to the same file are two tests, wherever they are.
    let twice = [3, 5].map(|line| {
        let place = Some((line, 1));
        finding(Check::BrokenTarget, "a.html", place, Some("x"), None, "no file")
    });
    let xml = String::from_utf8(junit(&summary(), &twice)).unwrap();
    assert!(
        xml.contains("name=\"broken-target x\"") && xml.contains("name=\"broken-target x (2)\"")
    );
}

#[test]
fn markdown_table() {
    let text = String::from_utf8(markdown(&summary(), &findings())).unwrap();
    insta::assert_snapshot!("markdown", text);
}

#[test]
fn gitlab_issues() {
    let issues: serde_json::Value =
        serde_json::from_slice(&gitlab(&summary(), &findings())).unwrap();
    let issues = issues.as_array().unwrap();
    let mut prints: Vec<&str> =
        issues.iter().map(|it| it["fingerprint"].as_str().unwrap()).collect();
    prints.sort_unstable();
    prints.dedup();
    // One more is what else makes the audit fail: stale entries of the baseline.
    assert_eq!(prints.len(), findings().len() + summary().problems().count());
    let failure = issues.last().unwrap();
    assert_eq!(failure["check_name"], "stale-baseline");
    assert_eq!(failure["severity"], "blocker");
    insta::assert_snapshot!("gitlab", serde_json::to_string_pretty(&issues[..3]).unwrap());
}

#[test]
fn github_commands() {
    let commands = String::from_utf8(github(&summary(), &findings())).unwrap();
    insta::assert_snapshot!("github", commands);
}

#[test]
fn github_shows_no_more_than_are_shown() {
    let findings: Vec<Finding> = (0..50)
        .map(|n| {
            finding(
                Check::BrokenTarget,
                "a.html",
                Some((n + 1, 1)),
                Some(&format!("{n}.html")),
                Some(&format!("/{n}.html")),
                "no file",
            )
        })
        .collect();
    let commands = String::from_utf8(github(&summary(), &findings)).unwrap();
    assert_eq!(commands.matches("::error ").count(), 10);
    let line = "- pub lic/a.html:50:1: error: no file `49.html` [broken-target]\n";
    assert!(commands.contains("\n41 further causes without annotations:\n- "), "{commands}");
    assert!(commands.contains(line), "{commands}");
    assert_eq!(commands.matches("\n- ").count(), 41);
    let start = "rehref audit: 50 errors, 0 warnings, 0 notes of 50 causes in 1,234 documents";
    assert!(commands.ends_with(&format!("{start}, 7 in the baseline, 1 ignored\n")));
}

#[test]
fn sarif_log() {
    let bytes = sarif(&summary(), &findings());
    let log: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    insta::assert_snapshot!(
        "sarif",
        serde_json::to_string_pretty(&log["runs"][0]["results"]).unwrap()
    );
    // What sections 3.13 to 3.52 of SARIF 2.1.0 ask for.
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(result["ruleId"], rule["id"]);
        let location = &result["locations"][0]["physicalLocation"];
        let base = location["artifactLocation"]["uriBaseId"].as_str().unwrap();
        assert!(run["originalUriBaseIds"][base].is_object());
        let uri = location["artifactLocation"]["uri"].as_str().unwrap();
        let base = url::Url::parse("file:///r/").unwrap();
        assert_eq!(base.join(uri).unwrap().as_str(), format!("file:///r/{uri}"));
    }
    let id = Check::TemplateMarkup.id();
    let help = rules.iter().find(|rule| rule["id"] == id).unwrap();
    let page = Check::TemplateMarkup.row().page;
    let escaped = page.replace('{', "{{").replace('}', "}}");
    assert!(escaped.contains("{{{{"));
    assert_eq!(help["help"]["text"], escaped);
}
