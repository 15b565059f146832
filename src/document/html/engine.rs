//! Chooses an HTML engine: the fast scanner, falling back to the spec-exact authority.

use super::raw::{RawDocument, TooComplex};
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
    /// from the start of `source`, which is in an ASCII-compatible encoding. `metadata` asks for the
    /// [`RawMetadata`](super::raw::RawMetadata) too.
    ///
    /// # Errors
    /// When the tree of the document would be too large.
    pub fn find_values(
        self,
        source: &[u8],
        start: usize,
        metadata: bool,
    ) -> Result<RawDocument, TooComplex> {
        match self {
            Engine::Fastest => scanner::find_values(source, start, metadata)
                .or_else(|_| authority::find_values(source, start, metadata)),
            Engine::Authority => authority::find_values(source, start, metadata),
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
        metadata: bool,
    ) -> Result<RawDocument, TooComplex> {
        fragment::find_values(source, |source| self.find_values(source, 0, metadata))
    }
}

/// The reason why [`Engine::Fastest`] falls back to the authority for these bytes; `None` where it does
/// not.
pub fn explain(source: &[u8], start: usize, metadata: bool) -> Option<DeclineReason> {
    scanner::find_values(source, start, metadata).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_find_the_same() {
        for (html, reason) in [
            ("<td background=a><a href=b>", None),
            (
                "<a href=a><frameset><frame src=b>",
                Some(DeclineReason::Frameset),
            ),
            ("<frameset><frame src=b>", Some(DeclineReason::Frameset)),
        ] {
            let html = html.as_bytes();
            assert_eq!(explain(html, 0, false), reason);
            let [fast, exact] = [Engine::Fastest, Engine::Authority];
            let found = fast.find_values(html, 0, true);
            assert_eq!(found, exact.find_values(html, 0, true));
            assert!(found.is_ok_and(|found| !found.values.is_empty()));
            let found = fast.find_values_in_fragment(html, true);
            assert_eq!(found, exact.find_values_in_fragment(html, true));
        }
    }
}
