//! Who finds the values of a document: the scanner where it can, else the authority.

use super::raw::{RawDocument, TooComplex};
use super::scanner::{self, DeclineReason};
use super::{authority, fragment};

/// Who finds the values of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The [`scanner`], and the [`authority`] where that declines.
    #[default]
    Fastest,
    /// The [`authority`], which is slower and finds the same.
    Authority,
}

impl Engine {
    /// Finds what there is in `source` from byte `start` on (behind a byte order mark). All spans
    /// count from the start of `source`, which is in an ASCII-compatible encoding. With `facts` the
    /// [`RawFacts`](super::raw::RawFacts) are looked for too.
    ///
    /// # Errors
    /// When the document would cost too much.
    pub fn find_values(
        self,
        source: &[u8],
        start: usize,
        facts: bool,
    ) -> Result<RawDocument, TooComplex> {
        match self {
            Engine::Fastest => scanner::find_values(source, start, facts)
                .or_else(|_| authority::find_values(source, start, facts)),
            Engine::Authority => authority::find_values(source, start, facts),
        }
    }

    /// As [`Engine::find_values`] for a piece of a document (UTF-8) that may begin within a table
    /// or a frameset.
    ///
    /// # Errors
    /// When it would cost too much.
    pub fn find_values_in_fragment(
        self,
        source: &[u8],
        facts: bool,
    ) -> Result<RawDocument, TooComplex> {
        fragment::find_values(source, |source| self.find_values(source, 0, facts))
    }
}

/// Why [`Engine::Fastest`] asks the authority about these bytes; `None` where the scanner answers.
pub fn explain(source: &[u8], start: usize, facts: bool) -> Option<DeclineReason> {
    scanner::find_values(source, start, facts).err()
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
            let [fast, sure] = [Engine::Fastest, Engine::Authority];
            let found = fast.find_values(html, 0, true);
            assert_eq!(found, sure.find_values(html, 0, true));
            assert!(found.is_ok_and(|found| !found.values.is_empty()));
            let found = fast.find_values_in_fragment(html, true);
            assert_eq!(found, sure.find_values_in_fragment(html, true));
        }
    }
}
