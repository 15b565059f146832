//! Workflow commands, which GitHub Actions shows next to the changed lines.

use std::fmt::Write;

use super::super::finding::Finding;
use super::escape::{shortened, visible_with};
use super::group::{Group, groups};
use super::summary::{SeverityCounts, Summary};
use crate::diagnostic::Severity;
use crate::plural::{counted, number};

/// The number of annotations of each type that GitHub shows for a step.
const SHOWN: usize = 10;
/// The length in characters to which values are shortened, because GitHub cuts long messages.
const MOST: usize = 1000;

/// A workflow command (`::error file=..,line=..::..`) for each of the ten largest groups of each
/// level, then a summary line. GitHub drops further commands without saying which.
pub fn github(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let groups = groups(findings);
    let mut text = String::new();
    for level in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_level = groups
            .iter()
            .filter_map(|group| Some((group, group.first()?)))
            .filter(|(_, first)| first.severity == level);
        for (group, first) in of_level.take(SHOWN) {
            command(&mut text, summary, group, first);
        }
    }
    let _ = writeln!(
        text,
        "rehref audit: {} of {} in {}",
        SeverityCounts::of(findings).in_words(),
        counted(groups.len(), "cause"),
        counted(summary.documents, "document"),
    );
    text.into_bytes()
}

fn command(text: &mut String, summary: &Summary, group: &Group<'_>, first: &Finding) {
    let name = match first.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = first.reported();
    let _ = write!(
        text,
        "::{name} file={}",
        property(&summary.path(place.file))
    );
    if let Some(position) = place.position {
        let _ = write!(text, ",line={},col={}", position.line, position.column);
    }
    let _ = write!(text, ",title={}::", property(first.check.id()));
    let mut message = first.message.to_string();
    for (label, value) in first.details() {
        let _ = write!(message, "\n{label}: {}", shortened(value, MOST));
    }
    if let Some(page) = summary.built(first) {
        let _ = write!(message, "\npage: {page}");
    }
    let count = group.findings.len();
    if count > 1 {
        let documents = counted(group.documents(), "document");
        let _ = write!(message, "\n{} times in {documents}", number(count));
    }
    let _ = writeln!(text, "{}", data(&message));
}

/// Escapes text after the `::`, as `@actions/core` does; other control characters become visible.
fn data(text: &str) -> String {
    visible_with(text, |c| match c {
        '%' => Some("%25"),
        '\r' => Some("%0D"),
        '\n' => Some("%0A"),
        _ => None,
    })
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_end_where_they_should() {
        assert_eq!(data("100%\r\n::x,y\x1b"), "100%25%0D%0A::x,y\\u{1b}");
        assert_eq!(property("C:\\a,b%\n"), "C%3A\\a%2Cb%25%0A");
    }
}
