//! HTML: finds the attribute values of a document that hold URLs, and their places in the source.
//!
//! Two engines return the same:
//! - the [`authority`] builds the tree of a document as browsers do (html5gum and html5ever), so that
//!   the HTML Standard decides which tags are elements and which `base` counts;
//! - the [`scanner`] reads the bytes once and builds nothing. It declines a document whose values depend
//!   on more of the tree than it keeps.
//!
//! Their contract: for any bytes the scanner either declines or returns the [`raw::RawDocument`] that
//! the authority returns. [`engine`] chooses: the scanner, and the authority where it declines.
//!
//! [`attributes`] is the table of URL attributes, [`content`] the table of elements whose content is a
//! carrier. Both engines read the tables; a new attribute is one new row. [`further`] has the rows of a run.

use std::borrow::Cow;

pub mod attributes;
pub mod authority;
pub mod content;
pub mod element;
pub mod engine;
mod fragment;
pub mod further;
pub mod raw;
pub mod scanner;

pub use super::value_rules::{Timing, Usage, ValueBase, ValueKind};
pub use attributes::AttributeRow;
pub use element::{Element, Namespace, Quote};
pub use further::{FurtherAttribute, FurtherAttributes};

/// Decodes bytes of markup that the engines only compare: as UTF-8, or where they are not UTF-8, each
/// byte as the character of its number, so that different bytes stay different.
fn characters(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}
