//! The result of comparing two documents.

use crate::report::{ComparedReferences, Difference};
use rehref_site::Diagnostic;

/// The result of comparing two documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentComparison {
    /// The references that were compared.
    pub references: ComparedReferences,
    /// The number of differences.
    pub count: usize,
    /// The first differences, up to the limit, in the order of AFTER.
    pub differences: Vec<Difference>,
    /// Warnings of the first references that are not proven, up to the limit; their locations are in
    /// AFTER.
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
