//! What is looked for in an HTML document, as it stands in the source.

use encoding_rs::Encoding;

use super::attributes::AttributeRow;
pub use super::budget::TooComplex;
use super::content::ContentKind;
use super::{Element, Quote};
use crate::document::Span;
use crate::document::facts::{Ignored, Rel};

/// What there is in a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawDocument {
    /// The attribute values that hold URLs, in source order, not yet decoded.
    pub values: Vec<RawValue>,
    /// The contents of elements that are carriers, in source order.
    pub contents: Vec<RawContent>,
    /// The comments, from `<!--` to `-->`, in source order.
    pub comments: Vec<Span>,
    /// Index in `values` of the `href` of the `base` element that counts: the first in tree order
    /// that has one (HTML Standard section 2.4.3).
    pub base: Option<usize>,
    /// That `base` element is in a `noscript`.
    pub base_in_noscript: bool,
    /// The encoding that the first `meta` element which declares one declares.
    pub declared_encoding: Option<&'static Encoding>,
    /// Where a `base` element would come first in the head: behind the start tag of `head`, or
    /// where that is left out, behind the one of `html` or the doctype.
    pub head_start: usize,
    /// What else there is to know, where that is asked for.
    pub facts: RawFacts,
}

/// What is known of a document besides its URLs, as it stands in the source; see
/// [`Facts`](crate::document::Facts).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawFacts {
    /// The values of `id` of the elements in the document tree that are not empty, in source order.
    pub ids: Vec<Span>,
    /// The values of `name` of the `a` elements in the document tree, in source order.
    pub names: Vec<Span>,
    /// The contents of `meta name=generator`.
    pub generators: Vec<String>,
    /// Where findings are not wanted, in order.
    pub ignored: Vec<Ignored>,
}

/// An attribute value that holds URLs, as it stands in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawValue {
    /// The element that has the attribute.
    pub element: Element,
    /// The attribute's row in the table of URL attributes.
    pub row: &'static AttributeRow,
    /// The value's bytes.
    pub span: Span,
    /// How the value is quoted.
    pub quote: Quote,
    /// The value of the element's `codebase` where that is what the row's references are relative
    /// to.
    pub codebase: Option<Span>,
    /// The element is in the document tree, not in the content of a `template`.
    pub in_document: bool,
    /// What a `link` is for, where facts are asked for.
    pub rel: Rel,
}

/// The content of an element, as it stands in the source.
#[derive(Debug, PartialEq, Eq)]
pub struct RawContent {
    /// The element.
    pub element: Element,
    /// What its content is.
    pub kind: ContentKind,
    /// The bytes between its tags.
    pub span: Span,
}
