//! The public error of a site on disk.

use std::path::PathBuf;

/// The error of opening, auditing, moving or comparing a [`Site`](super::Site).
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
    /// No site can be published at the URL; the text says why.
    #[error("{0}")]
    Url(String),
    /// An option is not valid: a glob, a rule, a pattern; the text says why.
    #[error("{0}")]
    Option(String),
    /// A document cannot be read; the text says which, and why.
    #[error("{0}")]
    Document(String),
    /// Moves are impossible; the texts say which, and why. Nothing was written.
    #[error("impossible moves: {}", .0.join("; "))]
    Moves(Vec<String>),
    /// The output cannot be written; the text says why.
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
