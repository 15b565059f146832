//! Formats the audit's findings, and the explanations of checks.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use super::arguments::ReportArguments;
use crate::audit::Finding;
use crate::audit::report::{self, Summary, TextOptions};
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
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    let options = TextOptions {
        group: !arguments.no_group,
        color: style::colors_stdout(),
        width: terminal.map_or(WIDTH, |(width, _)| width.0.into()),
        source: &|document| source(&root.join(document)),
    };
    report::text(summary, findings, &options)
}

/// The decoded text of the document in a file.
fn source(file: &Path) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    let charset = sniff_charset(DocumentKind::Html, &bytes, None);
    let (text, _, _) = charset.encoding.decode(&bytes);
    Some(text.into_owned())
}
