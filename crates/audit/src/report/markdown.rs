//! Markdown, for the summary of a CI step and for comments on a pull request.

use std::fmt::Write;

use super::super::finding::Finding;
use super::escape::{shortened, visible};
use super::group::groups;
use super::summary::{SeverityCounts, Summary};
use rehref_site::plural::{counted, number};

/// The number of causes in the table; a summary on GitHub has at most 1 MiB.
const SHOWN: usize = 50;
/// The length in characters to which values are shortened.
const MOST: usize = 200;

/// Returns a heading, the numbers, and a table of causes: the worst level first, then the most findings.
pub fn markdown(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let groups = groups(findings);
    let mut text = format!("## Audit of {}\n\n", escaped(&summary.site));
    let _ = writeln!(
        text,
        "{} in {}, {}.",
        SeverityCounts::of(findings).in_words(),
        counted(summary.documents, "document"),
        counted(summary.references, "link"),
    );
    for (count, why) in summary.hidden() {
        let _ = writeln!(text, "{} {why}.", number(count));
    }
    for problem in summary.problems() {
        let _ = writeln!(text, "\n**{}.**\n", problem.message);
        for detail in problem.details.iter().take(SHOWN) {
            let _ = writeln!(text, "- {}", escaped(&shortened(detail, MOST)));
        }
        if let Some(more) = problem.details.len().checked_sub(SHOWN).filter(|&it| it > 0) {
            let _ = writeln!(text, "- and {}", number(more));
        }
    }
    if !groups.is_empty() {
        text.push_str("\n| level | check | what | times | first |\n|---|---|---|--:|---|\n");
    }
    for group in groups.iter().take(SHOWN) {
        let first = group.first;
        let mut what = escaped(&first.message);
        if let Some(reference) = &first.reference {
            let _ = write!(what, ": {}", escaped(&shortened(reference, MOST)));
        }
        let place = summary.place(first.reported());
        let _ = writeln!(
            text,
            "| {} | {} | {what} | {} | {} |",
            first.severity.name(),
            first.check,
            number(group.count()),
            escaped(&place),
        );
    }
    if let Some(more) = groups.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        let _ = writeln!(text, "\nand {}", counted(more, "more cause"));
    }
    text.into_bytes()
}

/// Text that shows the same characters, and makes no markup, link, image or mention: pages of a stranger may
/// be audited.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 8);
    let text = visible(text);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            // A mention or a reference to an issue is no markup, and has no escape.
            '@' => result.push_str("&#64;"),
            '#' => result.push_str("&#35;"),
            '\n' => result.push(' '),
            // An address becomes a link without its escape, too.
            ':' if rest.as_str().starts_with('/') => result.push_str("&#58;"),
            'w' | 'W' if result.ends_with(['w', 'W']) => {
                let _ = write!(result, "&#{};", u32::from(c));
            }
            c if c.is_ascii_punctuation() && !"/.,:-'()".contains(c) => {
                result.push('\\');
                result.push(c);
            }
            _ => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_pages_makes_no_markup() {
        for (text, expected) in [
            ("a/b-c.html", "a/b-c.html"),
            ("![x](y):", r"\!\[x\](y):"),
            ("a|b`c`<img>", r"a\|b\`c\`\<img\>"),
            ("@all #1", "&#64;all &#35;1"),
            ("https://e.org", "https&#58;//e.org"),
            ("www.e.org", "w&#119;w.e.org"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }
}
