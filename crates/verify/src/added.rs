//! Text that AFTER has and BEFORE has not, or the other way round: the redirects of a move.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::report::{Difference, DifferenceKind};
use rehref_site::redirects::without_lines;

/// The changes of files, by their paths in AFTER.
pub type AddedText = BTreeMap<PathBuf, Added>;

/// The expected changes of a file: the lines that AFTER lacks, and the text that it adds.
#[derive(Clone, Debug, Default)]
pub struct Added {
    /// The lines of BEFORE that AFTER must not have, from 1, sorted.
    pub without_lines: Vec<usize>,
    /// The bytes of BEFORE with redirects in its front matter; `None` if there are none.
    pub edited: Option<Vec<u8>>,
    /// The text that AFTER has at the end of the file; the whole file if BEFORE has none.
    pub text: Vec<u8>,
}

impl Added {
    /// Returns the bytes of BEFORE as AFTER has them, but for the added text.
    pub(super) fn kept<'b>(&'b self, before: &'b [u8]) -> Cow<'b, [u8]> {
        match (&self.edited, &*self.without_lines) {
            (Some(edited), _) => edited.into(),
            (None, []) => before.into(),
            (None, lines) => without_lines(before, lines).into(),
        }
    }
}

/// Returns the bytes of AFTER without `added` at their end, and without the line end that separates both; `None` if
/// they do not end with it. `before`: the bytes of BEFORE.
pub(super) fn without<'a>(before: &[u8], after: &'a [u8], added: &[u8]) -> Option<&'a [u8]> {
    let rest = after.strip_suffix(added)?;
    match before.last() {
        _ if added.is_empty() => Some(rest),
        None | Some(b'\n') => Some(rest),
        Some(_) => rest.strip_suffix(b"\n"),
    }
}

/// Returns the difference of a file with another end than expected.
pub fn other_end() -> Difference {
    let message = "the file does not end with the redirects that move would write";
    Difference::of_file(DifferenceKind::Bytes, message)
}

/// Returns the difference of the file at `path`, which BEFORE does not have, to the `added` text that it should be.
pub(super) fn difference_of(path: &Path, added: &[u8]) -> io::Result<Option<Difference>> {
    let message =
        "the old tree has no such file, and it is not the redirects that move would write";
    let difference = || Difference::of_file(DifferenceKind::ExtraFile, message);
    Ok((fs::read(path)? != added).then(difference))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_added_text_is_cut_off() {
        for (before, after, expected) in [
            ("", "+\n", Some("")),
            ("a\n", "a\n+\n", Some("a\n")),
            ("a", "a\n+\n", Some("a")),
            ("a", "a+\n", None),
            ("a\n", "a\n", None),
            ("a\n", "a\n+\nb\n", None),
            ("+\n", "+\n+\n", Some("+\n")),
        ] {
            let found = without(before.as_bytes(), after.as_bytes(), b"+\n");
            assert_eq!(found, expected.map(str::as_bytes), "{before:?} {after:?}");
        }
    }
}
