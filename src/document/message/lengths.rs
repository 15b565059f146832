//! What headers say of a body that has changed.

use super::super::{Document, Edit};

impl Document<'_> {
    /// The edits of `Content-Length` headers, and nothing else, that bodies of another length want
    /// once `edits` are made.
    pub fn lengths_after(&self, edits: &[Edit]) -> Vec<Edit> {
        let mut made = Vec::new();
        // Within the body of a part stand the lengths of the parts in it, which come behind it.
        for part in self.parts.iter().rev() {
            let Some(length) = part.length else { continue };
            let old = part.body.end - part.body.start;
            let within = edits.iter().chain(&made).filter(|edit| {
                part.body.start <= edit.span.start && edit.span.end <= part.body.end
            });
            let (gone, come) = within.fold((0, 0), |(gone, come), edit| {
                (
                    gone + edit.span.end - edit.span.start,
                    come + edit.replacement.len(),
                )
            });
            let new = (old + come).saturating_sub(gone);
            if new != old {
                made.push(Edit {
                    span: length,
                    replacement: new.to_string().into_bytes().into(),
                });
            }
        }
        made
    }

    /// The parts whose bodies `edits` change although they have a digest, which is wrong then.
    pub fn digests_broken_by(&self, edits: &[Edit]) -> impl Iterator<Item = &super::Part> {
        self.parts.iter().filter(|part| {
            part.digest.is_some()
                && edits.iter().any(|edit| {
                    part.body.start <= edit.span.start && edit.span.end <= part.body.end
                })
        })
    }
}
