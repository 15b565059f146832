//! Counts the records of archives that are not read, for the warnings of them.

use std::collections::BTreeMap;

use crate::warc::capture::may_hold_references;
use crate::warc::{RecordHeader, RecordSkipReason};
use rehref_site::{Diagnostic, plural::counted};

/// Counts the records that a warning is about.
#[derive(Default)]
pub(super) struct RecordCounts {
    /// The records that were not read, by reason.
    skipped: BTreeMap<RecordSkipReason, usize>,
    /// The number of the latest record, to count it once: a record that shares its gzip member may be
    /// read twice.
    last: Option<usize>,
}

impl RecordCounts {
    /// Counts the record `number`, and returns whether it may hold references. `start` is the start
    /// of its block.
    pub(super) fn may_hold_references(
        &mut self,
        number: usize,
        head: &RecordHeader,
        start: &[u8],
    ) -> bool {
        let count = usize::from(self.last.replace(number) != Some(number));
        may_hold_references(head, start).unwrap_or_else(|why| {
            *self.skipped.entry(why).or_default() += count;
            false
        })
    }

    /// Warnings of the records that were not read although they are intact, without a path.
    pub(super) fn skipped(&self) -> impl Iterator<Item = Diagnostic> {
        self.skipped.iter().map(|(why, count)| skipped(*why, *count))
    }
}

/// Returns the warning of `count` records that were not read because of `why`, without a path.
pub(super) fn skipped(why: RecordSkipReason, count: usize) -> Diagnostic {
    let (code, text) = why.code_and_text();
    Diagnostic::warning("", code, format!("{} {text} skipped", counted(count, "record")))
}
