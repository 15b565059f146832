//! The exit status of a run, and the errors that end a run early.

use std::fmt::Display;
use std::io;

use super::place;
use rehref_corpus::output::{DestinationError, StageError, WriteError};
use rehref_corpus::run::plan::RunError;
use rehref_corpus::{SitePlaceError, parallel};
use rehref_site::SiteUrlError;
use rehref_verify::browser::PagesError;
use rehref_verify::chromium::BrowserError;

/// The exit status; its numbers mean the same in every subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The run did everything.
    Done = 0,
    /// The run did everything and reports findings, differences or pending changes.
    Findings = 1,
    /// The arguments contradict each other, or a file could not be read or written.
    Error = 2,
    /// A signal ended the run.
    Interrupted = 130,
}

impl Exit {
    /// Returns the exit status of a run that reached its end. `failed`: a file could not be read or written, which
    /// outweighs findings.
    pub(super) fn of(failed: bool, has_findings: bool) -> Exit {
        if failed {
            Exit::Error
        } else if has_findings {
            Exit::Findings
        } else {
            Exit::Done
        }
    }
}

impl From<&CliError> for Exit {
    fn from(error: &CliError) -> Exit {
        match error {
            CliError::Run(RunError::Interrupted(_))
            | CliError::Parallel(
                parallel::Error::Interrupted { .. } | parallel::Error::Cancelled,
            )
            | CliError::Pages(PagesError::Browser(BrowserError::Interrupted))
            | CliError::Interrupted => Exit::Interrupted,
            _ => Exit::Error,
        }
    }
}

/// An error that ends a run; its text is the message for the user.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The arguments contradict each other, or name something unusable.
    #[error("{0}")]
    Usage(String),
    /// The file or stream `name` cannot be read or written.
    #[error("{name}: {source}")]
    Io { name: String, source: io::Error },
    /// SITE is not a directory and not an archive.
    #[error("{}", place::explained(.0))]
    SitePlace(#[from] SitePlaceError),
    /// The URL of this option cannot be that of a site.
    #[error("{0}: {1}")]
    SiteUrl(&'static str, #[source] SiteUrlError),
    #[error("--out: {0}")]
    Destination(#[from] DestinationError),
    /// The tree that replaces SITE cannot be staged or exchanged.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A signal arrived while an archive was being read.
    #[error("interrupted")]
    Interrupted,
    /// A run that only reads SITE stopped before its end.
    #[error(transparent)]
    Parallel(parallel::Error),
    /// A file besides the rewritten tree (a baseline, redirects) cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot install the handler for Ctrl-C: {0}")]
    Signals(#[from] ctrlc::Error),
    /// Pages cannot be compared in a browser.
    #[error("--browser: {0}")]
    Pages(#[from] PagesError),
    /// A rewriting run could not start, or stopped before its end.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<parallel::Error> for CliError {
    fn from(error: parallel::Error) -> CliError {
        match error {
            parallel::Error::Output(source) => CliError::stdout(source),
            error => CliError::Parallel(error),
        }
    }
}

impl From<SiteUrlError> for CliError {
    fn from(error: SiteUrlError) -> CliError {
        CliError::SiteUrl("--url", error)
    }
}

/// Ends a run: the arguments contradict each other, or name something unusable.
pub(super) fn usage_error<T>(message: impl Into<String>) -> Result<T, CliError> {
    Err(CliError::Usage(message.into()))
}

impl CliError {
    /// For `map_err`: the URL of `option` cannot be that of a site.
    pub(super) fn url(option: &'static str) -> impl FnOnce(SiteUrlError) -> CliError {
        move |error| CliError::SiteUrl(option, error)
    }

    /// For `map_err`: the file or stream `name` cannot be read or written.
    pub(super) fn io(name: impl Display) -> impl FnOnce(io::Error) -> CliError {
        move |source| CliError::Io { name: name.to_string(), source }
    }

    /// For `map_err`: stdout cannot be written.
    pub(super) fn stdout(source: io::Error) -> CliError {
        CliError::io("stdout")(source)
    }
}
