//! `rehref absolute`: make every link of a site absolute.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::common::{self, OutputArguments, ReportFormat, SelectionArguments};
use super::progress::{Listing, Progress};
use super::{CliError, Exit, style, summary};
use crate::rewrite::report::Failure;
use crate::rewrite::tree::{Mode, Plan};
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
    };
    let listing = match plan.mode {
        Mode::DryRun => Listing::Names,
        Mode::Diff => Listing::Diffs,
        Mode::Copy(_) | Mode::InPlace => Listing::Nothing,
    };
    let progress = Progress::new(quiet, listing);
    let report = run_plan(&plan, &progress);
    progress.finish();
    let report = report?;
    if arguments.output.report == Some(ReportFormat::Json) {
        let json = serde_json::to_string_pretty(&report)
            .map_err(|error| stdout_error(io::Error::other(error)))?;
        writeln!(io::stdout(), "{json}").map_err(stdout_error)?;
    }
    summary::print_problems(&report, quiet);
    if !quiet {
        eprint!("{}", summary::summary(&report, &plan.mode));
    }
    Ok(if !report.errors.is_empty() {
        Exit::Error
    } else if listing != Listing::Nothing && report.documents.rewritten > 0 {
        Exit::Findings
    } else {
        Exit::Done
    })
}

/// One document from stdin to stdout.
fn filter(arguments: &Arguments) -> Result<Exit, CliError> {
    let output = &arguments.output;
    if output.out.is_some() || output.in_place || output.dry_run || output.diff {
        return Err(CliError::Usage(
            "- filters one document from stdin to stdout; --out, --in-place, --dry-run and --diff \
             are for directories"
                .to_owned(),
        ));
    }
    let Some(url) = &arguments.url else {
        return Err(CliError::Usage(
            "- needs --url: the document's own URL, like https://example.org/docs/page.html"
                .to_owned(),
        ));
    };
    let url = AbsoluteUrl::new(arguments.standard, hierarchical_url(url)?);
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|source| CliError::Io {
            what: "stdin".to_owned(),
            source,
        })?;
    let mut report = Report::default();
    let (result, exit) = match rewrite_document(&bytes, &url, &arguments.selection.options()) {
        Ok(result) => {
            report.add_complaints("stdin", result.complaints);
            (result.bytes.unwrap_or(bytes), Exit::Done)
        }
        Err(error) => {
            report.errors.push(Failure {
                path: "stdin".to_owned(),
                message: format!("{error}; passed on as it is"),
            });
            (bytes, Exit::Error)
        }
    };
    summary::print_problems(&report, output.quiet);
    io::stdout().write_all(&result).map_err(stdout_error)?;
    Ok(exit)
}

fn stdout_error(source: io::Error) -> CliError {
    CliError::Io {
        what: "stdout".to_owned(),
        source,
    }
}
