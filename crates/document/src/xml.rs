//! XML: the values of a document that hold URLs.
//!
//! XHTML served as XML, SVG, MathML, Atom and RSS feeds, sitemaps, OpenSearch descriptions, and in
//! any other vocabulary `xlink:href`, `xml:base` and XInclude. [`find()`] reads a document and looks up
//! its attributes and texts in the [`table`]; [`decode`] turns the bytes of a value into its text,
//! [`escape`] writes characters for its place.
//!
//! Only well-formed documents (XML 1.0, Namespaces in XML 1.0) are read: readers disagree about the
//! content of others.

mod entities;
mod find;
mod markup;
mod names;
mod state;
mod table;
mod text;

pub use entities::Entities;
pub use find::find;
#[cfg(test)]
pub(crate) use table::{ROWS, When};
pub use text::{Places, UnknownEntity, decode, escape};

use super::html::Element;
use super::metadata::Rel;
use super::value_rules::ValueRules;
use rehref_url::Span;

/// The error of an XML document that is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not well-formed XML: {message}")]
pub struct NotWellFormed {
    /// The offset at which the parser notices the error.
    pub offset: usize,
    pub message: String,
}

/// The result of [`find()`]: the places in an XML document that contain URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XmlFindings {
    /// The values that hold URLs, in source order, not yet decoded.
    pub values: Vec<XmlValue>,
    /// True if the parser stopped before the end of the document because of the memory limit.
    pub has_more: bool,
    /// The entities that the document declares.
    pub entities: Entities,
    /// The `xml:base` attributes that browsers apply, and the links of RSS items, each after the one against
    /// which it resolves.
    pub bases: Vec<XmlBase>,
    /// The values of the `xml:base` attributes that browsers ignore: all in a document whose root
    /// element is of XHTML, SVG or MathML (DOM Standard, "node document base URL"; SVG 2 section 5.10).
    pub ignored_bases: Vec<Span>,
    /// Index in `values` of the `href` of the XHTML `base` element that counts: the first in the
    /// document that has one (HTML Standard section 2.4.3).
    pub base_element: Option<usize>,
    /// The offset of the `<` of this element's tag.
    pub base_tag: Option<usize>,
    /// True if an element is a script that browsers run.
    pub has_script: bool,
    /// The anchors, in source order; empty unless metadata is collected.
    pub anchors: Vec<XmlAnchor>,
    /// The contents of `meta name=generator` of XHTML; empty unless metadata is collected.
    pub generators: Vec<String>,
}

/// An attribute value that a fragment can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XmlAnchor {
    /// The span of the value.
    pub span: Span,
    /// True if the anchor is an `id` or an `xml:id`, false if it is the `name` of an XHTML `a`.
    pub is_id: bool,
    /// The number of the element in the document.
    pub element: usize,
}

/// A base URL: an `xml:base` attribute (XML Base, section 3), or the link of an RSS item. It is itself a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XmlBase {
    /// Index in [`XmlFindings::values`] of the attribute or link itself.
    pub value: usize,
    /// The index in [`XmlFindings::bases`] of the base against which this one resolves; `None` for the document
    /// base URL.
    pub parent: Option<usize>,
}

/// A value that holds URLs, not yet decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlValue {
    /// The element that has the attribute or text.
    pub element: Element,
    /// The attribute's name as written; `None` for the element's text.
    pub attribute: Option<String>,
    pub rules: ValueRules,
    /// The span of the value: an attribute without its quotes, or a text without the white space around it.
    pub span: Span,
    pub place: XmlPlace,
    /// The index in [`XmlFindings::bases`] of the base against which the references resolve; `None` for the
    /// document base URL.
    pub base: Option<usize>,
    /// The value of the attribute that [`ValueRules::beside`] names.
    pub beside: Option<Span>,
    /// The link types of a `link` element.
    pub rel: Rel,
}

/// The place of a value, which decides how it is decoded and escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XmlPlace {
    /// In an attribute, between these quotes.
    Attribute(u8),
    /// In an element, as text.
    Text,
    /// In an element, within a CDATA section.
    CData,
    /// In an element, as text and CDATA sections, perhaps with comments between:
    /// [`Places`] maps spans to one of the other variants.
    Mixed,
}

#[cfg(test)]
mod tests;
