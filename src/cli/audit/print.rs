//! Formats the audit's findings, and the explanations of checks.

use crate::cli::working_directory::working_directory;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::SystemTime;

use super::arguments::{Format, ReportArguments};
use super::parquet::parquet;
use crate::cli::command_line::quoted_arguments;
use crate::cli::exit::CliError;
use crate::cli::style;
use rehref_audit::Finding;
use rehref_audit::finding::ReportedFile;
use rehref_audit::report::{self, HtmlOptions, SourceUrl, Summary, TextOptions};
use rehref_audit::sources::decode;
use rehref_corpus::Corpus;
use rehref_site::canonical;

/// The width of the text report in columns, if stdout is not a terminal.
const WIDTH: usize = 160;

/// The decoded text of a file that a report shows lines of.
pub(super) type SourceText<'t> = &'t dyn Fn(ReportedFile<'_>) -> Option<String>;

/// Formats the findings as `format`.
pub(super) fn report(
    format: Format,
    arguments: &ReportArguments,
    source: SourceText<'_>,
    summary: &Summary,
    findings: &[Finding],
) -> Result<Vec<u8>, CliError> {
    let in_repository;
    let summary = match format {
        // These take paths for those of the repository, in which the run starts.
        Format::Github | Format::Gitlab | Format::Junit | Format::Markdown => {
            in_repository =
                Summary { site: below_working_directory(&summary.site), ..summary.clone() };
            &in_repository
        }
        _ => summary,
    };
    Ok(match format {
        Format::Text => text(!arguments.no_group, source, summary, findings),
        Format::Json => report::json(summary, findings),
        Format::JsonLines => report::jsonl(findings),
        Format::Parquet => parquet(findings).map_err(CliError::io("--format parquet"))?,
        Format::Sarif => report::sarif(summary, findings),
        Format::Junit => report::junit(summary, findings),
        Format::Github => report::github(summary, findings),
        Format::Gitlab => report::gitlab(summary, findings),
        Format::Markdown => report::markdown(summary, findings),
        Format::Html => html(arguments, source, summary, findings),
    })
}

/// An absolute path relative to the working directory, if it is in there; any other path as it is.
fn below_working_directory(path: &str) -> String {
    let given = Path::new(path);
    let shorter = || {
        let here = working_directory().ok()?;
        let below = canonical(given).ok()?;
        let below = below.strip_prefix(here).ok()?;
        if below.as_os_str().is_empty() {
            Some(".".to_owned())
        } else {
            below.to_str().map(str::to_owned)
        }
    };
    let shorter = given.is_absolute().then(shorter).flatten();
    shorter.unwrap_or_else(|| path.to_owned())
}

/// The page for a browser.
fn html(
    arguments: &ReportArguments,
    source: SourceText<'_>,
    summary: &Summary,
    findings: &[Finding],
) -> Vec<u8> {
    let words = std::iter::once("rehref".to_owned()).chain(quoted_arguments());
    let command = words.collect::<Vec<_>>().join(" ");
    let date = httpdate::fmt_http_date(SystemTime::now());
    let source_url = arguments.source_url.clone();
    let source_url = match arguments.sources {
        Some(_) => source_url.map(SourceUrl::for_sources),
        None => source_url,
    };
    let options = HtmlOptions {
        source,
        source_url: source_url.as_ref(),
        date: Some(&date),
        command: Some(&command),
    };
    report::html(summary, findings, &options)
}

/// Returns the report for people; `group`: with the findings of one cause together.
pub(in crate::cli) fn text(
    group: bool,
    source: SourceText<'_>,
    summary: &Summary,
    findings: &[Finding],
) -> Vec<u8> {
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    let options = TextOptions {
        group,
        color: style::colors_stdout(),
        width: terminal.map_or(WIDTH, |(width, _)| width.0.into()),
        source,
    };
    report::text(summary, findings, &options)
}

/// Returns the decoded text of a file that a report shows lines of; documents are those of the corpora, each with what
/// is before its paths.
pub(in crate::cli) fn text_of(
    file: ReportedFile<'_>,
    corpora: &[(String, &Corpus)],
) -> Option<String> {
    match file {
        ReportedFile::Document(document) => corpora.iter().find_map(|(before, corpus)| {
            corpus.text_of(Path::new(document.strip_prefix(&**before)?))
        }),
        ReportedFile::Source(path) => Some(decode(&fs::read(path).ok()?)),
    }
}
