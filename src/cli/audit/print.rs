//! Formats the audit's findings, and the explanations of checks.

use std::cell::RefCell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use super::arguments::ReportArguments;
use crate::audit::checks::CHECKS;
use crate::audit::report::{self, Summary, TextOptions};
use crate::audit::{Check, Finding};
use crate::cli::style;
use crate::document::DocumentKind;
use crate::document::encoding::sniff_charset;

/// The width of the text report in columns, if stdout is not a terminal.
const WIDTH: usize = 160;

/// Formats the findings of the site at `root`.
pub(super) fn report(
    arguments: &ReportArguments,
    root: &Path,
    summary: &Summary,
    findings: &[Finding],
) -> Vec<u8> {
    if let Some(report) = arguments.format {
        return report(summary, findings);
    }
    let sources = Sources {
        root,
        latest: RefCell::default(),
    };
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    let options = TextOptions {
        group: !arguments.no_group,
        color: style::colors_stdout(),
        width: terminal.map_or(WIDTH, |(width, _)| width.0.into()),
        source: &|document, line| sources.line(document, line),
    };
    report::text(summary, findings, &options)
}

/// Reads lines of documents. Keeps the lines of the latest document, because findings are grouped by
/// document.
struct Sources<'r> {
    root: &'r Path,
    latest: RefCell<(String, Vec<String>)>,
}

impl Sources<'_> {
    /// The line of `document` with the number `line`, from 1.
    fn line(&self, document: &str, line: usize) -> Option<String> {
        let mut latest = self.latest.borrow_mut();
        if latest.0 != document {
            let bytes = fs::read(self.root.join(document)).ok()?;
            let charset = sniff_charset(DocumentKind::Html, &bytes, None);
            let (text, _, _) = charset.encoding.decode(&bytes);
            let lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
            *latest = (document.to_owned(), lines.map(str::to_owned).collect());
        }
        latest.1.get(line.checked_sub(1)?).cloned()
    }
}

/// The page on `check`, or the list of all checks.
pub(super) fn explanation(check: Option<Check>) -> String {
    if let Some(check) = check {
        return check.row().page.to_owned();
    }
    let width = CHECKS.iter().map(|row| row.id.len()).max().unwrap_or(0);
    let rows = CHECKS.iter().map(|row| {
        let level = row.severity.name();
        let condition = match row.check.is_default() {
            true => "",
            false => " (with --entry)",
        };
        format!("{:width$}  {level:7}  {}{condition}\n", row.id, row.summary)
    });
    rows.collect()
}
