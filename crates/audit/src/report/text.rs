//! The report for a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use super::super::checks::Check;
use super::super::finding::{Finding, ReportedFile};
use super::escape::{shortened, visible};
use super::group::{Group, groups, target};
use super::snippet::{Snippet, snippets};
use super::summary::{SeverityCounts, Summary, by_check, carrier};
use rehref_site::Severity;
use rehref_site::plural::{counted, number, plural};

/// The most places of a group that are listed.
const PLACES: usize = 3;
/// The most targets of a group that are named.
const TARGETS: usize = 12;
/// With at least this many groups, the largest are repeated at the end.
const MANY_GROUPS: usize = 10;
/// The most groups that are repeated.
const LARGEST: usize = 3;
/// The fewest findings of a group that is repeated.
const LARGE: usize = 10;
/// The width in columns of the labels below a finding.
const LABEL: usize = 12;
/// Lines are not cut below this width, however narrow the terminal is.
const NARROWEST: usize = 40;

// Colors: the parameters of the terminal's escape sequence.
const PLACE: &str = "1";
const GUTTER: &str = "34";
const DIM: &str = "2";
const SUGGESTION: &str = "32";

fn severity_color(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Note => "1;36",
    }
}

/// The options of the text report.
pub struct TextOptions<'a> {
    /// True to print the findings of one cause only once, with their number and the first places.
    pub group: bool,
    /// True to color the report with the escape sequences of terminals.
    pub color: bool,
    /// The width of the terminal in columns.
    pub width: usize,
    /// A function that returns the decoded text of a file; `None` if the file cannot be read.
    pub source: &'a dyn Fn(ReportedFile<'_>) -> Option<String>,
}

/// Shows each cause (or, ungrouped, each finding) with its place, reference, target, suggestion and line
/// of source, then a line for each check and a summary.
///
/// Groups are sorted by severity, then by size; ungrouped findings keep their order.
pub fn text(summary: &Summary, findings: &[Finding], options: &TextOptions<'_>) -> Vec<u8> {
    let mut page =
        TextReport { text: String::new(), summary, options, width: options.width.max(NARROWEST) };
    let groups = if options.group { groups(findings) } else { Vec::new() };
    let shown: Vec<&Finding> = if options.group {
        groups.iter().map(|group| group.first).collect()
    } else {
        findings.iter().collect()
    };
    let snippets = snippets(&shown, options.source, |line| page.room(line));
    for (at, (finding, snippet)) in shown.into_iter().zip(snippets).enumerate() {
        page.finding(finding);
        if let (Some(at), Some(snippet)) = (finding.reported().position, snippet) {
            page.source(finding, at.line, snippet);
        }
        if let Some(group) = groups.get(at).filter(|group| !group.others.is_empty()) {
            page.other_places(group);
        }
        page.text.push('\n');
    }
    page.checks(findings);
    page.largest(&groups);
    page.totals(findings, groups.len());
    page.text.into_bytes()
}

/// How to see all places of a finding.
const ALL: &str = " (--no-group lists all)";

struct TextReport<'a> {
    text: String,
    summary: &'a Summary,
    options: &'a TextOptions<'a>,
    width: usize,
}

impl TextReport<'_> {
    fn line(&mut self, parts: &[&str]) {
        let line = parts.concat();
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn paint<'t>(&self, color: &str, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let text = text.into();
        if self.options.color && !text.is_empty() {
            format!("\x1b[{color}m{text}\x1b[0m").into()
        } else {
            text
        }
    }

    fn finding(&mut self, finding: &Finding) {
        self.line(&[
            &self.paint(PLACE, self.place(finding)),
            ": ",
            &self.paint(severity_color(finding.severity), finding.severity.name()),
            ": ",
            &visible(&finding.message),
            " ",
            &self.paint(DIM, format!("[{}]", finding.check)),
        ]);
        for (label, text) in self.summary.details(finding) {
            if label == "target" && finding.reference.as_deref() == Some(&*text) {
                continue;
            }
            let value = if text.is_empty() { "(empty)".to_owned() } else { self.value(&text) };
            let carrier = carrier(&finding.location);
            match label {
                "link" if !carrier.is_empty() => {
                    let carrier = self.paint(DIM, format!("  in {carrier}"));
                    self.labelled(label, &value, &carrier);
                }
                "suggestion" => self.labelled(label, &self.paint(SUGGESTION, value), ""),
                _ => self.labelled(label, &value, ""),
            }
        }
    }

    fn place(&self, finding: &Finding) -> String {
        visible(&self.summary.place(finding.reported())).into_owned()
    }

    /// `text`, shortened to at most two lines.
    fn value(&self, text: &str) -> String {
        let most = (self.width - LABEL).saturating_mul(2);
        shortened(&visible(text), most).into_owned()
    }

    fn labelled(&mut self, label: &str, value: &str, after: &str) {
        let label = format!("{label:<LABEL$}");
        let label = self.paint(DIM, label);
        self.line(&["  ", &label, value, after]);
    }

    /// The width that is left for the source of a line.
    fn room(&self, line: usize) -> usize {
        let number = line.to_string().len();
        self.width.saturating_sub(number + "   | ".len())
    }

    /// Prints the line of source with carets under the reference.
    fn source(&mut self, finding: &Finding, line: usize, shown: Snippet) {
        let number = line.to_string();
        let blank = " ".repeat(number.len());
        let [gutter, blank_gutter] =
            [number, blank].map(|number| self.paint(GUTTER, format!("  {number} |")));
        let color = severity_color(finding.severity);
        let marked = self.paint(color, shown.marked);
        let carets = self.paint(color, "^".repeat(shown.width));
        let indent = " ".repeat(shown.offset);
        self.line(&[&gutter, " ", &shown.before, &marked, &shown.after]);
        self.line(&[&blank_gutter, " ", &indent, &carets]);
    }

    /// Prints the first places of the other findings, with their references if they differ.
    fn other_places(&mut self, group: &Group<'_>) {
        let Group { first, others, targets, .. } = group;
        let (documents, targets) = (group.documents(), *targets);
        let mut times = format!("{} times", number(group.count()));
        if documents > 1 {
            let _ = write!(times, " in {}", counted(documents, "document"));
        }
        if targets > 1 {
            let _ = write!(times, ", {}", counted(targets, "target"));
        }
        if let Some(place) = group.place {
            let _ = write!(times, " in {}", self.value(place));
        }
        self.line(&["  ", &self.paint(PLACE, times), ", also at"]);
        for other in others.iter().take(PLACES - 1) {
            let place = self.place(other);
            let differs = other.reference != first.reference;
            match &other.reference {
                Some(reference) if differs && !reference.is_empty() => {
                    let reference = self.value(reference);
                    self.line(&["    ", &place, ": ", &reference]);
                }
                _ => self.line(&["    ", &place]),
            }
        }
        if let Some(more) = others.len().checked_sub(PLACES - 1).filter(|&n| n > 0) {
            // Once is enough.
            let all = if self.text.contains(ALL) { "" } else { ALL };
            let more = format!("    … and {} more{all}", number(more));
            self.line(&[&self.paint(DIM, more)]);
        }
        if let Some(place) = group.place {
            self.targets_in(place, group);
        }
    }

    /// Prints the names of the targets that are missing in one place.
    fn targets_in(&mut self, place: &str, group: &Group<'_>) {
        let mut names: Vec<&str> = Vec::new();
        for target in group.findings().filter_map(target) {
            let name = target.strip_prefix(place).unwrap_or(target);
            if names.len() < TARGETS && !names.contains(&name) {
                names.push(name);
            }
        }
        let more = match group.targets.checked_sub(names.len()) {
            Some(more) if more > 0 => format!(", … and {} more", number(more)),
            _ => String::new(),
        };
        let names = names.join(", ");
        let names = self.value(&names);
        self.labelled("missing", &names, &more);
    }

    /// Repeats the causes of many errors, which have scrolled off the screen.
    fn largest(&mut self, groups: &[Group<'_>]) {
        let is_large =
            |it: &&Group<'_>| it.first.severity == Severity::Error && it.count() >= LARGE;
        let largest: Vec<_> = groups.iter().filter(is_large).take(LARGEST).collect();
        if groups.len() < MANY_GROUPS || largest.is_empty() {
            return;
        }
        self.line(&["The largest causes of errors"]);
        let counts = largest.iter().map(|group| number(group.count()).len());
        let width = counts.max().unwrap_or(0);
        for group in &largest {
            let (first, count) = (group.first, number(group.count()));
            let target = group.place.or(first.target.as_deref());
            let target = target.or(first.reference.as_deref()).unwrap_or_default();
            let id = first.check.id();
            let room = self.width.saturating_sub(width + id.len() + "     ".len());
            let target = shortened(&visible(target), room.max(NARROWEST / 2)).into_owned();
            let id = self.paint(severity_color(first.severity), id);
            self.line(&["  ", &format!("{count:>width$} "), &id, " ", &target]);
        }
        let root = self.summary.url.as_deref().unwrap_or("/");
        let of_files = largest.iter().filter(|it| it.first.check == Check::BrokenTarget);
        let mut directories = of_files.filter_map(|it| it.place?.strip_prefix(root));
        if let Some(path) = directories.find(|it| it.ends_with('/'))
            && !self.summary.is_elsewhere
        {
            self.line(&[
                "help: if a build or another program makes the files of such a directory, add --generated /",
                &visible(path),
            ]);
        }
        self.text.push('\n');
    }

    /// Prints a line for each check that found something.
    fn checks(&mut self, findings: &[Finding]) {
        let rows = by_check(findings);
        let counts: Vec<String> = rows.iter().map(|&(_, _, n)| number(n)).collect();
        let width = counts.iter().map(String::len).max().unwrap_or(0);
        let name = rows.iter().map(|(check, _, _)| check.id().len()).max();
        let name = name.unwrap_or(0);
        for ((check, level, count), shown) in rows.iter().zip(&counts) {
            let level_and_s = format!("{}{}", level.name(), plural(*count));
            self.line(&[
                &format!("{shown:>width$} "),
                &self.paint(severity_color(*level), format!("{level_and_s:<8}")),
                &format!("  {:<name$}  ", check.id()),
                &self.paint(DIM, check.row().summary),
            ]);
        }
        if !rows.is_empty() {
            self.text.push('\n');
        }
    }

    /// Prints the summary, and how many findings are not shown.
    fn totals(&mut self, findings: &[Finding], groups: usize) {
        let counts = SeverityCounts::of(findings).worst_first().into_iter();
        let counts = counts.filter(|&(_, count)| count > 0).map(|(severity, count)| {
            self.paint(severity_color(severity), counted(count, severity.name())).into_owned()
        });
        let counts: Vec<String> = counts.collect();
        let found = if counts.is_empty() { "No findings".to_owned() } else { counts.join(", ") };
        let causes = match groups {
            n if n < findings.len() && n > 0 => format!(" from {}", counted(n, "cause")),
            _ => String::new(),
        };
        let summary = self.summary;
        let read = match summary.compared {
            Some((urls, anchors)) => {
                let (urls, anchors) = (counted(urls, "URL"), counted(anchors, "anchor"));
                let (old, new) = match &summary.trees {
                    Some((old, new)) => (format!("OLD ({old})"), format!("NEW ({new})")),
                    None => ("OLD".to_owned(), "NEW".to_owned()),
                };
                format!(
                    "{urls} and {anchors} of {} that {} must have",
                    visible(&old),
                    visible(&new)
                )
            }
            None => format!(
                "{}, {} ({} external, not fetched)",
                counted(summary.documents, "document"),
                counted(summary.references, "link"),
                number(summary.external)
            ),
        };
        self.line(&[
            &found,
            &causes,
            " in ",
            &read,
            &summary.seconds.map_or(String::new(), |seconds| format!(", {seconds:.2} s")),
        ]);
        let below = Some((summary.hidden_failures, "below --min-level"));
        let hidden = summary.hidden().chain(below.filter(|&(count, _)| count > 0));
        let hidden = hidden.map(|(count, why)| format!("{} {why}", number(count)));
        let hidden: Vec<String> = hidden.collect();
        if !hidden.is_empty() {
            self.line(&[&self.paint(DIM, format!("Not shown: {}", hidden.join(", ")))]);
        }
        // A terminal shows the others below the report.
        for problem in summary.problems().filter(|it| it.is_incomplete) {
            let message = self.paint(severity_color(Severity::Error), problem.message);
            self.line(&["Incomplete: ", &message]);
        }
    }
}
