//! Definitions of links whose labels have a definition already: the authority ignores all but the first, Python-Markdown
//! all but the last.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

use pulldown_cmark::{Options, Parser};

/// A definition of a link.
pub(super) struct Definition {
    pub(super) label: String,
    /// The bytes.
    pub(super) span: Range<usize>,
    pub(super) destination: String,
}

/// The bytes of the longest label: 999 characters (CommonMark section 4.7).
const LONGEST_LABEL: usize = 4 * 999 + 1;

/// The first character of the mark at the end of a label, which tells it from others: one for private use.
const MARK: char = '\u{E000}';

/// The digits of a mark.
const DIGITS: usize = 10;

/// Returns the definitions in `text` of labels that `known`, the places of other definitions with their labels, define
/// already.
pub(super) fn further(
    text: &str,
    known: Vec<(Range<usize>, String)>,
    options: Options,
) -> Vec<Definition> {
    let (mut spans, labels): (Vec<_>, HashSet<String>) = known.into_iter().unzip();
    spans.sort_unstable_by_key(|span| span.start);
    let is_known = |at: usize| {
        let before = spans.partition_point(|span: &Range<usize>| span.start <= at);
        let span = before.checked_sub(1).and_then(|it| spans.get(it));
        span.is_some_and(|span| span.contains(&at))
    };
    let ends = text.match_indices("]:").map(|(at, _)| at);
    let is_further = |end: &usize| {
        let label = || label_before(text, *end);
        !labels.is_empty()
            && !is_known(*end)
            && label().is_some_and(|it| labels.contains(&same_case(it)))
    };
    let ends: Vec<usize> = ends.filter(is_further).collect();
    // Parsing is slow.
    if ends.is_empty() {
        return Vec::new();
    }
    let marked = with_marks(text, &ends);
    let mark = MARK.len_utf8() + DIGITS;
    // The byte of `text` for one of `marked` that is not in a mark.
    let starts = ends.iter().enumerate();
    let starts: Vec<usize> = starts.map(|(number, end)| end + number * mark).collect();
    let original = |at: usize| at - starts.partition_point(|start| *start < at) * mark;
    let parser = Parser::new_ext(&marked, options);
    let definitions = parser.reference_definitions().iter();
    let definitions = definitions.filter_map(|(label, definition)| {
        let span = original(definition.span.start)..original(definition.span.end);
        let (label, _) = label.rsplit_once(MARK)?;
        (!is_known(span.start)).then(|| Definition {
            label: label.to_owned(),
            span,
            destination: definition.dest.to_string(),
        })
    });
    definitions.collect()
}

/// `text` with a mark of its own at each of `ends`.
fn with_marks(text: &str, ends: &[usize]) -> String {
    let mut marked = String::with_capacity(text.len() + ends.len() * (MARK.len_utf8() + DIGITS));
    let mut copied = 0;
    for (number, end) in ends.iter().enumerate() {
        marked.push_str(text.get(copied..*end).unwrap_or_default());
        // Writing to a string returns no error.
        let _ = write!(marked, "{MARK}{number:0DIGITS$}");
        copied = *end;
    }
    marked.push_str(text.get(copied..).unwrap_or_default());
    marked
}

/// The label whose closing bracket is the byte `end` of `text`.
fn label_before(text: &str, end: usize) -> Option<&str> {
    let mut start = end.saturating_sub(LONGEST_LABEL);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..end)?;
    let mut brackets = before.rmatch_indices('[').map(|(at, _)| at);
    let start = brackets.find(|at| {
        let escapes = before.bytes().take(*at).rev();
        escapes.take_while(|it| *it == b'\\').count() % 2 == 0
    })?;
    before.get(start + 1..)
}

/// Returns a label as labels are compared (CommonMark section 4.7): without regard to case, white space collapsed.
pub(super) fn folded(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// As [`folded`], and without regard to letters that only one case tells apart.
pub(super) fn same_case(label: &str) -> String {
    folded(label).to_uppercase()
}
