//! Late `base` elements: what stands before one and is not fetched at once counts from it or not, by chance.

use super::bases::Bases;
use rehref_document::html::Timing;
use rehref_document::reference::{BaseOf, Class};
use rehref_document::{BaseElement, Document, Positions, Reference};

/// The `base` element that gives the base URL of a scope.
struct EffectiveBase {
    /// The byte of the working bytes where its `href` starts.
    start: usize,
    /// The line of `start`.
    line: usize,
}

/// The `base` elements in effect, by scope; `None` for a scope without one.
pub(super) struct LateBases(Vec<Option<EffectiveBase>>);

impl LateBases {
    pub(super) fn of(document: &Document<'_>, bases: &Bases<'_>) -> LateBases {
        let mut positions = Positions::new(document.working_bytes());
        let references = document.base_references();
        let elements = (0..document.scopes.len()).map(|scope| {
            let is_used = bases.element(scope) == Some(&BaseElement::Used);
            let element = references.get(&scope);
            let element = element.filter(|it| is_used && document.is_base_element(it))?;
            let start = document.span_of(element).start;
            Some(EffectiveBase { start, line: positions.of(start).line })
        });
        LateBases(elements.collect())
    }

    /// The warning about `reference` if it depends on the time whether the `base` element after it counts.
    pub(super) fn warning(
        &self,
        document: &Document<'_>,
        bases: &Bases<'_>,
        reference: &Reference,
    ) -> Option<String> {
        let BaseOf::Scope(scope) = reference.base else {
            return None;
        };
        let EffectiveBase { start, line } = self.0.get(scope)?.as_ref()?;
        if reference.class != Class::Ordinary
            || document.timing_of(reference) != Timing::Delayed
            || document.span_of(reference).start >= *start
        {
            return None;
        }
        let base = bases.before(scope)?;
        let encoding = document.container_of(reference)?.query_encoding;
        let text = document.text_of(reference);
        let early = base.fallback.as_ref()?.resolve(text, encoding).ok()?;
        let last = base.url.as_ref()?.resolve(text, encoding).ok()?;
        (early != last).then(|| {
            format!(
                "browsers fetch {last} or {early}, because the base element comes later, on line {line}; rehref \
                 treats the link as {last}; move the base element before the link"
            )
        })
    }
}
