//! A document with the meaning of each of its references.

use std::collections::BTreeMap;

use super::base_element;
use super::meaning::{self, Meaning};
use super::side::Side;
use rehref_document::container::Syntax;
use rehref_document::html::Quote;
use rehref_document::reference::BaseOf;
use rehref_document::{BaseElement, BaseUrl, Document, Reference};
use rehref_url::{AbsoluteUrl, Span};

/// A document with its resolved references.
pub(super) struct ResolvedDocument<'d> {
    pub(super) document: &'d Document<'d>,
    /// All references except those in `base`.
    pub(super) references: Vec<ResolvedReference<'d>>,
    /// The `href` of each `base` element that gives a base URL, by scope.
    pub(super) base: BTreeMap<usize, &'d Reference>,
    /// The `href`s of `base` elements that do not count, if the other document has none: they are gone with the one
    /// that counts.
    gone: Vec<&'d Reference>,
    /// The base URLs of the scopes.
    pub(super) base_urls: Vec<BaseUrl>,
}

/// A reference of `document`, with its meaning.
pub(super) struct ResolvedReference<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) reference: &'d Reference,
    pub(super) meaning: Meaning,
    /// For a reference without a target; see [`meaning::probe`].
    pub(super) probe: Option<Box<AbsoluteUrl>>,
}

impl<'d> ResolvedDocument<'d> {
    /// `after`: the other document, if `document` is BEFORE.
    pub(super) fn of(
        document: &'d Document<'d>,
        own: &AbsoluteUrl,
        after: Option<&ResolvedDocument<'_>>,
        is_replaced: bool,
        follow: impl Fn(&Reference, AbsoluteUrl) -> AbsoluteUrl,
    ) -> ResolvedDocument<'d> {
        let bases = document.base_urls(own);
        let mut base = BTreeMap::new();
        let mut gone = Vec::new();
        let mut references = Vec::with_capacity(document.references.len());
        for reference in &document.references {
            if let Some(scope) = base_element::scope_of(document, reference, &bases, is_replaced) {
                base.insert(scope, reference);
                continue;
            }
            if after.is_some_and(|after| after.is_without(document, reference, &bases)) {
                gone.push(reference);
                continue;
            }
            let meaning = meaning::of(document, reference, &bases, own, after.is_some());
            let (meaning, probe) = match meaning {
                Meaning::Target(target) => (Meaning::Target(follow(reference, target)), None),
                Meaning::Text(reason) => {
                    let probe = meaning::probe(document, reference, reason, &bases, own);
                    (Meaning::Text(reason), probe.map(|target| Box::new(follow(reference, target))))
                }
            };
            references.push(ResolvedReference { document, reference, meaning, probe });
        }
        ResolvedDocument { document, references, base, gone, base_urls: bases }
    }

    /// Returns true if `reference` of `before`, with the base URLs `bases`, is the `href` of a `base` element that
    /// does not count, and its scope has no `base` element here, or only one without effect.
    fn is_without(&self, before: &Document<'_>, reference: &Reference, bases: &[BaseUrl]) -> bool {
        let BaseOf::Fallback(scope) = reference.base else { return false };
        let is_used = bases.get(scope).is_some_and(|it| it.element == BaseElement::Used);
        let counting = before.scopes.get(scope).and_then(|it| it.base);
        let is_other = counting != Some(reference.container) && before.is_base_element(reference);
        let has_effect = self.base_urls.get(scope).is_none_or(|base| base.url != base.fallback);
        let has_others = self
            .document
            .scopes
            .get(scope)
            .is_none_or(|it| it.bases > usize::from(it.base.is_some()));
        is_used && is_other && !has_effect && !has_others
    }

    /// Returns the `href` of the `base` element that gives the base URL of `scope`.
    pub(super) fn base_of(&self, scope: usize) -> Option<&'d Reference> {
        self.base.get(&scope).copied()
    }

    /// Returns the document for a comparison of its bytes with those of `other`.
    pub(super) fn side(&self, other: &ResolvedDocument<'_>) -> Side<'d> {
        let document = self.document;
        let tags = self.base.iter().filter_map(|(scope, reference)| {
            let Some(counterpart) = other.base_of(*scope) else {
                return base_element::tag_of(document, reference);
            };
            let is_unquoted = [(document, *reference), (other.document, counterpart)];
            let is_unquoted = is_unquoted.map(|(document, reference)| {
                let container = document.container_of(reference);
                container.is_some_and(|container| has_no_quotes(container.syntax))
            });
            // One of the two has no quotes, the other may have got some.
            let is_requoted = is_unquoted[0] != is_unquoted[1];
            base_element::kept_tag_of(document, reference, is_requoted)
        });
        let gone = self.gone.iter().filter_map(|it| base_element::tag_of(document, it));
        Side::new(document, tags.chain(gone))
    }
}

impl<'d> ResolvedReference<'d> {
    pub(super) fn text(&self) -> &'d str {
        self.document.text_of(self.reference)
    }

    /// Returns the span in the working bytes.
    pub(super) fn span(&self) -> Span {
        self.document.span_of(self.reference)
    }

    pub(super) fn target(&self) -> Option<String> {
        match &self.meaning {
            Meaning::Target(target) => Some(target.to_string()),
            Meaning::Text(_) => None,
        }
    }
}

fn has_no_quotes(syntax: Syntax) -> bool {
    matches!(syntax, Syntax::Attribute(Quote::Unquoted | Quote::NoValue))
}
