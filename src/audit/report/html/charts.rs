//! Bar charts as inline SVG. Without a viewBox the bars fill the width and letters keep their size.

use std::fmt::Write;

use super::super::escape::{markup, shortened, visible};
use super::super::summary::SeverityCounts;
use super::folders::Folders;
use crate::plural::number;

/// The most bars of a chart.
const BARS: usize = 10;
/// The height in pixels of a bar with its label.
const ROW: usize = 34;
/// The length in characters of a label that fits on a narrow screen.
const LABEL: usize = 38;

/// A bar with its findings of each severity.
type Bar<'a> = (&'a str, SeverityCounts);

/// The folders with the most errors, then warnings, then notes.
pub(super) fn worst_folders(folders: &Folders<'_>) -> String {
    let folders = folders.worst.iter().take(BARS);
    let bars: Vec<Bar<'_>> = folders
        .map(|folder| (folder.label(), folder.counts))
        .collect();
    chart("Worst folders", &bars)
}

/// The missing targets with the most references; empty if none is missing.
pub(super) fn wanted(targets: &[(&str, usize)]) -> String {
    if targets.is_empty() {
        return String::new();
    }
    let errors = |errors| SeverityCounts {
        errors,
        ..SeverityCounts::default()
    };
    let targets = targets.iter().take(BARS);
    let bars: Vec<Bar<'_>> = targets.map(|&(url, count)| (url, errors(count))).collect();
    chart("Most-wanted missing targets", &bars)
}

fn chart(title: &str, bars: &[Bar<'_>]) -> String {
    let totals = bars.iter().map(|(_, counts)| counts.total());
    let most = totals.max().unwrap_or(0).max(1);
    let mut svg = format!(
        "<section>\n<h2>{title}</h2>\n<svg class=\"bars\" width=\"100%\" height=\"{}\" role=\"img\" \
         aria-label=\"{title}\">\n",
        bars.len() * ROW
    );
    for (at, (label, counts)) in bars.iter().enumerate() {
        let top = at * ROW;
        let label = visible(label);
        let _ = write!(
            svg,
            "<g><title>{}</title><text x=\"0\" y=\"{}\">{}</text>\
             <text class=\"n\" x=\"100%\" y=\"{}\">{}</text>\
             <rect class=\"track\" x=\"0\" y=\"{}\" width=\"100%\" height=\"7\" rx=\"2\"/>",
            markup(&label),
            top + 13,
            markup(&shortened(&label, LABEL)),
            top + 13,
            number(counts.total()),
            top + 19,
        );
        let mut before = 0;
        let counts = counts.worst_first().into_iter();
        for (severity, count) in counts.filter(|&(_, count)| count > 0) {
            let class = severity.name();
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"7\"/>",
                percent(before, most),
                top + 19,
                percent(count, most),
            );
            before += count;
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n</section>\n");
    svg
}

/// The percentage with two decimals.
fn percent(part: usize, whole: usize) -> String {
    let hundredths = (part as u128) * 10_000 / (whole as u128).max(1);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_have_two_decimals() {
        for (part, whole, expected) in [
            (0, 3, "0.00"),
            (1, 3, "33.33"),
            (3, 3, "100.00"),
            (1, 1000, "0.10"),
            (0, 0, "0.00"),
        ] {
            assert_eq!(percent(part, whole), expected);
        }
    }
}
