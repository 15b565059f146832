//! Why documents cannot be read.

use std::io;

use super::catch_panic::Panicked;
use crate::coding::DecodeError;
use crate::parallel;
use crate::url::ParseError;
use crate::warc::ArchiveError;
use crate::warc::payload::PayloadError;

/// Why a single document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// Its file is a compressed page that cannot be decompressed.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Its record has a payload that cannot be decoded.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// Its path gives no URL.
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
    /// A parser panicked on it.
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

/// Why a container cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// It is damaged.
    #[error(transparent)]
    Damaged(#[from] ArchiveError),
    /// It cannot be opened.
    #[error("cannot be read: {0}")]
    Open(#[source] io::Error),
}

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
