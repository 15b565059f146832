//! The values that the aliases of a text in YAML stand for.

use std::collections::HashMap;

use super::node::Step;

/// The most values that the aliases of a text are read for: one may stand for lists of others without end.
const MOST: usize = 10_000;

/// A value below an anchor, with the path to it from there.
type Below = (Vec<Step>, String);

/// The values below the anchors of a text, as far as it is read.
pub(super) struct Aliases {
    values: HashMap<usize, Vec<Below>>,
    /// The anchors around the next node: their numbers, the lengths of their paths, and how many nodes are around them.
    open: Vec<(usize, usize, usize)>,
    room: usize,
}

impl Aliases {
    pub(super) fn new() -> Aliases {
        Aliases { values: HashMap::new(), open: Vec::new(), room: MOST }
    }

    /// Starts the list or mapping at `path` with the `anchor`, which is 0 for none, in `depth` others.
    pub(super) fn start(&mut self, anchor: usize, path: &[Step], depth: usize) {
        if anchor > 0 {
            self.open.push((anchor, path.len(), depth));
        }
    }

    /// Ends the list or mapping in `depth` others.
    pub(super) fn end(&mut self, depth: usize) {
        self.open.pop_if(|(_, _, known)| *known == depth);
    }

    /// Keeps the `value` at `path`, which has the `anchor`, for the anchors around it.
    pub(super) fn add(&mut self, anchor: usize, path: &[Step], value: &str) {
        let own = (anchor > 0).then_some((anchor, path.len(), 0));
        for (anchor, length, _) in self.open.iter().copied().chain(own) {
            let Some(room) = self.room.checked_sub(1) else { return };
            self.room = room;
            let below = path.get(length..).unwrap_or_default().to_vec();
            self.values.entry(anchor).or_default().push((below, value.to_owned()));
        }
    }

    /// Returns the values of an alias of `anchor` at `path`, each with its path. Members of a mapping that is merged
    /// with `<<` are those of the mapping around it.
    pub(super) fn values(&mut self, anchor: usize, path: &[Step]) -> Vec<Below> {
        let is_merged = path.last().and_then(Step::name) == Some("<<");
        let path = path.get(..path.len() - usize::from(is_merged)).unwrap_or_default();
        let below = self.values.get(&anchor).map_or(&[][..], |it| it);
        let below = below.get(..below.len().min(self.room)).unwrap_or_default();
        self.room -= below.len();
        let values: Vec<Below> =
            below.iter().map(|(below, value)| ([path, below].concat(), value.clone())).collect();
        values.iter().for_each(|(path, value)| self.add(0, path, value));
        values
    }
}
