//! The second pass of an audit: locates the broken fragments of other documents, and suggests ids for them.

use std::collections::BTreeMap;

use super::Run;
use crate::anchors::{AnchorHomes, FragmentStatus};
use crate::context::{DocumentFindings, ItemNumber};
use crate::fragment_shapes::with_fragment;
use crate::suggest::AnchorSuggestions;
use rehref_corpus::{CorpusError, SourceDocument};
use rehref_document::{Document, ParseOptions};

/// A finding about a broken fragment, for which an id may be suggested.
struct BrokenFragment {
    /// The item that holds the target.
    target: ItemNumber,
    /// The place of the finding among the findings so far.
    place: usize,
}

impl Run<'_> {
    /// Looks the pending fragments up, when all anchors are known. Returns the files that have the missing ones.
    pub(super) fn resolve_pending(&mut self) -> AnchorHomes {
        let pending = std::mem::take(&mut self.pending);
        let missing = pending.resolve(&self.context.anchors, |item, status| match status {
            FragmentStatus::Anchor | FragmentStatus::Unknown => {}
            FragmentStatus::Scripted(rows) => self.add_scripted(rows, 1, item),
            FragmentStatus::Missing => {
                self.unresolved.insert(item);
            }
        });
        let firsts = self.scripted.values().map(|scripted| scripted.first);
        self.unresolved.extend(firsts);
        self.context.anchors.homes(&missing)
    }

    /// Locates the broken fragments of the unresolved items. `homes` are those of the missing ones.
    pub(super) fn second_pass(&mut self, homes: &AnchorHomes) -> Result<(), CorpusError> {
        let (audit, context) = (self.audit, self.context);
        let unresolved = std::mem::take(&mut self.unresolved);
        let mut broken = Vec::new();
        audit.collection.each_document(
            Some(&unresolved),
            |document| (document.item, context.examine(document, Some(homes))),
            || {},
            |name, result| {
                // The first pass reported the errors.
                if let Ok((item, Ok(located))) = result {
                    self.located(name, item, located, &mut broken);
                }
                Ok(())
            },
        )?;
        self.suggest_ids(&broken)
    }

    /// Adds what the second pass located in a document. Adds the fragments that need a suggestion to `broken`.
    fn located(
        &mut self,
        name: &str,
        item: ItemNumber,
        located: DocumentFindings,
        broken: &mut Vec<BrokenFragment>,
    ) {
        self.outcome.ignored += located.ignored;
        let firsts = self.scripted.values_mut();
        for scripted in firsts.filter(|scripted| scripted.first == item) {
            name.clone_into(&mut scripted.name);
        }
        for (rows, place) in located.first_scripted {
            let scripted = self.scripted.get_mut(&rows);
            if let Some(scripted) = scripted.filter(|scripted| scripted.first == item) {
                scripted.place = Some(place);
            }
        }
        for (file, finding) in located.broken {
            if let Some(target) = self.item_of(file).filter(|_| finding.fix.is_none()) {
                let place = self.found.len();
                broken.push(BrokenFragment { target, place });
            }
            self.found.push((item, finding));
        }
    }

    /// Reads the targets of broken fragments again, and suggests the nearest ids.
    fn suggest_ids(&mut self, broken: &[BrokenFragment]) -> Result<(), CorpusError> {
        let mut wanted: BTreeMap<ItemNumber, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
        for &BrokenFragment { target, place } in broken {
            let finding = self.found.get(place).map(|(_, finding)| finding);
            let url = finding.and_then(|finding| finding.target.as_deref());
            if let Some((_, fragment)) = url.and_then(|url| url.split_once('#')) {
                let places = wanted.entry(target).or_default().entry(fragment);
                places.or_default().push(place);
            }
        }
        let mut suggestions: Vec<(usize, Box<str>)> = Vec::new();
        self.audit.collection.each_document(
            Some(&wanted.keys().copied().collect()),
            |document| {
                self.context.number_of(document)?;
                Some(nearest_ids(document, wanted.get(&document.item)?))
            },
            || {},
            |_, result| {
                for (places, id) in result.ok().flatten().into_iter().flatten() {
                    suggestions.extend(places.iter().filter_map(|&place| {
                        let (_, finding) = self.found.get(place)?;
                        let reference = finding.reference.as_deref()?;
                        Some((place, with_fragment(reference, &id)?.into()))
                    }));
                }
                Ok(())
            },
        )?;
        for (place, suggestion) in suggestions {
            if let Some((_, finding)) = self.found.get_mut(place) {
                finding.suggestion = Some(suggestion);
            }
        }
        Ok(())
    }
}

/// The nearest id of a document to each of `fragments`, if one is near, with the places of the fragment.
fn nearest_ids<'w>(
    document: &SourceDocument<'_>,
    fragments: &'w BTreeMap<&str, Vec<usize>>,
) -> Vec<(&'w [usize], String)> {
    let options = ParseOptions { metadata: true, simple: true, ..document.options };
    let metadata = Document::parse(document.bytes, &options).ok().and_then(|it| it.metadata);
    let anchors = metadata.unwrap_or_default().anchors;
    let suggestions = AnchorSuggestions::new(&anchors);
    fragments
        .iter()
        .filter_map(|(fragment, places)| {
            let id = suggestions.nearest(fragment)?;
            Some((places.as_slice(), id.to_owned()))
        })
        .collect()
}
