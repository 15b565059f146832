//! A map from paths that finds those above a path.

use rustc_hash::FxHashMap;

/// A map from paths, which do not end in a slash, to other paths.
#[derive(Clone, Debug, Default)]
pub struct PathMap {
    entries: FxHashMap<Box<str>, Box<str>>,
    /// The lengths of the keys in bytes, sorted: only there a key can end within a path.
    lengths: Vec<usize>,
}

impl PathMap {
    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of `path` itself, without looking at the folders above it.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.entries.get(path).map(|value| &**value)
    }

    /// Returns the entries of `path` and of the folders above it, each with its key, the outermost first.
    pub fn above<'m>(&'m self, path: &str) -> impl DoubleEndedIterator<Item = (&'m str, &'m str)> {
        let is_end = |end: usize| match path.as_bytes().get(end) {
            Some(byte) => *byte == b'/',
            None => end == path.len(),
        };
        let ends = self.lengths.iter().copied();
        ends.filter(move |end| is_end(*end)).filter_map(|end| {
            let (key, value) = self.entries.get_key_value(path.get(..end)?)?;
            Some((&**key, &**value))
        })
    }

    /// Returns all entries, in an arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(key, value)| (&**key, &**value))
    }

    /// Adds an entry. Replaces an entry with the same path.
    pub fn insert(&mut self, path: String, value: String) {
        self.add_length(path.len());
        self.entries.insert(path.into(), value.into());
    }

    fn add_length(&mut self, length: usize) {
        if let Err(at) = self.lengths.binary_search(&length) {
            self.lengths.insert(at, length);
        }
    }
}

impl FromIterator<(String, String)> for PathMap {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> PathMap {
        let mut map = PathMap::default();
        for (path, value) in pairs {
            map.insert(path, value);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_above_a_path_are_those_of_its_folders() {
        let keys = ["", "a", "a/b", "a/b/c.html", "ab", "a/bc"];
        let pairs = keys.map(|key| (key.to_owned(), format!("new {key}")));
        let map: PathMap = pairs.into_iter().collect();
        for (path, expected) in [
            ("a/b/c.html", &["a", "a/b", "a/b/c.html"][..]),
            ("a/b/d.html", &["a", "a/b"]),
            ("a/bc/d", &["a", "a/bc"]),
            ("ab", &["ab"]),
            ("abc/d", &[]),
            ("/x", &[""]),
            ("", &[""]),
        ] {
            let found: Vec<&str> = map.above(path).map(|(key, _)| key).collect();
            assert_eq!(found, expected, "{path}");
            assert!(map.above(path).all(|(key, new)| new == format!("new {key}")));
        }
    }
}
