//! Late `base` elements: whether a link before one resolves against it depends on when browsers fetch the link, unless they
//! fetch it at once.

use super::bases::Bases;
use rehref_document::html::Timing;
use rehref_document::reference::{BaseOf, Class};
use rehref_document::{BaseElement, Document, Positions, Reference};

/// The bytes of the working bytes where the `href`s of the `base` elements in effect start, by scope; `None` for a
/// scope without one.
pub(super) struct LateBases(Vec<Option<usize>>);

impl LateBases {
    pub(super) fn of(document: &Document<'_>, bases: &Bases<'_>) -> LateBases {
        let references = document.base_references();
        let elements = (0..document.scopes.len()).map(|scope| {
            let is_used = bases.element(scope) == Some(&BaseElement::Used);
            let element = references.get(&scope);
            let element = element.filter(|it| is_used && document.is_base_element(it))?;
            Some(document.span_of(element).start)
        });
        LateBases(elements.collect())
    }

    /// Returns the warning about `reference` if it depends on the time whether the `base` element after it counts.
    pub(super) fn warning(
        &self,
        document: &Document<'_>,
        bases: &Bases<'_>,
        reference: &Reference,
        positions: &mut Positions<'_>,
    ) -> Option<String> {
        let BaseOf::Scope(scope) = reference.base else { return None };
        let start = (*self.0.get(scope)?)?;
        if reference.class != Class::Ordinary
            || document.timing_of(reference) != Timing::Delayed
            || document.span_of(reference).start >= start
        {
            return None;
        }
        let base = bases.before(scope)?;
        let encoding = document.container_of(reference)?.query_encoding;
        let text = document.text_of(reference);
        let early = base.fallback.as_ref()?.resolve(text, encoding).ok()?;
        let last = base.url.as_ref()?.resolve(text, encoding).ok()?;
        (early != last).then(|| {
            let line = positions.of(start).line;
            format!(
                "browsers fetch {last} or {early}, because the base element comes later, on line {line}; rehref \
                 treats the link as {last}; move the base element before the link"
            )
        })
    }
}
