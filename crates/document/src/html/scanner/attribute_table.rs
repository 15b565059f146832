//! The table of the attributes that are of interest to the scanner.

use super::names::NameTable;
use super::tags::TAGS;
use crate::html::attributes::AttributeRow;
use crate::html::element::Namespace;

/// A row of the table of URL attributes, with the elements as numbers.
pub(super) struct RowMatcher {
    pub(super) row: &'static AttributeRow,
    /// The numbers of the elements' tags, as a set of bits.
    elements: [u128; 2],
}

/// The most numbers of tags in a [`RowMatcher`].
pub(super) const TAG_NUMBERS: usize = 2 * 128;

impl RowMatcher {
    pub(super) fn new(row: &'static AttributeRow) -> RowMatcher {
        let number = |element: &&str| TAGS.names.number(&element.to_ascii_lowercase());
        let mut elements = [0; 2];
        for number in row.elements.iter().filter_map(number) {
            if let Some(bits) = elements.get_mut(number / 128) {
                *bits |= 1 << (number % 128);
            }
        }
        RowMatcher { row, elements }
    }

    /// Returns true if the row is for the element that the tag of this number inserts in this namespace.
    pub(super) fn is_for(&self, namespace: Namespace, tag: Option<usize>) -> bool {
        let has =
            |tag: usize| self.elements.get(tag / 128).is_some_and(|it| it >> (tag % 128) & 1 == 1);
        self.row.namespace == namespace && (self.row.elements.is_empty() || tag.is_some_and(has))
    }
}

/// The table of the attributes of interest. Attributes have the numbers of their names.
pub(in crate::html) struct AttributeTable {
    pub(in crate::html) names: NameTable,
    /// True if each element of the rows has a number.
    pub(super) knows_elements: bool,
    pub(super) id: Option<usize>,
    pub(super) name: Option<usize>,
    pub(super) ignore_marks: Vec<usize>,
    /// The rows of each attribute, in the order of the table of URL attributes.
    pub(super) rows: Vec<Vec<RowMatcher>>,
}

impl AttributeTable {
    /// Returns the rows of the attribute of this number.
    pub(super) fn rows(&self, attribute: usize) -> &[RowMatcher] {
        self.rows.get(attribute).map_or(&[], Vec::as_slice)
    }
}
