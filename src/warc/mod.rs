//! WARC archives (ISO 28500; versions 0.17 to 1.1), read and written record by record.
//!
//! - [`record`] reads the records of an archive as a stream: those that are wanted whole, of the
//!   others only where they stand in the file, so that they can be copied as they are;
//! - [`document`] are the documents among them, read and written;
//! - [`index`] are the URLs that an archive holds;
//! - [`http`] is the message in a record: its headers, and its payload without the codings;
//! - [`digest`] and [`chunked`] are what has to be right again where a payload has changed;
//! - [`gzip`] are the members of a compressed archive.

mod bodies;
pub mod chunked;
pub mod digest;
pub mod document;
mod error;
pub mod gzip;
pub mod http;
pub mod index;
pub mod record;

pub use error::{ArchiveError, ArchiveErrorKind};
