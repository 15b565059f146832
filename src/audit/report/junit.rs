//! JUnit's XML, which most continuous integration servers show.

use std::fmt::Write;

use super::super::finding::Finding;
use super::escape::{escaped, is_unseen};
use super::{Levels, Summary};
use crate::diagnostic::Severity;

/// One test suite a document that has findings, one test case a finding; errors and warnings are
/// failures, notes are passed test cases that have something to say. Without findings there is one
/// test case that passed, since servers take an empty file for a mistake.
pub fn junit(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let levels = Levels::of(findings);
    let _ = writeln!(
        xml,
        "<testsuites name=\"rehref audit\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3}\">",
        levels.total().max(1),
        levels.errors + levels.warnings,
        summary.seconds,
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
    let levels = Levels::of(findings);
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

/// What servers show of a test case.
fn details(summary: &Summary, finding: &Finding) -> String {
    let mut text = summary.path(&finding.location.path);
    for number in [finding.line(), finding.column()].into_iter().flatten() {
        let _ = write!(text, ":{number}");
    }
    let _ = write!(
        text,
        ": {}: {} [{}]",
        finding.severity.name(),
        finding.message,
        finding.check
    );
    for (label, value) in [
        ("reference", &finding.reference),
        ("target", &finding.target),
        ("suggestion", &finding.suggestion),
    ] {
        if let Some(value) = value {
            let _ = write!(text, "\n{label}: {value}");
        }
    }
    text
}

fn attribute(text: &str) -> String {
    xml_escaped(text, true)
}

fn content(text: &str) -> String {
    xml_escaped(text, false)
}

/// With what does not show written out as `\u{..}`; some of these XML 1.0 does not have, not even by
/// their numbers.
fn xml_escaped(text: &str, in_attribute: bool) -> String {
    let mut xml = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            // Parsers make a space of them in attributes, and line feeds of carriage returns.
            '\t' | '\n' if in_attribute => {
                let _ = write!(xml, "&#{};", u32::from(c));
            }
            '\r' => xml.push_str("&#13;"),
            '\t' | '\n' => xml.push(c),
            c if is_unseen(c) => xml.push_str(&escaped(c)),
            c => xml.push(c),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_has_no_character_that_it_cannot_have() {
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
