//! References: what a document points at, and where in the source it says so.

use super::html::{Row, ValueKind};
use super::{list, refresh, srcset, template_markup};

/// One reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Index of the attribute value that holds it, in the document's list of values.
    pub value: usize,
    /// Its byte range in the value's decoded text.
    pub range: std::ops::Range<usize>,
    /// What it is, as far as can be said without resolving it.
    pub class: Class,
}

/// What a reference is before it is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An ordinary reference.
    Ordinary,
    /// The value holds template markup (`{{ }}`): nothing is known of its URLs.
    TemplateMarkup,
    /// An empty value where the Standard says that an empty value is no URL (`img src=""`).
    Empty,
    /// A fragment that means a place in this very document whatever the base URL is
    /// (`usemap="#m"`, SVG `use href="#i"`).
    SameDocument,
    /// A name that its consumer only understands relative to something else (applet `code`).
    RelativeOnly,
}

/// The references within `text`, a decoded attribute value to which `row` applies, in order.
/// `index` is the value's number.
pub fn references_in_text(text: &str, row: &Row, index: usize) -> Vec<Reference> {
    let whole = |class| {
        vec![Reference {
            value: index,
            range: 0..text.len(),
            class,
        }]
    };
    if template_markup::is_in(text) {
        return whole(Class::TemplateMarkup);
    }
    let ranges = match row.kind {
        ValueKind::Url => {
            let stripped = text.trim_matches(is_url_space);
            let class = if stripped.is_empty() && !row.empty_resolves {
                Class::Empty
            } else if stripped.starts_with('#') && row.fragment_is_local {
                Class::SameDocument
            } else if row.relative_only {
                Class::RelativeOnly
            } else {
                Class::Ordinary
            };
            return whole(class);
        }
        ValueKind::Srcset => srcset::candidates(text)
            .into_iter()
            .map(|candidate| candidate.url)
            .collect(),
        ValueKind::SpaceSeparated => list::space_separated(text),
        ValueKind::CommaSeparated => list::comma_separated(text),
        ValueKind::Refresh => refresh::url(text).into_iter().collect(),
    };
    ranges
        .into_iter()
        .map(|range| Reference {
            value: index,
            range,
            class: Class::Ordinary,
        })
        .collect()
}

/// C0 controls and space, which the URL parser strips (URL Standard section 4.4).
fn is_url_space(c: char) -> bool {
    c <= ' '
}
