//! URLs: parsing, resolving under five standards, relativizing, and keeping the author's spelling.
//!
//! Everything here is pure: strings in, strings out, no I/O, and no panic on any input.
//!
//! - [`Url`] is the URL record of the URL Standard, with its parser: [`Url::parse`],
//!   [`Url::resolve`], [`Url::relativize`], [`Url::respell`].
//! - [`Standard`] is the choice among five standards, with the same four operations on strings,
//!   and [`Standard::explain`] for people.
//! - [`AbsoluteUrl`] is either, so that a caller need not know which standard is asked for.
//! - [`Components`] are what each standard cuts a reference into.
//! - [`grammar`] says where a reference leaves the grammar of RFC 1808 or RFC 3986, [`scheme`] is
//!   what is known of schemes, [`climb`] is how far a reference goes up, [`plain`] is the short way
//!   for ordinary references, [`delimit`] takes references out of running text.
//!
//! ```
//! use encoding_rs::UTF_8;
//! use rehref::url::{Style, Url};
//!
//! let base = Url::parse("https://h/d/b/page.html")?;
//! let target = base.resolve("../a/grüße.html#top", UTF_8)?;
//! assert_eq!(target.as_str(), "https://h/d/a/gr%C3%BC%C3%9Fe.html#top");
//!
//! let reference = base.relativize(&target, Style::Path);
//! assert_eq!(reference.as_deref(), Some("../a/gr%C3%BC%C3%9Fe.html#top"));
//!
//! let edit = base.respell("../a/grüße.html#top", target.as_str(), UTF_8);
//! assert_eq!((edit.replace, edit.with.as_str()), (0..3, "https://h/d/"));
//! # Ok::<(), rehref::url::ParseError>(())
//! ```

mod absolute;
pub mod climb;
mod components;
pub mod delimit;
mod error;
mod fast;
mod generic_1990s;
pub mod grammar;
mod host;
mod parse;
pub(crate) mod percent;
pub mod plain;
mod record;
mod relativize;
mod rfc1630;
mod rfc1808;
mod rfc3986;
pub mod scheme;
mod segment;
mod spelling;
mod standard;
mod style;
mod url_draft_1996;
mod whatwg;

pub use crate::edit::TextEdit;
pub use absolute::AbsoluteUrl;
pub use components::Components;
pub use error::{HostError, ParseError};
pub(crate) use percent::decode as percent_decoded;
pub use record::Url;
pub use standard::{Explanation, ResolveError, Standard, Step, UnknownStandard};
pub use style::{Relativize, Shape, Style, UnknownStyle};
