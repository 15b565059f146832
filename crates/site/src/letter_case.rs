//! Names that differ only in letter case, which are one name for the file systems of Windows and macOS.

use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::path::path_bytes;

/// Returns a key of a path. Two paths have the same key if a file system of this system that ignores letter
/// case treats them as one.
pub fn folded(path: &Path) -> Vec<u8> {
    let bytes = path_bytes(path);
    match std::str::from_utf8(&bytes) {
        Ok(text) => folded_text(text, cfg!(target_vendor = "apple")).into_bytes(),
        Err(_) => bytes.to_ascii_lowercase(),
    }
}

/// As [`folded`], for the text of a path. `normalizes` is true if file systems also treat a character with an
/// accent and its decomposed form as one.
pub fn folded_text(text: &str, normalizes: bool) -> String {
    let lower = text.to_lowercase();
    if normalizes {
        icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(&lower).into_owned()
    } else {
        lower
    }
}

/// Finds pairs of paths in a tree that differ only in letter case.
#[derive(Debug, Default)]
pub struct Spellings<'p> {
    /// The first of the paths, and of the directories above them, with each key. Only the hashes of the keys are
    /// kept: a site may have a million paths.
    first: FxHashMap<u64, &'p Path>,
    /// The others with the key of a path that came before.
    others: FxHashSet<&'p OsStr>,
}

impl<'p> Spellings<'p> {
    /// Adds a path and the directories above it. Returns one of these and a known path that differ only in letter
    /// case.
    pub fn add(&mut self, path: &'p Path) -> Option<(&'p Path, &'p Path)> {
        let mut found = None;
        for path in path.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            let key = folded(path);
            let mut hasher = DefaultHasher::new();
            key.hash(&mut hasher);
            let other = match self.first.entry(hasher.finish()) {
                Entry::Vacant(entry) => {
                    entry.insert(path);
                    continue;
                }
                Entry::Occupied(entry) => *entry.get(),
            };
            // Above a known path, all is known.
            if other == path || !self.others.insert(path.as_os_str()) {
                break;
            }
            // Of a directory and its files, the directory is the reason.
            if folded(other) == key {
                found = Some((path, other));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded() {
        assert_eq!(folded(Path::new("Ä/B")), "ä/b".as_bytes());
        for (one, other, is_equal) in [
            ("A.html", "a.HTML", [true, true]),
            ("a", "b", [false, false]),
            ("gr\u{FC}n", "gru\u{308}n", [false, true]),
            ("GR\u{DC}N", "gru\u{308}n", [false, true]),
        ] {
            for (normalizes, is_equal) in [false, true].into_iter().zip(is_equal) {
                let [one, other] = [one, other].map(|it| folded_text(it, normalizes));
                assert_eq!(one == other, is_equal, "{one} {other} {normalizes}");
            }
        }
    }

    #[test]
    fn pairs_that_differ_only_in_letter_case_are_found() {
        let mut spellings = Spellings::default();
        for (path, expected) in [
            ("a/b.html", None),
            ("a/c.html", None),
            ("a/B.html", Some(("a/B.html", "a/b.html"))),
            ("A/d.html", Some(("A", "a"))),
            ("A/e.html", None),
            ("b.html", None),
        ] {
            let expected = expected.map(|(one, other)| (Path::new(one), Path::new(other)));
            assert_eq!(spellings.add(Path::new(path)), expected, "{path}");
        }
    }
}
