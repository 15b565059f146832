//! JUnit's XML, which most continuous integration servers show.

use std::fmt::Write;

use super::super::finding::Finding;
use super::escape::{character_reference, visible, visible_with};
use super::summary::{SeverityCounts, Summary, line_and_column};
use crate::diagnostic::Severity;

/// A test suite for each document with findings, and a test case for each finding: errors and
/// warnings fail, notes pass with output. Without findings there is one test case that passes,
/// because servers reject a file without any.
pub fn junit(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let levels = SeverityCounts::of(findings);
    let _ = writeln!(
        xml,
        "<testsuites name=\"rehref audit\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3}\">",
        levels.total().max(1),
        levels.errors + levels.warnings,
        summary.seconds.unwrap_or_default(),
    );
    if findings.is_empty() {
        let site = attribute(&summary.site);
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{site}\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n    \
             <testcase name=\"no findings\" classname=\"{site}\"/>\n  </testsuite>",
        );
    }
    for suite in findings.chunk_by(|a, b| a.location.path == b.location.path) {
        suite_of(&mut xml, summary, suite);
    }
    xml.push_str("</testsuites>\n");
    xml.into_bytes()
}

fn suite_of(xml: &mut String, summary: &Summary, findings: &[Finding]) {
    let Some(first) = findings.first() else {
        return;
    };
    let levels = SeverityCounts::of(findings);
    let document = attribute(&first.location.path);
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{document}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">",
        levels.total(),
        levels.errors + levels.warnings,
    );
    let file = attribute(&summary.path(&first.location.path));
    for finding in findings {
        let mut name = finding.check.id().to_owned();
        if let Some(reference) = &finding.reference {
            let _ = write!(name, " {reference}");
        }
        let mut place = String::new();
        if let Some(line) = finding.line() {
            let _ = write!(place, " line=\"{line}\"");
            let _ = match finding.column() {
                Some(column) => write!(name, " (line {line}, column {column})"),
                None => write!(name, " (line {line})"),
            };
        }
        let _ = writeln!(
            xml,
            "    <testcase name=\"{}\" classname=\"{document}\" file=\"{file}\"{place}>",
            attribute(&name),
        );
        let details = content(&details(summary, finding));
        let _ = match finding.severity {
            Severity::Error | Severity::Warning => writeln!(
                xml,
                "      <failure type=\"{}\" message=\"{}\">{details}</failure>",
                finding.check.id(),
                attribute(&finding.message),
            ),
            Severity::Note => writeln!(xml, "      <system-out>{details}</system-out>"),
        };
        xml.push_str("    </testcase>\n");
    }
    xml.push_str("  </testsuite>\n");
}

/// The text that servers show for a test case. Only the details have lines of their own, which begin with
/// a label: a CI server that prints the report would run a line that begins with `::` as a command.
fn details(summary: &Summary, finding: &Finding) -> String {
    let mut text = format!(
        "{}{}: {}: {} [{}]",
        visible(&summary.path(&finding.location.path)),
        line_and_column(finding),
        finding.severity.name(),
        visible(&finding.message),
        finding.check
    );
    for (label, value) in finding.details() {
        let _ = write!(text, "\n{label}: {}", visible(value));
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
            (
                "\u{fffe}\u{ffff}\u{fffd}\u{10ffff}",
                false,
                "\\u{fffe}\\u{ffff}\u{fffd}\u{10ffff}",
            ),
        ] {
            assert_eq!(xml_escaped(text, in_attribute), expected);
        }
    }
}
