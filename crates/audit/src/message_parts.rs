//! Looks the parts of a message up by their names: `Content-ID` and `Content-Location`.

use std::collections::HashMap;

use super::target_place::{TargetPlace, without_fragment};
use rehref_document::{BaseElement, BaseUrl, Document};
use rehref_url::{AbsoluteUrl, percent_decoded, scheme};

/// The parts of a message, by `Content-ID` and `Content-Location`, as part numbers. If several parts have the
/// same name, the first is used. Empty if the document is not a message.
#[derive(Debug, Default)]
pub struct PartIndex {
    is_message: bool,
    ids: HashMap<Vec<u8>, usize>,
    locations: HashMap<String, usize>,
}

impl PartIndex {
    /// Indexes the parts of `document`. `bases` are the base URLs of its scopes.
    pub fn of(document: &Document<'_>, bases: &[BaseUrl]) -> PartIndex {
        let mut index =
            PartIndex { is_message: !document.parts.is_empty(), ..PartIndex::default() };
        for (number, part) in document.parts.iter().enumerate() {
            if let Some(id) = &part.content_id {
                let id = id.as_bytes().to_vec();
                index.ids.entry(id).or_insert(number);
            }
            let base = part.location.and_then(|scope| bases.get(scope));
            let base = base.filter(|base| base.element == BaseElement::Used);
            if let Some(url) = base.and_then(|base| base.url.as_ref()) {
                let whole = without_fragment(url.as_str()).0.to_owned();
                index.locations.entry(whole).or_insert(number);
            }
        }
        index
    }

    /// Returns the part that `target` names, by its `Content-ID` or its `Content-Location` (RFC 2557 section 8);
    /// `None` if it names nothing in the message.
    pub(super) fn place(&self, target: &AbsoluteUrl) -> Option<TargetPlace<'static>> {
        if !self.is_message {
            return None;
        }
        let (whole, fragment) = without_fragment(target.as_str());
        let id = match scheme::split(whole) {
            Some(("cid", id)) => Some(percent_decoded(id)),
            _ => None,
        };
        let by_id = id.as_ref().and_then(|id| self.ids.get(&**id));
        let by_location = self.locations.get(whole);
        let part = by_id.into_iter().chain(by_location).min().copied();
        // A `cid:` URL can name nothing but a part.
        (part.is_some() || id.is_some())
            .then(|| TargetPlace::Part { part, fragment: fragment.map(str::to_owned) })
    }
}
