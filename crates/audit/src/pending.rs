//! The pending fragments of all documents: those whose target had not been read when the reference to
//! it was checked, or lacks them.

use rustc_hash::FxHashMap;

use super::anchors::{AnchorIndex, FragmentStatus, PendingFragment};
use super::context::ItemNumber;
use super::files::FileNumber;

/// The pending fragments of a site. Most are pending in many documents, so that each is kept once and
/// has a number.
#[derive(Debug, Default)]
pub(super) struct PendingFragments {
    numbers: FxHashMap<PendingFragment, u32>,
    /// The numbers of the fragments of all items, one item after the other.
    of_items: Vec<u32>,
    /// Each item with pending fragments, and the end of its numbers in `of_items`.
    items: Vec<(ItemNumber, usize)>,
}

impl PendingFragments {
    /// Adds the fragments of an item.
    pub(super) fn add(&mut self, item: ItemNumber, fragments: &[PendingFragment]) {
        if fragments.is_empty() {
            return;
        }
        for fragment in fragments {
            let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            let number = *self.numbers.entry(*fragment).or_insert(next);
            self.of_items.push(number);
        }
        self.items.push((item, self.of_items.len()));
    }

    /// The files that should have the fragments; some of them several times.
    pub(super) fn files(&self) -> impl Iterator<Item = FileNumber> {
        self.numbers.keys().map(|fragment| fragment.file)
    }

    /// Looks all fragments up, now that the anchors of all files are known, and calls `found` for each
    /// fragment of each item. Returns the missing ones, each once.
    pub(super) fn resolve(
        self,
        anchors: &AnchorIndex,
        mut found: impl FnMut(ItemNumber, FragmentStatus),
    ) -> Vec<PendingFragment> {
        let mut missing = Vec::new();
        let mut results = vec![FragmentStatus::Unknown; self.numbers.len()];
        for (fragment, number) in self.numbers {
            if let Some(result) = results.get_mut(number as usize) {
                *result = anchors.find(&fragment);
                if *result == FragmentStatus::Missing {
                    missing.push(fragment);
                }
            }
        }
        let mut start = 0;
        for (item, end) in self.items {
            for number in self.of_items.get(start..end).unwrap_or_default() {
                if let Some(result) = results.get(*number as usize) {
                    found(item, *result);
                }
            }
            start = end;
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anchors::FileAnchors;
    use crate::fragment_shapes::FragmentShapes;
    use rehref_document::metadata::Anchors;

    #[test]
    fn each_fragment_of_each_item_has_its_result() {
        let wanted = |file, name| PendingFragment::new(file, name, FragmentShapes::NONE);
        let mut pending = PendingFragments::default();
        pending.add(7, &[wanted(0, "a"), wanted(0, "b"), wanted(0, "a")]);
        pending.add(8, &[]);
        pending.add(9, &[wanted(0, "b"), wanted(1, "a")]);
        let anchors = AnchorIndex::new(2);
        let names: Anchors = ["a"].into_iter().collect();
        anchors.set(0, FileAnchors::new(&names, FragmentShapes::NONE, None));
        let mut results = Vec::new();
        let missing = pending.resolve(&anchors, |item, status| results.push((item, status)));
        assert_eq!(missing, [wanted(0, "b")]);
        use FragmentStatus::{Anchor, Missing, Unknown};
        assert_eq!(results, [(7, Anchor), (7, Missing), (7, Anchor), (9, Missing), (9, Unknown)]);
    }
}
