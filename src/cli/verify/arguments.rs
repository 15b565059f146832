//! The arguments of `verify`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::SiteArguments;
use crate::cli::browser::BrowserArguments;
use crate::cli::redirect_destination::{self, RedirectDestination};
use crate::cli::reports::{Requested, formats};
use crate::cli::requests::MoveArguments;
use crate::cli::values::{REPORT_FORMATS, ReportFormat};

/// Prove that a rewrite kept the target of every link, and every other byte
///
/// Compares each document of BEFORE with the document of the same path in AFTER: every link must have the same
/// target, however the link is spelled, and all other bytes and files must be equal. AFTER may lack a base element,
/// or spell its URL differently; a different base URL is a difference, except the URL of --base-element. A digest
/// (integrity, Content-Security-Policy) may change to the digest of the file in AFTER.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    /// Root directory of the site before the rewrite, a document, or an archive
    pub(in crate::cli) before: PathBuf,
    /// Root directory of the site after the rewrite, a document, or an archive
    pub(in crate::cli) after: PathBuf,
    /// Treat targets as equal if the server sends the same file for them: a/ and a/index.html, a and a.html
    #[arg(long)]
    pub(in crate::cli) same_file: bool,
    /// Base URL that the documents of AFTER may have: the URL that was passed to absolute --base-element
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) base_element: Option<String>,
    /// Accept the changes of relative --offline: other URLs of the same file, and removed integrity and
    /// crossorigin attributes
    #[arg(long)]
    pub(in crate::cli) offline: bool,
    /// With --browser, open the pages of AFTER from disk (file:), as the readers of an offline copy do
    #[arg(long, requires = "browser", help_heading = "Browser")]
    pub(super) from_disk: bool,
    #[command(flatten)]
    pub(in crate::cli) list: MoveArguments,
    /// Accept the redirects that move wrote with this option, and no others
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = redirect_destination::destination,
        help_heading = "Moves")]
    pub(in crate::cli) write_redirects: Option<RedirectDestination>,
    /// Also build both trees with COMMAND, and compare the built sites: 'mkdocs build -q -d {out}'
    ///
    /// rehref copies the project that contains BEFORE, and runs COMMAND twice in the copy: first with BEFORE, then with AFTER
    /// in place of BEFORE. Each time, {out} stands for an empty temporary directory. The built sites must have every page
    /// at its old URL or at the new one, the links of each page must have the expected targets, and no link may be newly
    /// broken. rehref reads COMMAND only from the command line, never from a file.
    #[arg(long, value_name = "COMMAND", help_heading = "Output")]
    pub(in crate::cli) build: Option<String>,
    #[command(flatten)]
    pub(super) output: ComparisonArguments,
    #[command(flatten)]
    pub(super) browser: BrowserArguments,
    #[command(flatten)]
    pub(in crate::cli) site: SiteArguments,
}

/// The output of `verify`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct ComparisonArguments {
    /// Print all differences, not only the first 50
    #[arg(long)]
    pub(super) all: bool,
    /// Format of the report, on stdout or in FILE; repeatable; json lists all differences
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(REPORT_FORMATS))]
    pub(super) format: Vec<Requested<ReportFormat>>,
}
