//! Fast paths for simple references, one mechanism for all policies: the start of a reference is replaced,
//! or the reference stays. No container is made, and no URL is parsed.

mod absolute;
mod shortcut;
mod site;
#[cfg(test)]
mod tests;

use absolute::Prefixes;
use shortcut::Shortcut;
use site::SiteReferences;

use super::bases::DocumentUrls;
use super::policy::{InPageLinks, Policy};
use super::reference_counts::ReferenceCounts;
use rehref_document::{Constraints, Document, ParseOptions, SkipReason};
use rehref_url::Edit;
use rehref_url::simple::SimpleShape;

/// The fast path for the references of one document whose base is the document's own URL.
pub(super) enum FastPath<'u> {
    Absolute(Prefixes),
    Site(SiteReferences<'u>),
}

impl<'u> FastPath<'u> {
    /// Returns the fast path for a document at `own`; `None` where `policy` has none for it.
    pub(super) fn of(
        own: DocumentUrls<'u>,
        policy: &'u Policy,
        options: &ParseOptions,
    ) -> Option<FastPath<'u>> {
        match policy {
            // Only links of Markdown, which has no fast path, lead to the repository.
            Policy::Absolute { base: None, in_page_links, .. } => {
                let keeps_fragments = *in_page_links == InPageLinks::Keep && options.kind.is_page();
                Prefixes::of(own, keeps_fragments).map(FastPath::Absolute)
            }
            // What is left of a reference might be template markup.
            Policy::Site(_) if options.templates.may_be_in_simple() => None,
            // Which links were changed after the move shows in both trees.
            Policy::Site(site) if site.mapping.is_done => None,
            Policy::Site(site) => SiteReferences::of(own, site).map(FastPath::Site),
            Policy::Absolute { .. } | Policy::Fix(_) => None,
        }
    }

    /// Returns the edits, in order, of the simple references of `document`, and adds them to the counts
    /// of `references`. A reference that the fast path cannot handle becomes an ordinary reference of
    /// `document`.
    pub(super) fn edits(
        self,
        document: &mut Document<'_>,
        references: &mut ReferenceCounts,
    ) -> Vec<Edit> {
        let mut values = document.take_simple();
        let mut edits = Vec::with_capacity(values.len());
        let (mut already_correct, mut same_document, mut own_fragments) = (0, 0, 0);
        let mut path = String::new();
        values.retain(|value| {
            let text = document.text_of_simple(value);
            match self.shortcut(text, value.shape, value.constraints(), &mut path) {
                Some(Shortcut::Change { length, with }) => {
                    let start = value.span().start;
                    own_fragments += usize::from(value.shape == SimpleShape::Fragment);
                    edits.push(Edit::new(start..start + length, with));
                    false
                }
                Some(Shortcut::AlreadyCorrect) => {
                    already_correct += 1;
                    false
                }
                Some(Shortcut::SameDocument) => {
                    same_document += 1;
                    false
                }
                None => true,
            }
        });
        if same_document > 0 {
            *references.skipped.entry(SkipReason::SameDocument).or_default() += same_document;
        }
        references.already_correct += already_correct;
        references.own_fragments += own_fragments;
        references.rewritten += edits.len();
        references.seen += already_correct + same_document + edits.len();
        document.put_back(values);
        edits
    }

    /// Decides on the simple reference `text` of this shape; `None` where it needs the general path.
    /// `path` is scratch space.
    fn shortcut(
        &self,
        text: &str,
        shape: SimpleShape,
        constraints: Constraints,
        path: &mut String,
    ) -> Option<Shortcut> {
        match self {
            FastPath::Absolute(prefixes) => prefixes.shortcut(shape, constraints),
            FastPath::Site(references) => references.shortcut(text, shape, constraints, path),
        }
    }
}
