//! Metadata: anchors, generators and other information that an audit needs besides references.
//!
//! The same parse collects it if [`ParseOptions::metadata`](super::ParseOptions::metadata)
//! is set.

mod anchors;
pub mod fragment;
pub mod generator;
mod ignored;
mod ignored_markdown;
mod rel;

pub(super) use anchors::duplicates;
pub use anchors::{Anchors, DuplicateId};
pub(super) use ignored::{ATTRIBUTE, MARK, check_ids, ids_of_comment};
pub use ignored::{Ignored, IgnoredParts};
pub(super) use ignored_markdown::ignored_markdown;
pub use rel::Rel;

use rehref_generators::markdown::{Maker, UnreadLink};
use rehref_url::Span;

/// The metadata of a document. All offsets and spans are in the document's working bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The anchors: `id` of any element in the document tree, `name` of `a` in HTML. The content of a
    /// `template` and documents within the document are not in the tree.
    pub anchors: Anchors,
    /// The anchors of each of the [`parts`](super::Document::parts) of a message. The first document in a
    /// message also has the anchors of the message.
    pub parts: Vec<Anchors>,
    /// The `id`s that an earlier element already has, in source order.
    pub duplicate_ids: Vec<DuplicateId>,
    /// The generators of the document: the contents of `meta name=generator`, then generators
    /// recognised by their signs; see [`generator`].
    pub generators: Vec<String>,
    /// The `base` elements, for each scope that has one with an `href`.
    pub bases: Vec<Bases>,
    /// The values of the `xml:base` attributes that browsers ignore, in source order.
    pub ignored_xml_bases: Vec<Span>,
    /// The references in Markdown to definitions that the document does not have, in source order.
    pub undefined_references: Vec<Span>,
    /// The definitions in Markdown that no reference uses, in source order.
    pub unused_definitions: Vec<Span>,
    /// The `name`s of the `map` elements of HTML.
    pub maps: Vec<String>,
    /// The start tags of elements of HTML that need a URL and have no attribute for one, in source order.
    pub without_url: Vec<usize>,
    /// The quote in a tag of HTML that never ends, so that the rest of the document is its value.
    pub unclosed_quote: Option<usize>,
    /// The parts of the document with ignore marks, in the order of their starts.
    pub ignored: IgnoredParts,
    /// The links in Markdown and shortcodes that rehref does not read, so that it cannot check them.
    pub unread: Vec<UnreadLink>,
    /// Plugins and components that may make more anchors, if the project has them, each with its name in
    /// messages.
    pub makers: Vec<(&'static Maker, String)>,
    /// The byte of the first sequence that is malformed in the document's charset. Always `None` for a
    /// transcoded document: a malformed one is refused.
    pub malformed_at: Option<usize>,
}

impl Metadata {
    /// Returns true if an ignore mark suppresses findings of this check in the reference or value that starts
    /// at the byte `at`.
    pub fn ignores(&self, at: usize, check: &str) -> bool {
        self.ignored.cover(at, check)
    }
}

/// The `base` elements with an `href` in the tree of a document or of a `srcdoc` document in it. The first is
/// effective, unless browsers ignore it at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    /// The scope whose base URL the elements set.
    pub scope: usize,
    /// The offset of the value of each `href`, in source order.
    pub hrefs: Vec<usize>,
    /// The offset of the first reference that depends on the base URL and comes before the `base` element that
    /// sets it; `None` if no reference does.
    pub late_for: Option<usize>,
}

#[cfg(test)]
mod tests;
