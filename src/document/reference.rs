//! References: what a document points at, and where in the source it says so.

use super::html::{AttributeValue, ValueKind};
use super::{list, refresh, srcset, template_markup};

/// A byte range of the bytes that a document is worked on in (its source, unless it is
/// transcoded: see [`super::encoding`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A place in a document as people name it; both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    /// The line; lines end with LF.
    pub line: usize,
    /// The column, in characters (in bytes where the line is not valid UTF-8).
    pub column: usize,
}

impl Position {
    /// The position of the byte at `offset` of `source`.
    pub fn of(source: &[u8], offset: usize) -> Position {
        let before = source.get(..offset).unwrap_or(source);
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        Position {
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: std::str::from_utf8(in_line).map_or(in_line.len(), |s| s.chars().count()) + 1,
        }
    }
}

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

/// The references within `value`, which is the `index`th of its document, in order.
pub(super) fn references_in(value: &AttributeValue, index: usize) -> Vec<Reference> {
    let text = value.text.as_str();
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
    let ranges = match value.kind {
        ValueKind::Url => {
            let stripped = text.trim_matches(is_url_space);
            let class = if stripped.is_empty() && !value.row.empty_resolves {
                Class::Empty
            } else if stripped.starts_with('#') && value.row.fragment_is_local {
                Class::SameDocument
            } else if value.row.relative_only {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let source = "ab\nä<x>".as_bytes();
        let at = |offset| {
            let position = Position::of(source, offset);
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(99), (2, 5));
        assert_eq!(
            Position::of(b"\xE4\xE4x", 2),
            Position { line: 1, column: 3 }
        );
    }
}
