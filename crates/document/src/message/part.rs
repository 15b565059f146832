//! The parts of a parsed message, and their headers that an edit of a body makes wrong.

use std::collections::HashSet;

use super::media_type::MediaType;
use rehref_url::{Edit, Span};

/// A part of a message, or the message itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The index of the enclosing part, which is earlier in the list. `None` for the message itself.
    pub parent: Option<usize>,
    /// The number of the part: `2` is the second part of the message, `2.1` the first part in that part. Empty
    /// for the message itself.
    pub number: String,
    /// The media type of the part's body.
    pub media_type: MediaType,
    /// The value of `Content-ID`, without the brackets.
    pub content_id: Option<String>,
    /// True if a `cid:` link in the message names the part by its `Content-ID`. Browsers then load the part
    /// from this URL, against which no relative reference resolves.
    pub is_named_by_cid: bool,
    /// The scope whose base URL the part's headers give; the enclosing scope if they give none.
    pub scope: usize,
    /// The scope whose base URL is the part's `Content-Location`.
    pub location: Option<usize>,
    /// The scope of the body, if the body is a document.
    pub document: Option<usize>,
    /// The container of the body, if the body is parsed.
    pub container: Option<usize>,
    pub body: Span,
    /// The span of the value of `Content-Length`, if the value is correct.
    pub length: Option<Span>,
    /// The span of the value of `Content-MD5`.
    pub digest: Option<Span>,
    /// True if the body is signed, so that none of its bytes may change.
    pub is_signed: bool,
}

impl Part {
    /// The `edits`, in order, that lie in the body.
    fn own<'e>(&self, edits: &'e [Edit]) -> &'e [Edit] {
        let start = edits.partition_point(|edit| edit.span.start < self.body.start);
        let rest = edits.get(start..).unwrap_or_default();
        let end = rest.partition_point(|edit| edit.span.end <= self.body.end);
        rest.get(..end).unwrap_or_default()
    }
}

/// Returns true if the byte `at` of a message with these parts is signed.
pub fn is_signed(parts: &[Part], at: usize) -> bool {
    // Parts begin in order. Those with `at` in them are around the last that begins before it, or are it.
    let before = parts.partition_point(|part| part.body.start <= at);
    let last = before.checked_sub(1).and_then(|last| parts.get(last));
    let mut around = std::iter::successors(last, |part| parts.get(part.parent?));
    around.any(|part| part.is_signed && part.body.range().contains(&at))
}

/// Returns the scopes of the documents that `cid:` links name.
pub fn scopes_named_by_cid(parts: &[Part]) -> HashSet<usize> {
    let named = parts.iter().filter(|part| part.is_named_by_cid);
    named.filter_map(|part| part.document).collect()
}

/// Returns the edits of `Content-Length` headers after `edits`, which change the lengths of bodies and are in order.
pub fn length_edits(parts: &[Part], edits: &[Edit]) -> Vec<Edit> {
    // From the last to the first.
    let mut made: Vec<Edit> = Vec::new();
    // The body of a part holds the lengths of its own parts, which come after it.
    for part in parts.iter().rev() {
        let Some(length) = part.length else { continue };
        let old = part.body.len();
        let (mut removed, mut inserted) = (0, 0);
        let within = made.partition_point(|edit| edit.span.start >= part.body.end);
        let lengths = made.get(within..).unwrap_or_default();
        for edit in part.own(edits).iter().chain(lengths) {
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

/// Returns the parts with a digest whose content `edits` change, so that the digest is wrong. `edits` are in the order of
/// the document.
pub fn parts_with_wrong_digest<'p>(
    parts: &'p [Part],
    edits: &'p [Edit],
) -> impl Iterator<Item = &'p Part> {
    let digested = parts.iter().filter(|part| part.digest.is_some());
    digested.filter(|part| !part.own(edits).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, DocumentKind, ParseOptions};

    fn parse(source: &str) -> Vec<Part> {
        let options = ParseOptions { kind: DocumentKind::Message, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        document.parts
    }

    /// A message with signed parts, parts in parts, and lengths.
    const NESTED: &str = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=a\n\n\
        --a\nContent-Type: multipart/signed; boundary=b\n\n\
        --b\nContent-Type: text/html\nContent-Length: 3\nContent-MD5: x\n\n<p>\n\
        --b\nContent-Type: multipart/mixed; boundary=c\nContent-Length: 65\n\n\
        --c\nContent-Type: text/html\nContent-Length: 10\n\n<a href=x>\n--c--\n\n--b--\n\
        --a\nContent-Type: text/html\nContent-Length: 10\nContent-MD5: x\n\n<a href=y>\n--a--\n";

    #[test]
    fn the_parts_around_a_byte_are_found_without_a_search_of_all() {
        let parts = parse(NESTED);
        assert_eq!(parts.len(), 6);
        for at in 0..NESTED.len() + 2 {
            let mut signed = parts.iter().filter(|part| part.is_signed);
            let expected = signed.any(|part| part.body.range().contains(&at));
            assert_eq!(is_signed(&parts, at), expected, "{at}");
        }
        assert!(!is_signed(&[], 0));
    }

    #[test]
    fn the_edits_in_each_body_are_found_without_a_search_of_all() {
        let parts = parse(NESTED);
        for step in 1..20 {
            for first in 0..step {
                let places = (first..NESTED.len() - 1).step_by(step);
                let edits: Vec<Edit> =
                    places.map(|at| Edit::new(at..at + at % 2, b"xy".to_vec())).collect();
                for part in &parts {
                    let own = edits.iter().filter(|edit| part.body.contains(edit.span));
                    assert!(part.own(&edits).iter().eq(own), "{step} {first}");
                }
            }
        }
    }

    #[test]
    fn the_lengths_of_inner_parts_count_in_the_outer_ones() {
        let parts = parse(NESTED);
        let digits: Vec<bool> = parts.iter().map(|part| part.length.is_some()).collect();
        assert_eq!(digits, [false, false, true, true, true, true]);
        let at = NESTED.find("href=x").unwrap() + 5;
        let edits = [Edit::new(at..at + 1, vec![b'x'; 95])];
        let lengths = length_edits(&parts, &edits);
        let texts: Vec<_> = lengths.iter().map(|edit| &*edit.replacement).collect();
        // From the last part to the first; the outer one holds a length that got a digit longer.
        assert_eq!(texts, [&b"104"[..], b"160"]);
        let wrong = |edits| parts_with_wrong_digest(&parts, edits).count();
        assert_eq!(wrong(&edits), 0);
        let last = NESTED.find("href=y").unwrap() + 5;
        assert_eq!(wrong(&[Edit::new(last..last, b"y".to_vec())]), 1);
    }
}
