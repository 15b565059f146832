//! WARC archives (ISO 28500; versions 0.17 to 1.1), read and written record by record.
//!
//! - [`record`] reads the records of an archive as a stream: wanted records whole, others only as byte
//!   ranges, so that they can be copied;
//! - [`capture`] reads the content of a record, and replaces its document and its HTTP headers;
//! - [`content`] reads what the headers of a record declare of its content;
//! - [`payload`] decodes and encodes the codings of HTTP;
//! - `integrity` and [`digest`] update the lengths and digests of a changed payload;
//! - [`index`] finds the captures of an archive by URL, [`cdx`] those that an index file lists;
//! - [`source`] opens an archive that is a file or an entry of a zip file, [`wacz`] finds the archives in a WACZ
//!   file, [`sequence`] reads archives one after the other;
//! - [`zip_directory`] reads the directory of a zip file, [`zip_writer`] writes the file again, some of its entries
//!   with other contents;
//! - [`gzip`] reads and writes the members of a compressed archive.

pub mod capture;
pub mod cdx;
pub mod content;
pub mod digest;
mod error;
pub mod gzip;
pub mod index;
mod integrity;
pub mod payload;
pub mod record;
pub mod sequence;
pub mod source;
pub mod wacz;
pub mod zip_directory;
pub mod zip_writer;

pub use capture::{Capture, PAYLOAD_DIGEST, RecordSkipReason};
pub use digest::DigestFormat;
pub use error::{ArchiveError, ArchiveErrorKind};
pub use record::{Format, Piece, Record, RecordHeader, RecordKind, Records};
pub use source::{ArchiveReader, ArchiveSource};
