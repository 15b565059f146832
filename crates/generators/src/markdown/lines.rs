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

    /// Returns the number of spaces at its start; a tab counts as four.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.trimmed().len()
    }

    pub(super) fn trimmed(&self) -> &'s str {
        self.text.trim_start_matches([' ', '\t'])
    }
}

/// Returns the lines of `source` from byte `start` on.
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

/// An opening or closing fence.
#[derive(Clone, Copy)]
pub(super) struct Fence<'s> {
    pub(super) character: char,
    length: usize,
    /// The rest of the line.
    pub(super) rest: &'s str,
}

impl<'s> Fence<'s> {
    pub(super) fn of(text: &'s str) -> Option<Fence<'s>> {
        let character = text.chars().next().filter(|c| matches!(c, '`' | '~' | ':'))?;
        let rest = text.trim_start_matches(character);
        let length = text.len() - rest.len();
        let is_fence = length >= 3 && !(character == '`' && rest.contains('`'));
        is_fence.then_some(Fence { character, length, rest: rest.trim() })
    }

    /// Returns true if a line with this `text` closes it.
    pub(super) fn is_closed_by(&self, text: &str) -> bool {
        Fence::of(text).is_some_and(|it| {
            it.character == self.character && it.length >= self.length && it.rest.is_empty()
        })
    }
}

/// Returns the lines of `source` from byte `start` on that are not in fenced code, nor fences.
pub(super) fn lines_outside_code(source: &str, start: usize) -> impl Iterator<Item = Line<'_>> {
    let mut open: Option<Fence<'_>> = None;
    lines(source, start).filter(move |line| {
        let text = line.trimmed();
        let is_inside = open.is_some();
        open = match open {
            Some(fence) => Some(fence).filter(|fence| !fence.is_closed_by(text)),
            None => Fence::of(text).filter(|fence| fence.character != ':'),
        };
        !is_inside && open.is_none()
    })
}
