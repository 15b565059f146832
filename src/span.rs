//! Byte ranges.

use std::ops::Range;

/// A range of bytes of a source or of a text; which one, the field or function that has it says.
///
/// Unlike [`Range`] it can be copied and ordered: by its start, then by its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The empty span before the byte `offset`.
    pub fn at(offset: usize) -> Span {
        Span::from(offset..offset)
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds no byte.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether all of `other` is in it.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The same bytes of something that has `offset` bytes before them: turns a span of a part into
    /// a span of the whole, where the part starts at `offset`.
    #[must_use]
    pub fn shifted(self, offset: usize) -> Span {
        Span::from(self.start + offset..self.end + offset)
    }

    /// As the range that slices take.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// These bytes of `source`; empty where it does not have them.
    pub fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.range()).unwrap_or_default()
    }

    /// These bytes of `text`; empty where it does not have them, or where they split a character.
    pub fn of_str(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

impl From<Range<usize>> for Span {
    fn from(Range { start, end }: Range<usize>) -> Span {
        Span { start, end }
    }
}
