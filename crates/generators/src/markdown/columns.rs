//! Text that reStructuredText reads by its columns: tables, and titles with their underlines.

use std::ops::Range;

use super::MarkdownDialect;
use super::dialect::Blocks;
use super::lines::{Line, lines};
use super::rst::is_underline;

/// The kind of text that a longer or shorter link breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misaligned {
    /// A table, which becomes an error in the page.
    Table,
    /// A title that is longer than its underline.
    Title,
}

impl Misaligned {
    /// The sentence for people, with the next step.
    pub fn message(self) -> &'static str {
        match self {
            Misaligned::Table => {
                "a link in this line has another length now, and Sphinx reads the table by its columns: align it again, or Sphinx reports a malformed table"
            }
            Misaligned::Title => {
                "the link makes this title longer than its underline: lengthen the underline, or Sphinx warns that it is too short"
            }
        }
    }
}

/// The text that the lines read so far are in.
enum Block {
    Text,
    Grid,
    /// A simple table with these gaps between its columns, after as many borders.
    Simple(Vec<Range<usize>>, usize),
}

impl MarkdownDialect {
    /// Returns the lines that are no longer aligned in `new`, the text `old` with other links: the byte offset of each in
    /// `old` (docutils, "Tables" and "Sections"). Few dialects ask for `new`.
    #[doc(hidden)]
    pub fn misaligned(self, old: &str, new: impl FnOnce() -> String) -> Vec<(usize, Misaligned)> {
        if self.row().blocks != Blocks::Rst {
            return Vec::new();
        }
        let new = new();
        let mut block = Block::Text;
        let mut found = Vec::new();
        let mut pairs = lines(old, 0).zip(lines(&new, 0)).peekable();
        while let Some((old, new)) = pairs.next() {
            let next = pairs.peek().map_or("", |(_, new)| new.text.trim());
            block = block.after(old, next);
            if old.text == new.text {
                continue;
            }
            let is_over = |line: Line<'_>| width(line.text) > width(next);
            let broken = match &block {
                Block::Grid => (width(old.text) != width(new.text)).then_some(Misaligned::Table),
                Block::Simple(gaps, _) => {
                    (is_clear(old, gaps) && !is_clear(new, gaps)).then_some(Misaligned::Table)
                }
                Block::Text => (is_underline(next) && is_over(new) && !is_over(old))
                    .then_some(Misaligned::Title),
            };
            found.extend(broken.map(|it| (old.start, it)));
        }
        found
    }
}

impl Block {
    /// Returns the block that `line` is in; `next` is the line after it, without spaces around.
    fn after(self, line: Line<'_>, next: &str) -> Block {
        let text = line.text.trim();
        let is_border = !text.is_empty() && text.bytes().all(|it| matches!(it, b'=' | b' '));
        match self {
            Block::Grid if text.starts_with(['|', '+']) => Block::Grid,
            // The second border ends the table, or the first that a blank line follows.
            Block::Simple(gaps, borders) if is_border => match (borders, next) {
                (1, next) if !next.is_empty() => Block::Simple(gaps, 2),
                _ => Block::Text,
            },
            Block::Simple(..) => self,
            _ if is_border && text.contains(' ') => Block::Simple(gaps(line), 1),
            _ if text.starts_with("+-") && text.ends_with("-+") => Block::Grid,
            _ => Block::Text,
        }
    }
}

/// The gaps between the columns of a simple table with the border `line`, in characters.
fn gaps(line: Line<'_>) -> Vec<Range<usize>> {
    let end = line.text.trim_end().len();
    let mut gaps: Vec<Range<usize>> = Vec::new();
    let spaces = line.text.bytes().enumerate().take(end).skip(line.indent());
    for (at, _) in spaces.filter(|(_, byte)| *byte == b' ') {
        match gaps.last_mut() {
            Some(gap) if gap.end == at => gap.end = at + 1,
            _ => gaps.push(at..at + 1),
        }
    }
    gaps
}

/// Returns true if a row of a simple table has no text between its columns.
fn is_clear(line: Line<'_>, gaps: &[Range<usize>]) -> bool {
    let mut characters = line.text.chars().enumerate();
    characters.all(|(at, it)| it == ' ' || !gaps.iter().any(|gap| gap.contains(&at)))
}

fn width(text: &str) -> usize {
    text.trim_end().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines of `old` that `to` in place of `LINK` breaks.
    fn broken(old: &str, to: &str) -> Vec<(usize, Misaligned)> {
        let rst = MarkdownDialect::SPHINX.neighbors().next().unwrap();
        let found = rst.misaligned(old, || old.replace("LINK", to));
        let line_of = |at: usize| old[..at].lines().count() + 1;
        found.into_iter().map(|(at, it)| (line_of(at), it)).collect()
    }

    #[test]
    fn changed_lines_that_columns_hold_are_found() {
        use Misaligned::{Table, Title};
        let simple = "====  =====\nLINK  x\n====  =====\nLINK  b\na     LINK\n\nb     LINK\n====  =====\n\nLINK\n----\n";
        for (old, to, expected) in [
            (simple, "LONGER", &[(2, Table), (4, Table), (10, Title)][..]),
            (simple, "LI", &[(2, Table), (4, Table)]),
            (simple, "OTHE", &[]),
            ("======  =\nLINK    x\n======  =\n\nx LINK\n", "LINKS", &[]),
            ("=====  =\nLINK    \nA      LINK\n=====  =\n", "LINKER", &[(2, Table)]),
            ("+------+\n| LINK |\n+------+\n\n| LINK\n", "LONGER", &[(2, Table)]),
            ("LINK\n====\n\nLINK\n\nLINK\n======\n", "LINKER", &[(1, Title)]),
            ("=====\nLINK\n=====\n", "LINK12", &[(2, Title)]),
        ] {
            assert_eq!(broken(old, to), expected, "{old}{to}");
        }
    }
}
