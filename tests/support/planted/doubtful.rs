//! The cases that allow more than one finding, and the choices for them.

use super::Row;

/// The checks of a folder's name in other letter case.
pub const FOLDER_IN_WRONG_CASE: &str = "wrong-case";

/// The checks of a host or a mail address that is read as the name of a file.
pub const HOST_AS_FILE: &str = "scheme-lookalike";

/// The checks of an absolute URL into this site at which there is nothing.
pub const BROKEN_SELF_LINK: &str = "broken-target";

/// The checks of a fragment without an anchor, with a text directive behind it.
pub const BROKEN_WITH_DIRECTIVE: &str = "";

/// The checks of a fragment of a page that only sends readers on, without it.
pub const LOST_BY_REFRESH: &str = "broken-fragment";

/// The checks of a reference to a symbolic link that dangles: the link itself has a finding.
pub const TO_DANGLING: &str = "";

/// Checks whose findings are left out of the comparison.
const LEFT_OUT: &[&str] = &["script-fragment"];

/// Files that may be called orphans or not: servers read them.
const NO_ORPHANS: &[&str] = &["_redirects", "robots.txt"];

/// Checks of whose findings only the document is compared. A circle is told once, with the first of
/// its pages.
const ONLY_DOCUMENT: &[&str] = &["meta-refresh-loop", "not-well-formed", "wrong-charset"];

/// The row as it is compared; `None` where it is not.
pub fn compared(mut row: Row) -> Option<Row> {
    if LEFT_OUT.contains(&row.check.as_str())
        || row.check == "orphan" && NO_ORPHANS.contains(&row.document.as_str())
    {
        return None;
    }
    if ONLY_DOCUMENT.contains(&row.check.as_str()) {
        row = Row::of_file(&row.check, &row.document);
    }
    Some(row)
}
