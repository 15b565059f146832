//! Edits and their application: the only way in which a document or a reference changes.

use std::string::FromUtf8Error;
use std::sync::Arc;

use super::span::Span;

/// A span and the bytes that replace it.
///
/// Edits of a document share their replacements, since many edits of a document insert the same
/// bytes, such as the URL of its directory. An edit of a decoded text is a [`TextEdit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<Replacement = Arc<[u8]>> {
    /// The span of the bytes to remove.
    pub span: Span,
    /// The bytes to insert in their place, in the charset of the source.
    pub replacement: Replacement,
}

/// An edit of a text: of a reference as the author wrote it, or of the decoded text of a container.
pub type TextEdit = Edit<String>;

impl<Replacement> Edit<Replacement> {
    /// Returns an edit that replaces `span`.
    pub fn new(span: impl Into<Span>, replacement: impl Into<Replacement>) -> Edit<Replacement> {
        Edit { span: span.into(), replacement: replacement.into() }
    }

    /// Returns this edit of a part as an edit of the whole, in which the part starts at the byte `offset`.
    #[must_use]
    pub fn shifted(self, offset: usize) -> Edit<Replacement> {
        Edit { span: self.span.shifted(offset), ..self }
    }
}

impl TextEdit {
    /// Returns `text` after this edit.
    pub fn apply(&self, text: &str) -> String {
        splice_text(text, std::slice::from_ref(self))
    }
}

impl From<TextEdit> for Edit {
    fn from(edit: TextEdit) -> Edit {
        Edit::new(edit.span, edit.replacement.into_bytes())
    }
}

/// The result of applying edits to a source, which can be written or compared without a copy in memory.
#[derive(Debug)]
pub struct Spliced<'s, Replacement = Arc<[u8]>> {
    source: &'s [u8],
    edits: &'s [Edit<Replacement>],
}

impl<'s, Replacement: AsRef<[u8]>> Spliced<'s, Replacement> {
    /// Applies `edits`, sorted by span and not overlapping, to `source`. All bytes outside the spans
    /// stay unchanged.
    ///
    /// An edit that overlaps the one before it or lies outside the source is a mistake of the caller;
    /// it is skipped rather than allowed to damage the bytes around it.
    pub fn new(source: &'s [u8], edits: &'s [Edit<Replacement>]) -> Spliced<'s, Replacement> {
        Spliced { source, edits }
    }

    /// Returns the edited text in pieces, in order: parts of the source, and replacements. A piece may be empty.
    pub fn pieces(self) -> impl Iterator<Item = &'s [u8]> {
        let source = self.source;
        let mut copied = 0;
        let edits = self.edits.iter().map(Some).chain([None]);
        let pieces = edits.filter_map(move |edit| {
            let Some(Edit { span, replacement }) = edit else {
                return Some([source.get(copied..).unwrap_or_default(), &[]]);
            };
            debug_assert!(copied <= span.start && span.end <= source.len());
            let unchanged = source.get(copied..span.start)?;
            if span.end < span.start || span.end > source.len() {
                return None;
            }
            copied = span.end;
            Some([unchanged, replacement.as_ref()])
        });
        pieces.flatten()
    }

    /// Returns the length of the result in bytes.
    pub fn len(self) -> usize {
        self.pieces().map(<[u8]>::len).sum()
    }

    /// Returns the result as one vector.
    pub fn to_vec(self) -> Vec<u8> {
        let mut result = Vec::with_capacity(self.len());
        self.pieces().for_each(|piece| result.extend_from_slice(piece));
        result
    }
}

// Not derived, since that would ask the same of the replacements.
impl<Replacement> Clone for Spliced<'_, Replacement> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Replacement> Copy for Spliced<'_, Replacement> {}

/// A source without edits.
impl<'s> From<&'s [u8]> for Spliced<'s> {
    fn from(source: &'s [u8]) -> Spliced<'s> {
        Spliced::new(source, &[])
    }
}

impl<Replacement: AsRef<[u8]>> PartialEq<[u8]> for Spliced<'_, Replacement> {
    fn eq(&self, other: &[u8]) -> bool {
        let rest = self.pieces().try_fold(other, |rest, piece| rest.strip_prefix(piece));
        rest.is_some_and(<[u8]>::is_empty)
    }
}

/// Returns `source` after `edits`; see [`Spliced::new`].
pub fn splice<Replacement: AsRef<[u8]>>(source: &[u8], edits: &[Edit<Replacement>]) -> Vec<u8> {
    Spliced::new(source, edits).to_vec()
}

/// As [`splice`], for a text. Edits must begin and end between characters.
pub fn splice_text(text: &str, edits: &[TextEdit]) -> String {
    let lossy = |error: FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
    String::from_utf8(splice(text.as_bytes(), edits)).unwrap_or_else(lossy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_replace_insert_and_delete() {
        let edit = |start, end, with: &str| TextEdit::new(start..end, with);
        assert_eq!(splice(b"abcdef", &[] as &[Edit]), b"abcdef");
        let edits = [edit(0, 0, "<"), edit(1, 3, "XYZ"), edit(4, 5, ""), edit(6, 6, ">")];
        assert_eq!(splice(b"abcdef", &edits), b"<aXYZdf>");
        let spliced = Spliced::new(b"abcdef", &edits);
        assert_eq!(spliced.len(), 8);
        assert_eq!(spliced, b"<aXYZdf>"[..]);
        for other in [&b""[..], b"<aXYZdf", b"<aXYZdf>>", b"<aXYZde>"] {
            assert_ne!(spliced, *other);
        }
        assert_eq!(edit(1, 3, "XYZ").apply("abcdef"), "aXYZdef");
    }
}
