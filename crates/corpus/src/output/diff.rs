//! Unified diffs, made from the edits rather than by comparing: exact, and linear in the size of the
//! document.

use std::path::Path;
use std::sync::Arc;

use rehref_site::name_bytes;
use rehref_url::{Edit, Span, splice};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Returns the unified diff between `old` and its version after `edits` (sorted, not overlapping), with the
/// names `a/PATH` and `b/NEW_PATH`. Empty without edits.
pub fn unified(path: &Path, new_path: &Path, old: &[u8], edits: &[Edit]) -> Vec<u8> {
    let lines = line_starts(old);
    let changes = changed_lines(old, &lines, edits);
    if changes.is_empty() {
        return Vec::new();
    }
    let line_count = lines.len() - 1;
    let mut diff = String::new();
    if path != new_path {
        diff = rename(path, new_path, "");
    }
    for (mark, side, path) in [("---", "a/", path), ("+++", "b/", new_path)] {
        let name = quoted(side, path);
        // A tab marks the end of a name with a space, for `patch` and git.
        let end = if name.contains(' ') { "\t" } else { "" };
        diff.push_str(&format!("{mark} {name}{end}\n"));
    }
    let mut diff = diff.into_bytes();
    let mut growth: isize = 0;
    // Changes whose context touches share a hunk.
    for hunk in changes.chunk_by(|last, next| next.first <= last.end + 2 * CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let from = first.first.saturating_sub(CONTEXT);
        let to = (last.end + CONTEXT).min(line_count);
        let grown: isize = hunk.iter().map(LineChange::growth).sum();
        let (old_lines, new_lines) = (to - from, (to - from).saturating_add_signed(grown));
        diff.extend_from_slice(
            format!(
                "@@ -{},{old_lines} +{},{new_lines} @@\n",
                first_line(from, old_lines),
                first_line(from.saturating_add_signed(growth), new_lines),
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
    }
    diff
}

/// Returns the line that replaces the diff of a compressed or transcoded document: a diff of its decoded text could
/// not be applied to the file.
pub fn binary(path: &Path, new_path: &Path) -> Vec<u8> {
    let (a, b) = (quoted("a/", path), quoted("b/", new_path));
    format!("Binary files {a} and {b} differ\n").into_bytes()
}

/// Returns the header that git writes above the diff of a file. If some files move, `git apply` needs this
/// header for all files.
pub fn git_header(path: &Path, new_path: &Path) -> String {
    let (a, b) = (quoted("a/", path), quoted("b/", new_path));
    format!("diff --git {a} {b}\n")
}

/// Returns the diff of a symbolic link whose text changes from `old` to `new`, as git writes it.
pub fn relinked(path: &Path, new_path: &Path, old: &Path, new: &Path) -> Vec<u8> {
    let (a, b) = (quoted("a/", path), quoted("b/", new_path));
    let header = if path == new_path { git_header(path, path) } else { rename(path, new_path, "") };
    let mut diff = format!("{header}--- {a}\n+++ {b}\n@@ -1 +1 @@\n").into_bytes();
    push_line(&mut diff, b'-', &name_bytes(old.as_os_str()));
    push_line(&mut diff, b'+', &name_bytes(new.as_os_str()));
    diff
}

/// Returns the diff of a file that only moves, as git writes it.
pub fn renamed(path: &Path, new_path: &Path) -> Vec<u8> {
    rename(path, new_path, "similarity index 100%\n").into_bytes()
}

fn rename(path: &Path, new_path: &Path, similarity: &str) -> String {
    let header = git_header(path, new_path);
    let (from, to) = (quoted("", path), quoted("", new_path));
    format!("{header}{similarity}rename from {from}\nrename to {to}\n")
}

/// A path as git writes it: in quotes and with the escapes of C if it could not be read back
/// otherwise. That includes a path with a space at its end, which `patch` would strip.
fn quoted(side: &str, path: &Path) -> String {
    let bytes = name_bytes(path.as_os_str());
    let needs_escape = |c: char| c.is_ascii_control() || matches!(c, '"' | '\\');
    if let Ok(name) = std::str::from_utf8(&bytes)
        && !name.ends_with(' ')
        && !name.contains(needs_escape)
    {
        return format!("{side}{name}");
    }
    let mut quoted = format!("\"{side}");
    for &b in bytes.iter() {
        match b {
            b'"' | b'\\' => quoted.extend(['\\', char::from(b)]),
            0x07 => quoted.push_str("\\a"),
            0x08 => quoted.push_str("\\b"),
            b'\t' => quoted.push_str("\\t"),
            b'\n' => quoted.push_str("\\n"),
            0x0B => quoted.push_str("\\v"),
            0x0C => quoted.push_str("\\f"),
            b'\r' => quoted.push_str("\\r"),
            0..0x20 | 0x7F.. => quoted.push_str(&format!("\\{b:03o}")),
            _ => quoted.push(char::from(b)),
        }
    }
    quoted.push('"');
    quoted
}

/// The number of a hunk's first line, from 1; for an empty side, of the line before it.
fn first_line(from: usize, lines: usize) -> usize {
    if lines == 0 { from } else { from + 1 }
}

/// Lines of the old text that are replaced.
struct LineChange {
    /// The first line, from 0.
    first: usize,
    /// One past the last line.
    end: usize,
    new_lines: Vec<Vec<u8>>,
}

impl LineChange {
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

fn changed_lines(old: &[u8], lines: &[usize], edits: &[Edit]) -> Vec<LineChange> {
    // The line that the byte at `offset` is in.
    let line_of = |offset: usize| {
        lines
            .partition_point(|&start| start <= offset)
            .saturating_sub(1)
            .min(lines.len().saturating_sub(2))
    };
    // One past the last line that `edit` changes. An empty text has no line to change.
    let end_of = |edit: &Edit| (line_of(edit.span.end) + 1).min(lines.len() - 1);
    let mut changes = Vec::new();
    // Neighbouring lines make one change, as in any diff: old lines first, then new ones.
    for edits in edits.chunk_by(|last, next| line_of(next.span.start) <= end_of(last)) {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else { continue };
        let (first, end) = (line_of(first.span.start), end_of(last));
        let line_start = |line: usize| lines.get(line).copied().unwrap_or(old.len());
        let region = line_start(first)..line_start(end);
        let relative = |offset: usize| offset - region.start;
        let edits: Vec<Edit> = edits
            .iter()
            .map(|Edit { span, replacement }| Edit {
                span: Span::from(relative(span.start)..relative(span.end)),
                replacement: Arc::clone(replacement),
            })
            .collect();
        let new = splice(old.get(region).unwrap_or_default(), &edits);
        changes.push(LineChange {
            first,
            end,
            new_lines: new.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect(),
        });
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
    fn diff(old: &str, edits: &[(usize, usize, &str)]) -> String {
        let edits: Vec<Edit> = edits
            .iter()
            .map(|&(start, end, with)| Edit {
                span: Span { start, end },
                replacement: with.as_bytes().into(),
            })
            .collect();
        String::from_utf8(unified(Path::new("x.html"), Path::new("x.html"), old.as_bytes(), &edits))
            .unwrap()
    }

    #[test]
    fn renames() {
        assert_eq!(
            String::from_utf8(renamed(Path::new("a b"), Path::new("c\"d"))).unwrap(),
            "diff --git a/a b \"b/c\\\"d\"\nsimilarity index 100%\nrename from a b\nrename to \"c\\\"d\"\n"
        );
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

    /// Applies `diff` as `patch` does, strictly: all context must match.
    fn apply(old: &[u8], diff: &[u8]) -> Vec<u8> {
        if diff.is_empty() {
            return old.to_vec();
        }
        let old_lines: Vec<&[u8]> = old.split_inclusive(|&b| b == b'\n').collect();
        let mut new: Vec<Vec<u8>> = Vec::new();
        let mut at = 0;
        let mut lines = diff.split_inclusive(|&b| b == b'\n').peekable();
        assert!(lines.next().unwrap().starts_with(b"--- a/"));
        assert!(lines.next().unwrap().starts_with(b"+++ b/"));
        while let Some(header) = lines.next() {
            let header = std::str::from_utf8(header).unwrap();
            let numbers: Vec<usize> = header
                .split(|c: char| !c.is_ascii_digit())
                .filter_map(|number| number.parse().ok())
                .collect();
            let [from, old_count, to, new_count] = numbers[..] else {
                panic!("{header}");
            };
            let start = if old_count == 0 { from } else { from - 1 };
            new.extend(old_lines[at..start].iter().map(|line| line.to_vec()));
            at = start;
            assert_eq!(if new_count == 0 { to } else { to - 1 }, new.len());
            let (old_end, new_end) = (at + old_count, new.len() + new_count);
            while at < old_end || new.len() < new_end {
                let line = lines.next().unwrap();
                let mut text = line[1..].to_vec();
                if lines.next_if(|next| next.starts_with(b"\\")).is_some() {
                    assert_eq!(text.pop(), Some(b'\n'));
                }
                if matches!(line[0], b' ' | b'-') {
                    assert_eq!(old_lines[at], text);
                    at += 1;
                }
                if matches!(line[0], b' ' | b'+') {
                    new.push(text);
                }
            }
            assert_eq!((at, new.len()), (old_end, new_end));
        }
        new.extend(old_lines[at..].iter().map(|line| line.to_vec()));
        new.concat()
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config {
            cases: 4000,
            failure_persistence: None,
            ..Default::default()
        })]
        #[test]
        fn applied_it_gives_the_rewritten_text(
            old in "[ab\r\n]{0,40}",
            cuts in proptest::collection::vec((0..9_usize, 0..9_usize, "[xy\n]{0,3}"), 0..6),
        ) {
            let mut edits = Vec::new();
            let mut at = 0;
            for (gap, length, replacement) in cuts {
                let start = at + gap;
                let end = start + length;
                // Two edits in one place have no order.
                if end > old.len() || edits.last().is_some_and(|edit: &Edit| edit.span.end == start)
                {
                    continue;
                }
                edits.push(Edit { span: Span { start, end }, replacement: replacement.as_bytes().into() });
                at = end;
            }
            let diff = unified(Path::new("x y.html"), Path::new("x y.html"), old.as_bytes(), &edits);
            let new = rehref_url::splice(old.as_bytes(), &edits);
            proptest::prop_assert_eq!(apply(old.as_bytes(), &diff), new);
        }
    }

    #[test]
    fn names() {
        for (name, expected) in [
            ("a b.html", "--- a/a b.html\t\n+++ b/a b.html\t\n"),
            ("grüße.html", "--- a/grüße.html\n+++ b/grüße.html\n"),
            (
                "a\tü\".html",
                "--- \"a/a\\t\\303\\274\\\".html\"\n+++ \"b/a\\t\\303\\274\\\".html\"\n",
            ),
        ] {
            let edits = [Edit { span: Span { start: 0, end: 1 }, replacement: b"y"[..].into() }];
            let diff = unified(Path::new(name), Path::new(name), b"x\n", &edits);
            assert_eq!(
                String::from_utf8(diff).unwrap(),
                format!("{expected}@@ -1,1 +1,1 @@\n-x\n+y\n")
            );
        }
        assert_eq!(
            binary(Path::new("a b\\.html"), Path::new("a b\\.html")),
            b"Binary files \"a/a b\\\\.html\" and \"b/a b\\\\.html\" differ\n"
        );
    }
}
