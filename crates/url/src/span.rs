//! Byte ranges of a source or of a text.

use std::ops::Range;

/// A range of bytes in a source or text, which the field or function with the span names.
///
/// Unlike [`Range`], a span is `Copy` and ordered: by its start, then by its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the empty span before the byte at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::from(offset..offset)
    }

    /// Returns the length in bytes.
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

    /// Returns this span of a part as a span of the whole, in which the part starts at the byte `offset`.
    #[must_use]
    pub fn shifted(self, offset: usize) -> Span {
        Span::from(self.start + offset..self.end + offset)
    }

    /// Returns the span as a [`Range`], to index slices.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the span of `part` in `whole`; `None` if `part` is not a slice of `whole`.
    pub fn within(whole: &str, part: &str) -> Option<Span> {
        let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
        let end = start + part.len();
        (end <= whole.len()).then_some(Span { start, end })
    }

    /// Returns the bytes of `source` in the span; empty if `source` ends before the span does.
    pub fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.range()).unwrap_or_default()
    }

    /// Returns the part of `text` in the span; empty if `text` ends before the span does, or if the span splits
    /// a character.
    pub fn of_str(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

impl From<Range<usize>> for Span {
    fn from(Range { start, end }: Range<usize>) -> Span {
        Span { start, end }
    }
}
