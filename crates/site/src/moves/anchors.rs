//! Moves of anchors: all links to `page.md#old` become links to `page.md#new`, or to an anchor of another page.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use rehref_url::percent_decoded;

/// A move of an anchor, to another name or another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorMove {
    /// The path of the anchor's file before the moves.
    pub old_file: PathBuf,
    /// The old name, decoded.
    pub old: String,
    /// The path of the anchor's file after the moves.
    pub new_file: PathBuf,
    /// The new name, decoded; empty if the new target is the whole file.
    pub new: String,
}

/// The moves of anchors, by the paths of their files in URLs.
#[derive(Clone, Debug, Default)]
pub struct MovedAnchors(FxHashMap<Anchor, Anchor>);

/// The path of a file in URLs, and the name of an anchor in it.
type Anchor = (Box<str>, Box<str>);

impl MovedAnchors {
    /// Indexes `moves` by file. `url` returns the path of a file in URLs.
    pub fn new(moves: &[AnchorMove], url: impl Fn(&Path) -> String) -> MovedAnchors {
        let moves = moves.iter().map(|it| {
            let old = (url(&it.old_file).into(), it.old.as_str().into());
            (old, (url(&it.new_file).into(), it.new.as_str().into()))
        });
        MovedAnchors(moves.collect())
    }

    /// Returns true if no anchor moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the new file and the new name of the anchor to which `fragment`, percent-encoded, leads in
    /// `file`; `None` if it does not move.
    pub fn get(&self, file: &str, fragment: &str) -> Option<(&str, &str)> {
        let name = String::from_utf8_lossy(&percent_decoded(fragment)).into_owned();
        let (file, name) = self.0.get(&(file.into(), name.into()))?;
        Some((file, name))
    }
}

/// Returns the fragment for the anchor `name`, with `#`; see [`AnchorMove::new`].
pub fn fragment_of(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("#{name}") }
}

/// Splits a place in a file, as `OLD` and `NEW` are written, into path and fragment; `None` without a `#`.
pub fn split(written: &[u8]) -> Option<(&[u8], String)> {
    let mark = written.iter().position(|byte| *byte == b'#')?;
    let (path, fragment) = written.split_at_checked(mark)?;
    let fragment = String::from_utf8(fragment.get(1..)?.to_owned()).ok()?;
    let fragment = percent_decoded(&fragment);
    let fragment = String::from_utf8(fragment).ok()?;
    (!fragment.is_empty()).then_some((path, fragment))
}
