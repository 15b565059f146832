//! Unified diffs, made from the edits themselves: exact, and linear in the size of the document.

use crate::document::Edit;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The unified diff between `old` and `old` with `edits` (sorted, not overlapping) applied, under
/// the names `a/NAME` and `b/NAME`; `\` continues what `patch` expects at a missing final newline.
/// Empty without edits.
pub fn unified(name: &str, old: &[u8], edits: &[Edit]) -> Vec<u8> {
    let lines = line_starts(old);
    let changes = changed_lines(old, &lines, edits);
    if changes.is_empty() {
        return Vec::new();
    }
    let line_count = lines.len() - 1;
    let mut diff = format!("--- a/{name}\n+++ b/{name}\n").into_bytes();
    let mut growth: isize = 0;
    let mut at = 0;
    while let Some(first) = changes.get(at) {
        // Changes whose context touches share a hunk.
        let mut end = at + 1;
        while changes
            .get(end)
            .zip(changes.get(end - 1))
            .is_some_and(|(next, last)| next.first <= last.end + 2 * CONTEXT)
        {
            end += 1;
        }
        let hunk = changes.get(at..end).unwrap_or_default();
        let from = first.first.saturating_sub(CONTEXT);
        let to = hunk
            .last()
            .map_or(from, |last| (last.end + CONTEXT).min(line_count));
        let grown: isize = hunk.iter().map(Change::growth).sum();
        let (old_lines, new_lines) = (to - from, (to - from).saturating_add_signed(grown));
        diff.extend_from_slice(
            format!(
                "@@ -{},{old_lines} +{},{new_lines} @@\n",
                from + 1,
                (from + 1).saturating_add_signed(growth),
            )
            .as_bytes(),
        );
        let mut context_from = from;
        for change in hunk {
            push_lines(&mut diff, b' ', old, &lines, context_from, change.first);
            push_lines(&mut diff, b'-', old, &lines, change.first, change.end);
            for line in &change.new_lines {
                push_line(&mut diff, b'+', line);
            }
            context_from = change.end;
        }
        push_lines(&mut diff, b' ', old, &lines, context_from, to);
        growth += grown;
        at = end;
    }
    diff
}

/// Lines of the old text that are replaced.
struct Change {
    /// First line, from 0.
    first: usize,
    /// One past the last line.
    end: usize,
    new_lines: Vec<Vec<u8>>,
}

impl Change {
    fn growth(&self) -> isize {
        let count = |n: usize| isize::try_from(n).unwrap_or(isize::MAX);
        count(self.new_lines.len()) - count(self.end - self.first)
    }
}

/// The offset of each line's first byte, and the end of the text.
fn line_starts(text: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at + 1));
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    starts
}

fn changed_lines(old: &[u8], lines: &[usize], edits: &[Edit]) -> Vec<Change> {
    // The line that the byte at `offset` is in.
    let line_of = |offset: usize| {
        lines
            .partition_point(|&start| start <= offset)
            .saturating_sub(1)
            .min(lines.len().saturating_sub(2))
    };
    let mut changes = Vec::new();
    let mut at = 0;
    while let Some(first_edit) = edits.get(at) {
        let first = line_of(first_edit.span.start);
        let mut end = line_of(first_edit.span.end) + 1;
        let mut edits_end = at + 1;
        // Neighbouring lines go together, as in any diff: old lines first, then new ones.
        while let Some(edit) = edits
            .get(edits_end)
            .filter(|edit| line_of(edit.span.start) <= end)
        {
            end = end.max(line_of(edit.span.end) + 1);
            edits_end += 1;
        }
        let region =
            lines.get(first).copied().unwrap_or(0)..lines.get(end).copied().unwrap_or(old.len());
        let shifted: Vec<Edit> = edits
            .get(at..edits_end)
            .unwrap_or_default()
            .iter()
            .map(|edit| {
                let mut edit = edit.clone();
                edit.span.start -= region.start;
                edit.span.end -= region.start;
                edit
            })
            .collect();
        let new = crate::document::splice(old.get(region).unwrap_or_default(), &shifted);
        changes.push(Change {
            first,
            end,
            new_lines: new
                .split_inclusive(|&b| b == b'\n')
                .map(<[u8]>::to_vec)
                .collect(),
        });
        at = edits_end;
    }
    changes
}

fn push_lines(diff: &mut Vec<u8>, mark: u8, old: &[u8], lines: &[usize], from: usize, to: usize) {
    for bounds in lines.get(from..=to).unwrap_or_default().windows(2) {
        if let [start, end] = bounds {
            push_line(diff, mark, old.get(*start..*end).unwrap_or_default());
        }
    }
}

fn push_line(diff: &mut Vec<u8>, mark: u8, line: &[u8]) {
    diff.push(mark);
    diff.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        diff.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Span;

    fn diff(old: &str, edits: &[(usize, usize, &str)]) -> String {
        let edits: Vec<Edit> = edits
            .iter()
            .map(|&(start, end, with)| Edit {
                span: Span { start, end },
                replacement: with.into(),
            })
            .collect();
        String::from_utf8(unified("x.html", old.as_bytes(), &edits)).unwrap()
    }

    #[test]
    fn hunks_and_context() {
        assert_eq!(diff("a\nb\n", &[]), "");
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n";
        assert_eq!(
            diff(old, &[(8, 9, "five"), (9, 9, "!"), (24, 26, "twelve")]),
            "--- a/x.html\n+++ b/x.html\n@@ -2,12 +2,12 @@\n 2\n 3\n 4\n-5\n+five!\n 6\n 7\n 8\n \
             9\n 10\n 11\n-12\n+twelve\n 13\n"
        );
        assert_eq!(
            diff(old, &[(0, 1, "one"), (24, 27, "")]),
            "--- a/x.html\n+++ b/x.html\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -9,5 +9,4 @@\n 9\n \
             10\n 11\n-12\n-13\n+13\n"
        );
        assert_eq!(
            diff("a", &[(1, 1, "b")]),
            "--- a/x.html\n+++ b/x.html\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+ab\n\\ No newline at end of file\n"
        );
    }
}
