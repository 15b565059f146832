//! The result of comparing two documents.

use crate::report::{ComparedReferences, Difference};
use rehref_corpus::stale_paths::StalePath;
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
    /// The strings of AFTER that name old places.
    pub stale_paths: Vec<StalePath>,
    /// The strings of AFTER that lead nowhere from disk.
    pub root_paths: Vec<StalePath>,
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
