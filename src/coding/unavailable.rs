//! In a build without the feature `archives` compressed documents are recognized, not read.

use std::io;

/// The largest size of decoded bytes.
pub fn decoded_limit(_: usize) -> usize {
    0
}

/// A content coding (RFC 9110 section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// The time that the compression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    Best,
}

/// The method that bytes were compressed with: no value exists.
#[derive(Clone, Debug)]
pub enum Compressor {}

impl Compressor {
    pub fn encode(&self, _: &[u8], _: Effort) -> io::Result<Vec<u8>> {
        match *self {}
    }
}

/// Why bytes cannot be decoded.
#[derive(Debug, thiserror::Error)]
#[error(
    "compressed, and this build of rehref lacks the feature `archives`; build rehref with this feature"
)]
pub struct DecodeError;

/// Decodes nothing.
///
/// # Errors
/// Always.
pub fn decode(_: Coding, _: &[u8], _: usize) -> Result<(Vec<u8>, Compressor), DecodeError> {
    Err(DecodeError)
}
