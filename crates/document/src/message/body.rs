//! The decoded body of a part.

use super::headers::line_end;
use rehref_generators::Offsets;

/// A body without its transfer encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DecodedBody {
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// Maps bytes of the content to bytes of the body.
    pub(crate) offsets: Offsets,
}

/// Returns the line end of the first line of `body`; CRLF if that has none.
pub(super) fn line_end_in(body: &[u8]) -> &'static str {
    let (end, next) = line_end(body, 0..body.len());
    if next == end + 1 { "\n" } else { "\r\n" }
}
