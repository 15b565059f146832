//! What could be said in more than one way: the choices, in one place.

use super::Row;

/// The checks of a folder's name in other letter case.
pub const FOLDER_IN_WRONG_CASE: &str = "wrong-case";

/// The checks of a host or a mail address that is read as the name of a file.
pub const HOST_AS_FILE: &str = "scheme-lookalike+broken-target";

/// The checks of a reference to a symbolic link that dangles: the link itself has a finding.
pub const TO_DANGLING: &str = "";

/// The checks of an absolute URL into this site by another scheme.
pub const BY_OTHER_SCHEME: &str = "";

/// Checks whose findings are left out of the comparison.
const LEFT_OUT: &[&str] = &["script-fragment"];

/// Files that may be called orphans or not: servers read them.
const NO_ORPHANS: &[&str] = &["_redirects", "robots.txt"];

/// What is not looked at in the findings of a check.
const MASKS: &[(&str, Mask)] = &[
    ("duplicate-id", Mask::AllButPosition),
    ("wrong-charset", Mask::AllButDocument),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mask {
    AllButPosition,
    AllButDocument,
}

/// The row as it is compared; `None` where it is not.
pub fn compared(mut row: Row) -> Option<Row> {
    if LEFT_OUT.contains(&row.check.as_str())
        || row.check == "orphan" && NO_ORPHANS.contains(&row.document.as_str())
    {
        return None;
    }
    let mask = MASKS.iter().find(|(check, _)| *check == row.check);
    if let Some((_, mask)) = mask {
        row.element.clear();
        row.attribute.clear();
        row.reference = None;
        if *mask == Mask::AllButDocument {
            (row.line, row.column) = (None, None);
        }
    }
    Some(row)
}
