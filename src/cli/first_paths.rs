//! Names the first of some paths in a message.

use rehref_site::plural::number;

/// The number of examples that a line names.
const NAMED: usize = 3;

/// Returns the first of `paths`, and the number of the others.
pub(super) fn first_paths(paths: &[impl AsRef<str>]) -> String {
    let named: Vec<&str> = paths.iter().take(NAMED).map(AsRef::as_ref).collect();
    let named = named.join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {} more", number(more)),
    }
}
