//! Places in messages where bytes may differ though no reference is there.

use super::bytes::Both;
use crate::document::container::Syntax;
use crate::document::{Document, Span};

/// A place in messages where bytes may differ.
pub(super) struct Exemption {
    pub(super) range: Both<Span>,
    /// The bodies in a transfer encoding that this is, whose texts are to be the same.
    pub(super) body: Option<Both<usize>>,
}

/// Where in two messages bytes may differ though no reference is there: bodies in a transfer
/// encoding, and their lengths in headers, which are right in both.
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
        let form = |document: &Document<'_>, container: Option<usize>| {
            let container = container.and_then(|at| document.containers.get(at))?;
            matches!(container.syntax, Syntax::Transfer(_)).then_some(container.syntax)
        };
        let forms = (form(before, old.container), form(after, new.container));
        let body = match (old.container, new.container) {
            (Some(before), Some(after)) => Both { before, after },
            _ => continue,
        };
        if forms.0.is_some() && forms.0 == forms.1 {
            exemptions.push(Exemption {
                range: Both {
                    before: old.body,
                    after: new.body,
                },
                body: Some(body),
            });
        }
    }
    exemptions.sort_by_key(|cut| cut.range.before);
    exemptions
}
