//! Rules for the URLs in a value: its syntax, and the meaning of special values.

use super::html::attributes::Usage;
use super::html::{AttributeRow, ValueKind};

/// The syntax of a value with URLs, and the meaning of special values; see [`AttributeRow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueRules {
    /// The syntax: one URL, a list, `srcset`.
    pub kind: ValueKind,
    /// An empty value is a reference.
    pub empty_resolves: bool,
    /// A fragment-only value means a place in this document whatever the base URL is.
    pub fragment_is_local: bool,
    /// The value cannot be absolute.
    pub relative_only: bool,
    /// A value that begins with a bracket is a name, not a URL (RDFa Core 1.1 section 7.4).
    pub brackets_are_names: bool,
    /// The attribute of the same element that the value depends on.
    pub beside: Option<&'static str>,
    /// The URL may have placeholders; see [`super::placeholders`].
    pub placeholders: bool,
    /// The use of the URLs by the page; `None` where the `rel` of the element decides.
    pub usage: Option<Usage>,
}

impl From<&AttributeRow> for ValueRules {
    fn from(row: &AttributeRow) -> ValueRules {
        ValueRules {
            kind: row.kind,
            empty_resolves: row.empty_resolves,
            fragment_is_local: row.fragment_is_local,
            relative_only: row.relative_only,
            brackets_are_names: row.rdfa,
            beside: row.beside,
            placeholders: false,
            usage: row.usage,
        }
    }
}

impl ValueRules {
    /// The rules of a value without special cases: not the value of an attribute of HTML.
    pub(super) const fn of(kind: ValueKind) -> ValueRules {
        ValueRules {
            kind,
            empty_resolves: false,
            fragment_is_local: false,
            relative_only: false,
            brackets_are_names: false,
            beside: None,
            placeholders: false,
            usage: Some(Usage::Other),
        }
    }

    pub(super) const fn empty_resolves(mut self) -> ValueRules {
        self.empty_resolves = true;
        self
    }

    pub(super) const fn usage(mut self, usage: Usage) -> ValueRules {
        self.usage = Some(usage);
        self
    }

    pub(super) const fn placeholders(mut self) -> ValueRules {
        self.placeholders = true;
        self
    }

    pub(super) const fn fragment_is_local(mut self) -> ValueRules {
        self.fragment_is_local = true;
        self
    }
}
