//! URLs: parsing, resolving under five standards, relativizing, and keeping the author's spelling.
//!
//! Everything here is pure: strings in, strings out, no I/O, and no panic on any input.
//!
//! - [`Url`] is the URL record of the URL Standard, with its parser: [`Url::parse`],
//!   [`Url::resolve`], [`Url::relativize`], [`Url::respell`].
//! - [`Standard`] is one of five standards, with the same operations on strings, and
//!   [`Standard::explain`] for people.
//! - [`AbsoluteUrl`] is a URL under any of the standards, for callers that leave the choice to the
//!   user.
//! - [`Components`] are the parts that each standard cuts a reference into.
//! - [`grammar`] finds where a reference leaves the grammar of RFC 3986, [`scheme`] is the table of
//!   schemes, [`traversal`] counts parent traversal (`..`), [`simple`] is the fast path
//!   for simple references, [`delimit`] cuts references out of running text.

mod absolute;
mod components;
pub mod delimit;
mod error;
mod fast_path;
mod form;
mod generic_1990s;
pub mod grammar;
mod host;
mod parse;
pub(crate) mod percent;
mod record;
mod relativize;
mod resolve;
mod rfc1630;
mod rfc3986;
pub mod scheme;
mod segment;
pub mod simple;
mod spelling;
mod standard;
mod steps;
pub mod traversal;
mod whatwg;

pub use absolute::AbsoluteUrl;
pub use components::Components;
pub use error::{HostError, ParseError, ResolveError};
pub use form::{ReferenceForm, RelativeForm, RelativizeOptions, UnknownForm};
pub(crate) use percent::decode as percent_decoded;
pub use record::Url;
pub use resolve::Explanation;
pub use standard::{Standard, UnknownStandard};
