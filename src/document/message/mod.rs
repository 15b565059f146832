//! Messages: content behind headers, and parts within parts.
//!
//! - [`headers`] reads a block of headers.

pub mod headers;
