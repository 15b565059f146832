//! Start tags with the places of their attributes.

use std::collections::HashSet;

use html5ever::tendril::StrTendril;

use crate::html::element::Quote;
use crate::html::scanner;
use rehref_url::Span;

/// A start tag of interest: one that may hold URLs, or that the audit asks about.
pub(super) struct SourceTag {
    /// The byte of its `<`.
    pub(super) start: usize,
    /// True if it stands in a `noscript`; see [`RawValue::in_noscript`](crate::html::raw::RawValue::in_noscript).
    pub(super) in_noscript: bool,
    /// The attributes, without duplicates.
    pub(super) attributes: Vec<SourceAttribute>,
    /// The bytes up to the next end tag, if they may be a carrier.
    pub(super) content: Option<Span>,
}

pub(super) struct SourceAttribute {
    pub(super) name: String,
    /// One past the name's last byte.
    pub(super) name_end: usize,
    /// The decoded value; empty without one.
    pub(super) value: StrTendril,
    /// True if the tag has an attribute of this name before this one, which counts.
    pub(super) is_duplicate: bool,
}

/// A start tag while it is tokenized.
#[derive(Default)]
pub(super) struct TagBuilder {
    pub(super) name: String,
    /// The byte of its `<`.
    pub(super) start: usize,
    pub(super) attributes: Vec<SourceAttribute>,
    /// The attributes' names, if there are too many to search the list.
    pub(super) names: HashSet<String>,
    /// True if an attribute may hold URLs, or is an anchor or an ignore mark.
    pub(super) is_of_interest: bool,
}

impl TagBuilder {
    /// Returns true if the tag already has an attribute of this name, which is about to be added.
    pub(super) fn has(&mut self, name: &str) -> bool {
        const MANY: usize = 32;
        if self.attributes.len() < MANY {
            return self.attributes.iter().any(|other| other.name == name);
        }
        if self.names.is_empty() {
            let names = self.attributes.iter().map(|other| other.name.clone());
            self.names = names.collect();
        }
        !self.names.insert(name.to_owned())
    }
}

/// Returns true if an attribute is an anchor.
pub(super) fn is_of_interest(tag: &str, attribute: &str) -> bool {
    match attribute {
        "id" => true,
        "name" => matches!(tag, "a" | "map"),
        _ => false,
    }
}

impl SourceAttribute {
    /// Returns the span and the quotes of the value. `source` does not end within the tag.
    pub(super) fn place(&self, source: &[u8]) -> (Span, Quote) {
        let value = scanner::value(source, self.name_end);
        value.map_or((Span::at(self.name_end), Quote::NoValue), |it| (it.span, it.quote))
    }
}
