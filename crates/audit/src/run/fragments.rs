//! The second pass of an audit: locates the broken fragments of other documents, and suggests ids for them.

use std::collections::BTreeMap;

use super::Run;
use crate::anchors::{AnchorHomes, FragmentStatus};
use crate::checks::Check;
use crate::context::DocumentFindings;
use crate::files::ItemNumber;
use crate::finding::Finding;
use crate::fragment_shapes::{FragmentShapes, with_fragment};
use crate::suggest::AnchorSuggestions;
use rehref_corpus::{CorpusError, SourceDocument};
use rehref_document::{Document, ParseOptions};

/// The findings about broken fragments for which an id may be suggested, by their places among the findings so far: by
/// the item that holds the target, and the fragment.
type BrokenFragments = BTreeMap<ItemNumber, BTreeMap<String, Vec<usize>>>;

impl Run<'_> {
    /// Looks the pending fragments up, when all anchors are known. Returns the files that have the missing ones.
    pub(super) fn resolve_pending(&mut self) -> AnchorHomes {
        let pending = std::mem::take(&mut self.pending);
        let missing = pending.resolve(&self.context.anchors, |item, status| match status {
            FragmentStatus::Unknown if self.audit.site.files.reads_sources() => {
                self.add_scripted(FragmentShapes::UNREAD, 1, item)
            }
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
        let mut broken = BrokenFragments::new();
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
        mut located: DocumentFindings,
        broken: &mut BrokenFragments,
    ) {
        self.outcome.ignored += located.ignored;
        for (rows, scripted) in self.scripted.iter_mut().filter(|(_, it)| it.first == item) {
            let finding = located.first_scripted.remove(rows);
            scripted.finding =
                finding.unwrap_or_else(|| Finding::of_file(Check::ScriptFragment, name, ""));
        }
        for (file, finding) in located.broken {
            let url = finding.target.as_deref().filter(|_| finding.fix.is_none());
            if let Some((_, fragment)) = url.and_then(|url| url.split_once('#')) {
                let places =
                    broken.entry(self.item_of(file)).or_default().entry(fragment.to_owned());
                places.or_default().push(self.found.len());
            }
            self.found.push((item, finding));
        }
    }

    /// Reads the targets of broken fragments again, and suggests the nearest ids.
    fn suggest_ids(&mut self, broken: &BrokenFragments) -> Result<(), CorpusError> {
        let (audit, context) = (self.audit, self.context);
        audit.collection.each_document(
            Some(&broken.keys().copied().collect()),
            |document| {
                context.number_of(document)?;
                Some(nearest_ids(document, broken.get(&document.item)?))
            },
            || {},
            |_, result| {
                for (places, id) in result.ok().flatten().into_iter().flatten() {
                    for place in places {
                        if let Some((_, finding)) = self.found.get_mut(*place)
                            && let Some(reference) = &finding.reference
                        {
                            finding.suggestion = with_fragment(reference, &id).map(Box::from);
                        }
                    }
                }
                Ok(())
            },
        )?;
        Ok(())
    }
}

/// The nearest id of a document to each of `fragments`, if one is near, with the places of the fragment.
fn nearest_ids<'w>(
    document: &SourceDocument<'_>,
    fragments: &'w BTreeMap<String, Vec<usize>>,
) -> Vec<(&'w [usize], String)> {
    let options = ParseOptions { metadata: true, simple: true, ..document.options };
    let metadata = Document::parse(document.bytes, &options).ok().and_then(|it| it.metadata);
    let anchors = metadata.unwrap_or_default().anchors;
    let suggestions = AnchorSuggestions::new(&anchors);
    let nearest = fragments.iter().filter_map(|(fragment, places)| {
        Some((places.as_slice(), suggestions.nearest(fragment)?.to_owned()))
    });
    nearest.collect()
}
