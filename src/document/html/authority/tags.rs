//! Start tags with the places of their attributes.

use std::collections::HashSet;

use html5ever::tendril::StrTendril;

use crate::document::html::element::Quote;
use crate::document::{Span, metadata};

/// A start tag of interest: one that may hold URLs, or that the audit asks about.
pub(super) struct SourceTag {
    /// The byte of its `<`.
    pub(super) start: usize,
    /// Its attributes, without duplicates.
    pub(super) attributes: Vec<SourceAttribute>,
    /// The bytes up to the next end tag, if they may be a carrier.
    pub(super) content: Option<Span>,
}

pub(super) struct SourceAttribute {
    pub(super) name: String,
    pub(super) value: StrTendril,
    pub(super) span: Span,
    pub(super) quote: Quote,
}

/// A start tag while it is tokenized.
pub(super) struct TagBuilder {
    pub(super) name: String,
    pub(super) attributes: Vec<AttributeBuilder>,
    /// The attributes' names, if there are too many to search the list.
    names: HashSet<String>,
    pub(super) had_duplicates: bool,
    pub(super) may_hold_urls: bool,
    /// Whether it has an anchor or an ignore mark.
    pub(super) is_of_interest: bool,
    pub(super) start: usize,
}

pub(super) struct AttributeBuilder {
    pub(super) name: String,
    /// One past the name's last byte.
    pub(super) name_end: usize,
    pub(super) value: StrTendril,
    pub(super) is_duplicate: bool,
}

impl TagBuilder {
    /// A tag whose `<` is at `start`.
    pub(super) fn new(name: String, start: usize) -> TagBuilder {
        TagBuilder {
            name,
            attributes: Vec::new(),
            names: HashSet::new(),
            had_duplicates: false,
            may_hold_urls: false,
            is_of_interest: false,
            start,
        }
    }

    /// Whether the tag already has an attribute of this name, which is about to be added.
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

/// Whether an attribute is an anchor or an ignore mark.
pub(super) fn is_of_interest(tag: &str, attribute: &str) -> bool {
    match attribute {
        "id" | metadata::ATTRIBUTE => true,
        "name" => tag == "a",
        _ => false,
    }
}

/// The span and the quotes of the value of the attribute whose name ends at `name_end`, by the
/// tokenizer's states from "after attribute name" on (HTML Standard section 13.2.5.34). The caller
/// knows that the source does not end within the tag.
pub(super) fn value_place(source: &[u8], name_end: usize) -> (Span, Quote) {
    let skip_space = |mut at: usize| {
        while source.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        at
    };
    let end_of = |from: usize, is_end: &dyn Fn(u8) -> bool| {
        source
            .iter()
            .enumerate()
            .skip(from)
            .find(|&(_, &b)| is_end(b))
            .map_or(source.len(), |(at, _)| at)
    };
    let equals = skip_space(name_end);
    if source.get(equals) != Some(&b'=') {
        let span = Span {
            start: name_end,
            end: name_end,
        };
        return (span, Quote::NoValue);
    }
    let start = skip_space(equals + 1);
    let (quote, start, end) = match source.get(start) {
        Some(b'"') => (Quote::Double, start + 1, end_of(start + 1, &|b| b == b'"')),
        Some(b'\'') => (Quote::Single, start + 1, end_of(start + 1, &|b| b == b'\'')),
        _ => (
            Quote::Unquoted,
            start,
            end_of(start, &|b| b.is_ascii_whitespace() || b == b'>'),
        ),
    };
    (Span { start, end }, quote)
}
