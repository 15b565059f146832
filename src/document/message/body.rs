//! The decoded body of a part.

use crate::document::text::Offsets;

/// A body without its transfer encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DecodedBody {
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// Maps bytes of the content to bytes of the body.
    pub(crate) offsets: Offsets,
}
