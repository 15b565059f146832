//! The errors of reading documents.

use std::io;

use super::catch_panic::ParserPanic;
use crate::warc::ArchiveError;
use rehref_document::DocumentError;
use rehref_site::Diagnostic;
use rehref_url::ParseError;

/// The reason a single document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(#[source] io::Error),
    /// The bytes are compressed or transfer-encoded and cannot be decoded.
    #[error("{0}")]
    Decode(String),
    /// No URL can be made of the path of the file.
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
    /// The file is an archive that cannot be read to its end.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A parser panicked on the document.
    #[error(transparent)]
    Panicked(#[from] ParserPanic),
}

impl ReadError {
    /// For `map_err`: the document cannot be decoded because of `error`.
    pub(crate) fn decode(error: impl ToString) -> ReadError {
        ReadError::Decode(error.to_string())
    }
}

/// The reason a rewriting skips the documents of a file or of an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkipError {
    /// The document is malformed, or its edits cannot be written.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The documents cannot be decoded or encoded.
    #[error("{0}")]
    Coding(String),
}

impl SkipError {
    /// For `map_err`: the documents cannot be decoded or encoded because of `error`.
    pub fn coding(error: impl ToString) -> SkipError {
        SkipError::Coding(error.to_string())
    }

    /// Returns true if a document is malformed, which is a finding, not a failure of the run.
    pub fn is_malformed(&self) -> bool {
        matches!(self, SkipError::Document(error) if error.malformation().is_some())
    }

    /// Returns the diagnostic for the file, or the record in an archive, with the name `name`.
    pub fn diagnostic(&self, name: &str) -> Diagnostic {
        match self {
            SkipError::Document(error) => Diagnostic::of_document(name, error),
            SkipError::Coding(message) => Diagnostic::skipped(name, message.clone()),
        }
    }
}

/// The reason why a container (an archive or a WACZ file), or one of its indexes, cannot be read to its end,
/// updated or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(#[from] io::Error),
    /// The archive, or an archive in the WACZ file, is damaged or cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A parser panicked on a document in the container.
    #[error(transparent)]
    Panicked(#[from] ParserPanic),
    /// The file is damaged, or something in it is not supported.
    #[error("{0}")]
    Other(String),
}
