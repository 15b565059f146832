//! Messages: content behind headers, and parts within parts.
//!
//! - [`headers`] reads a block of headers, [`media_type`] the value of a `Content-Type`,
//!   [`reference_headers`] is the table of those that hold references;
//! - [`parts`] finds the parts of a message;
//! - [`transfer`] decodes their bodies and brings changes into them;
//! - `http_coding` tells what HTTP did to them, `comments` takes out what mail writes for people;
//! - [`sniff`] tells whether a file begins with headers.

mod base64;
mod base_source;
pub(crate) mod comments;
pub mod headers;
pub(crate) mod http_coding;
mod lengths;
pub mod media_type;
pub mod parts;
mod quoted_printable;
pub mod reference_headers;
pub mod sniff;
pub mod transfer;

pub use base_source::BaseUrlSource;

use media_type::MediaType;

use super::{Document, Reference, Span};

impl Document<'_> {
    /// Whether a reference stands in what is signed.
    pub fn is_signed(&self, reference: &Reference) -> bool {
        let mut signed = self.parts.iter().filter(|part| part.is_signed).peekable();
        if signed.peek().is_none() {
            return false;
        }
        let at = self.span_of(reference).start;
        signed.any(|part| part.body.start <= at && at < part.body.end)
    }
}

/// A part of a message, or the message itself, as a document has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the part that it is in; those come first.
    pub parent: Option<usize>,
    /// Its place, as `2.1`: the first part in the second. Empty for the message itself.
    pub number: String,
    /// What its body is.
    pub media_type: MediaType,
    /// Its `Content-ID`, without the brackets.
    pub content_id: Option<String>,
    /// The scope whose base URL its headers give, or else what encloses it.
    pub scope: usize,
    /// The scope whose base URL is its `Content-Location`.
    pub location: Option<usize>,
    /// The scope of its body, where that is a document.
    pub document: Option<usize>,
    /// The container that is its body, where that is looked into.
    pub container: Option<usize>,
    /// Its body.
    pub body: Span,
    /// The value of its `Content-Length`, where that is the length of the body.
    pub length: Option<Span>,
    /// The value of its `Content-MD5`.
    pub digest: Option<Span>,
    /// Whether what is in it is signed, so that it must stay as it is.
    pub is_signed: bool,
}
