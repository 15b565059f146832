//! The digests that revisits state.
//!
//! A revisit is an item of a container that has no content of its own: it refers to the content of another item, a
//! capture, and states its digest. If the content changes, so does the digest that the revisit states.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

/// An identifier of the captures that a revisit may refer to: half of the SHA-256 digest of their digest
/// together with an ID, a date or a URL. Its fixed size makes memory independent of the length of URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentKey([u8; 16]);

impl ContentKey {
    /// Returns the key of `parts`.
    pub(super) fn of(parts: &[&str]) -> ContentKey {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let mut key = [0; 16];
        key.iter_mut().zip(hash.finalize()).for_each(|(byte, of_hash)| *byte = of_hash);
        ContentKey(key)
    }
}

/// The digest of the capture that a revisit refers to, after the rewrite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CaptureDigest {
    /// No container has the capture.
    #[default]
    NotFound,
    /// The digest is the one that the revisit states already.
    Unchanged,
    /// The digest is this new one, in the format of the old one.
    Changed(Box<str>),
}

/// The digests of the captures that the revisits of some containers refer to. Memory: about 100 bytes for each
/// different capture.
#[derive(Debug, Default)]
pub struct RevisitDigests(HashMap<ContentKey, CaptureDigest>);

impl RevisitDigests {
    /// Adds a revisit that refers to a capture with one of these keys.
    pub(crate) fn add_revisit(&mut self, keys: &[ContentKey]) {
        for key in keys {
            self.0.entry(*key).or_default();
        }
    }

    /// Returns true if no revisit was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the digest of a capture changes.
    pub fn has_changes(&self) -> bool {
        let mut digests = self.0.values();
        digests.any(|it| matches!(it, CaptureDigest::Changed(_)))
    }

    /// Returns true if a revisit may refer to the capture with these keys.
    pub(crate) fn has_revisit_of(&self, keys: &[ContentKey]) -> bool {
        keys.iter().any(|key| self.0.contains_key(key))
    }

    /// Adds the capture with these keys, whose digest changes to `digest`; `None` if it stays. Of several captures
    /// with the same key, the first one counts.
    pub(crate) fn add_capture(&mut self, keys: &[ContentKey], digest: Option<&str>) {
        for key in keys {
            if let Some(known @ CaptureDigest::NotFound) = self.0.get_mut(key) {
                *known = digest.map_or(CaptureDigest::Unchanged, |digest| {
                    CaptureDigest::Changed(digest.into())
                });
            }
        }
    }

    /// Returns the digest of the capture that a revisit with these keys refers to. The first key whose capture was
    /// found counts.
    pub(crate) fn of(&self, keys: &[ContentKey]) -> &CaptureDigest {
        let mut known = keys.iter().filter_map(|key| self.0.get(key));
        let found = known.find(|it| **it != CaptureDigest::NotFound);
        found.unwrap_or(&CaptureDigest::NotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_with_a_capture_decides() {
        let [id, url, other] =
            [&["id", "1"], &["url", "1"], &["url", "2"]].map(|it| ContentKey::of(it));
        let mut digests = RevisitDigests::default();
        assert!(digests.is_empty());
        digests.add_revisit(&[id, url]);
        assert!(digests.has_revisit_of(&[other, url]) && !digests.has_revisit_of(&[other]));
        digests.add_capture(&[other], Some("new"));
        assert_eq!(*digests.of(&[other]), CaptureDigest::NotFound);
        digests.add_capture(&[url], None);
        digests.add_capture(&[url], Some("later"));
        assert_eq!(*digests.of(&[id, url]), CaptureDigest::Unchanged);
        digests.add_capture(&[id, url], Some("new"));
        assert_eq!(*digests.of(&[id, url]), CaptureDigest::Changed("new".into()));
        assert_eq!(*digests.of(&[other, url]), CaptureDigest::Unchanged);
    }

    #[test]
    fn parts_of_keys_do_not_run_together() {
        assert_ne!(ContentKey::of(&["ab", "c"]), ContentKey::of(&["a", "bc"]));
    }
}
