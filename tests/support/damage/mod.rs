//! Damages at random places of a rewritten tree, each of which a verification has to report. They are
//! planted by searching bytes, with no look at any code that reads documents.

#![allow(unreachable_pub)]

mod bytes;
mod files;
mod links;

use std::collections::BTreeMap;

pub use crate::planted::random::Random;

/// The files of a tree by path.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// A damage.
pub struct Damage {
    pub kind: &'static str,
    /// The new contents of files; `None` for a file that is gone.
    pub files: Vec<(String, Option<Vec<u8>>)>,
}

impl Damage {
    /// The paths at which the damage may be reported.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(path, _)| path.as_str())
    }
}

/// Makes a damage in a tree, or returns `None` where the tree has no place for one.
type Plant = fn(&Tree, &mut Random) -> Option<Vec<(String, Option<Vec<u8>>)>>;

/// Every kind of damage.
pub fn kinds() -> impl Iterator<Item = (&'static str, Plant)> {
    let kinds = [links::KINDS, bytes::KINDS, files::KINDS];
    kinds.into_iter().flatten().copied()
}

/// Plants a damage of this kind in `tree`.
pub fn plant(
    (kind, plant): (&'static str, Plant),
    tree: &Tree,
    random: &mut Random,
) -> Option<Damage> {
    // Another random file may have what the first lacks.
    let files = (0..64).find_map(|_| plant(tree, random))?;
    let is_change = |(path, bytes): &(String, Option<Vec<u8>>)| tree.get(path) != bytes.as_ref();
    assert!(files.iter().all(is_change), "{kind} changes nothing");
    Some(Damage { kind, files })
}

/// A random HTML document of a tree, whose charset is compatible with ASCII.
fn page<'t>(tree: &'t Tree, random: &mut Random) -> (&'t str, &'t [u8]) {
    let pages: Vec<(&str, &[u8])> = tree
        .iter()
        .filter(|(path, bytes)| {
            [".html", ".htm", ".html.de"].iter().any(|it| path.ends_with(it))
                && !bytes.starts_with(b"\xFF\xFE")
                && !bytes.starts_with(b"\xFE\xFF")
        })
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    *random.one_of(&pages)
}

/// A random match of the first group of `pattern` in `text`.
fn find(text: &[u8], pattern: &str, random: &mut Random) -> Option<std::ops::Range<usize>> {
    let pattern = regex::bytes::Regex::new(&format!("(?is-u){pattern}")).unwrap();
    let found: Vec<_> = pattern
        .captures_iter(text)
        .filter_map(|captures| Some(captures.get(1)?.range()))
        .filter(|range| !range.is_empty())
        .collect();
    (!found.is_empty()).then(|| random.one_of(&found).clone())
}

/// `text` with another text in place of `range`, as the contents of the file at `path`.
fn replaced(
    path: &str,
    text: &[u8],
    range: std::ops::Range<usize>,
    with: &[u8],
) -> Vec<(String, Option<Vec<u8>>)> {
    let bytes = [&text[..range.start], with, &text[range.end..]].concat();
    vec![(path.to_owned(), Some(bytes))]
}

/// Replaces a random letter of `range` with another one.
fn another_letter(
    path: &str,
    text: &[u8],
    range: std::ops::Range<usize>,
    random: &mut Random,
) -> Option<Vec<(String, Option<Vec<u8>>)>> {
    let letters: Vec<usize> = range.filter(|&at| text[at].is_ascii_alphabetic()).collect();
    let at = *letters.get(random.below(letters.len().max(1)))?;
    let letter = match text[at] {
        b'z' => b'a',
        b'Z' => b'A',
        letter => letter + 1,
    };
    Some(replaced(path, text, at..at + 1, &[letter]))
}
