//! Metadata: what an audit has to know of a document besides its references.
//!
//! They are gathered in the same parse, where [`ParseOptions::metadata`](super::ParseOptions::metadata)
//! asks for them.

mod anchors;
pub mod fragment;
pub mod generator;
mod ignored;
mod rel;

pub(super) use anchors::duplicates;
pub use anchors::{Anchors, DuplicateId};
pub use ignored::Ignored;
pub(super) use ignored::{ATTRIBUTE, MARK, check_ids, ids_of_comment};
pub use rel::Rel;

/// What an audit has to know of a document besides its references. All offsets and spans count in
/// the document's working bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// What a fragment can name: `id` of any element in the document tree, `name` of `a` in HTML.
    /// What is in a `template` is not in the tree, nor are documents within the document.
    pub anchors: Anchors,
    /// The same of each of the [`parts`](super::Document::parts) of a message; there, those of the
    /// first document in it are its own too.
    pub parts: Vec<Anchors>,
    /// The `id`s that an element before has already, in source order.
    pub duplicate_ids: Vec<DuplicateId>,
    /// What made the document: the contents of `meta name=generator`, then what gives other
    /// generators away; see [`generator`].
    pub generators: Vec<String>,
    /// The `base` elements, for each scope that has one with an `href`.
    pub bases: Vec<Bases>,
    /// Where findings are not wanted, in the order of their starts.
    pub ignored: Vec<Ignored>,
    /// The byte at which the first sequence stands that the document's charset does not have.
    /// `None` too for what is worked on in UTF-8: there such a document is refused.
    pub malformed_at: Option<usize>,
}

impl Metadata {
    /// Whether the author does not want to hear of what the check with this id finds in the
    /// reference, or the value, that starts at this byte.
    pub fn ignores(&self, at: usize, check: &str) -> bool {
        self.ignored
            .iter()
            .take_while(|ignored| ignored.span.start <= at)
            .any(|ignored| ignored.covers(at, check))
    }
}

/// The `base` elements with an `href` in the tree of a document or of a `srcdoc` document in it.
/// The first counts unless it is out of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    /// The scope.
    pub scope: usize,
    /// The byte at which the value of each stands, in source order.
    pub hrefs: Vec<usize>,
    /// The byte of the first reference that takes the base and stands before the one that counts.
    pub late_for: Option<usize>,
}

#[cfg(test)]
mod tests;
