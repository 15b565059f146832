//! `links --format parquet`.

use crate::table::{Rows, Table};
use rehref_audit::links::Link;

/// The columns: the members of a line of JSON, which are the fields of a [`Link`].
pub(super) const LINKS: Table = Table {
    format: "rehref-links",
    schema: "
message link {
    REQUIRED BYTE_ARRAY document (STRING);
    REQUIRED INT64 line;
    REQUIRED INT64 column;
    REQUIRED BYTE_ARRAY element (STRING);
    REQUIRED BYTE_ARRAY attribute (STRING);
    REQUIRED BYTE_ARRAY carrier (STRING);
    REQUIRED BYTE_ARRAY reference (STRING);
    OPTIONAL BYTE_ARRAY base (STRING);
    OPTIONAL BYTE_ARRAY target (STRING);
    OPTIONAL BYTE_ARRAY fragment (STRING);
    REQUIRED BYTE_ARRAY kind (STRING);
    OPTIONAL BYTE_ARRAY file (STRING);
    OPTIONAL BOOLEAN found;
}",
};

/// Adds the row of `link`.
pub(super) fn add(rows: &mut Rows, link: &Link) {
    rows.add()
        .text(&link.document)
        .integer(link.line)
        .integer(link.column)
        .text(&link.element)
        .text(&link.attribute)
        .text(link.carrier)
        .text(&link.reference)
        .optional_text(link.base.as_deref())
        .optional_text(link.target.as_deref())
        .optional_text(link.fragment.as_deref())
        .text(link.kind)
        .optional_text(link.file.as_deref())
        .optional_boolean(link.found);
}
