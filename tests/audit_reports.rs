//! What the audit's reports look like, on findings with hard characters.

#![allow(missing_docs)]

use rehref::audit::report::{
    Painter, Summary, TextOptions, github, json, jsonl, junit, sarif, text,
};
use rehref::audit::{Check, Finding};

const ESCAPES: &str = "a\u{1b}[31m\u{202e}gpj.html";

fn summary() -> Summary {
    Summary {
        version: "1.2.3".to_owned(),
        site: "./pub lic/".to_owned(),
        url: Some("https://example.org/docs/?a=<b>&c".to_owned()),
        documents: 1234,
        references: 56789,
        external: 120,
        seconds: 1.25,
        baselined: 7,
        ignored: 1,
    }
}

/// A finding in `href` of `a`.
fn finding(
    check: Check,
    document: &str,
    place: Option<(usize, usize)>,
    reference: Option<&str>,
    target: Option<&str>,
    message: &str,
) -> Finding {
    Finding {
        check,
        level: check.row().level,
        document: document.to_owned(),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        element: if place.is_some() { "a" } else { "" }.to_owned(),
        attribute: if reference.is_some() { "href" } else { "" }.to_owned(),
        reference: reference.map(str::to_owned),
        target: target.map(str::to_owned),
        message: message.to_owned(),
        suggestion: None,
    }
}

fn findings() -> Vec<Finding> {
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
    findings[1].suggestion = Some("guide.html".to_owned());
    findings[5].element = "iframe srcdoc > img".to_owned();
    findings[5].attribute = "src".to_owned();
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
    findings[9].reference = Some("/search.html?a=1&b=2".to_owned());
    findings.sort_by(|a, b| (&a.document, a.line, a.column).cmp(&(&b.document, b.line, b.column)));
    findings
}

/// The lines of all documents.
fn source(_document: &str, line: usize) -> Option<String> {
    let line = match line {
        3 => "\t<p>漢字<a href=\"Guide.html\">a guide</a>",
        4 => "<img alt='…'><a\thref=  'http://[::1'>",
        5 => "<a href='{{ url }}%20,:'>",
        6 => "<a href=\"\">empty</a>",
        7 => "\u{feff}<a href='./a\u{1b}[31m\u{202e}gpj.html'>picture</a>\r",
        8 => "<div id=\"x]]>\">",
        9 => {
            return Some(format!(
                "<nav><a href=\"../../search.html?a=1&amp;b=2\">{}</nav>",
                "Search ".repeat(1000)
            ));
        }
        _ => return None,
    };
    Some(line.to_owned())
}

fn shown(group: bool, painter: Painter, width: usize) -> String {
    let options = TextOptions {
        group,
        painter,
        width,
        source: &source,
    };
    String::from_utf8(text(&summary(), &findings(), &options)).unwrap()
}

#[test]
fn text_grouped() {
    insta::assert_snapshot!("text_grouped", shown(true, Painter::Plain, 80));
}

#[test]
fn text_ungrouped() {
    insta::assert_snapshot!("text_ungrouped", shown(false, Painter::Plain, 60));
}

#[test]
fn color_is_all_that_color_adds() {
    let colored = shown(true, Painter::Ansi, 80);
    let mut plain = String::new();
    let mut parts = colored.split("\x1b[");
    plain.push_str(parts.next().unwrap());
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap();
        assert!(
            code.bytes().all(|b| b.is_ascii_digit() || b == b';'),
            "{code}"
        );
        plain.push_str(rest);
    }
    assert_ne!(colored, plain);
    assert_eq!(plain, shown(true, Painter::Plain, 80));
}

#[test]
fn text_moves_no_cursor() {
    for group in [true, false] {
        let shown = shown(group, Painter::Plain, 80);
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
    let options = TextOptions {
        group: true,
        painter: Painter::Plain,
        width: 80,
        source: &source,
    };
    let summary = Summary {
        site: "public".to_owned(),
        documents: 1,
        references: 2,
        ..Summary::default()
    };
    let all = [
        text(&summary, &[], &options),
        jsonl(&[]),
        junit(&summary, &[]),
        github(&summary, &[]),
    ];
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
    assert_eq!(lines[0].as_object().unwrap().len(), 11);
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
    let notes = findings()
        .iter()
        .filter(|f| f.check == Check::TemplateMarkup)
        .count();
    assert_eq!(failures, findings().len() - notes);
    assert!(xml.contains(&format!("failures=\"{failures}\"")));
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
    assert!(commands.ends_with(
        "rehref audit: 50 errors, 0 warnings, 0 notes of 50 causes in 1,234 documents\n"
    ));
}

#[test]
fn sarif_log() {
    let explain = |check: Check| (check == Check::BadUrl).then(|| "What a {URL} is.".to_owned());
    let bytes = sarif(&summary(), &findings(), &explain);
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
    let help = rules.iter().find(|rule| rule["id"] == "bad-url").unwrap();
    assert_eq!(help["help"]["text"], "What a {{URL}} is.");
}
