//! The errors of reading documents.

use std::error::Error;
use std::io;

use super::catch_panic::ParserPanic;
use crate::coding::DecodeError;
use crate::parallel;
use crate::url::ParseError;

/// Why a single document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// Its bytes are compressed or transfer-encoded and cannot be decoded.
    #[error(transparent)]
    Decode(Box<dyn Error + Send + Sync>),
    /// Its path gives no URL.
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
    /// A parser panicked on it.
    #[error(transparent)]
    Panicked(#[from] ParserPanic),
}

impl From<DecodeError> for ReadError {
    fn from(error: DecodeError) -> ReadError {
        ReadError::Decode(Box::new(error))
    }
}

/// A container cannot be read to its end: it is damaged, or its file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ContainerError(pub(super) Box<dyn Error + Send + Sync>);

/// Why not all documents of a corpus were read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A container cannot be read to its end.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The threads cannot be started, the work was cancelled, or the consumer returned an error.
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
    /// It was cancelled while a container was read.
    #[error("interrupted")]
    Interrupted,
}
