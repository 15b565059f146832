//! Simple references to what is there: most of all, and done with little work.

use super::{DocumentAuditor, FragmentMode, NO_LINKS};
use crate::audit::fast_path::SimpleTarget;
use crate::audit::url_checks;
use crate::document::metadata::fragment::is_top;
use crate::document::reference::{BaseOf, Class};
use crate::document::{Reference, Rel, SimpleReference};
use crate::url::simple::{Folders, SimpleShape};

impl DocumentAuditor<'_> {
    /// Those of `values` that are not done with so. They are relative to the last of `folders`, where
    /// that is known, which is the document's own.
    pub(super) fn simple_references(
        &mut self,
        mut values: Vec<SimpleReference>,
        folders: Option<Folders<'_>>,
    ) -> Vec<SimpleReference> {
        let Some(folders) = folders else {
            return values;
        };
        values.retain(|value| {
            let at = value.span().start;
            let text = self.document.text_of_simple(value);
            let is_link = !NO_LINKS.contains(&value.attribute()) && !is_hint(value.rel());
            !is_link || !self.simple(folders, true, text, value.shape, || at)
        });
        values
    }

    /// Whether the reference is simple and all is well with its target; then it is done. `is_own` says
    /// that it is relative to the document's own URL.
    pub(super) fn plain_reference(
        &mut self,
        folders: Folders<'_>,
        is_own: bool,
        reference: &Reference,
    ) -> bool {
        let is_special = reference.class != Class::Ordinary
            || reference.base != BaseOf::Scope(0)
            || is_hint(reference.rel);
        let document = self.document;
        let text = document.text_of(reference);
        let Some(simple) = SimpleShape::of(text).filter(|_| !is_special) else {
            return false;
        };
        let is_for_a_closer_look =
            self.is_refresh(reference) || self.is_no_link(reference) || self.is_data(reference);
        !is_for_a_closer_look
            && self.simple(folders, is_own, text, simple, || {
                document.span_of(reference).start
            })
    }

    /// The same for a reference that is this `text`, and stands `at` this byte.
    fn simple(
        &mut self,
        folders: Folders<'_>,
        is_own: bool,
        text: &str,
        simple: SimpleShape,
        at: impl Fn() -> usize,
    ) -> bool {
        let target = match simple {
            SimpleShape::Absolute => {
                let is_well = url_checks::is_plain_url(text) && self.context.site.is_outside(text);
                self.out.references += usize::from(is_well);
                self.out.external += usize::from(is_well);
                return is_well;
            }
            SimpleShape::Fragment => is_own.then_some(SimpleTarget {
                file: self.source.number,
                fragment: text.strip_prefix('#'),
            }),
            SimpleShape::Path(path) => {
                let site = &self.context.site_url;
                let paths = &self.context.simple;
                paths.target(text, path, folders, site, &mut self.path)
            }
        };
        let Some(target) = target else { return false };
        let is_in_itself = target.file == self.source.number;
        let fragment = target.fragment;
        if is_in_itself && fragment.is_some_and(|it| !self.metadata.anchors.indicates(it)) {
            return false;
        }
        self.out.references += 1;
        if self.context.needs_targets {
            self.out.targets.push(target.file);
        }
        if let Some(fragment) = fragment
            && !is_in_itself
            && self.context.fragments != FragmentMode::Off
            && !is_top(fragment)
        {
            self.fragment_of(target.file, fragment, at);
        }
        true
    }
}

/// Whether it is a hint for the connection: nothing is asked for.
pub(super) fn is_hint(rel: Rel) -> bool {
    rel.has(Rel::PRECONNECT) || rel.has(Rel::DNS_PREFETCH)
}
