//! Places in messages where bytes may differ although they belong to no reference.

use super::both::Both;
use rehref_document::Document;
use rehref_document::container::Syntax;
use rehref_url::Span;

/// A place in both messages where bytes may differ.
pub(super) struct Exemption {
    /// The place in the working bytes.
    pub(super) range: Both<Span>,
    /// The container of a body in a transfer encoding: the decoded texts are compared instead.
    pub(super) body: Option<Both<usize>>,
}

/// Finds the places, outside of references, where two messages may differ: bodies in a transfer
/// encoding, because rewriting wraps their lines again, and `Content-Length` headers that are right
/// in both.
pub(super) fn exemptions(before: &Document<'_>, after: &Document<'_>) -> Vec<Exemption> {
    let mut exemptions = Vec::new();
    if before.parts.len() != after.parts.len() {
        return exemptions;
    }
    for (old, new) in before.parts.iter().zip(&after.parts) {
        let parts = Both::new(old, new);
        if let Some(range) = parts.map(|part| part.length).flatten() {
            exemptions.push(Exemption { range, body: None });
        }
        let Some(body) = parts.map(|part| part.container).flatten() else {
            continue;
        };
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
