//! The reports for people and for programs.

use crate::support::TestDir;

fn site() -> TestDir {
    TestDir::with_site(&[
        (
            "a.html",
            "<nav><a href=\"/gone.html\"></nav>\n<a href=\"Z.html#x\">ü\t<a href=\"z.html#there-is\">",
        ),
        ("b.html", "<nav><a href=\"/gone.html\"></nav>\n<a href=\"http://[::1/\">"),
        ("z.html", "<p id=there_is><p id=there_is>"),
    ])
}

fn audit(arguments: &[&str]) -> String {
    let mut all = vec!["audit", "site", "-q"];
    all.extend(arguments);
    site().rehref(&all).status(1).stdout()
}

#[test]
fn text() {
    // The time that it took is in the last line.
    let timeless = |text: String| {
        let lines = text.lines().map(|line| match line.rfind(", ") {
            Some(at) if line.ends_with(" s") => format!("{}, TIME", &line[..at]),
            _ => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("text", timeless(audit(&[])));
    insta::assert_snapshot!(
        "text_ungrouped",
        timeless(audit(&["--no-group", "--min-level", "error"]))
    );
}

#[test]
fn others_are_well_formed() {
    let json: serde_json::Value = serde_json::from_str(&audit(&["--format", "json"])).unwrap();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(6));
    for line in audit(&["--format", "jsonl"]).lines() {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        for key in [
            "check", "level", "document", "line", "column", "element", "attribute", "reference",
            "target", "message", "suggestion",
        ] {
            assert!(finding.get(key).is_some(), "{key}: {line}");
        }
    }
    let sarif: serde_json::Value = serde_json::from_str(&audit(&["--format", "sarif"])).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif.pointer("/runs/0/results").unwrap().as_array().unwrap().len(), 6);
    let github = audit(&["--format", "github"]);
    assert!(github.lines().any(|line| line.starts_with("::error file=")), "{github}");
    let html = audit(&["--format", "html"]);
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    // The page has no reference that leads anywhere else, and the audit of it finds nothing.
    let dir = TestDir::with_site(&[
        ("report.html", &html),
        ("junit.xml", &audit(&["--format", "junit"])),
    ]);
    let run = dir.rehref(&["audit", "site", "-q", "--format", "jsonl"]).status(0);
    assert_eq!(run.stdout(), "");
}

#[test]
fn explanations() {
    let dir = TestDir::new();
    let all = dir.rehref(&["explain"]).status(0);
    insta::assert_snapshot!("explain_all", all.stdout());
    let one = dir.rehref(&["explain", "wrong-case"]).status(0);
    insta::assert_snapshot!("explain_one", one.stdout());
    for id in all.stdout().lines().filter_map(|line| line.split(' ').next()) {
        let page = dir.rehref(&["explain", id]).status(0).stdout();
        assert!(page.contains(id) && page.lines().count() > 3, "{page}");
    }
    let run = dir.rehref(&["explain", "broken"]).status(2);
    assert!(run.stderr().contains("broken-target"), "{}", run.stderr());
}

#[test]
fn sarif_marks_whole_links_and_holds_their_fixes() {
    let page = "<p>\u{e4}\u{1f600}<a href='PAGE.html?a&amp;b'><a href=\"gone.html\">\n<img src = &#73;.png>\
                <img srcset='x.png 1x,\n PAGE.html 2x'><a href=PAGE.html>";
    let dir = TestDir::with_site(&[("a.html", page), ("page.html", ""), ("i.png", "")]);
    let run = dir.rehref(&["audit", "site", "-q", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let log = &log["runs"][0];
    assert_eq!(log["invocations"][0]["executionSuccessful"], true);
    let driver = &log["tool"]["driver"];
    assert!(driver["informationUri"].as_str().unwrap().starts_with("https://"));
    for rule in driver["rules"].as_array().unwrap() {
        let full = rule["fullDescription"]["text"].as_str().unwrap();
        assert!(full.len() > 20, "{rule}");
    }
    let lines: Vec<Vec<char>> = page.lines().map(|line| line.chars().collect()).collect();
    let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    let mut fixed = Vec::new();
    let results = log["results"].as_array().unwrap();
    for result in results {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        let line = &lines[number(&region["startLine"]) - 1];
        let marked = number(&region["startColumn"]) - 1..number(&region["endColumn"]) - 1;
        let written: String = line[marked].iter().collect();
        let reference = result["properties"]["reference"].as_str().unwrap();
        let decoded = written.replace("&amp;", "&").replace("&#73;", "I");
        assert_eq!(decoded, reference);
        if let Some(fix) = result.pointer("/fixes/0/artifactChanges/0/replacements/0") {
            assert_eq!(&fix["deletedRegion"], region);
            let new = fix["insertedContent"]["text"].as_str().unwrap();
            fixed.push(format!("{written} {new}"));
        }
    }
    assert_eq!(results.len(), 6, "{results:#?}");
    // With an ampersand, the text depends on its place.
    assert_eq!(fixed, ["&#73;.png i.png", "PAGE.html page.html", "PAGE.html page.html"]);
}

/// The reports of all formats for `site`, each with its name.
fn reports(site: &TestDir, arguments: &[&str], status: i32) -> Vec<(&'static str, String)> {
    let formats = ["text", "html", "json", "sarif", "junit", "github", "markdown"];
    let formats = formats.map(|format| {
        let all = [&["audit", "site", "-q", "--format", format], arguments].concat();
        (format, site.rehref(&all).status(status).stdout())
    });
    formats.into()
}

#[test]
fn what_is_not_in_a_report_is_told() {
    let dir = site();
    dir.write("site/cut-off.warc", b"WARC/1.0\r\nWARC-Type: response");
    for (format, report) in reports(&dir, &[], 2) {
        let told = "rehref could not read 1 part of the site";
        assert!(format == "json" || report.contains(told), "{format}: {report}");
        assert!(
            format == "text" || report.contains("the archive is cut off"),
            "{format}: {report}"
        );
    }
    // A text report would only say that there are no findings.
    let alone = TestDir::with_site(&[("cut-off.warc", "WARC/1.0\r\n")]);
    for (format, report) in reports(&alone, &[], 2) {
        assert_eq!(report.is_empty(), format == "text", "{format}: {report}");
        assert!(!report.contains("No findings"), "{format}");
    }
    let dir = TestDir::with_site(&[("a.html", "<p id=x><p id=x><a href='#x'>")]);
    for (format, report) in reports(&dir, &["--min-level", "error", "--fail-on", "warning"], 1) {
        let told = match format {
            "text" => "Not shown: 1 below --min-level",
            "json" => "\"hiddenFailures\": 1",
            _ => "--min-level hides 1 finding that makes the audit fail",
        };
        let report = report.replace('\\', "");
        assert!(report.contains(told), "{format}: {report}");
    }
}
