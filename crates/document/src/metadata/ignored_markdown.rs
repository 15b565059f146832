//! Ignore marks in Markdown: comments that cover the text after them.
//!
//! The comment `<!-- rehref-ignore -->` covers its line and the block that follows, up to the next empty line: what is
//! one element of HTML in other documents.

use memchr::memmem;

use super::{Ignored, check_ids, ids_of_comment};
use rehref_url::Span;

/// Returns the parts of `source` that ignore marks in its `html` cover. `html`: the source with spaces in place of
/// Markdown.
pub(crate) fn ignored_markdown<'h>(
    source: &'h [u8],
    html: &'h [u8],
) -> impl Iterator<Item = Ignored> + 'h {
    let mut from = 0;
    let mut block = Span::default();
    let comments = std::iter::from_fn(move || {
        let start = from + memmem::find(html.get(from..)?, b"<!--")?;
        let comment = html.get(start + 4..)?;
        let length = memmem::find(comment, b"-->")?;
        from = start + length + 7;
        Some((start, comment.get(..length)?, from))
    });
    comments.filter_map(move |(start, comment, end)| {
        let list = ids_of_comment(std::str::from_utf8(comment).ok()?)?;
        // Marks with text after them in one block end with it.
        let rest = source.get(end..block.end).unwrap_or_default();
        if rest.trim_ascii_start().is_empty() {
            block = Span::from(end..end_of_block(source, end));
        }
        Some(Ignored {
            span: Span::from(start..block.end),
            checks: check_ids(list).map(Box::from).collect(),
        })
    })
}

/// The end of the block of lines after the byte `at`.
fn end_of_block(source: &[u8], at: usize) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    let mut end = at;
    let mut has_text = false;
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        let is_blank = line.trim_ascii().is_empty();
        if is_blank && has_text {
            break;
        }
        has_text |= !is_blank;
        end += line.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_covers_the_block_after_it() {
        for (source, expected) in [
            ("<!-- rehref-ignore -->\n\na\nb\n\nc\n", "<!-- rehref-ignore -->\n\na\nb\n"),
            ("a <!-- rehref-ignore x --> b\nc\n \nd", "<!-- rehref-ignore x --> b\nc\n"),
            ("<!-- rehref-ignore -->", "<!-- rehref-ignore -->"),
            ("<!-- other -->\na", ""),
            ("<!-- <!-- rehref-ignore -->\na", ""),
        ] {
            let found = ignored_markdown(source.as_bytes(), source.as_bytes()).next();
            let found = found.map_or("", |it| it.span.of_str(source));
            assert_eq!(found, expected, "{source}");
        }
    }

    #[test]
    fn marks_in_one_block_end_with_it() {
        let mark = "<!-- rehref-ignore -->";
        for (source, expected) in [
            ("M a\nM\nb\n\nc", &["M a\nM\nb\n", "M\nb\n"][..]),
            ("M\n\nM\n\na\nb\n\nM", &["M\n\nM\n", "M\n\na\nb\n", "M"]),
            ("M M \n\na", &["M M \n", "M \n\na"]),
        ] {
            let with_marks = |text: &str| text.replace('M', mark);
            let source = with_marks(source);
            let found = ignored_markdown(source.as_bytes(), source.as_bytes());
            let found: Vec<&str> = found.map(|it| it.span.of_str(&source)).collect();
            let expected: Vec<String> = expected.iter().map(|it| with_marks(it)).collect();
            assert_eq!(found, expected, "{source}");
        }
    }
}
