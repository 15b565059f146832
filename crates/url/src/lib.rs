//! URLs. Strings go in: references, base URLs, a [`Standard`]; out come absolute URLs, the shortest references to them,
//! and the respelled author's text. [`Span`]s and [`Edit`]s, byte ranges of a text and what replaces them, are here
//! too, since all crates speak of them.
//!
//! Everything here is pure: no I/O, and no panic on any input.
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

#![warn(missing_docs)]
// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(any(test, fuzzing)),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod absolute;
mod byte_sets;
mod components;
pub mod delimit;
mod edit;
mod error;
mod form;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod generic_1990s;
pub mod grammar;
mod host;
mod ordinary;
mod parse;
pub mod percent;
mod record;
mod relativize;
mod resolve;
mod rfc1630;
mod rfc3986;
pub mod scheme;
mod segment;
pub mod simple;
mod span;
mod spelling;
mod standard;
mod steps;
#[cfg(test)]
#[path = "../../../tests/support/data.rs"]
mod test_data;
#[cfg(test)]
mod tests;
pub mod traversal;
mod whatwg;

pub use absolute::AbsoluteUrl;
pub use components::Components;
pub use edit::{Edit, Spliced, TextEdit, splice, splice_text};
pub use error::{HostError, ParseError, ResolveError};
pub use form::{ReferenceForm, RelativeForm, RelativizeOptions, UnknownForm};
pub use percent::decode as percent_decoded;
pub use record::Url;
pub use resolve::Explanation;
pub use span::Span;
pub use standard::{Standard, UnknownStandard};
