//! Edits and their application: the only way in which a document or a reference changes.

use std::sync::Arc;

use super::span::Span;

/// A span and the bytes that replace it.
///
/// Edits of a document share their replacements, since many edits of a document insert the same
/// bytes, such as the URL of its directory. An edit of a decoded text is a [`TextEdit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<Replacement = Arc<[u8]>> {
    /// The bytes that are removed.
    pub span: Span,
    /// The bytes that are inserted in their place, in the charset of the source.
    pub replacement: Replacement,
}

/// An edit of a text: of a reference as the author wrote it, or of the decoded text of a container.
pub type TextEdit = Edit<String>;

impl<Replacement> Edit<Replacement> {
    /// An edit that replaces `span`.
    pub fn new(span: impl Into<Span>, replacement: impl Into<Replacement>) -> Edit<Replacement> {
        Edit {
            span: span.into(),
            replacement: replacement.into(),
        }
    }

    /// Turns an edit of a part into an edit of the whole, in which the part starts at `offset`.
    #[must_use]
    pub fn shifted(self, offset: usize) -> Edit<Replacement> {
        Edit {
            span: self.span.shifted(offset),
            ..self
        }
    }
}

impl TextEdit {
    /// Applies this edit to `text`.
    pub fn apply(&self, text: &str) -> String {
        let before = text.get(..self.span.start).unwrap_or_default();
        let after = text.get(self.span.end..).unwrap_or_default();
        [before, &self.replacement, after].concat()
    }
}

impl From<TextEdit> for Edit {
    fn from(edit: TextEdit) -> Edit {
        Edit::new(edit.span, edit.replacement.into_bytes())
    }
}

/// Applies `edits`, sorted by span and not overlapping, to `source` in one pass. All bytes outside
/// the spans stay unchanged.
///
/// An edit that overlaps the one before it or lies outside the source is a mistake of the caller;
/// it is skipped rather than allowed to damage the bytes around it.
pub fn splice<Replacement: AsRef<[u8]>>(source: &[u8], edits: &[Edit<Replacement>]) -> Vec<u8> {
    let inserted: usize = edits
        .iter()
        .map(|edit| edit.replacement.as_ref().len())
        .sum();
    let mut result = Vec::with_capacity(source.len() + inserted);
    let mut copied = 0;
    for Edit { span, replacement } in edits {
        debug_assert!(copied <= span.start && span.end <= source.len());
        let Some(unchanged) = source.get(copied..span.start) else {
            continue;
        };
        if span.end < span.start || span.end > source.len() {
            continue;
        }
        result.extend_from_slice(unchanged);
        result.extend_from_slice(replacement.as_ref());
        copied = span.end;
    }
    result.extend_from_slice(source.get(copied..).unwrap_or_default());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_replace_insert_and_delete() {
        let edit = |start, end, with: &str| TextEdit::new(start..end, with);
        assert_eq!(splice(b"abcdef", &[] as &[Edit]), b"abcdef");
        assert_eq!(
            splice(
                b"abcdef",
                &[
                    edit(0, 0, "<"),
                    edit(1, 3, "XYZ"),
                    edit(4, 5, ""),
                    edit(6, 6, ">")
                ]
            ),
            b"<aXYZdf>"
        );
        assert_eq!(edit(1, 3, "XYZ").apply("abcdef"), "aXYZdef");
    }
}
