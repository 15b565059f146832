//! References: what a document points at, and where in the source it says so.

use super::html::{Row, ValueKind};
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

/// Tells positions in a source, cheapest when asked in order.
#[derive(Debug)]
pub struct Positions<'s> {
    source: &'s [u8],
    /// The offset up to which lines are counted.
    counted: usize,
    line: usize,
}

impl<'s> Positions<'s> {
    /// Positions in `source`.
    pub fn new(source: &'s [u8]) -> Positions<'s> {
        Positions {
            source,
            counted: 0,
            line: 1,
        }
    }

    /// The position of the byte at `offset`.
    pub fn of(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        if offset < self.counted {
            (self.counted, self.line) = (0, 1);
        }
        let new = self.source.get(self.counted..offset).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', new).count();
        self.counted = offset;
        let before = self.source.get(..offset).unwrap_or_default();
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let in_line = before.get(line_start..).unwrap_or_default();
        Position {
            line: self.line,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let source = "ab\nä<x>".as_bytes();
        let mut positions = Positions::new(source);
        for (offset, line, column) in [
            (0, 1, 1),
            (2, 1, 3),
            (3, 2, 1),
            (5, 2, 2),
            (99, 2, 5),
            (1, 1, 2),
        ] {
            assert_eq!(positions.of(offset), Position { line, column });
        }
        let latin1 = Positions::new(b"\xE4\xE4x").of(2);
        assert_eq!(latin1, Position { line: 1, column: 3 });
    }
}
