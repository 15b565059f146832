//! The state of a scan: the place in the source, and as much of the tree as matters.

use super::attribute_table::AttributeTable;
use super::attributes::{TagAttribute, TagEnd};
use super::reasons::{DeclineReason, Scan};
use super::tags::{IntegrationPoint, TAGS, TagInfo, TagTable};
use crate::element_selector::KeptElements;
use crate::html::element::Namespace;
use crate::html::raw::{RawDocument, Wanted};
use crate::simple::VALUE_BYTES;
use rehref_url::Span;

/// An insertion mode of the Standard. Three modes act as others here: "initial" as "before html",
/// "after body" and "after after body" as "in body".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InsertionMode {
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InTemplate,
    InColumnGroup,
    InBody,
    InTable,
    InTableBody,
    InRow,
    InCell,
    InCaption,
}

impl InsertionMode {
    /// Returns true if the head is closed, so that text cannot change the mode.
    pub(super) fn is_past_head(self) -> bool {
        self > InsertionMode::AfterHead
    }

    /// Returns true if a tag without rules of its own inserts an element.
    pub(super) fn inserts_any_tag(self) -> bool {
        self >= InsertionMode::InBody
    }
}

/// An open element that decides what later tags do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenElement {
    Table,
    Caption,
    ColumnGroup,
    /// `tbody`, `tfoot` or `thead`, by the number of its name.
    Section(Option<usize>),
    Row,
    /// `td` or `th`, by the number of its name.
    Cell(Option<usize>),
    Template,
    Select,
    /// SVG or MathML.
    Foreign {
        namespace: Namespace,
        name: Span,
        point: IntegrationPoint,
    },
    /// HTML in SVG or MathML.
    Html {
        name: Span,
        number: Option<usize>,
    },
}

/// The result of a start tag by the rules of an insertion mode, in the words of the Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// "Ignore the token."
    Ignore,
    /// "Insert an element for the token" in this namespace.
    Insert(Namespace),
    /// "Reprocess the token", by the rules of the mode that is set now.
    Reprocess,
}

impl Action {
    pub(super) const INSERT_HTML: Action = Action::Insert(Namespace::Html);
}

/// A tag in the source.
#[derive(Clone, Copy)]
pub(super) struct Tag<'k> {
    pub(super) info: &'k TagInfo,
    /// The number of its name in [`TagTable::names`].
    pub(super) number: Option<usize>,
    pub(super) name: Span,
    pub(super) end: TagEnd,
}

/// About the number of bytes of a document per value: the vector of values gets room by it.
const BYTES_PER_VALUE: usize = 128;

/// The most open elements that the scanner keeps: far more than any real document has.
const DEPTH: usize = 512;

pub(super) struct Scanner<'s> {
    pub(super) source: &'s [u8],
    pub(super) start: usize,
    pub(super) metadata: bool,
    /// The most values that it collects.
    pub(super) most_values: usize,
    pub(super) tag_table: &'static TagTable,
    pub(super) attribute_table: &'static AttributeTable,
    pub(super) kept: KeptElements,
    /// The next byte.
    pub(super) at: usize,
    /// The attributes of interest of the latest tag.
    pub(super) tag_attributes: Vec<TagAttribute>,
    pub(super) raw: RawDocument,

    /// True if everything so far stands before the head, even where the head has no tag.
    pub(super) is_before_head: bool,
    pub(super) mode: InsertionMode,
    /// The mode outside of all templates and tables: in the head, after it, or in the body.
    pub(super) root: InsertionMode,
    /// The open elements that matter, the latest last.
    pub(super) stack: Vec<OpenElement>,
    /// The number of elements at the top of `stack` that are SVG, MathML or HTML in those.
    pub(super) foreign: usize,
    /// The mode for the direct content of each open template.
    pub(super) templates: Vec<InsertionMode>,
    /// True if the form element pointer is set (HTML Standard section 13.2.4.4).
    pub(super) has_form: bool,
    /// The content of the latest `noscript` in browsers that run scripts, which read its content as raw
    /// text.
    pub(super) noscript: Span,
    // A table moves elements out of itself, so that tree order may differ from source order.
    /// True if the `base` that counts stands in the body, where a table may move it.
    pub(super) base_in_body: bool,
    /// True if a table may move the `meta` that declares the encoding.
    pub(super) encoding_may_be_moved: bool,
    /// The number of generators that a table may move.
    pub(super) generators_moved: usize,
    /// The index in `raw.contents` of the content that ends where the next end tag starts.
    pub(super) content_of: Option<usize>,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(source: &'s [u8], start: usize, wanted: Wanted) -> Scanner<'s> {
        Scanner {
            source,
            start,
            metadata: wanted.metadata,
            most_values: wanted.memory / VALUE_BYTES,
            tag_table: &TAGS,
            attribute_table: AttributeTable::of(wanted.further),
            kept: wanted.kept,
            at: start,
            tag_attributes: Vec::new(),
            raw: RawDocument {
                values: Vec::with_capacity(source.len() / BYTES_PER_VALUE),
                head_start: start,
                ..RawDocument::default()
            },
            is_before_head: true,
            mode: InsertionMode::BeforeHtml,
            root: InsertionMode::InHead,
            stack: Vec::new(),
            foreign: 0,
            templates: Vec::new(),
            has_form: false,
            noscript: Span::default(),
            base_in_body: false,
            encoding_may_be_moved: false,
            generators_moved: 0,
            content_of: None,
        }
    }

    /// Returns the bytes of a span of the source.
    pub(super) fn bytes(&self, span: Span) -> &'s [u8] {
        span.of(self.source)
    }

    /// Returns the latest tag's attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&TagAttribute> {
        self.tag_attributes
            .iter()
            .find(|attribute| self.attribute_table.names.name(attribute.number) == Some(name))
    }

    pub(super) fn push(&mut self, element: OpenElement) -> Scan<()> {
        if self.stack.len() >= DEPTH {
            return Err(DeclineReason::Depth);
        }
        self.stack.push(element);
        Ok(())
    }
}
