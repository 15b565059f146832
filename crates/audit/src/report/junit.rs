//! JUnit's XML, which most continuous integration servers show.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::finding::Finding;
use super::escape::{character_reference, visible, visible_with};
use super::summary::{Problem, Summary};

/// Returns a test suite for each document with findings, and a test case for each finding. Test cases of
/// findings that make the audit fail are failures; the others pass with output. A test keeps its name after
/// unrelated edits, so that servers can follow it. Other reasons for a failure of the audit, such as stale
/// entries of a baseline, are test cases, too; they are errors if the audit is incomplete. Without any of
/// these, the report has one test case that passes, because servers reject a file without test cases.
pub fn junit(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let problems: Vec<_> = summary.problems().collect();
    let incomplete = problems.iter().filter(|it| it.is_incomplete).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"rehref audit\" tests=\"{}\" failures=\"{}\" errors=\"{incomplete}\"{}>",
        (findings.len() + problems.len()).max(1),
        failures(summary, findings) + problems.len() - incomplete,
        summary.seconds.map(|it| format!(" time=\"{it:.3}\"")).unwrap_or_default(),
    );
    let site = attribute(&summary.site);
    if !problems.is_empty() {
        let tests = problems.len();
        let cases: String =
            problems.iter().map(|problem| case_of_problem(problem, &site)).collect();
        suite(&mut xml, &site, [tests, tests - incomplete, incomplete], &cases);
    } else if findings.is_empty() {
        let case = format!("    <testcase name=\"no findings\" classname=\"{site}\"/>\n");
        suite(&mut xml, &site, [1, 0, 0], &case);
    }
    for findings in findings.chunk_by(|a, b| a.location.path == b.location.path) {
        let document = findings.first().map_or("", |first| &first.location.path);
        let document = attribute(document);
        let cases = cases(summary, findings, &document);
        suite(&mut xml, &document, [findings.len(), failures(summary, findings), 0], &cases);
    }
    xml.push_str("</testsuites>\n");
    xml.into_bytes()
}

/// Adds a test suite with the numbers of its tests, failures and errors.
fn suite(xml: &mut String, name: &str, [tests, failures, errors]: [usize; 3], cases: &str) {
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"0\">\n{cases}  </testsuite>",
    );
}

fn case_of_problem(problem: &Problem, site: &str) -> String {
    let element = if problem.is_incomplete { "error" } else { "failure" };
    // With a label, as in `details`.
    let lines = problem.details.iter();
    let lines: Vec<_> = lines.map(|it| format!("- {}", visible(it))).collect();
    format!(
        "    <testcase name=\"{}\" classname=\"{site}\">\n      \
         <{element} type=\"{}\" message=\"{}\">{}</{element}>\n    </testcase>\n",
        problem.id.replace('-', " "),
        problem.id,
        attribute(&problem.message),
        content(&lines.join("\n")),
    )
}

/// The test cases of `document`.
fn cases(summary: &Summary, findings: &[Finding], document: &str) -> String {
    let mut xml = String::new();
    let mut named: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let mut name = finding.check.id().to_owned();
        if let Some(reference) = finding.reference.as_ref().filter(|it| !it.is_empty()) {
            let _ = write!(name, " {reference}");
        }
        let times = named.entry(name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            let _ = write!(name, " ({times})");
        }
        let place = finding.reported();
        let line = place.position.map_or(String::new(), |at| format!(" line=\"{}\"", at.line));
        let details = content(&details(summary, finding));
        let result = if fails(summary, finding) {
            let (check, message) = (finding.check, attribute(&finding.message));
            format!("<failure type=\"{check}\" message=\"{message}\">{details}</failure>")
        } else {
            format!("<system-out>{details}</system-out>")
        };
        let _ = writeln!(
            xml,
            "    <testcase name=\"{}\" classname=\"{document}\" file=\"{}\"{line}>\n      {result}\n    </testcase>",
            attribute(&name),
            attribute(&summary.path(place.file)),
        );
    }
    xml
}

/// Returns true if the finding makes the audit fail.
fn fails(summary: &Summary, finding: &Finding) -> bool {
    summary.fail_on.is_some_and(|limit| finding.severity >= limit)
}

fn failures(summary: &Summary, findings: &[Finding]) -> usize {
    findings.iter().filter(|it| fails(summary, it)).count()
}

/// The text that servers show for a test case. Only the details have lines of their own, which begin with
/// a label: a CI server that prints the report would run a line that begins with `::` as a command.
fn details(summary: &Summary, finding: &Finding) -> String {
    let mut text = format!(
        "{}: {}: {} [{}]",
        visible(&summary.place(finding.reported())),
        finding.severity.name(),
        visible(&finding.message),
        finding.check
    );
    for (label, value) in summary.details(finding) {
        let _ = write!(text, "\n{label}: {}", visible(&value));
    }
    text
}

fn attribute(text: &str) -> String {
    xml_escaped(text, true)
}

fn content(text: &str) -> String {
    xml_escaped(text, false)
}

/// Invisible characters become `\u{..}`: XML 1.0 forbids some of them even as character references.
fn xml_escaped(text: &str, in_attribute: bool) -> String {
    visible_with(text, |c| match c {
        // Parsers turn these into spaces in attributes, and carriage returns into line feeds.
        '\t' if in_attribute => Some("&#9;"),
        '\n' if in_attribute => Some("&#10;"),
        '\r' => Some("&#13;"),
        '\t' => Some("\t"),
        '\n' => Some("\n"),
        _ => character_reference(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_xml_forbids_are_escaped() {
        for (text, in_attribute, expected) in [
            ("a<b>&\"'c]]>", false, "a&lt;b&gt;&amp;&quot;'c]]&gt;"),
            ("\t\n\r", true, "&#9;&#10;&#13;"),
            ("\t\n\r", false, "\t\n&#13;"),
            ("\0\x1b\x0c", true, "\\u{0}\\u{1b}\\u{c}"),
            ("\u{fffe}\u{ffff}\u{fffd}\u{10ffff}", false, "\\u{fffe}\\u{ffff}\u{fffd}\u{10ffff}"),
        ] {
            assert_eq!(xml_escaped(text, in_attribute), expected);
        }
    }
}
