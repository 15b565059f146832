//! The command line: arguments to plain configuration, results to stdout, all else to stderr.
//!
//! One file per subcommand. Nothing outside this module prints.

mod absolute;
mod audit;
mod base;
mod common;
mod engine;
mod interrupt;
mod links;
mod moving;
mod opened;
mod progress;
mod redirects;
mod relative;
mod resolve;
mod server;
mod site;
mod style;
mod summary;
mod terminal;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::parallel;
use crate::rewrite::plan::RunError;

/// How a run ends. The same for every subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All was done.
    Done = 0,
    /// All was done, and there are findings or differences.
    Findings = 1,
    /// Something could not be done, or the arguments make no sense.
    Error = 2,
    /// A signal ended the run before its time.
    Interrupted = 130,
}

/// Rewrites the links of whole site trees, and nothing else in them.
#[derive(Debug, Parser)]
#[command(name = "rehref", version, about, after_help = EXIT_HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(after_help = EXIT_HELP)]
    Absolute(absolute::Arguments),
    #[command(after_help = EXIT_HELP)]
    Relative(relative::Arguments),
    #[command(name = "move", after_help = EXIT_HELP)]
    Move(moving::Arguments),
    #[command(after_help = AUDIT_EXIT_HELP)]
    Audit(audit::Arguments),
    #[command(after_help = LINKS_EXIT_HELP)]
    Links(links::Arguments),
    Resolve(resolve::Arguments),
    Base(base::Arguments),
    #[command(after_help = VERIFY_EXIT_HELP)]
    Verify(verify::Arguments),
}

const EXIT_HELP: &str = "\
Exit status:
  0    done
  1    --dry-run or --diff: something would change; --verify: something differs
  2    wrong usage, or a file could not be read, rewritten or written (everything else was done)
  130  interrupted";

const VERIFY_EXIT_HELP: &str = "\
Exit status:
  0    no differences
  1    differences
  2    wrong usage, or a file could not be read (everything else was compared)
  130  interrupted";

const AUDIT_EXIT_HELP: &str = "\
Exit status:
  0    no findings of the level of --fail-on or above
  1    findings of that level or above
  2    wrong usage, or a document could not be read (everything else was audited)
  130  interrupted";

const LINKS_EXIT_HELP: &str = "\
Exit status:
  0    done
  2    wrong usage, or a document could not be read (everything else was done)
  130  interrupted";

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Absolute(arguments) => absolute::run(arguments),
        Command::Relative(arguments) => relative::run(arguments),
        Command::Move(arguments) => moving::run(arguments),
        Command::Audit(arguments) => audit::run(arguments),
        Command::Links(arguments) => links::run(arguments),
        Command::Resolve(arguments) => resolve::run(arguments),
        Command::Base(arguments) => base::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    };
    let exit = result.unwrap_or_else(|error| {
        terminal::say(&style::error("error:"), &error.to_string());
        match error {
            CliError::Run(RunError::Interrupted(_))
            | CliError::Parallel(parallel::Error::Interrupted { .. })
            | CliError::Interrupted => Exit::Interrupted,
            _ => Exit::Error,
        }
    });
    ExitCode::from(exit as u8)
}

/// What ends a run before its time, in words for the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The arguments make no sense together.
    #[error("{0}")]
    Usage(String),
    /// Something cannot be read or written.
    #[error("{what}: {source}")]
    Io {
        /// What.
        what: String,
        /// Why.
        source: std::io::Error,
    },
    /// The URL of the site cannot serve.
    #[error("--url: {0}")]
    SiteUrl(#[from] crate::site::SiteUrlError),
    /// A further URL of the site cannot serve.
    #[error("--also: {0}")]
    Also(#[source] crate::site::SiteUrlError),
    /// The new URL of the site cannot serve.
    #[error("--new-url: {0}")]
    NewSiteUrl(#[source] crate::site::SiteUrlError),
    /// The tree cannot be replaced in one step.
    #[error(transparent)]
    Stage(#[from] crate::output::StageError),
    /// A base URL cannot serve.
    #[error("--base: {0}")]
    Base(#[source] crate::site::SiteUrlError),
    /// The output directory cannot serve.
    #[error("--out: {0}")]
    Destination(#[from] crate::output::DestinationError),
    /// A signal came while an archive was read.
    #[error("interrupted")]
    Interrupted,
    /// Not all of a tree that is only read could be worked on.
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
    /// Something besides the tree itself cannot be written.
    #[error(transparent)]
    Write(crate::output::WriteError),
    /// Signals cannot be caught.
    #[error("Ctrl-C cannot be handled: {0}")]
    Signals(#[from] ctrlc::Error),
    /// The run could not begin or go on.
    #[error(transparent)]
    Run(#[from] RunError),
}
