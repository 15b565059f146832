//! Edits and their application: the only way in which a document changes.

use std::sync::Arc;

use super::Span;

/// A span of the source and the bytes that replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// The bytes that come, in the document's charset; many edits of a document bring the same.
    pub replacement: Arc<[u8]>,
}

/// Applies `edits`, sorted by span and not overlapping, to `source` in one pass. All bytes outside
/// the spans come out as they are.
///
/// An edit that overlaps the one before it or lies outside the source is a mistake of the caller;
/// it is left out rather than allowed to damage what is around it.
pub fn splice(source: &[u8], edits: &[Edit]) -> Vec<u8> {
    let grown: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut result = Vec::with_capacity(source.len() + grown);
    let mut done = 0;
    for edit in edits {
        debug_assert!(done <= edit.span.start && edit.span.end <= source.len());
        let Some(untouched) = source.get(done..edit.span.start) else {
            continue;
        };
        if edit.span.end < edit.span.start || edit.span.end > source.len() {
            continue;
        }
        result.extend_from_slice(untouched);
        result.extend_from_slice(&edit.replacement);
        done = edit.span.end;
    }
    result.extend_from_slice(source.get(done..).unwrap_or_default());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_replace_insert_and_delete() {
        let edit = |start, end, with: &str| Edit {
            span: Span { start, end },
            replacement: with.as_bytes().into(),
        };
        assert_eq!(splice(b"abcdef", &[]), b"abcdef");
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
    }
}
