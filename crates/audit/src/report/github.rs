//! Workflow commands, which GitHub Actions shows next to the changed lines.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::finding::Finding;
use super::escape::{shortened, visible, visible_with};
use super::group::{Group, groups};
use super::summary::{SeverityCounts, Summary};
use rehref_site::Severity;
use rehref_site::plural::{counted, number};

/// The number of annotations of each type that GitHub shows for a step.
const SHOWN: usize = 10;
/// The length in characters to which values are shortened, because GitHub cuts long messages.
const MOST: usize = 1000;

/// Returns a workflow command (`::error file=..,line=..::..`) for each of the ten largest groups of each level, or if
/// these are fewer, for further places in the sources; then a plain line for each other group, since GitHub drops
/// further commands; then a summary line.
pub fn github(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let groups = groups(findings);
    let mut text = String::new();
    let (mut taken, mut rest) = (0, Vec::new());
    for problem in summary.problems() {
        let details = problem.details.iter().take(SHOWN);
        let details: String = details.map(|it| format!("\n{it}")).collect();
        let message = data(&shortened(&format!("{}{details}", problem.message), MOST));
        let _ = writeln!(text, "::error title={}::{message}", problem.id);
        taken += 1;
    }
    for level in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_level = groups.iter().filter(|group| group.first.severity == level);
        let firsts = of_level.clone().map(|group| (group.first, Some(group)));
        // Each place in the sources is a change to make.
        let others = of_level.flat_map(|group| &group.others);
        let others = others.filter(|it| it.source.is_some()).map(|it| (*it, None));
        let mut places = BTreeSet::new();
        let shown = firsts.chain(others).filter(|(finding, group)| {
            let place = finding.reported();
            places.insert((place.file, place.position)) || group.is_some()
        });
        let most = match level {
            Severity::Error => SHOWN - taken,
            _ => SHOWN,
        };
        for (at, (finding, group)) in shown.enumerate() {
            match group {
                _ if at < most => command(&mut text, summary, group, finding),
                Some(group) => rest.push(line(summary, group)),
                None => break,
            }
        }
    }
    if !rest.is_empty() {
        let _ = writeln!(text, "{} without annotations:", counted(rest.len(), "further cause"));
        text.extend(rest);
    }
    let _ = write!(
        text,
        "rehref audit: {} of {} in {}",
        SeverityCounts::of(findings).in_words(),
        counted(groups.len(), "cause"),
        counted(summary.documents, "document"),
    );
    for (count, why) in summary.hidden() {
        let _ = write!(text, ", {} {why}", number(count));
    }
    text.push('\n');
    text.into_bytes()
}

/// Writes the command for `finding`, which represents `group`, if there is one.
fn command(text: &mut String, summary: &Summary, group: Option<&Group<'_>>, finding: &Finding) {
    let name = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding.reported();
    let _ = write!(text, "::{name} file={}", property(&summary.path(place.file)));
    if let Some(position) = place.position {
        let _ = write!(text, ",line={},col={}", position.line, position.column);
    }
    let _ = write!(text, ",title={}::", property(finding.check.id()));
    let mut message = finding.message.to_string();
    for (label, value) in summary.details(finding) {
        let _ = write!(message, "\n{label}: {}", shortened(&value, MOST));
    }
    if let Some(group) = group.filter(|group| group.count() > 1) {
        let documents = counted(group.documents(), "document");
        let count = number(group.count());
        let _ = write!(message, "\n{count} times in {documents}");
    }
    let _ = writeln!(text, "{}", data(&message));
}

/// The line of the log for `group`. No runner takes one that begins so for a command.
fn line(summary: &Summary, group: &Group<'_>) -> String {
    let finding = group.first;
    let count = match group.count() {
        1 => String::new(),
        count => format!(", {} times", number(count)),
    };
    let reference = finding.reference.as_deref().map(|it| format!(" `{}`", shortened(it, MOST)));
    visible(&format!(
        "- {}: {}: {}{} [{}]{count}",
        summary.place(finding.reported()),
        finding.severity.name(),
        finding.message,
        reference.unwrap_or_default(),
        finding.check.id(),
    ))
    .into_owned()
        + "\n"
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
