//! The argument SITE: its help.

use rehref_corpus::container_suffixes;

/// Help for SITE; `more` is what it may be besides a directory, a document and an archive.
pub(super) fn help(more: &str) -> String {
    let or = if more.is_empty() { " or" } else { "" };
    let suffixes = container_suffixes();
    format!("Root directory of the site, a document,{or} an archive ({suffixes}){more}")
}
