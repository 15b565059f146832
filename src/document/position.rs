//! Positions in a document: lines and columns.

use super::encoding::byte_order_mark;

/// A position in a document; line and column count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    /// The line; lines end with LF.
    pub line: usize,
    /// The column, in characters; a byte that is not UTF-8 counts as one.
    pub column: usize,
}

/// Maps bytes of a source to positions. Offsets in ascending order cost one pass over the source.
#[derive(Debug)]
pub struct Positions<'s> {
    source: &'s [u8],
    /// The byte up to which lines are counted; its position is `at`.
    counted: usize,
    at: Position,
}

const START: Position = Position { line: 1, column: 1 };

impl<'s> Positions<'s> {
    /// Positions in `source`.
    pub fn new(source: &'s [u8]) -> Positions<'s> {
        Positions {
            source,
            counted: byte_order_mark(source),
            at: START,
        }
    }

    /// The position of the byte at `offset`.
    pub fn of(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        if offset < self.counted {
            (self.counted, self.at) = (byte_order_mark(self.source), START);
        }
        if offset <= self.counted {
            return self.at;
        }
        let new = self.source.get(self.counted..offset).unwrap_or_default();
        let mut in_line = new;
        if let Some(end) = memchr::memrchr(b'\n', new) {
            self.at.line += memchr::memchr_iter(b'\n', new).count();
            self.at.column = 1;
            in_line = new.get(end + 1..).unwrap_or_default();
        }
        for chunk in in_line.utf8_chunks() {
            self.at.column += chunk.valid().chars().count() + chunk.invalid().len();
        }
        self.counted = offset;
        self.at
    }
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
        let mut marked = Positions::new("\u{FEFF}ab".as_bytes());
        for (offset, column) in [(0, 1), (3, 1), (4, 2), (0, 1)] {
            assert_eq!(marked.of(offset), Position { line: 1, column });
        }
        let latin1 = Positions::new(b"\xE4\xE4x").of(2);
        assert_eq!(latin1, Position { line: 1, column: 3 });
    }
}
