//! The report for a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use super::super::checks::Check;
use super::super::finding::Finding;
use super::escape::{shortened, visible};
use super::group::{Group, groups};
use super::snippet::snippet;
use super::{Levels, Summary, by_check};
use crate::diagnostic::Severity;
use crate::plural::{counted, number, plural};

/// How many places of a group are shown.
const PLACES: usize = 3;
/// How many targets of a group are named.
const TARGETS: usize = 12;
/// From how many groups on the largest are named again at the end.
const MANY_GROUPS: usize = 10;
/// How many of the largest are named, and how many findings make one large.
const LARGEST: usize = 3;
const LARGE: usize = 10;
/// The width of the column of labels below a finding.
const LABEL: usize = 12;
/// However narrow the terminal is, lines are not cut below this.
const NARROWEST: usize = 40;

/// How text is colored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Painter {
    /// Not at all.
    #[default]
    Plain,
    /// With the escape sequences of terminals.
    Ansi,
}

/// What is colored.
#[derive(Clone, Copy)]
enum Style {
    Level(Severity),
    Place,
    Gutter,
    Label,
    Suggestion,
}

impl Painter {
    fn paint<'a>(self, style: Style, text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        let text = text.into();
        if self == Painter::Plain || text.is_empty() {
            return text;
        }
        let code = match style {
            Style::Level(Severity::Error) => "1;31",
            Style::Level(Severity::Warning) => "1;33",
            Style::Level(Severity::Note) => "1;36",
            Style::Place => "1",
            Style::Gutter => "34",
            Style::Label => "2",
            Style::Suggestion => "32",
        };
        format!("\x1b[{code}m{text}\x1b[0m").into()
    }
}

/// How the report is to look.
pub struct TextOptions<'a> {
    /// Whether findings of one cause are shown as one, with a count and the first places.
    pub group: bool,
    /// Whether in color.
    pub painter: Painter,
    /// How wide the terminal is.
    pub width: usize,
    /// Gives a line (from 1) of a document, decoded and without its end; None where it cannot be
    /// read.
    pub source: &'a dyn Fn(&str, usize) -> Option<String>,
}

/// Each cause (or, ungrouped, each finding) with its place, the reference, the target, a suggestion
/// and the line of source, then a line for each check and one for all.
///
/// Groups come by level, then by size; findings that are not grouped in their own order.
pub fn text(summary: &Summary, findings: &[Finding], options: &TextOptions<'_>) -> Vec<u8> {
    let mut page = Page {
        text: String::new(),
        summary,
        options,
        width: options.width.max(NARROWEST),
    };
    let groups = match options.group {
        true => groups(findings),
        false => Vec::new(),
    };
    if options.group {
        for group in &groups {
            if let Some((first, others)) = group.findings.split_first() {
                page.finding(first);
                page.other_places(first, others, group);
                page.text.push('\n');
            }
        }
    } else {
        for finding in findings {
            page.finding(finding);
            page.text.push('\n');
        }
    }
    page.checks(findings);
    page.largest(&groups);
    page.totals(findings, groups.len());
    page.text.into_bytes()
}

struct Page<'a> {
    text: String,
    summary: &'a Summary,
    options: &'a TextOptions<'a>,
    width: usize,
}

impl Page<'_> {
    fn line(&mut self, parts: &[&str]) {
        let line = parts.concat();
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn finding(&mut self, finding: &Finding) {
        let painter = self.options.painter;
        self.line(&[
            &painter.paint(Style::Place, self.place(finding)),
            ": ",
            &painter.paint(Style::Level(finding.severity), finding.severity.name()),
            ": ",
            &visible(&finding.message),
            " ",
            &painter.paint(Style::Label, format!("[{}]", finding.check)),
        ]);
        if let Some(reference) = &finding.reference {
            let shown = match reference.as_str() {
                "" => Cow::Borrowed("(empty)"),
                _ => self.value(reference),
            };
            let carrier = match (
                finding.location.element.as_str(),
                finding.location.attribute.as_str(),
            ) {
                ("", "") => String::new(),
                (element, "") => format!("  in <{}>", visible(element)),
                ("", attribute) => format!("  in {}", visible(attribute)),
                (element, attribute) => {
                    format!("  in <{}> {}", visible(element), visible(attribute))
                }
            };
            self.labelled("reference", &shown, &painter.paint(Style::Label, carrier));
        }
        if let Some(target) = &finding.target
            && finding.reference.as_ref() != Some(target)
        {
            let target = self.value(target);
            self.labelled("target", &target, "");
        }
        if let Some(suggestion) = &finding.suggestion {
            let suggestion = painter.paint(Style::Suggestion, self.value(suggestion));
            self.labelled("suggestion", &suggestion, "");
        }
        self.source(finding);
    }

    fn place(&self, finding: &Finding) -> String {
        let path = self.summary.path(&finding.location.path);
        let mut place = visible(&path).into_owned();
        for number in [finding.line(), finding.column()].into_iter().flatten() {
            let _ = write!(place, ":{number}");
        }
        place
    }

    /// In at most two lines.
    fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let most = (self.width - LABEL).saturating_mul(2);
        match visible(text) {
            Cow::Borrowed(text) => shortened(text, most),
            Cow::Owned(text) => Cow::Owned(shortened(&text, most).into_owned()),
        }
    }

    fn labelled(&mut self, label: &str, value: &str, behind: &str) {
        let label = format!("{label:<LABEL$}");
        let label = self.options.painter.paint(Style::Label, label);
        self.line(&["  ", &label, value, behind]);
    }

    /// The line of source with carets under the reference.
    fn source(&mut self, finding: &Finding) {
        let (Some(line), Some(column)) = (finding.line(), finding.column()) else {
            return;
        };
        let Some(source) = (self.options.source)(&finding.location.path, line) else {
            return;
        };
        let number = line.to_string();
        let room = self.width.saturating_sub(number.len() + "   | ".len());
        let shown = snippet(&source, column, finding.reference.as_deref(), room);
        let painter = self.options.painter;
        let gutter = |number: &str, width: usize| {
            let gutter = format!("  {number:>width$} |");
            painter.paint(Style::Gutter, gutter).into_owned()
        };
        let marked = painter.paint(Style::Level(finding.severity), shown.marked.as_str());
        let carets = painter.paint(Style::Level(finding.severity), "^".repeat(shown.width));
        let indent = " ".repeat(shown.offset);
        self.line(&[
            &gutter(&number, 0),
            " ",
            &shown.before,
            &marked,
            &shown.after,
        ]);
        self.line(&[&gutter("", number.len()), " ", &indent, &carets]);
    }

    /// Where else, with what is written there if that differs.
    fn other_places(&mut self, first: &Finding, others: &[&Finding], group: &Group<'_>) {
        if others.is_empty() {
            return;
        }
        let (documents, targets) = (group.documents(), group.targets);
        let mut times = format!("{} times", number(others.len() + 1));
        if documents > 1 {
            let _ = write!(times, " in {}", counted(documents, "document"));
        }
        if targets > 1 {
            let _ = write!(times, ", {}", counted(targets, "target"));
        }
        if let Some(place) = group.place {
            let _ = write!(times, " in {}", self.value(place));
        }
        let painter = self.options.painter;
        self.line(&["  ", &painter.paint(Style::Place, times), ", also"]);
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
            let more = format!("    … and {} more", number(more));
            self.line(&[&painter.paint(Style::Label, more)]);
        }
        if let Some(place) = group.place {
            self.targets_in(place, group);
        }
    }

    /// What is missing in one place.
    fn targets_in(&mut self, place: &str, group: &Group<'_>) {
        let mut names: Vec<&str> = Vec::new();
        for finding in &group.findings {
            let target = finding.target.as_deref().unwrap_or_default();
            let name = target.strip_prefix(place).unwrap_or(target);
            let name = match finding.check {
                Check::BrokenFragment => name,
                _ => name.split('#').next().unwrap_or(name),
            };
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

    /// The causes of many errors, which have long left the screen.
    fn largest(&mut self, groups: &[Group<'_>]) {
        if groups.len() < MANY_GROUPS {
            return;
        }
        let errors = groups.iter().filter_map(|group| {
            let first = group.first()?;
            (first.severity == Severity::Error && group.findings.len() >= LARGE)
                .then_some((group, first))
        });
        let largest: Vec<_> = errors.take(LARGEST).collect();
        if largest.is_empty() {
            return;
        }
        self.line(&["The largest causes of errors"]);
        let counts = largest
            .iter()
            .map(|(group, _)| number(group.findings.len()));
        let width = counts.map(|count| count.len()).max().unwrap_or(0);
        for (group, first) in largest {
            let target = group.place.or(first.target.as_deref());
            let target = target.or(first.reference.as_deref()).unwrap_or_default();
            let count = number(group.findings.len());
            let id = first.check.id();
            let room = self.width.saturating_sub(width + id.len() + "     ".len());
            let target = shortened(&visible(target), room.max(NARROWEST / 2)).into_owned();
            let painter = self.options.painter;
            let id = painter.paint(Style::Level(first.severity), id);
            self.line(&["  ", &format!("{count:>width$} "), &id, " ", &target]);
        }
        self.text.push('\n');
    }

    /// A line for each check.
    fn checks(&mut self, findings: &[Finding]) {
        let rows = by_check(findings);
        let counts: Vec<String> = rows.iter().map(|&(_, _, n)| number(n)).collect();
        let width = counts.iter().map(String::len).max().unwrap_or(0);
        let name = rows.iter().map(|(check, _, _)| check.id().len()).max();
        let name = name.unwrap_or(0);
        let painter = self.options.painter;
        for ((check, level, count), shown) in rows.iter().zip(&counts) {
            let level_and_s = format!("{}{}", level.name(), plural(*count));
            self.line(&[
                &format!("{shown:>width$} "),
                &painter.paint(Style::Level(*level), format!("{level_and_s:<8}")),
                &format!("  {:<name$}  ", check.id()),
                &painter.paint(Style::Label, check.row().summary),
            ]);
        }
        if !rows.is_empty() {
            self.text.push('\n');
        }
    }

    /// The last line, and what was not shown.
    fn totals(&mut self, findings: &[Finding], groups: usize) {
        let levels = Levels::of(findings);
        let painter = self.options.painter;
        let parts: Vec<String> = [
            (Severity::Error, levels.errors),
            (Severity::Warning, levels.warnings),
            (Severity::Note, levels.notes),
        ]
        .into_iter()
        .filter(|&(_, count)| count > 0)
        .map(|(level, count)| {
            let count = counted(count, level.name());
            painter.paint(Style::Level(level), count).into_owned()
        })
        .collect();
        let found = match parts.as_slice() {
            [] => "No findings".to_owned(),
            parts => parts.join(", "),
        };
        let causes = match groups {
            n if n < findings.len() && n > 0 => {
                format!(" from {}", counted(n, "cause"))
            }
            _ => String::new(),
        };
        let summary = self.summary;
        self.line(&[
            &found,
            &causes,
            " in ",
            &counted(summary.documents, "document"),
            ", ",
            &counted(summary.references, "reference"),
            &format!(
                " ({} external, not fetched), {:.2} s",
                number(summary.external),
                summary.seconds
            ),
        ]);
        let hidden: Vec<String> = [
            (summary.baselined, "in the baseline"),
            (summary.ignored, "ignored"),
        ]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, why)| format!("{} {why}", number(count)))
        .collect();
        if !hidden.is_empty() {
            let line = format!("Not shown: {}", hidden.join(", "));
            self.line(&[&painter.paint(Style::Label, line)]);
        }
    }
}
