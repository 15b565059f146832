//! The public error of a site on disk.

use std::path::PathBuf;

/// The error returned by the functions of [`Site`](super::Site).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The directory, or a directory below it, cannot be read.
    #[error("{}: {source}", .path.display())]
    Directory {
        /// The directory that cannot be read.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A site cannot have this URL. The text gives the reason.
    #[error("{0}")]
    Url(String),
    /// An option is not valid, such as a glob, a rule or a pattern. The text names it and gives the reason.
    #[error("{0}")]
    Option(String),
    /// A document cannot be read. The text names it and gives the reason.
    #[error("{0}")]
    Document(String),
    /// Moves are impossible. Each text names a move and gives the reason. Nothing was written.
    #[error("impossible moves: {}", .0.join("; "))]
    Moves(Vec<String>),
    /// The output cannot be written. The text gives the reason.
    #[error("{0}")]
    Output(String),
}

impl SiteError {
    pub(super) fn option(error: impl ToString) -> SiteError {
        SiteError::Option(error.to_string())
    }

    pub(super) fn output(error: impl ToString) -> SiteError {
        SiteError::Output(error.to_string())
    }

    pub(super) fn document(error: impl ToString) -> SiteError {
        SiteError::Document(error.to_string())
    }
}
