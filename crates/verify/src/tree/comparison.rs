//! The result of comparing two files.

use crate::document::DocumentComparison;
use crate::report::{Difference, Report};
use rehref_site::Diagnostic;

/// The comparison of a file with its counterpart.
#[derive(Default)]
pub(super) struct FileComparison {
    /// The part of the report about this file, without its differences and references.
    pub(super) report: Report,
    pub(super) found: DocumentComparison,
    /// True if the run was interrupted before all items of an archive were compared.
    pub(super) may_be_cut: bool,
}

impl FileComparison {
    /// Returns the comparison of a file whose bytes were compared.
    pub(super) fn of_file(difference: Option<Difference>) -> FileComparison {
        let report = Report { files: 1, ..Report::default() };
        FileComparison { report, found: difference.into(), may_be_cut: false }
    }

    /// Adds a document of BEFORE that cannot be parsed and has equal bytes in AFTER, which prove that its links lead
    /// where they led only if `is_proven`.
    pub(super) fn add_unread(&mut self, diagnostic: Diagnostic, is_proven: bool) {
        let Report { malformed, unproven, .. } = &mut self.report;
        if is_proven { malformed.push(diagnostic) } else { unproven.push(diagnostic) }
    }
}
