//! The lines of a source, and fences of code.

use std::ops::Range;

/// A line of the source, without its end.
#[derive(Clone, Copy)]
pub(super) struct Line<'s> {
    pub(super) start: usize,
    pub(super) text: &'s str,
}

impl<'s> Line<'s> {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The number of spaces at its start; a tab counts as four.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.trimmed().len()
    }

    pub(super) fn trimmed(&self) -> &'s str {
        self.text.trim_start_matches([' ', '\t'])
    }
}

/// The lines of `source` from byte `start` on.
pub(super) fn lines(source: &str, start: usize) -> impl Iterator<Item = Line<'_>> {
    let rest = source.get(start..).unwrap_or_default();
    let mut at = start;
    rest.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let text = line.trim_end_matches(['\n', '\r']);
        Line { start, text }
    })
}

/// An opening or closing fence: its character and length, and the rest of the line.
pub(super) fn fence(text: &str) -> Option<(char, usize, &str)> {
    let character = text.chars().next().filter(|c| matches!(c, '`' | '~' | ':'))?;
    let rest = text.trim_start_matches(character);
    let length = text.len() - rest.len();
    let is_fence = length >= 3 && !(character == '`' && rest.contains('`'));
    is_fence.then_some((character, length, rest.trim()))
}

/// A fence of code that is open.
#[derive(Clone, Copy)]
pub(super) struct OpenFence {
    pub(super) character: char,
    pub(super) length: usize,
}

impl OpenFence {
    /// Whether a line with this `text` closes it.
    pub(super) fn is_closed_by(&self, text: &str) -> bool {
        fence(text).is_some_and(|(character, length, rest)| {
            character == self.character && length >= self.length && rest.is_empty()
        })
    }
}

/// The lines of `source` from byte `start` on that are not in fenced code, nor fences.
pub(super) fn lines_outside_code(source: &str, start: usize) -> impl Iterator<Item = Line<'_>> {
    let mut open: Option<OpenFence> = None;
    lines(source, start).filter(move |line| {
        let text = line.trimmed();
        match (open, fence(text)) {
            (Some(fence), _) => {
                open = open.filter(|_| !fence.is_closed_by(text));
                false
            }
            (None, Some((character @ ('`' | '~'), length, _))) => {
                open = Some(OpenFence { character, length });
                false
            }
            (None, _) => true,
        }
    })
}
