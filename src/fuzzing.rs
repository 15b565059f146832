//! What the targets in `fuzz/` call; compiled only by cargo-fuzz, which sets `cfg(fuzzing)`.

use crate::document::html::{authority, scanner};

/// Asserts that the scanner declines `html` or finds what the authority finds.
///
/// # Panics
/// When the two differ.
pub fn compare_engines(html: &[u8]) {
    for metadata in [false, true] {
        let Ok(found) = scanner::find_values(html, 0, metadata) else {
            continue;
        };
        // The scanner may read a document that is too complex for the authority.
        if let Ok(expected) = authority::find_values(html, 0, metadata) {
            assert_eq!(found, expected);
        }
    }
}
