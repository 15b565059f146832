//! The result of both engines: values, contents and comments of a document, not yet decoded.

use encoding_rs::Encoding;

use super::attributes::AttributeRow;
use super::element::{Element, Quote};
use super::further::FurtherAttributes;
use crate::element_selector::KeptElements;
use crate::metadata::{Ignored, Rel};
use crate::value_rules::ValueKind;
use rehref_url::Span;

/// The error of a document whose parsing would take too much memory or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TooComplex {
    /// Building its tree would.
    #[error(
        "the document is too complex: the elements are nested or repeated beyond what browsers support"
    )]
    Tree,
    /// The references would: a long base URL is part of many, or a list has very many short ones.
    #[error(
        "the document is too complex: the absolute URLs of the links would be far larger than the document"
    )]
    References,
    /// The parts of a message would, of which nearly nothing is in any.
    #[error("the message is too complex: the parts would be far larger than the message")]
    Parts,
    /// A large document has more references than the memory holds that is free.
    #[error(
        "the document is too complex: its links take more memory than is free; split the document, exclude it with --exclude, or use a machine with more memory"
    )]
    Memory,
}

/// The data that an engine collects, and the memory limit for it.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// True to collect the [`RawMetadata`], too.
    pub metadata: bool,
    /// The number of bytes that the references may take.
    pub memory: usize,
    /// The attributes that `--attr` adds to the table of URL attributes.
    pub further: FurtherAttributes,
    /// The elements whose links stay as written.
    pub kept: KeptElements,
}

impl Wanted {
    /// Collects the values with URLs, but no metadata.
    #[cfg(any(test, fuzzing))]
    pub const VALUES: Wanted = Wanted {
        metadata: false,
        memory: usize::MAX,
        further: FurtherAttributes::NONE,
        kept: KeptElements::NONE,
    };
    /// Collects the values with URLs, and the metadata.
    #[cfg(any(test, fuzzing))]
    pub const METADATA: Wanted = Wanted { metadata: true, ..Wanted::VALUES };
}

/// The parts of a document that contain URLs, not yet decoded. All spans are in the source.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawDocument {
    /// The attribute values that hold URLs, in source order.
    pub values: Vec<RawValue>,
    /// The contents of elements that contain URLs, such as `style`, in source order.
    pub contents: Vec<RawContent>,
    /// The comments, from `<!--` to `-->`, in source order.
    pub comments: Vec<Span>,
    /// Index in `values` of the `href` of the `base` element that counts: the first in tree order
    /// that has one (HTML Standard section 2.4.3) and is not in a `noscript`, whose content is text
    /// in browsers that run scripts.
    pub base: Option<usize>,
    /// The offset of the `<` of this element's tag.
    pub base_tag: Option<usize>,
    /// True if an element is a script that browsers run.
    pub has_script: bool,
    /// The encoding that the first `meta` element with a declaration declares.
    pub declared_encoding: Option<&'static Encoding>,
    /// The offset at which a new `base` element would come first in the head: after the start tag of `head`, or
    /// if the head has no tag, after the tag of `html` or the doctype.
    pub head_start: usize,
    /// The metadata that only the audit needs; empty if the caller did not ask for it.
    pub metadata: RawMetadata,
}

/// The part of [`Metadata`](crate::Metadata) that the HTML markup contains.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawMetadata {
    /// The `id`s, not empty, of the elements in the document tree, in source order.
    pub ids: Vec<Span>,
    /// The `name`s of the `a` elements in the document tree, in source order.
    pub names: Vec<Span>,
    /// The `name`s, not empty, of the `map` elements in the document tree, in source order.
    pub maps: Vec<Span>,
    /// The bytes of the `<` of the elements in the document tree that need a URL and have no attribute for one, in
    /// source order.
    pub without_url: Vec<usize>,
    /// The offset of a quote in the last tag that never ends, so that the rest of the source is its value.
    pub unclosed_quote: Option<usize>,
    /// The values of `content` in `meta name=generator` elements.
    pub generators: Vec<String>,
    /// The parts of the source in which checks are ignored, in order.
    pub ignored: Vec<Ignored>,
}

/// An attribute value that holds URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawValue {
    /// The element that has the attribute.
    pub element: Element,
    /// The attribute's row in the table of URL attributes.
    pub row: &'static AttributeRow,
    /// The value, without quotes; empty and after the name if the attribute has no value.
    pub span: Span,
    /// The quotes around the value.
    pub quote: Quote,
    /// The value of the attribute [`ValueRules::beside`](crate::value_rules::ValueRules::beside), if the element has
    /// it.
    pub beside: Option<Span>,
    /// True if the element is in the document tree, not in the content of a `template`.
    pub in_document: bool,
    /// True if the tag is in a `noscript`, so that browsers that run scripts treat it as text.
    pub in_noscript: bool,
    /// The link types of a `link` element.
    pub rel: Rel,
}

/// The content of an element that contains URLs, such as `style`.
#[derive(Debug, PartialEq, Eq)]
pub struct RawContent {
    pub element: Element,
    /// The language of the content, such as CSS or JSON.
    pub kind: ValueKind,
    /// The bytes between the start tag and the end tag.
    pub span: Span,
}
