//! Suggests a file for a missing target, and an id for a missing fragment.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::document::metadata::Anchors;
use crate::nearest::{self, Letters};
use crate::site::{FileIndex, normalized_path};
use crate::url::percent_decoded;

/// The files of a tree, indexed for the usual mistakes in references to them.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// Paths by their lower-case form; `None` for several.
    by_case: FxHashMap<Box<str>, Option<Arc<str>>>,
    /// Paths by the name of the file; `None` for several.
    by_name: FxHashMap<Box<str>, Option<Arc<str>>>,
    /// Names by their folder.
    by_folder: FxHashMap<Box<str>, Folder>,
    /// The results of [`Suggestions::nearest`]: most documents of a site miss the same files.
    nearest: Mutex<FxHashMap<Box<str>, Option<Box<str>>>>,
}

/// The files of a folder.
#[derive(Debug, Default)]
struct Folder {
    /// Their names, sorted.
    names: Vec<Box<str>>,
    /// Made when the first name is wrong.
    index: OnceLock<NameIndex>,
}

/// The largest number of names to compare with a wrong one.
const NAMES: usize = 2000;

impl Suggestions {
    /// Indexes the files of a tree.
    pub fn new(files: &FileIndex) -> Suggestions {
        let mut all = Suggestions::default();
        let mut paths: Vec<&str> = files.files().collect();
        paths.sort_unstable();
        let mut last = "";
        for path in paths {
            let (folder, name) = split(path);
            let shared: Arc<str> = path.into();
            all.add_case(path, &shared);
            if folder != last {
                last = folder;
                let folders = path.match_indices('/').map(|(slash, _)| path.get(..slash));
                for folder in folders.flatten() {
                    all.add_case(folder, &folder.into());
                }
            }
            match all.by_name.get_mut(name) {
                Some(named) => *named = None,
                None => _ = all.by_name.insert(name.into(), Some(shared)),
            }
            match all.by_folder.get_mut(folder) {
                Some(folder) => folder.names.push(name.into()),
                None => {
                    let names = vec![name.into()];
                    let index = OnceLock::new();
                    all.by_folder.insert(folder.into(), Folder { names, index });
                }
            }
        }
        all
    }

    fn add_case(&mut self, path: &str, shared: &Arc<str>) {
        let same = self.by_case.entry(in_lower_case(path).into_boxed_str());
        let known = same.or_insert_with(|| Some(Arc::clone(shared)));
        if known.as_deref() != Some(path) {
            *known = None;
        }
    }

    /// The file or the folder whose path differs from `path` only in letter case, if exactly one
    /// does. A folder has a trailing slash if `path` has one.
    pub fn other_case(&self, path: &str) -> Option<String> {
        let path = normalized_path(path);
        let (name, slash) = match path.strip_suffix('/') {
            Some(name) => (name, "/"),
            None => (&*path, ""),
        };
        let only = self.by_case.get(&*in_lower_case(name))?.as_deref()?;
        (only != name).then(|| format!("{only}{slash}"))
    }

    /// The file with the name of `path` in another folder, if exactly one exists.
    pub fn same_name(&self, path: &str) -> Option<&str> {
        let path = normalized_path(path);
        let (_, name) = split(&path);
        // Many folders have an index file.
        if name.is_empty() || name.starts_with("index.") {
            return None;
        }
        let only = self.by_name.get(name)?.as_deref()?;
        (*only != *path).then_some(only)
    }

    /// The file in the same folder whose name is nearest, if a typing error explains the difference.
    pub fn nearest(&self, path: &str) -> Option<String> {
        let path = normalized_path(path);
        let known = || self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nearest) = known().get(&*path) {
            return nearest.as_deref().map(str::to_owned);
        }
        let nearest = self.find_nearest(&path);
        known().insert((*path).into(), nearest.as_deref().map(Box::from));
        nearest
    }

    /// As [`Suggestions::nearest`] for a normalized path.
    fn find_nearest(&self, path: &str) -> Option<String> {
        let (folder, name) = split(path);
        let name = &*readable(name);
        let (wanted, extension) = stem(name);
        let limit = limit(wanted);
        let Folder { names, index } = self.by_folder.get(folder)?;
        let index =
            index.get_or_init(|| NameIndex::new(names.iter().take(NAMES).map(|it| readable(it))));
        let letters = Letters::of(name);
        let candidates = index.with_numbers_of(name).iter();
        let candidates = candidates.filter(|it| it.letters.may_be_near(letters, limit));
        let candidates = candidates.filter_map(|it| names.get(it.rank));
        let candidates = candidates.map(|other| (readable(other), other));
        let candidates = candidates.filter(|(read, _)| {
            // `page.htm` for `page.html` is a typing error, too.
            let (stem, own) = stem(read);
            own == extension || stem == wanted
        });
        let (edits, nearest) = nearest::nearest(candidates, name, limit)?;
        let slash = if folder.is_empty() { "" } else { "/" };
        (edits > 0).then(|| format!("{folder}{slash}{nearest}"))
    }
}

/// The anchors of a document, indexed for typing errors in fragments.
#[derive(Debug)]
pub struct AnchorSuggestions<'a> {
    anchors: &'a Anchors,
    index: NameIndex,
}

impl<'a> AnchorSuggestions<'a> {
    pub fn new(anchors: &'a Anchors) -> AnchorSuggestions<'a> {
        let index = NameIndex::new(anchors.iter());
        AnchorSuggestions { anchors, index }
    }

    /// The name that is nearest to `wanted`, a fragment, if a typing error explains the difference.
    pub fn nearest(&self, wanted: &str) -> Option<&'a str> {
        let wanted = &*readable(wanted);
        let limit = limit(wanted);
        let letters = Letters::of(wanted);
        let candidates = self.index.with_numbers_of(wanted).iter();
        let candidates = candidates
            .filter(|it| it.length.abs_diff(wanted.len()) <= limit.saturating_mul(4))
            .take(NAMES);
        let candidates = candidates.filter(|it| it.letters.may_be_near(letters, limit));
        let candidates = candidates.filter_map(|it| self.anchors.name(it.rank));
        let candidates = candidates.map(|name| {
            // Letter case counts as no edit.
            match name.eq_ignore_ascii_case(wanted) {
                true => (wanted, name),
                false => (name, name),
            }
        });
        nearest::nearest(candidates, wanted, limit).map(|(_, name)| name)
    }
}

/// A list of names by their numbers: `index-2` is not a typing error for `index-1`.
#[derive(Debug, Default)]
struct NameIndex {
    /// By the digits of the name without zeros at the start; each list in order.
    by_numbers: FxHashMap<Box<str>, Vec<IndexedName>>,
}

#[derive(Debug)]
struct IndexedName {
    /// Its place in the list.
    rank: usize,
    /// Its length in bytes.
    length: usize,
    letters: Letters,
}

impl NameIndex {
    fn new<S: AsRef<str>>(names: impl Iterator<Item = S>) -> NameIndex {
        let mut index = NameIndex::default();
        for (rank, name) in names.enumerate() {
            let name = name.as_ref();
            let indexed = IndexedName {
                rank,
                length: name.len(),
                letters: Letters::of(name),
            };
            let numbers = numbers(name);
            match index.by_numbers.get_mut(&*numbers) {
                Some(same) => same.push(indexed),
                None => _ = index.by_numbers.insert(numbers.into(), vec![indexed]),
            }
        }
        index
    }

    fn with_numbers_of(&self, name: &str) -> &[IndexedName] {
        let same = self.by_numbers.get(&*numbers(name));
        same.map_or(&[], Vec::as_slice)
    }
}

/// The digits of a name, without zeros at the start.
fn numbers(name: &str) -> String {
    let digits = name.chars().filter(char::is_ascii_digit);
    digits.skip_while(|digit| *digit == '0').collect()
}

/// The largest number of typing errors to expect in a name: none in a name of one or two letters.
fn limit(name: &str) -> usize {
    match name.chars().count() {
        0..=2 => 0,
        long => (long / 4).clamp(1, 3),
    }
}

/// The stem of a file name, and its extension with the dot.
fn stem(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    }
}

/// A decoded path in lower case.
fn in_lower_case(path: &str) -> String {
    readable(path).to_lowercase()
}

/// A path or a fragment, percent-decoded.
fn readable(encoded: &str) -> Cow<'_, str> {
    match encoded.contains('%') {
        true => Cow::Owned(String::from_utf8_lossy(&percent_decoded(encoded)).into_owned()),
        false => Cow::Borrowed(encoded),
    }
}

/// The folder and the name of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Entry, EntryKind};
    use std::path::Path;

    #[test]
    fn typing_errors_have_suggestions() {
        let entries: Vec<Entry> = [
            "Readme.html",
            "a/Logo.png",
            "a/logo.PNG",
            "docs/install.html",
            "docs/index.html",
            "docs/grüße aus.html",
            "docs/git-am.html",
            "docs/x.html",
            "docs/part-1.html",
            "old/page.html",
        ]
        .map(|path| Entry {
            path: path.into(),
            kind: EntryKind::File,
        })
        .into();
        let suggestions = Suggestions::new(&FileIndex::new(Path::new("/nowhere"), &entries));
        for (path, case, name, nearest) in [
            ("README.html", Some("Readme.html"), None, None),
            ("a/LOGO.png", None, None, None),
            ("docs/instal.html", None, None, Some("docs/install.html")),
            ("docs/install.htm", None, None, Some("docs/install.html")),
            ("docs/git-p4.html", None, None, None),
            ("docs/y.html", None, None, None),
            ("docs/part-2.html", None, None, None),
            (
                "docs/gr%C3%BC%C3%9Feaus.html",
                None,
                None,
                Some("docs/gr%C3%BC%C3%9Fe%20aus.html"),
            ),
            ("docs/part-01.html", None, None, Some("docs/part-1.html")),
            (
                "DOCS/GR%C3%9C%C3%9FE%20aus.html",
                Some("docs/gr%C3%BC%C3%9Fe%20aus.html"),
                None,
                None,
            ),
            (
                "docs/Grüße%20aus.html",
                Some("docs/gr%C3%BC%C3%9Fe%20aus.html"),
                None,
                Some("docs/gr%C3%BC%C3%9Fe%20aus.html"),
            ),
            (
                "docs/GR%C3%9C%c3%9fE%20aus.html",
                Some("docs/gr%C3%BC%C3%9Fe%20aus.html"),
                None,
                None,
            ),
            ("Docs/", Some("docs/"), None, None),
            ("OLD", Some("old"), None, None),
            ("new/page.html", None, Some("old/page.html"), None),
            ("new/index.html", None, None, None),
            ("docs/something.html", None, None, None),
        ] {
            assert_eq!(suggestions.other_case(path).as_deref(), case, "{path}");
            assert_eq!(suggestions.same_name(path), name, "{path}");
            assert_eq!(suggestions.nearest(path).as_deref(), nearest, "{path}");
        }
    }
}
