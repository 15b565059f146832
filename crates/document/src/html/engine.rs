//! Chooses an HTML engine: the fast scanner, falling back to the spec-exact authority.

use super::raw::{RawDocument, TooComplex, Wanted};
use super::scanner::{self, DeclineReason};
use super::{authority, fragment};

/// Finds the values and contents in `source` that contain URLs, from byte `start` on (after a byte order mark).
/// All spans are relative to the start of `source`, which is in an ASCII-compatible encoding.
///
/// # Errors
/// Returns an error if the tree of the document would be too large, or its values.
pub fn find_values(source: &[u8], start: usize, wanted: Wanted) -> Result<RawDocument, TooComplex> {
    scanner::find_values(source, start, wanted).or_else(|reason| match reason {
        DeclineReason::Memory => Err(TooComplex::Memory),
        _ => authority::find_values(source, start, wanted),
    })
}

/// As [`find_values`], for a part of a document, in UTF-8, that may begin in a table or a frameset.
///
/// # Errors
/// Returns an error if the tree of the piece would be too large.
pub fn find_values_in_fragment(source: &[u8], wanted: Wanted) -> Result<RawDocument, TooComplex> {
    fragment::find_values(source, |source| find_values(source, 0, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simple::VALUE_BYTES;

    #[test]
    fn both_engines_find_the_same() {
        for (html, reason) in [
            ("<td background=a><a href=b>", None),
            ("<a href=a><frameset><frame src=b>", Some(DeclineReason::Frameset)),
            ("<frameset><frame src=b>", Some(DeclineReason::Frameset)),
        ] {
            let html = html.as_bytes();
            let declined = scanner::find_values(html, 0, Wanted::VALUES).err();
            assert_eq!(declined, reason);
            let exact = |html: &[u8]| authority::find_values(html, 0, Wanted::METADATA);
            let found = find_values(html, 0, Wanted::METADATA);
            assert_eq!(found, exact(html));
            assert!(found.is_ok_and(|found| !found.values.is_empty()));
            let found = find_values_in_fragment(html, Wanted::METADATA);
            assert_eq!(found, fragment::find_values(html, exact));
        }
    }

    #[test]
    fn values_stay_within_their_memory() {
        let links = "<a href=x>".repeat(1000);
        // An ignore mark makes the authority read the document.
        for html in [links.clone(), format!("<p data-rehref-ignore>{links}")] {
            for (memory, expected) in [
                (1000 * VALUE_BYTES, Ok(1000)),
                (999 * VALUE_BYTES, Err(TooComplex::Memory)),
                (0, Err(TooComplex::Memory)),
            ] {
                let wanted = Wanted { memory, ..Wanted::METADATA };
                for found in [
                    find_values(html.as_bytes(), 0, wanted),
                    authority::find_values(html.as_bytes(), 0, wanted),
                ] {
                    assert_eq!(found.map(|found| found.values.len()), expected);
                }
            }
        }
    }
}
