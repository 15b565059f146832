//! Files by their names, as wiki links (`[[name]]`) have them.

use rustc_hash::FxHashMap;

use super::FileIndex;
use rehref_url::percent_decoded;

/// The paths of files by their last names, in lower case and without the extension of Markdown.
pub(super) type FileNames = FxHashMap<Box<str>, Vec<Box<str>>>;

impl FileIndex {
    /// Returns the file to which the wiki link `name`, a percent-encoded path or the end of one, leads from the
    /// document at `own`. Of several files, returns the one in the nearest folder. Returns `None` if no file
    /// has the name, or none of several is nearest.
    pub fn wiki_file(&self, name: &str, own: Option<&str>) -> Option<&str> {
        let wanted = wiki_name(name.trim_start_matches('/'));
        let last = wanted.rsplit('/').next()?;
        let names = self.tree.file_names.get_or_init(|| self.names_of_files());
        let has_name = |path: &&str| {
            let path = wiki_name(path);
            let start = path.strip_suffix(&*wanted);
            start.is_some_and(|start| start.is_empty() || start.ends_with('/'))
        };
        let found: Vec<&str> =
            names.get(last)?.iter().map(|path| &**path).filter(has_name).collect();
        let is_whole = |path: &&str| wiki_name(path) == wanted;
        let whole = wanted.contains('/').then(|| found.iter().copied().find(is_whole));
        if let Some(whole) = whole.flatten() {
            return Some(whole);
        }
        let own = own.unwrap_or_default();
        let nearness = |path: &str| {
            let folders = path.split('/').zip(own.split('/'));
            folders.take_while(|(one, other)| one == other).count()
        };
        let nearest = found.iter().map(|path| nearness(path)).max()?;
        let mut nearest = found.into_iter().filter(|path| nearness(path) == nearest);
        nearest.next().filter(|_| nearest.next().is_none())
    }

    fn names_of_files(&self) -> FileNames {
        let mut names = FileNames::default();
        for path in self.files() {
            let name = wiki_name(path.rsplit('/').next().unwrap_or(path));
            names.entry(name.into()).or_default().push(path.into());
        }
        names
    }
}

/// The percent-encoded `path` as wiki links compare names: in lower case, without the extension of Markdown.
fn wiki_name(path: &str) -> String {
    let name = String::from_utf8_lossy(&percent_decoded(path)).to_lowercase();
    name.strip_suffix(".md").map_or(name.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Entry, EntryKind};

    #[test]
    fn a_wiki_link_means_the_nearest_file_with_its_name() {
        let paths =
            ["en/a/Note one.md", "en/b/x.md", "de/b/x.md", "en/b/y/x.png", "z/x.md", "z/q/x.md"];
        let entries = paths.map(|path| Entry { path: path.into(), kind: EntryKind::File });
        let files = FileIndex::new(Path::new("/nowhere"), &entries);
        for (name, own, expected) in [
            ("note%20ONE", "de/b/x.md", Some("en/a/Note%20one.md")),
            ("Note%20one.md", "", Some("en/a/Note%20one.md")),
            ("x", "en/a/Note%20one.md", Some("en/b/x.md")),
            ("x", "de/c.md", Some("de/b/x.md")),
            ("x", "other.md", None),
            ("x.png", "other.md", Some("en/b/y/x.png")),
            ("z/x", "en/b/x.md", Some("z/x.md")),
            ("q/x", "en/b/x.md", Some("z/q/x.md")),
            ("r/x", "en/b/x.md", None),
            ("none", "", None),
        ] {
            assert_eq!(files.wiki_file(name, Some(own)), expected, "{name} in {own}");
        }
    }
}
