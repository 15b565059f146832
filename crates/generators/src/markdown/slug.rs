//! The anchors that generators give headings.
//!
//! Each generator has an algorithm of its own: what of a heading is text, which characters of it stay, how an anchor
//! that is taken gets a number, how the author chooses one. The table in `style` has a row for each; the algorithms are
//! written after the generators' sources, and compared with what the generators write. [`headings`] reads the headings.

pub(super) mod algorithm;
mod emoji;
#[cfg(feature = "markdown")]
pub(super) mod headings;
pub(super) mod unicode;
mod unique;

pub(crate) use unique::{Ids, Numbering};

/// The ids that docutils makes of the texts of headings.
#[derive(Debug, Default)]
pub(super) struct DocutilsIds(Ids);

impl DocutilsIds {
    /// Returns the id of the next heading.
    pub(super) fn take(&mut self, text: &str) -> String {
        self.0.take(algorithm::docutils(text), Numbering::Anonymous)
    }
}

/// Returns the id of a label in the HTML.
pub(super) fn id_of_label(label: &str) -> String {
    algorithm::docutils(label)
}

/// Returns the names by which a fragment leads to a label: itself, and its id in the HTML.
pub(super) fn ids_of_label(label: &str) -> impl Iterator<Item = String> {
    let id = id_of_label(label);
    let other = (id != label).then_some(id);
    std::iter::once(label.to_owned()).chain(other)
}
