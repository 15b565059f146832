//! URLs: parsing, resolving, and keeping the author's spelling. Pure: no I/O, no panic.
//!
//! The words are those of RFC 3986 and the URL Standard: a *reference* is resolved against a
//! *base URL* and gives a *target*.

mod record;
mod spelling;

pub use record::{ParseError, Url};
pub use spelling::{Respelling, respell};
