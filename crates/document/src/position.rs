//! Positions in a document: lines and columns.

use super::encoding::byte_order_mark;

/// A position in a document, as line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    /// The line, from 1; lines end with LF.
    pub line: usize,
    /// The column in characters, from 1. A byte that is not UTF-8 counts as one character.
    pub column: usize,
}

/// The number of bytes between two marks.
const STRIDE: usize = 4096;

/// A map from byte offsets of a source to positions. It reads the source only once, for any number and order of
/// offsets.
#[derive(Debug)]
pub struct Positions<'s> {
    source: &'s [u8],
    /// Offsets with their positions, in order, about every [`STRIDE`] bytes as far as was counted; at
    /// least one.
    marks: Vec<(usize, Position)>,
    /// The latest offset that was asked for.
    latest: (usize, Position),
}

const START: Position = Position { line: 1, column: 1 };

impl<'s> Positions<'s> {
    /// Creates the map for `source`.
    pub fn new(source: &'s [u8]) -> Positions<'s> {
        let start = (byte_order_mark(source), START);
        Positions { source, marks: vec![start], latest: start }
    }

    /// Returns the line and column of the byte at `offset`.
    pub fn of(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.source.len());
        let mut at = self.start_for(offset);
        loop {
            let last = self.marks.last().map_or(0, |(mark, _)| *mark);
            let next = self.character_from(last + STRIDE);
            if next > offset {
                break;
            }
            at = self.count(at, next);
            self.marks.push(at);
        }
        self.latest = self.count(at, offset);
        self.latest.1
    }

    /// The place to count from to `offset`.
    fn start_for(&self, offset: usize) -> (usize, Position) {
        let next = self.marks.partition_point(|(mark, _)| *mark <= offset);
        let mark = next.checked_sub(1).and_then(|at| self.marks.get(at));
        let mark = mark.copied().unwrap_or((offset, START));
        if (mark.0..=offset).contains(&self.latest.0) { self.latest } else { mark }
    }

    /// The first offset from `offset` on that is not within a character.
    fn character_from(&self, offset: usize) -> usize {
        let is_inside = |at: &usize| self.source.get(*at).is_some_and(|byte| byte >> 6 == 0b10);
        // A character has at most three bytes after its first.
        offset + (offset..offset + 3).take_while(is_inside).count()
    }

    /// Counts from `start` to `offset`, which is not less.
    fn count(&self, (start, mut at): (usize, Position), offset: usize) -> (usize, Position) {
        let new = self.source.get(start..offset).unwrap_or_default();
        let mut in_line = new;
        if let Some(end) = memchr::memrchr(b'\n', new) {
            at.line += memchr::memchr_iter(b'\n', new).count();
            at.column = 1;
            in_line = new.get(end + 1..).unwrap_or_default();
        }
        at.column += if in_line.is_ascii() {
            in_line.len()
        } else {
            in_line
                .utf8_chunks()
                .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
                .sum()
        };
        (offset, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let source = "ab\nä<x>".as_bytes();
        let mut positions = Positions::new(source);
        for (offset, line, column) in
            [(0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 2), (99, 2, 5), (1, 1, 2)]
        {
            assert_eq!(positions.of(offset), Position { line, column });
        }
        let mut marked = Positions::new("\u{FEFF}ab".as_bytes());
        for (offset, column) in [(0, 1), (3, 1), (4, 2), (0, 1)] {
            assert_eq!(marked.of(offset), Position { line: 1, column });
        }
        let latin1 = Positions::new(b"\xE4\xE4x").of(2);
        assert_eq!(latin1, Position { line: 1, column: 3 });
    }

    #[test]
    fn the_order_of_the_questions_does_not_matter() {
        let line = "äöü漢字 \u{1F600}".repeat(STRIDE / 8) + "\n";
        let mut source = line.repeat(3).into_bytes();
        source.extend([0x80; 3 * STRIDE]);
        source.extend("ä\n".repeat(STRIDE).bytes());
        let ends = (0..source.len()).step_by(97);
        let boundaries = ends.filter(|at| source[*at] >> 6 != 0b10);
        let mut offsets: Vec<usize> = boundaries.chain([source.len()]).collect();
        let expected: Vec<Position> = offsets
            .iter()
            .map(|offset| {
                let before = &source[..*offset];
                let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
                let chunks = before[start..].utf8_chunks();
                let characters =
                    chunks.map(|chunk| chunk.valid().chars().count() + chunk.invalid().len());
                Position {
                    line: memchr::memchr_iter(b'\n', before).count() + 1,
                    column: characters.sum::<usize>() + 1,
                }
            })
            .collect();
        let mut expected: Vec<(usize, Position)> = offsets.drain(..).zip(expected).collect();
        let mut positions = Positions::new(&source);
        for step in [1, 7, 100, 1] {
            for (offset, position) in expected.iter().step_by(step) {
                assert_eq!(positions.of(*offset), *position, "{offset} in steps of {step}");
            }
            expected.reverse();
        }
    }
}
