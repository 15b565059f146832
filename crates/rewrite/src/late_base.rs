//! Late `base` elements: browsers fetch what stands before one with the base URL that they know so
//! far, although the links that users follow later count from the final one.

use super::bases::Bases;
use rehref_document::container::{ContainerKind, Syntax};
use rehref_document::html::{Usage, ValueKind};
use rehref_document::reference::{BaseOf, Class};
use rehref_document::{BaseElement, Document, Positions, Reference};

/// The `base` element that gives the base URL of a scope.
#[derive(Clone, Copy)]
struct EffectiveBase {
    /// The scope whose element it is.
    scope: usize,
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
        let mut found: Vec<Option<EffectiveBase>> = Vec::with_capacity(document.scopes.len());
        for (index, scope) in document.scopes.iter().enumerate() {
            let is_used = bases.element(index) == Some(&BaseElement::Used);
            let element = references.get(&index);
            let element = element.filter(|it| is_used && document.is_base_element(it));
            let own = element.map(|reference| {
                let start = document.span_of(reference).start;
                EffectiveBase { scope: index, start, line: positions.of(start).line }
            });
            let outer = || *found.get(scope.parent?)?;
            found.push(own.or_else(outer));
        }
        LateBases(found)
    }

    /// The warning about `reference` if browsers fetch its target before they read the `base` element,
    /// and find another target than the final base URL gives.
    pub(super) fn warning(
        &self,
        document: &Document<'_>,
        bases: &Bases<'_>,
        reference: &Reference,
    ) -> Option<String> {
        let BaseOf::Scope(scope) = reference.base else {
            return None;
        };
        let element = (*self.0.get(scope)?)?;
        if reference.class != Class::Ordinary
            || document.span_of(reference).start >= element.start
            || !is_fetched_at_once(document, reference)
        {
            return None;
        }
        let base = bases.before(element.scope)?;
        let encoding = document.container_of(reference)?.query_encoding;
        let text = document.text_of(reference);
        let fetched = base.fallback.as_ref()?.resolve(text, encoding).ok()?;
        let last = base.url.as_ref()?.resolve(text, encoding).ok()?;
        let line = element.line;
        (fetched != last).then(|| {
            format!(
                "browsers fetch {fetched}, because the base element comes later, on line {line}; rehref treats \
                 the link as {last}; move the base element before the link"
            )
        })
    }
}

/// Whether browsers fetch the target as soon as they read the reference.
fn is_fetched_at_once(document: &Document<'_>, reference: &Reference) -> bool {
    let Some(container) = document.container_of(reference) else {
        return false;
    };
    let kind = container.kind.rules().map(|rules| rules.kind);
    let is_fetched = match document.usage_of(reference) {
        Usage::Image | Usage::Style => true,
        // `ping` is a list of URLs that browsers fetch when a user follows the link.
        Usage::Resource => kind != Some(ValueKind::SpaceSeparated),
        // Import maps and refreshes are resolved once, when browsers read them.
        Usage::Link | Usage::Other => {
            kind == Some(ValueKind::Refresh) || container.syntax == Syntax::Json
        }
    };
    let parent = |at: &usize| document.containers.get(*at)?.parent;
    let mut around = std::iter::successors(Some(reference.container), parent);
    let in_comment = |at: usize| {
        let container = document.containers.get(at);
        container.is_some_and(|container| container.kind == ContainerKind::Comment)
    };
    is_fetched && !around.any(in_comment)
}
