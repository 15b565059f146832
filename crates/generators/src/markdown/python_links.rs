//! Links that Python-Markdown reads where CommonMark sees text: destinations with spaces, titles with quotes, and
//! definitions that interrupt a paragraph.

use std::ops::Range;

/// The most bytes of a label or a destination.
const LONGEST: usize = 2000;

/// Returns the destinations that are not links of CommonMark in the running text `text` of `source`, with whether each
/// is that of an image.
pub(super) fn spaced(source: &str, text: Range<usize>) -> Vec<(Range<usize>, bool)> {
    let run = source.get(text.clone()).unwrap_or_default();
    let found = run.match_indices("](").filter_map(|(at, found)| {
        let at = text.start + at;
        let is_image = label(source, at)?;
        let start = at + found.len();
        let destination = destination(source.get(start..text.end)?)?;
        Some((start + destination.start..start + destination.end, is_image))
    });
    found.collect()
}

/// Returns the label and the destination of the definition that the line `line` of running text is.
pub(super) fn definition(line: &str) -> Option<(&str, Range<usize>)> {
    let (label, rest) = line.strip_prefix('[')?.split_once("]:")?;
    let url = rest.trim_start_matches(' ');
    let start = line.len() - url.len();
    let end = url.find([' ', '\t']).unwrap_or(url.len());
    let title = url.get(end..)?.trim();
    let is_title = title.is_empty() || title.len() > 1 && title.ends_with(['"', '\'', ')']);
    let is_label = !label.is_empty() && !label.contains(['[', ']']) && !label.starts_with('^');
    (is_label && is_title && end > 0).then(|| (label, start..start + end))
}

/// Whether the label that ends at byte `end` of `source` is that of an image; `None` if it is no label.
fn label(source: &str, end: usize) -> Option<bool> {
    let before = source.get(..end)?;
    let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
    let characters = line.char_indices().rev().take(LONGEST);
    let open = unbalanced(characters, ']', '[').filter(|_| !line.ends_with('\\'))?;
    let before = line.get(..open)?;
    (!before.ends_with('\\')).then(|| before.ends_with('!'))
}

/// The destination that `text` begins with, up to a parenthesis, without a title.
fn destination(text: &str) -> Option<Range<usize>> {
    let end = unbalanced(text.char_indices().take(LONGEST), '(', ')')?;
    let inner = text.get(..end)?.trim_end();
    let title = ['"', '\''].into_iter().find_map(|quote| {
        inner
            .strip_suffix(quote)?
            .match_indices(quote)
            .map(|(at, _)| at)
            .find(|at| inner.get(..*at).is_some_and(|before| before.ends_with(' ')))
    });
    let url = inner.get(..title.unwrap_or(inner.len()))?.trim_end();
    let start = url.len() - url.trim_start().len();
    // What has no space is a link of CommonMark, too, if no quote in a title keeps it from being one.
    let is_other = url.get(start..)?.contains(' ') || inner.len() > url.len();
    let is_plain = !url.get(start..)?.is_empty() && !url.get(start..)?.starts_with('<');
    (is_other && is_plain).then_some(start..url.len())
}

/// The place of the first `close` in `characters` that closes nothing in them.
fn unbalanced(
    mut characters: impl Iterator<Item = (usize, char)>,
    open: char,
    close: char,
) -> Option<usize> {
    let mut depth = 0_usize;
    let found = characters.find(|(_, character)| {
        let is_last = *character == close && depth == 0;
        depth += usize::from(*character == open);
        depth = depth.saturating_sub(usize::from(*character == close));
        is_last
    });
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_may_have_spaces() {
        for (source, expected) in [
            ("[a](b c)", &[("b c", false)][..]),
            ("![a](b c.png 'T (x)')", &[("b c.png", true)]),
            ("[a]( b c \"T\") [d](e f#g)", &[("b c", false), ("e f#g", false)]),
            ("[a](b \"T \"U\" V\")", &[("b", false)]),
            ("[a [b]](c (d) e)", &[("c (d) e", false)]),
            ("[a](b) [c](<d e>) d](e f) \\[g](h i) [j\\](k l)", &[]),
            ("[a](b c", &[]),
            ("x ](b c)", &[]),
        ] {
            let found = spaced(source, 0..source.len());
            let found = found.into_iter().map(|(range, is_image)| (&source[range], is_image));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{source}");
        }
        // In linear time.
        let source = "a](b ".repeat(20_000);
        assert!(spaced(&source, 0..source.len()).is_empty());
    }

    #[test]
    fn a_line_may_be_a_definition() {
        for (line, expected) in [
            ("[a]: b", Some(("a", "b"))),
            ("[a b]:  c \"T\"", Some(("a b", "c"))),
            ("[a]: b c", None),
            ("[^a]: b", None),
            ("[a]:", None),
            ("x [a]: b", None),
        ] {
            let found = definition(line);
            assert_eq!(found.map(|(label, range)| (label, &line[range])), expected, "{line}");
        }
    }
}
