//! Suggests a file for a missing target, and an id for a missing fragment.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::nearest::{self, has_similar_length};
use crate::site::{FileIndex, normalized_path};
use crate::url::percent_decoded;

/// The files of a tree, indexed for the usual mistakes in references to them.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// Paths by their lower-case form.
    by_case: HashMap<String, Vec<Box<str>>>,
    /// Paths by the name of the file.
    by_name: HashMap<Box<str>, Vec<Box<str>>>,
    /// Names by their folder.
    by_folder: HashMap<Box<str>, Vec<Box<str>>>,
}

/// The largest number of names to compare with a wrong one.
const NAMES: usize = 2000;

impl Suggestions {
    /// Indexes the files of a tree.
    pub fn new(files: &FileIndex) -> Suggestions {
        let mut all = Suggestions::default();
        let mut paths: Vec<&str> = files.files().collect();
        paths.sort_unstable();
        for path in paths {
            let (folder, name) = split(path);
            all.add_case(path);
            let folders = path.match_indices('/').map(|(slash, _)| path.get(..slash));
            folders.flatten().for_each(|folder| all.add_case(folder));
            let named = all.by_name.entry(name.into()).or_default();
            named.push(path.into());
            let names = all.by_folder.entry(folder.into()).or_default();
            names.push(name.into());
        }
        all
    }

    fn add_case(&mut self, path: &str) {
        let same = self.by_case.entry(in_lower_case(path)).or_default();
        if !same.iter().any(|known| **known == *path) {
            same.push(path.into());
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
        match self.by_case.get(&in_lower_case(name))?.as_slice() {
            [only] if **only != *name => Some(format!("{only}{slash}")),
            _ => None,
        }
    }

    /// The file with the name of `path` in another folder, if exactly one exists.
    pub fn same_name(&self, path: &str) -> Option<&str> {
        let path = normalized_path(path);
        let (_, name) = split(&path);
        // Many folders have an index file.
        if name.is_empty() || name.starts_with("index.") {
            return None;
        }
        match self.by_name.get(name)?.as_slice() {
            [only] if **only != *path => Some(only),
            _ => None,
        }
    }

    /// The file in the same folder whose name is nearest, if a typing error explains the difference.
    pub fn nearest(&self, path: &str) -> Option<String> {
        let path = normalized_path(path);
        let (folder, name) = split(&path);
        let name = &*readable(name);
        let (wanted, extension) = stem(name);
        let limit = limit(wanted);
        let names = self.by_folder.get(folder)?;
        let names = names.iter().take(NAMES);
        let candidates = names.map(|other| (readable(other), other));
        let candidates = candidates.filter(|(read, _)| {
            // `page.htm` for `page.html` is a typing error, too.
            let (stem, own) = stem(read);
            (own == extension || stem == wanted) && has_same_numbers(read, name)
        });
        let (edits, nearest) = nearest::nearest(candidates, name, limit)?;
        let slash = if folder.is_empty() { "" } else { "/" };
        (edits > 0).then(|| format!("{folder}{slash}{nearest}"))
    }
}

/// The name that is nearest to `wanted`, a fragment, if a typing error explains the difference.
pub fn nearest_name<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Option<String> {
    let wanted = &*readable(wanted);
    let limit = limit(wanted);
    let is_near =
        |name: &&str| has_similar_length(name, wanted, limit) && has_same_numbers(name, wanted);
    let candidates = names.filter(is_near).take(NAMES).map(|name| {
        // Letter case counts as no edit.
        match name.eq_ignore_ascii_case(wanted) {
            true => (wanted, name),
            false => (name, name),
        }
    });
    nearest::nearest(candidates, wanted, limit).map(|(_, name)| name.to_owned())
}

/// The largest number of typing errors to expect in a name: none in a name of one or two letters.
fn limit(name: &str) -> usize {
    match name.chars().count() {
        0..=2 => 0,
        long => (long / 4).clamp(1, 3),
    }
}

/// Whether two names have the same digits: `index-2` is not a typing error for `index-1`.
fn has_same_numbers(one: &str, other: &str) -> bool {
    let digits = |name: &str| -> String {
        let digits = name.chars().filter(char::is_ascii_digit);
        digits.skip_while(|digit| *digit == '0').collect()
    };
    digits(one) == digits(other)
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
