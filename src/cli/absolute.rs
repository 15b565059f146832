//! `rehref absolute`: make every link of a site absolute.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::common::{self, OutputArguments, ReportFormat, SelectionArguments};
use super::progress::{Listing, Progress};
use super::{CliError, Exit, interrupt, style, summary, terminal};
use crate::rewrite::report::Failure;
use crate::rewrite::tree::{Mode, Plan, RunError, with_backstop};
use crate::rewrite::{Report, rewrite_document, run as run_plan};
use crate::site::hierarchical_url;
use crate::url::{AbsoluteUrl, Standard};

/// Make every link of a site absolute
///
/// Walks the tree at SITE, finds each document's base URL (its BASE element, else the site's URL
/// and the file's place), resolves every URL in it and writes the rewritten documents, with
/// everything else in the tree, to the output directory. Only URLs change: all other bytes of a
/// document come out as they went in.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site's root directory, or - to filter one document from stdin to stdout
    site: PathBuf,
    /// The URL that SITE is published at; with -, the document's own URL [default: SITE's file:
    /// URL]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    #[arg(long, value_name = "NAME", default_value_t, value_parser = common::standard(), help = common::STANDARD_HELP)]
    standard: Standard,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    selection: SelectionArguments,
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    style::choose(arguments.output.color);
    if arguments.site == Path::new("-") {
        return filter(&arguments);
    }
    let quiet = arguments.output.quiet;
    let root = common::site_root(&arguments.site)?;
    let mode = arguments.output.mode(&root)?;
    let plan = Plan {
        location: common::location(&root, arguments.url.as_deref(), quiet)?,
        root,
        mode,
        selection: arguments.selection.selection()?,
        standard: arguments.standard,
        options: arguments.selection.options(),
        threads: arguments.selection.threads(),
        cancel: interrupt::flag()?,
    };
    let json = arguments.output.report == Some(ReportFormat::Json);
    let listing = match plan.mode {
        Mode::DryRun if !json => Listing::Names,
        Mode::Diff => Listing::Diffs,
        Mode::DryRun | Mode::Copy(_) | Mode::InPlace => Listing::Nothing,
    };
    let progress = Progress::new(quiet, listing);
    let report = run_plan(&plan, &progress);
    progress.finish();
    let report = report.map_err(|error| match error {
        RunError::Observer(source) => terminal::stdout_error(source),
        RunError::Interrupted(interrupted) => {
            summary::print_problems(&interrupted.report, quiet);
            RunError::Interrupted(interrupted).into()
        }
        other => other.into(),
    })?;
    summary::print_problems(&report, quiet);
    if !quiet {
        terminal::say_as_it_is(&summary::summary(&report, &plan.mode));
    }
    if json {
        print_json(&report).map_err(terminal::stdout_error)?;
    }
    let would_change =
        matches!(plan.mode, Mode::DryRun | Mode::Diff) && report.documents.rewritten > 0;
    Ok(
        if !report.errors.is_empty() || report.documents.kept_as_they_are > 0 {
            Exit::Error
        } else if would_change {
            Exit::Findings
        } else {
            Exit::Done
        },
    )
}

fn print_json(report: &Report) -> io::Result<()> {
    let mut json = serde_json::to_vec_pretty(report)?;
    json.push(b'\n');
    terminal::print(&json)
}

/// One document from stdin to stdout.
fn filter(arguments: &Arguments) -> Result<Exit, CliError> {
    let (output, selection) = (&arguments.output, &arguments.selection);
    refuse_for_filter(&[
        ("--out", output.out.is_some()),
        ("--in-place", output.in_place),
        ("--dry-run", output.dry_run),
        ("--diff", output.diff),
        ("--report", output.report.is_some()),
        ("--include", !selection.include.is_empty()),
        ("--exclude", !selection.exclude.is_empty()),
        ("--html", !selection.html.is_empty()),
        ("--threads", selection.threads.is_some()),
    ])?;
    let Some(url) = &arguments.url else {
        return Err(CliError::Usage(
            "- needs --url: the document's own URL, like https://example.org/docs/page.html"
                .to_owned(),
        ));
    };
    let url = AbsoluteUrl::new(arguments.standard, hierarchical_url(url)?);
    let bytes = common::stdin()?;
    let mut report = Report::default();
    let result = with_backstop(|| rewrite_document(&bytes, &url, &selection.options()))
        .map_err(|panicked| panicked.to_string())
        .and_then(|result| result.map_err(|error| error.to_string()));
    let (result, exit) = match result {
        Ok(result) => {
            report.add_complaints("stdin", result.complaints);
            (result.bytes.unwrap_or(bytes), Exit::Done)
        }
        Err(message) => {
            report.errors.push(Failure {
                path: "stdin".to_owned(),
                message: format!("{message}; passed on as it is"),
            });
            (bytes, Exit::Error)
        }
    };
    summary::print_problems(&report, output.quiet);
    terminal::print(&result).map_err(terminal::stdout_error)?;
    Ok(exit)
}

/// Options that mean nothing for a single document are better refused than ignored.
fn refuse_for_filter(options: &[(&str, bool)]) -> Result<(), CliError> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => Err(CliError::Usage(format!(
            "{name} is for directories; - filters one document from stdin to stdout"
        ))),
    }
}
