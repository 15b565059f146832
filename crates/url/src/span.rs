//! Byte ranges of a source or of a text.

use std::ops::Range;

/// A range of bytes. The field or function with the span names the source or text it counts in.
///
/// Unlike [`Range`], a span is `Copy` and ordered: by its start, then by its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the empty span before the byte `offset`.
    pub fn at(offset: usize) -> Span {
        Span::from(offset..offset)
    }

    /// Returns the number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns true if the length is 0.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns true if all bytes of `other` are in this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Turns a span of a part into a span of the whole, in which the part starts at `offset`.
    #[must_use]
    pub fn shifted(self, offset: usize) -> Span {
        Span::from(self.start + offset..self.end + offset)
    }

    /// Returns the range that indexes slices.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the span of `part` in `whole`; `None` if `part` is not a slice of `whole`.
    pub fn within(whole: &str, part: &str) -> Option<Span> {
        let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
        let end = start + part.len();
        (end <= whole.len()).then_some(Span { start, end })
    }

    /// Returns the bytes of the span in `source`; empty if `source` is too short.
    pub fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.range()).unwrap_or_default()
    }

    /// Returns the span of `text`; empty if `text` is too short or the span splits a character.
    pub fn of_str(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

impl From<Range<usize>> for Span {
    fn from(Range { start, end }: Range<usize>) -> Span {
        Span { start, end }
    }
}
