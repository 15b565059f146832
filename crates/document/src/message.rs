//! Messages: headers before a content, and parts in parts (MIME, MHTML, a saved HTTP response).
//!
//! - [`sniff`] decides whether a file begins with headers;
//! - [`headers`] reads a block of headers, [`media_type`] the value of a `Content-Type`, `comments`
//!   skips RFC 822 comments in values;
//! - [`reference_headers`] is the table of the headers that hold references;
//! - [`parts`] finds the parts of a message, [`mod@part`] is a part of a parsed one;
//! - [`transfer`] decodes a `body` with `base64` or `quoted_printable`, and encodes edits of it;
//! - [`chunked`] decodes and encodes chunked bodies, `http_coding` detects codings of HTTP that a body
//!   still has.

mod base64;
pub(crate) mod body;
pub mod chunked;
pub(crate) mod comments;
pub mod headers;
pub(crate) mod http_coding;
pub mod media_type;
pub mod part;
pub mod parts;
mod quoted_printable;
pub mod reference_headers;
pub mod sniff;
pub mod transfer;

pub use part::Part;
