//! One document: bytes in, references with spans out, edits in, bytes out. Pure: no I/O, no panic.
//!
//! - [`encoding`] finds the charset and the bytes to work on;
//! - [`html`] finds the attribute values that hold URLs, and the `base` element that counts;
//! - [`text`] is such a value decoded, with a map back to the source;
//! - [`srcset`], [`refresh`] and [`list`] find the references within a value;
//! - [`mod@reference`] puts these together: the list of references of a document;
//! - [`edit`] applies changes to the source and leaves all other bytes alone.

pub mod edit;
pub mod encoding;
pub mod html;
pub mod list;
mod parse;
mod prescan;
pub mod reference;
pub mod refresh;
mod span;
pub mod srcset;
pub mod template_markup;
pub mod text;

pub use edit::{Edit, splice};
pub use parse::{BaseElement, BaseUrl, Document, DocumentError, ParseOptions};
pub use reference::Reference;
pub use span::{Position, Positions, Span};
