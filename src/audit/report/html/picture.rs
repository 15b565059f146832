//! Bars, as inline SVG without a viewBox: bars are as wide as there is room, letters keep their size.

use std::fmt::Write;

use super::super::escape::{shortened, visible};
use super::escaped;
use super::folders::Folders;
use crate::plural::number;

/// How many bars a picture has.
const BARS: usize = 10;
/// The height of a bar with its label.
const ROW: usize = 34;
/// How many characters of a label fit on a narrow screen.
const LABEL: usize = 38;

/// A bar in parts, each with its class.
struct Bar<'a> {
    label: &'a str,
    parts: [(&'static str, usize); 3],
}

/// The folders with the most errors, then warnings, then notes.
pub(super) fn worst_folders(folders: &Folders<'_>) -> String {
    let bars: Vec<Bar<'_>> = folders
        .worst
        .iter()
        .take(BARS)
        .map(|folder| Bar {
            label: folder.label(),
            parts: [
                ("error", folder.levels.errors),
                ("warning", folder.levels.warnings),
                ("note", folder.levels.notes),
            ],
        })
        .collect();
    drawn("Worst folders", &bars)
}

/// The targets that are missed most; empty where none is.
pub(super) fn wanted(targets: &[(&str, usize)]) -> String {
    if targets.is_empty() {
        return String::new();
    }
    let bars: Vec<Bar<'_>> = targets
        .iter()
        .take(BARS)
        .map(|&(label, count)| Bar {
            label,
            parts: [("error", count), ("warning", 0), ("note", 0)],
        })
        .collect();
    drawn("Most-wanted missing targets", &bars)
}

fn drawn(title: &str, bars: &[Bar<'_>]) -> String {
    let total = |bar: &Bar<'_>| bar.parts.iter().map(|(_, count)| count).sum::<usize>();
    let most = bars.iter().map(total).max().unwrap_or(0).max(1);
    let mut svg = format!(
        "<section>\n<h2>{title}</h2>\n<svg class=\"bars\" width=\"100%\" height=\"{}\" role=\"img\" \
         aria-label=\"{title}\">\n",
        bars.len() * ROW
    );
    for (at, bar) in bars.iter().enumerate() {
        let top = at * ROW;
        let label = visible(bar.label);
        let _ = write!(
            svg,
            "<g><title>{}</title><text x=\"0\" y=\"{}\">{}</text>\
             <text class=\"n\" x=\"100%\" y=\"{}\">{}</text>\
             <rect class=\"track\" x=\"0\" y=\"{}\" width=\"100%\" height=\"7\" rx=\"2\"/>",
            escaped(&label),
            top + 13,
            escaped(&shortened(&label, LABEL)),
            top + 13,
            number(total(bar)),
            top + 19,
        );
        let mut before = 0;
        for (class, count) in bar.parts.iter().filter(|(_, count)| *count > 0) {
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"7\"/>",
                percent(before, most),
                top + 19,
                percent(*count, most),
            );
            before += count;
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n</section>\n");
    svg
}

/// With two digits behind the point.
fn percent(part: usize, whole: usize) -> String {
    let hundredths = (part as u128) * 10_000 / (whole as u128).max(1);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_share() {
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
