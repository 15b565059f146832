//! The parts of a parsed message, and their headers that an edit of a body makes wrong.

use super::media_type::MediaType;
use crate::document::{Edit, Span};

/// A part of a message, or the message itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The index of the enclosing part, which comes before it.
    pub parent: Option<usize>,
    /// The number: `2` is the second part of the message, `2.1` the first part in that. Empty for the
    /// message itself.
    pub number: String,
    /// The type of the body.
    pub media_type: MediaType,
    /// The value of `Content-ID`, without the brackets.
    pub content_id: Option<String>,
    /// Whether a `cid:` link in the message names the part by its `Content-ID`. Browsers then load the
    /// part from that URL, and nothing is relative to a `cid:` URL.
    pub is_named_by_cid: bool,
    /// The scope whose base URL the part's headers give; the enclosing scope if they give none.
    pub scope: usize,
    /// The scope whose base URL is the part's `Content-Location`.
    pub location: Option<usize>,
    /// The scope of the body, if that is a document.
    pub document: Option<usize>,
    /// The container of the body, if the body is parsed.
    pub container: Option<usize>,
    pub body: Span,
    /// The value of `Content-Length`, if that is the length of the body.
    pub length: Option<Span>,
    /// The value of `Content-MD5`.
    pub digest: Option<Span>,
    /// Whether the body is signed, so that none of its bytes may change.
    pub is_signed: bool,
}

impl Part {
    /// The `edits` that lie in the body.
    fn own<'e>(&self, edits: impl Iterator<Item = &'e Edit>) -> impl Iterator<Item = &'e Edit> {
        edits.filter(|edit| self.body.contains(edit.span))
    }
}

/// Whether the byte `at` of a message with these parts is signed. `at` is only called if any part is
/// signed, which few are.
pub fn is_signed(parts: &[Part], at: impl FnOnce() -> usize) -> bool {
    let mut signed = parts.iter().filter(|part| part.is_signed).peekable();
    if signed.peek().is_none() {
        return false;
    }
    let at = at();
    signed.any(|part| part.body.range().contains(&at))
}

/// Whether the document with this `scope` is a part that a `cid:` link names.
pub fn is_named_by_cid(parts: &[Part], scope: usize) -> bool {
    let mut parts = parts.iter();
    parts.any(|part| part.is_named_by_cid && part.document == Some(scope))
}

/// The edits of `Content-Length` headers after `edits`, which change the lengths of bodies.
pub fn length_edits(parts: &[Part], edits: &[Edit]) -> Vec<Edit> {
    let mut made = Vec::new();
    // The body of a part holds the lengths of its own parts, which come after it.
    for part in parts.iter().rev() {
        let Some(length) = part.length else { continue };
        let old = part.body.len();
        let (mut removed, mut inserted) = (0, 0);
        for edit in part.own(edits.iter().chain(&made)) {
            removed += edit.span.len();
            inserted += edit.replacement.len();
        }
        let new = (old + inserted).saturating_sub(removed);
        if new != old {
            made.push(Edit::new(length, new.to_string().into_bytes()));
        }
    }
    made
}

/// The parts with a digest that `edits` make wrong.
pub fn parts_with_wrong_digest<'p>(
    parts: &'p [Part],
    edits: &'p [Edit],
) -> impl Iterator<Item = &'p Part> {
    let is_changed = |part: &&Part| part.own(edits.iter()).next().is_some();
    let digested = parts.iter().filter(|part| part.digest.is_some());
    digested.filter(is_changed)
}
