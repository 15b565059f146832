//! Paragraphs, headings, list items and cells: texts that end where another begins, in a built page as in its
//! source.

use std::ops::Range;
use std::sync::Arc;

use super::letters;

/// A link in a text: a reference and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockLink {
    /// The reference as written: a byte range of the text.
    pub(super) reference: Range<usize>,
    /// The letters of its block.
    pub(super) block: Arc<str>,
    /// The place in these: where the text of the link starts and ends. A source that has the reference
    /// before or after the text of the link knows only that one.
    pub(super) at: Range<usize>,
    /// The part of the text it is in.
    pub(super) part: Part,
}

/// The part of a text that a link is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// The content.
    #[default]
    Content,
    /// In a built page: what a template puts around the content. In a source: the front matter.
    Surroundings,
}

/// Collects the letters of blocks, and the links in them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    letters: String,
    /// The links of the current block, whose letters are not complete yet.
    pending: Vec<BlockLink>,
    pub(super) links: Vec<BlockLink>,
}

impl Blocks {
    /// Returns the number of letters of the current block, in bytes.
    pub(super) fn length(&self) -> usize {
        self.letters.len()
    }

    pub(super) fn push(&mut self, c: char) {
        letters::push_char(&mut self.letters, c);
    }

    pub(super) fn push_text(&mut self, text: &str) {
        letters::push(&mut self.letters, text);
    }

    /// Removes the last `length` bytes of the letters of the current block.
    pub(super) fn truncate(&mut self, length: usize) {
        self.letters.truncate(self.letters.len().saturating_sub(length));
    }

    /// Adds a link at `at` in the letters of the current block; returns its number in the block.
    pub(super) fn link(&mut self, reference: Range<usize>, at: Range<usize>, part: Part) -> usize {
        self.pending.push(BlockLink { reference, block: Arc::default(), at, part });
        self.pending.len() - 1
    }

    /// Ends the text of the link `number` of the current block here.
    pub(super) fn end_link(&mut self, number: usize) {
        if let Some(link) = self.pending.get_mut(number) {
            link.at.end = self.letters.len();
        }
    }

    /// Ends the current block.
    pub(super) fn end(&mut self) {
        if !self.pending.is_empty() {
            let block: Arc<str> = self.letters.as_str().into();
            let links = self.pending.drain(..);
            self.links.extend(links.map(|link| BlockLink { block: Arc::clone(&block), ..link }));
        }
        self.letters.clear();
    }
}
