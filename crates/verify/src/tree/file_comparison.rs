//! The comparison of a file with its counterpart.

use crate::document::DocumentComparison;
use rehref_site::Diagnostic;

/// The count of the report that a file of BEFORE adds to.
#[derive(Clone, Copy)]
pub(super) enum Compared {
    /// This number of documents: one, or those of an archive.
    Documents(usize),
    File,
    Symlink,
    /// AFTER has no counterpart, so that nothing was compared.
    Nothing,
}

/// The comparison of a file with its counterpart.
pub(super) struct FileComparison {
    pub(super) compared: Compared,
    pub(super) differences: DocumentComparison,
    /// The documents of BEFORE that cannot be parsed and are unchanged.
    pub(super) malformed: Vec<Diagnostic>,
    /// The documents of BEFORE that cannot be parsed and have equal bytes in AFTER, which prove
    /// nothing there.
    pub(super) unproven: Vec<Diagnostic>,
    /// Warnings about an archive.
    pub(super) warnings: Vec<Diagnostic>,
    /// Whether the run was interrupted before all items of an archive were compared.
    pub(super) may_be_cut: bool,
}

impl FileComparison {
    pub(super) fn new(
        compared: Compared,
        differences: impl Into<DocumentComparison>,
    ) -> FileComparison {
        FileComparison {
            compared,
            differences: differences.into(),
            malformed: Vec::new(),
            unproven: Vec::new(),
            warnings: Vec::new(),
            may_be_cut: false,
        }
    }

    /// Adds a document that cannot be parsed and has equal bytes in AFTER.
    pub(super) fn add_unread(&mut self, diagnostic: Diagnostic, is_proven: bool) {
        if is_proven { self.malformed.push(diagnostic) } else { self.unproven.push(diagnostic) }
    }
}
