//! Places in messages where bytes may differ although they belong to no reference.

use super::both::Both;
use crate::document::container::Syntax;
use crate::document::{Document, Span};

/// A place in both messages where bytes may differ.
pub(super) struct Exemption {
    /// Where it is in the working bytes.
    pub(super) range: Both<Span>,
    /// For a body in a transfer encoding its container: the decoded texts are compared instead.
    pub(super) body: Option<Both<usize>>,
}

/// Finds where two messages may differ outside of references: in bodies with a transfer encoding,
/// whose lines are wrapped again, and in `Content-Length` headers that are right in both.
pub(super) fn exemptions(before: &Document<'_>, after: &Document<'_>) -> Vec<Exemption> {
    let mut exemptions = Vec::new();
    if before.parts.len() != after.parts.len() {
        return exemptions;
    }
    for (old, new) in before.parts.iter().zip(&after.parts) {
        if let (Some(before), Some(after)) = (old.length, new.length) {
            exemptions.push(Exemption {
                range: Both { before, after },
                body: None,
            });
        }
        let transfer = |document: &Document<'_>, container: Option<usize>| {
            let container = container.and_then(|at| document.containers.get(at))?;
            matches!(container.syntax, Syntax::Transfer(_)).then_some(container.syntax)
        };
        let transfers = (
            transfer(before, old.container),
            transfer(after, new.container),
        );
        let body = match (old.container, new.container) {
            (Some(before), Some(after)) => Both { before, after },
            _ => continue,
        };
        if transfers.0.is_some() && transfers.0 == transfers.1 {
            exemptions.push(Exemption {
                range: Both {
                    before: old.body,
                    after: new.body,
                },
                body: Some(body),
            });
        }
    }
    exemptions.sort_by_key(|exemption| exemption.range.before);
    exemptions
}
