//! The byte offsets of positions in a text. The text is passed over once, whatever the number of positions.

use std::ops::Range;

use rehref_document::Position;

/// A position in a text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The line, without white space at its end.
    pub(super) line: Range<usize>,
    /// The place in the text; at most the end of the line.
    pub(super) at: usize,
}

/// Returns the spots of `positions`, which are sorted; `None` where the text has no such line.
pub(super) fn spots(text: &str, positions: &[Position]) -> Vec<Option<Spot>> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let starts = std::iter::once(0).chain(ends.clone().map(|end| end + 1));
    let mut lines = starts.zip(ends).zip(1..);
    let mut spots = Vec::with_capacity(positions.len());
    for positions in positions.chunk_by(|one, other| one.line == other.line) {
        let number = positions.first().map_or(0, |position| position.line);
        match lines.find(|(_, line)| *line == number) {
            Some(((start, end), _)) => {
                let line = text.get(start..end).unwrap_or_default().trim_end();
                in_line(line, start, positions, &mut spots);
            }
            None => spots.resize(spots.len() + positions.len(), None),
        }
    }
    spots
}

/// Adds the spots of positions in one line, by column.
fn in_line(line: &str, start: usize, positions: &[Position], spots: &mut Vec<Option<Spot>>) {
    let mut ends = line.char_indices().map(|(at, _)| at);
    let (mut column, mut at) = (0, 0);
    for position in positions {
        let further = position.column.saturating_sub(column);
        if let Some(last) = further.checked_sub(1) {
            at = ends.nth(last).unwrap_or(line.len());
            column = position.column;
        }
        spots.push(Some(Spot { line: start..start + line.len(), at: start + at }));
    }
}
