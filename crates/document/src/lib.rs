//! One document. Bytes and [`ParseOptions`] go in; out come its references with spans, the base URLs they count from,
//! and what an audit needs besides ([`Metadata`]). Edits go in, and the bytes of the changed document come out.
//!
//! Everything here is pure: no I/O, no threads, and no panic on any input.
//!
//! - [`encoding`] finds the charset and the bytes to work on, [`file_kind()`] the kind of a file by its name;
//! - [`html`] finds the attribute values that hold URLs, and the `base` element that counts;
//! - `extract` takes a document of any kind apart; [`xml`], [`json`], [`redirects`] and [`lines`] find the URLs of the
//!   other kinds;
//! - [`srcset`], [`refresh`], [`list`], [`css`] find the URLs within a text;
//! - [`container`] is a piece of text that holds references or further pieces, [`mod@reference`] what
//!   a document points at, [`scope`] a part of it with a base URL of its own;
//! - [`FetchOption`] says how browsers load a file, [`integrity`] reads and computes digests;
//! - [`message`] knows headers, and parts within parts;
//! - [`mod@metadata`] is the information that an audit needs besides.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(any(test, fuzzing)),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod ascii;
mod attribute_removal;
mod base_element;
mod base_source;
mod base_url;
mod binary_content;
mod budget;
mod charset_change;
mod conditional_comment;
mod constraints;
pub mod container;
pub mod css;
mod disk_limits;
mod document;
mod document_error;
mod document_kind;
pub mod element_selector;
pub mod encoding;
mod extract;
mod fetch_option;
mod file_kind;
mod fix;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
pub mod html;
mod imports;
pub mod integrity;
pub mod json;
mod late_base;
pub mod lines;
mod link_header;
pub mod list;
pub mod message;
pub mod metadata;
mod options;
mod parse;
pub mod placeholders;
pub mod policy;
mod position;
mod prescan;
pub mod redirects;
pub mod reference;
pub mod refresh;
pub mod scope;
mod script_traits;
mod scripts;
pub mod server_include;
mod simple;
mod skip_reason;
pub mod srcset;
pub mod template_markup;
#[cfg(test)]
#[path = "../../../tests/support/data.rs"]
mod test_data;
#[cfg(test)]
mod tests;
mod usage;
mod value_rules;
mod viewed_file;
pub mod xml;

pub use base_element::BaseRemoval;
pub use base_source::BaseUrlSource;
pub use base_url::{BaseElement, BaseUrl};
pub use binary_content::{MAGIC_LENGTH, is_binary_content};
pub use constraints::Constraints;
pub use disk_limits::{
    NAMELESS, disk_limits_of_page, disk_limits_of_script, disk_limits_of_style, is_nameless,
};
pub use document::{Document, UnreadableContainer};
pub use document_error::{DocumentError, NOT_A_DOCUMENT};
pub use document_kind::DocumentKind;
pub use fetch_option::FetchOption;
pub use file_kind::{
    FileKind, SNIFF_LENGTH, file_kind, has_server_includes, is_binary, is_markdown, is_program,
    kind_if_loaded, lossy, may_be_loaded, sniff_document_kind, sniff_html, sniff_xml,
};
pub use fix::{Fix, Fixes};
pub use imports::inline_imports;
pub use metadata::{Metadata, Rel};
pub use options::ParseOptions;
pub use position::{Position, Positions};
pub use reference::Reference;
pub use script_traits::{Application, ScriptTraits, ScriptsOfPage};
pub use scripts::{SCRIPTS, STYLES, inline_code};
pub use simple::SimpleReference;
pub use skip_reason::SkipReason;
pub use template_markup::TemplateDialects;
pub use value_rules::FetchOptionKind;
pub use viewed_file::{viewed_file, viewed_file_url, with_viewed_file};
