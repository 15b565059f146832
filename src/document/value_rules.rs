//! Rules for the URLs in a value: how they stand in it, and what special values mean.

use super::html::attributes::Usage;
use super::html::{AttributeRow, ValueKind};
use super::xml::XmlValue;

/// How URLs stand in a value, and what special values mean there; see [`AttributeRow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRules {
    /// How URLs stand in it.
    pub kind: ValueKind,
    /// An empty value is a reference.
    pub empty_resolves: bool,
    /// A fragment-only value means a place in this document whatever the base URL is.
    pub fragment_is_local: bool,
    /// The value cannot be absolute.
    pub relative_only: bool,
    /// What begins with a bracket is a name, not a URL (RDFa Core 1.1 section 7.4).
    pub brackets_are_names: bool,
    /// What a page does with the URLs; `None` where the `rel` of the element decides.
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
            usage: row.usage,
        }
    }
}

impl ValueRules {
    /// The rules of a value in XML that holds URLs of this kind.
    pub(super) fn of_xml(value: &XmlValue, kind: ValueKind) -> ValueRules {
        ValueRules {
            kind,
            empty_resolves: value.empty_resolves,
            fragment_is_local: value.fragment_is_local,
            relative_only: value.relative_only,
            brackets_are_names: value.rdfa,
            usage: value.usage,
        }
    }
}
