//! Bar charts: lists with a bar below each label, which are text without their style.

use std::fmt::Write;

use super::super::escape::{cut, markup};
use super::super::summary::SeverityCounts;
use super::folders::{Folders, common_folder};
use rehref_site::plural::{counted, number};

/// The most bars of a chart.
const BARS: usize = 10;

/// A bar with its findings of each severity.
struct Bar<'a> {
    /// The label of the bar, without the prefix that all labels share.
    label: &'a str,
    /// The attribute with which the script finds its findings.
    link: (&'static str, &'a str),
    counts: SeverityCounts,
}

/// Returns the folders with the most errors, then warnings, then notes.
pub(super) fn worst_folders(folders: &Folders<'_>) -> String {
    let bars = folders.worst.iter().take(BARS).map(|folder| Bar {
        label: folder.label,
        link: ("folder", folder.label),
        counts: folder.counts,
    });
    chart("Worst directories", folders.common, &bars.collect::<Vec<_>>())
}

/// Returns the missing targets with the most references; empty if none is missing.
pub(super) fn wanted(targets: &[(&str, usize)]) -> String {
    let targets = targets.get(..BARS).unwrap_or(targets);
    if targets.is_empty() {
        return String::new();
    }
    let common = match targets {
        [_] => "",
        _ => common_folder(targets.iter().map(|(target, _)| *target)),
    };
    // All of them are below the root.
    let common = if common == "/" { "" } else { common };
    let bars = targets.iter().map(|&(target, errors)| Bar {
        label: target.get(common.len()..).unwrap_or(target),
        link: ("text", target),
        counts: SeverityCounts { errors, ..SeverityCounts::default() },
    });
    chart("Most-wanted missing targets", common, &bars.collect::<Vec<_>>())
}

fn chart(title: &str, common: &str, bars: &[Bar<'_>]) -> String {
    let totals = bars.iter().map(|bar| bar.counts.total());
    let most = totals.max().unwrap_or(0).max(1);
    let mut list = format!("<section>\n<h2>{title}</h2>\n{}", below(common));
    list.push_str("<ol class=\"bars\">\n");
    for bar in bars {
        let counts = bar.counts.worst_first().into_iter();
        let counts: Vec<_> = counts.filter(|&(_, count)| count > 0).collect();
        let names = counts.iter().map(|(level, count)| counted(*count, level.name()));
        let (kind, value) = bar.link;
        let _ = write!(
            list,
            "<li title=\"{}\"><a data-{kind}=\"{}\">{}</a> <b class=\"n\">{}</b> <span class=\"bar\">",
            names.collect::<Vec<_>>().join(", "),
            markup(value),
            cut(bar.label),
            number(bar.counts.total()),
        );
        for (severity, count) in counts {
            let (class, width) = (severity.name(), percent(count, most));
            let _ = write!(list, "<i class=\"{class}\" style=\"width:{width}%\"></i>");
        }
        list.push_str("</span></li>\n");
    }
    list.push_str("</ol>\n</section>\n");
    list
}

/// Returns the line that names the folder which all labels below it are in; empty if there is none.
pub(super) fn below(common: &str) -> String {
    match common {
        "" => String::new(),
        common => format!("<p>Below <code>{}</code></p>\n", cut(common)),
    }
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
        for (part, whole, expected) in
            [(0, 3, "0.00"), (1, 3, "33.33"), (3, 3, "100.00"), (1, 1000, "0.10"), (0, 0, "0.00")]
        {
            assert_eq!(percent(part, whole), expected);
        }
    }

    #[test]
    fn labels_are_without_what_all_have_in_common() {
        let chart = wanted(&[("/docs/en/a.html", 2), ("/docs/en/b/c.html", 1)]);
        assert!(chart.contains("Below <code>/docs/en/</code>"), "{chart}");
        assert!(chart.contains(">b/c.html</a>"), "{chart}");
        assert!(chart.contains("data-text=\"/docs/en/b/c.html\""), "{chart}");
        assert!(wanted(&[("/docs/a.html", 2)]).contains(">/docs/a.html</a>"));
        assert_eq!(wanted(&[]), "");
    }
}
