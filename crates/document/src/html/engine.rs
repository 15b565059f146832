//! Chooses an HTML engine: the fast scanner, falling back to the spec-exact authority.

use super::raw::{RawDocument, TooComplex, Wanted};
use super::scanner::{self, DeclineReason};
use super::{authority, fragment};

/// An HTML engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The [`scanner`], and the [`authority`] for documents that it declines.
    #[default]
    Fastest,
    /// The [`authority`] alone, which is slower and returns the same. Tests compare the two.
    #[cfg_attr(not(test), allow(dead_code))]
    Authority,
}

impl Engine {
    /// Finds the carriers of `source` from byte `start` on (after a byte order mark). All spans count
    /// from the start of `source`, which is in an ASCII-compatible encoding.
    ///
    /// # Errors
    /// When the tree of the document would be too large, or its values.
    pub fn find_values(
        self,
        source: &[u8],
        start: usize,
        wanted: Wanted,
    ) -> Result<RawDocument, TooComplex> {
        let exact = || authority::find_values(source, start, wanted);
        match self {
            Engine::Fastest => match scanner::find_values(source, start, wanted) {
                Err(DeclineReason::Memory) => Err(TooComplex::Memory),
                found => found.or_else(|_| exact()),
            },
            Engine::Authority => exact(),
        }
    }

    /// Like [`Engine::find_values`] for a piece of a document, in UTF-8, that may begin in a table or
    /// a frameset.
    ///
    /// # Errors
    /// When the tree of the piece would be too large.
    pub fn find_values_in_fragment(
        self,
        source: &[u8],
        wanted: Wanted,
    ) -> Result<RawDocument, TooComplex> {
        fragment::find_values(source, |source| self.find_values(source, 0, wanted))
    }
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
            let [fast, exact] = [Engine::Fastest, Engine::Authority];
            let found = fast.find_values(html, 0, Wanted::METADATA);
            assert_eq!(found, exact.find_values(html, 0, Wanted::METADATA));
            assert!(found.is_ok_and(|found| !found.values.is_empty()));
            let found = fast.find_values_in_fragment(html, Wanted::METADATA);
            assert_eq!(found, exact.find_values_in_fragment(html, Wanted::METADATA));
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
                for engine in [Engine::Fastest, Engine::Authority] {
                    let found = engine.find_values(html.as_bytes(), 0, wanted);
                    let count = found.map(|found| found.values.len());
                    assert_eq!(count, expected, "{engine:?}");
                }
            }
        }
    }
}
