//! The report as a Parquet file, for queries in SQL and data frames.

use std::io;

use crate::table::{Rows, Table, TableWriter};
use rehref_audit::Finding;
use rehref_audit::report::non_empty;

/// The columns: the members of an object of [`jsonl`](rehref_audit::report::jsonl).
pub(super) const FINDINGS: Table = Table {
    format: "rehref-audit",
    schema: "
message finding {
    REQUIRED BYTE_ARRAY check (STRING);
    REQUIRED BYTE_ARRAY level (STRING);
    REQUIRED BYTE_ARRAY document (STRING);
    OPTIONAL INT64 line;
    OPTIONAL INT64 column;
    OPTIONAL BYTE_ARRAY element (STRING);
    OPTIONAL BYTE_ARRAY attribute (STRING);
    OPTIONAL BYTE_ARRAY reference (STRING);
    OPTIONAL BYTE_ARRAY target (STRING);
    REQUIRED BYTE_ARRAY message (STRING);
    OPTIONAL BYTE_ARRAY help (STRING);
    OPTIONAL BYTE_ARRAY suggestion (STRING);
    OPTIONAL GROUP source {
        REQUIRED BYTE_ARRAY path (STRING);
        OPTIONAL INT64 line;
        OPTIONAL INT64 column;
    }
}",
};

/// The findings that are collected before they are compressed.
const CHUNK: usize = 4096;

/// Returns a Parquet file with a row for each finding, in the order and with the members of
/// [`jsonl`](rehref_audit::report::jsonl).
///
/// # Errors
/// Returns an error if a text is too large for Parquet, or this build has no Parquet.
pub(super) fn parquet(findings: &[Finding]) -> io::Result<Vec<u8>> {
    let mut writer = TableWriter::new(&FINDINGS, Vec::new())?;
    for chunk in findings.chunks(CHUNK) {
        let mut rows = Rows::default();
        for finding in chunk {
            add(&mut rows, finding);
        }
        writer.append(rows)?;
    }
    writer.finish()
}

fn add(rows: &mut Rows, finding: &Finding) {
    let source = finding.source.as_deref();
    let position = source.map(|source| source.position);
    rows.add()
        .text(finding.check.id())
        .text(finding.severity.name())
        .text(&finding.location.path)
        .optional_integer(finding.line())
        .optional_integer(finding.column())
        .optional_text(non_empty(&finding.location.element))
        .optional_text(non_empty(&finding.location.attribute))
        .optional_text(finding.reference.as_deref())
        .optional_text(finding.target.as_deref())
        .text(&finding.message)
        .optional_text(finding.help.as_deref())
        .optional_text(finding.suggestion.as_deref())
        .optional_text(source.map(|source| &*source.path))
        .grouped_integer(position.map(|position| position.map(|at| at.line)))
        .grouped_integer(position.map(|position| position.map(|at| at.column)));
}
