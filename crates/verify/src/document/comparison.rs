//! The result of comparing two documents.

use crate::report::{ComparedReferences, Difference};
use rehref_site::Diagnostic;

/// The result of comparing two documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentComparison {
    /// The numbers of references that were compared.
    pub references: ComparedReferences,
    /// The number of differences.
    pub count: usize,
    /// The first differences, in the order of AFTER, up to a maximum number; `count` counts all.
    pub differences: Vec<Difference>,
    /// The first references for which nothing is proven, with locations in AFTER. The list has a maximum
    /// length.
    pub not_proven: Vec<Diagnostic>,
}

impl From<Option<Difference>> for DocumentComparison {
    fn from(difference: Option<Difference>) -> DocumentComparison {
        let differences = Vec::from_iter(difference);
        DocumentComparison {
            count: differences.len(),
            differences,
            ..DocumentComparison::default()
        }
    }
}
