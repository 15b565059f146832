//! Names the first of some paths in a message.

use std::fmt::Write;

use rehref_site::plural::number;

/// The number of examples that a line names.
pub(super) const NAMED: usize = 3;

/// The first of `paths`, and the number of the others.
pub(super) fn first_paths<'p>(paths: impl ExactSizeIterator<Item = &'p str>) -> String {
    let more = paths.len().saturating_sub(NAMED);
    let mut named = paths.take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        let _ = write!(named, " and {} more", number(more));
    }
    named
}
