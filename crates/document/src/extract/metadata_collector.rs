//! Collects the metadata of a document during extraction.

use std::collections::{BTreeMap, HashMap};

use crate::container::{ContainerKind, span_in};
use crate::metadata::{Anchors, Bases, DuplicateId, Ignored, Metadata, duplicates, generator};
use crate::reference::{BaseOf, Class, Reference};
use crate::value_rules::ValueBase;
use crate::{Document, TemplateDialects};
use rehref_url::{Span, scheme};

/// The metadata of a document, or of a part of a message, found so far.
#[derive(Debug, Default)]
pub(super) struct MetadataCollector {
    /// The decoded `id`s in one string, because there are many.
    ids: String,
    /// The end of each id in `ids`, and its span in the working bytes.
    pub(super) ids_at: Vec<(usize, Span)>,
    /// The other anchors: `name` of `a`.
    pub(super) names: Vec<String>,
    pub(super) ignored: Vec<Ignored>,
    /// The `base` elements with an `href` in a document tree: scope and container.
    pub(super) base_elements: Vec<(usize, usize)>,
    /// All that is not collected above, so far; the anchors and duplicate ids of the parts of a message among it.
    pub(super) found: Metadata,
}

impl MetadataCollector {
    pub(super) fn id(&mut self, id: &str, span: Span) {
        self.ids.push_str(id);
        self.ids_at.push((self.ids.len(), span));
    }

    /// Adds the generator that the value of an attribute of this element is a sign of.
    pub(super) fn sign_of(&mut self, element: &str, value: &[u8]) {
        if matches!(element, "script" | "link") {
            let value = std::str::from_utf8(value).unwrap_or("");
            self.sign(generator::of_file(value));
        }
    }

    pub(super) fn sign(&mut self, name: Option<&str>) {
        if let Some(name) = name
            && !self.found.generators.iter().any(|known| known == name)
        {
            self.found.generators.push(name.to_owned());
        }
    }

    /// Merges the metadata of a part of a message; its anchors stay separate.
    pub(super) fn take_in(&mut self, part: MetadataCollector, templates: TemplateDialects) {
        let (anchors, duplicates) = part.anchors(templates);
        self.found.parts.push(anchors);
        self.found.duplicate_ids.extend(duplicates);
        part.found.generators.iter().for_each(|name| self.sign(Some(name)));
        self.ignored.extend(part.ignored);
        self.base_elements.extend(part.base_elements);
        self.found.ignored_xml_bases.extend(part.found.ignored_xml_bases);
        self.found.without_url.extend(part.found.without_url);
        self.found.unclosed_quote = self.found.unclosed_quote.or(part.found.unclosed_quote);
    }

    /// The anchors, and the duplicate ids.
    fn anchors(&self, templates: TemplateDialects) -> (Anchors, Vec<DuplicateId>) {
        let mut start = 0;
        let ids = self.ids_at.iter().filter_map(|&(end, span)| {
            let id = self.ids.get(start..end)?;
            start = end;
            Some((id, span))
        });
        let mut ids: Vec<(&str, Span)> = ids.collect();
        ids.sort_by_key(|(id, _)| *id);
        let names = ids.iter().map(|(id, _)| *id);
        let names = names.chain(self.names.iter().map(String::as_str));
        (names.collect::<Anchors>(), duplicates(&ids, templates))
    }

    /// Returns the metadata of the document `found`.
    pub(super) fn metadata(
        mut self,
        found: &Document<'_>,
        templates: TemplateDialects,
    ) -> Metadata {
        for container in &found.containers {
            let parent = container.parent.and_then(|at| found.containers.get(at));
            if let ContainerKind::Attribute { element, .. } = &container.kind
                && parent.is_none_or(|parent| matches!(parent.kind, ContainerKind::Part(_)))
            {
                self.sign_of(&element.name, container.text.as_str().as_bytes());
            }
        }
        let (own, duplicates) = self.anchors(templates);
        let mut metadata = self.found;
        // A fragment of a message means a place in the first document in it.
        let mut documents = found.parts.iter().zip(&metadata.parts);
        let first = documents.find(|(part, _)| part.document.is_some());
        metadata.anchors = first.map_or(own, |(_, anchors)| anchors.clone());
        metadata.duplicate_ids.extend(duplicates);
        metadata.bases = bases(found, &self.base_elements);
        metadata.undefined_references.sort_unstable();
        metadata.unused_definitions.sort_unstable();
        metadata.ignored = self.ignored.into_iter().collect();
        metadata
    }
}

fn bases(found: &Document<'_>, elements: &[(usize, usize)]) -> Vec<Bases> {
    if elements.is_empty() {
        return Vec::new();
    }
    let start_of = |container: usize| span_in(&found.containers, container, Span::from(0..0)).start;
    let mut hrefs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (scope, base) in elements {
        hrefs.entry(*scope).or_default().push(start_of(*base));
    }
    // The place of the first reference that takes the base URL of each scope.
    let mut first: HashMap<usize, usize> = HashMap::new();
    for reference in &found.references {
        if let Some(scope) = scope_of_base(found, reference) {
            let place = || span_in(&found.containers, reference.container, reference.span).start;
            first.entry(scope).or_insert_with(place);
        }
    }
    let bases = hrefs.into_iter().filter_map(|(scope, mut hrefs)| {
        hrefs.sort_unstable();
        let start = start_of(found.scopes.get(scope)?.base?);
        let late_for = first.get(&scope).copied().filter(|at| *at < start);
        Some(Bases { scope, hrefs, late_for })
    });
    bases.collect()
}

/// The scope on whose base URL the target of a reference depends, or would if its `base` element came first.
fn scope_of_base(found: &Document<'_>, reference: &Reference) -> Option<usize> {
    let container = found.containers.get(reference.container)?;
    let scope = match reference.base {
        BaseOf::Scope(scope) | BaseOf::Codebase(scope, _) => scope,
        // Browsers fetch it before they read the element.
        BaseOf::Fallback(scope)
            if container.kind.rules().is_none_or(|it| it.base == ValueBase::Document) =>
        {
            scope
        }
        _ => return None,
    };
    let text = reference.span.of_str(container.text.as_str());
    let is_relative = scheme::split(text.trim_ascii_start()).is_none();
    (reference.class == Class::Ordinary && is_relative).then_some(scope)
}
