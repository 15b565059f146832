//! The state of reading a document.

use super::names::{Name, Scopes};
use super::{NotWellFormed, XmlFindings, XmlValue};
use crate::element_selector::KeptElements;
use crate::html::raw::Wanted;
use crate::html::{FurtherAttributes, Namespace};
use crate::value_rules::ValueRules;
use rehref_url::Span;

/// The reader of a document, between two pieces of markup.
pub(super) struct Finder<'s> {
    pub(super) source: &'s [u8],
    pub(super) scopes: Scopes<'s>,
    pub(super) open: Vec<Open<'s>>,
    pub(super) has_doctype: bool,
    /// The vocabulary of elements without a namespace; `None` before the root element.
    pub(super) vocabulary: Option<Namespace>,
    /// The root element is in XSLT's namespace: elements of other vocabularies are templates of the
    /// documents that the transformation makes.
    pub(super) is_transformation: bool,
    /// The root element is of a vocabulary that browsers render: they ignore `xml:base`.
    pub(super) ignores_xml_base: bool,
    /// True to collect anchors and generators.
    pub(super) metadata: bool,
    /// The attributes of (X)HTML, SVG and MathML that hold URLs besides those of the table.
    pub(super) further: FurtherAttributes,
    pub(super) kept: KeptElements,
    pub(super) most_values: usize,
    /// The number of start tags so far, without those in an XHTML `template`.
    pub(super) elements: usize,
    /// The number of values before the content of the last RSS `item`.
    pub(super) item: usize,
    pub(super) findings: XmlFindings,
}

/// An element before its end tag.
pub(super) struct Open<'s> {
    /// The name as written.
    pub(super) tag: &'s [u8],
    /// The byte of the `<` of its tag.
    pub(super) start: usize,
    pub(super) name: Name<'s>,
    /// The prefixes that its tag binds.
    pub(super) bound: Vec<&'s [u8]>,
    /// Index in [`XmlFindings::bases`] of the `xml:base` in force.
    pub(super) base: Option<usize>,
    /// The element is an XHTML `template`, or inside one.
    pub(super) in_template: bool,
    /// The rules for its text, and the byte where its content starts; `None` if the text holds no URL.
    pub(super) text: Option<(ValueRules, usize)>,
}

/// An attribute in the source.
pub(super) struct Attribute<'s> {
    /// The name as written.
    pub(super) written: &'s [u8],
    pub(super) name: Name<'s>,
    /// The value, without the quotes.
    pub(super) span: Span,
    pub(super) quote: u8,
}

/// The bytes that a value takes, with its names.
const VALUE_BYTES: usize = size_of::<XmlValue>() + 64;

impl<'s> Finder<'s> {
    pub(super) fn new(source: &'s [u8], wanted: Wanted) -> Finder<'s> {
        Finder {
            source,
            scopes: Scopes::default(),
            open: Vec::new(),
            has_doctype: false,
            vocabulary: None,
            is_transformation: false,
            ignores_xml_base: false,
            metadata: wanted.metadata,
            further: wanted.further,
            kept: wanted.kept,
            most_values: wanted.memory / VALUE_BYTES,
            elements: 0,
            item: 0,
            findings: XmlFindings::default(),
        }
    }

    pub(super) fn bytes(&self, span: Span) -> &'s [u8] {
        span.of(self.source)
    }

    /// Returns true if the root element has begun.
    pub(super) fn has_root(&self) -> bool {
        self.vocabulary.is_some()
    }
}

/// A result of reading a document that is well-formed so far, or the place where it is not.
pub(super) type Checked<T> = Result<T, NotWellFormed>;

/// Returns the error at the byte `offset` of the source.
pub(super) fn ill(offset: usize, message: impl ToString) -> NotWellFormed {
    NotWellFormed { offset, message: message.to_string() }
}
