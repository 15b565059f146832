//! The scanner: one pass over the bytes of a document, without building its tree.
//!
//! Tree construction inserts an element for nearly every start tag, wherever the element ends up in
//! the tree. Little state decides which tags it ignores and which become SVG or MathML: whether the
//! head is open, which tables, templates, `select`, SVG and MathML elements are open, and whether a
//! form is open. The scanner keeps that state, by the rules of html5ever's tree builder, and forgets
//! all other elements.
//!
//! Contract: [`find_values`] returns exactly what the [authority](super::authority) returns, or
//! declines for a [`DeclineReason`] where the result depends on more of the tree.
//! It also returns values where the authority refuses a document for the size of its tree.
//!
//! - `parser` reads the tags, and skips text and comments with `text`;
//! - `names` reads the names, `attributes` the attributes of a tag, `attribute_table` those that
//!   matter, `lanes` looks at sixteen bytes at once;
//! - `modes`, `table_modes` and `foreign` are tree construction, on the `state`;
//! - `collector` keeps the values of the elements that are inserted;
//! - `tags` is the table of the tags that matter, [`DeclineReason`] the list of the reasons.

pub(super) mod attribute_table;
pub(crate) mod attributes;
mod collector;
mod foreign;
mod lanes;
mod modes;
mod names;
mod parser;
mod reasons;
mod state;
mod table_modes;
mod tags;
mod text;

pub(in crate::html) use attributes::{unclosed_quote, value};
pub(in crate::html) use names::scan_tag;
pub use reasons::{DeclineReason, Scan};
use state::Scanner;
pub(super) use text::raw_text_end;

use super::raw::{RawDocument, Wanted};

/// Returns what [`authority::find_values`](super::authority::find_values) returns for the same
/// arguments.
///
/// # Errors
/// The reason why only the authority can read this document.
pub fn find_values(source: &[u8], start: usize, wanted: Wanted) -> Scan<RawDocument> {
    let mut scanner = Scanner::new(source, start, wanted);
    if !scanner.attribute_table.knows_elements {
        return Err(DeclineReason::FurtherElement);
    }
    scanner.run()?;
    Ok(scanner.raw)
}
