//! Places in messages where bytes may differ although they belong to no reference.

use super::both::Both;
use rehref_document::Document;
use rehref_document::container::{Container, Syntax, span_in};
use rehref_url::Span;

/// A place in both messages where bytes may differ.
pub(super) struct Exemption {
    /// The place in the working bytes.
    pub(super) range: Both<Span>,
    /// The container of a body in a transfer encoding: the decoded texts are compared instead.
    pub(super) body: Option<Both<usize>>,
}

/// Finds the places, outside of references, where two documents may differ: bodies of messages in a transfer encoding and
/// base64 in XML, because rewriting wraps their lines again, and `Content-Length` headers that are right in both.
pub(super) fn exemptions(before: &Document<'_>, after: &Document<'_>) -> Vec<Exemption> {
    let mut exemptions = Vec::new();
    if before.parts.len() != after.parts.len() {
        return exemptions;
    }
    if before.parts.is_empty() {
        let both = Both::new(before, after).map(encoded);
        let pairs = both.before.into_iter().zip(both.after);
        exemptions.extend(pairs.map(|((from, old), (to, new))| Exemption {
            range: Both::new(old, new),
            body: Some(Both::new(from, to)),
        }));
    }
    for (old, new) in before.parts.iter().zip(&after.parts) {
        let parts = Both::new(old, new);
        if let Some(range) = parts.map(|part| part.length).flatten() {
            exemptions.push(Exemption { range, body: None });
        }
        let Some(body) = parts.map(|part| part.container).flatten() else { continue };
        let syntaxes = Both::new(before, after)
            .zip(body)
            .map(|(document, at)| Some(document.containers.get(at)?.syntax));
        if syntaxes.before == syntaxes.after && matches!(syntaxes.before, Some(Syntax::Transfer(_)))
        {
            exemptions.push(Exemption { range: parts.map(|part| part.body), body: Some(body) });
        }
    }
    exemptions.sort_by_key(|exemption| exemption.range.before);
    exemptions
}

/// The containers of a document in XML that are in base64, each with its place in the working bytes.
fn encoded(document: &Document<'_>) -> Vec<(usize, Span)> {
    let all = document.containers.iter().enumerate();
    let encoded = all.filter(|(_, it)| matches!(it.syntax, Syntax::Transfer(_)));
    let place = |it: &Container| match it.parent {
        Some(parent) => span_in(&document.containers, parent, it.span),
        None => it.span,
    };
    encoded.map(|(at, it)| (at, place(it))).collect()
}
