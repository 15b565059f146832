//! Mendings: references that are to be written anew, each at its place.

use std::collections::HashMap;
use std::sync::Arc;

/// The references of a site that are to be written anew. All others stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Mendings {
    /// By the URL of the document and the byte at which the reference stands in what is worked on.
    by_place: Arc<HashMap<String, HashMap<usize, Mending>>>,
}

/// A reference that is to be written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mending {
    /// As the author wrote it: where it reads otherwise, the document is another than was looked
    /// at, and nothing is done.
    pub reference: String,
    /// What to write.
    pub with: String,
}

impl Mendings {
    /// From the URL of the document, the byte where the reference stands, and what is to become of
    /// it.
    pub fn new(all: impl IntoIterator<Item = (String, usize, Mending)>) -> Mendings {
        let mut by_place: HashMap<String, HashMap<usize, Mending>> = HashMap::new();
        for (document, at, mending) in all {
            by_place.entry(document).or_default().insert(at, mending);
        }
        Mendings {
            by_place: Arc::new(by_place),
        }
    }

    /// What to write in place of `reference`, which stands at the byte `at` of `document`.
    pub fn of(&self, document: &str, at: usize, reference: &str) -> Option<&str> {
        let mending = self.by_place.get(document)?.get(&at)?;
        (mending.reference == reference).then_some(&*mending.with)
    }
}
