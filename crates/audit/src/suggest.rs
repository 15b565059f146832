//! Suggests a file for a missing target, and an id for a missing fragment.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::files::{FileNumber, FileNumbers};
use rehref_document::metadata::Anchors;
use rehref_site::nearest::{self, Letters};
use rehref_site::{Excluded, normalized_path, path_from_url};
use rehref_url::percent_decoded;

/// The files of a site, with the index for the usual mistakes in references to them.
#[derive(Clone, Copy, Debug)]
pub struct Suggestions<'s> {
    pub(super) files: &'s FileNumbers<'s>,
    pub(super) index: &'s SuggestionIndex,
}

/// The index for the usual mistakes in references. It has numbers instead of paths, since a crawl may have millions of
/// URLs.
#[derive(Debug, Default)]
pub(super) struct SuggestionIndex {
    /// The files in the project of a generator that its builds make: these are not what a source means.
    made: Option<Excluded>,
    /// All files by their folder, those of a folder by name; sorted when the first target is missing.
    by_folder: OnceLock<Vec<FileNumber>>,
    /// Made when a file has no similar name in its folder.
    keys: OnceLock<Keys>,
    /// The indexes of folders, made when the first name is wrong.
    names: Mutex<FxHashMap<Box<str>, Arc<NameIndex>>>,
    /// The results of [`Suggestions::nearest`]: most documents of a site miss the same files.
    nearest: Mutex<FxHashMap<Box<str>, Option<String>>>,
}

impl SuggestionIndex {
    pub(super) fn without(made: Option<Excluded>) -> SuggestionIndex {
        SuggestionIndex { made, ..SuggestionIndex::default() }
    }
}

/// The hashes of paths and names, sorted, each with its file. Hashes may be those of other paths by chance.
#[derive(Debug, Default)]
struct Keys {
    /// The lower-case forms of the paths of files and folders, each with the file, or one in the folder, and the length
    /// of the path.
    by_case: Vec<(u32, FileNumber, u32)>,
    /// The names of files.
    by_name: Vec<(u32, FileNumber)>,
}

/// The largest number of names to compare with a wrong one.
const NAMES: usize = 2000;

/// The largest number of folders whose indexes are in memory.
const KNOWN_FOLDERS: usize = 64;

/// The largest number of results that are in memory.
const KNOWN_RESULTS: usize = 1 << 13;

/// Adds an entry to a map, which is emptied when it has `most`.
fn remember<V>(map: &Mutex<FxHashMap<Box<str>, V>>, key: &str, value: V, most: usize) {
    let mut map = lock(map);
    if map.len() >= most {
        map.clear();
    }
    map.insert(key.into(), value);
}

impl Keys {
    /// The keys of `files`, which are sorted by their folder.
    fn new(files: &FileNumbers<'_>, sorted: &[FileNumber]) -> Keys {
        let mut keys = Keys::default();
        let mut last = "";
        for &number in sorted {
            let path = files.path(number);
            let (folder, name) = split(path);
            keys.by_name.push((hash(name), number));
            let is_known = |above: &str| {
                let rest = last.strip_prefix(above);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let folders = path.match_indices('/').filter_map(|(slash, _)| path.get(..slash));
            for path in folders.filter(|above| !is_known(above)).chain([path]) {
                let length = u32::try_from(path.len()).unwrap_or(u32::MAX);
                keys.by_case.push((hash(&in_lower_case(path)), number, length));
            }
            last = folder;
        }
        keys.by_case.sort_unstable();
        keys.by_name.sort_unstable();
        keys
    }
}

impl<'s> Suggestions<'s> {
    fn keys(self) -> &'s Keys {
        self.index.keys.get_or_init(|| Keys::new(self.files, self.by_folder()))
    }

    fn by_folder(self) -> &'s [FileNumber] {
        self.index.by_folder.get_or_init(|| {
            let mut by_folder = self.files.all();
            if let Some(made) = &self.index.made {
                let is_made = |path: &str| path_from_url(path).is_some_and(|it| made.has(&it));
                by_folder.retain(|it| !is_made(self.files.path(*it)));
            }
            by_folder.sort_unstable_by_key(|number| split(self.files.path(*number)));
            by_folder
        })
    }

    /// Returns the only file or folder whose path differs from `path` just in letter case. A folder has a
    /// trailing slash if `path` has one.
    pub fn other_case(self, path: &str) -> Option<String> {
        let path = normalized_path(path);
        let (name, slash) = match path.strip_suffix('/') {
            Some(name) => (name, "/"),
            None => (&*path, ""),
        };
        let lower = in_lower_case(name);
        let same = equal(&self.keys().by_case, hash(&lower), |entry| entry.0).iter();
        let same = same.filter_map(|(_, file, end)| self.files.path(*file).get(..*end as usize));
        let mut same = same.filter(|path| in_lower_case(path) == lower);
        let only = same.next()?;
        let is_only = same.all(|other| other == only);
        (is_only && only != name).then(|| format!("{only}{slash}"))
    }

    /// Returns the only file in another folder with the name of `path`. If several files have the name, returns
    /// the one that alone has the most of the folders above it: `new/setup/a.html` for `old/setup/a.html`. For
    /// the URL of a folder, looks for an index file.
    pub fn same_name(self, path: &str) -> Option<&'s str> {
        let path = normalized_path(path);
        let path = if path.ends_with('/') { format!("{path}index.html").into() } else { path };
        let (_, name) = split(&path);
        let named = equal(&self.keys().by_name, hash(name), |entry| entry.0);
        let named = named.iter().map(|(_, file)| self.files.path(*file));
        let named = named.filter(|other| split(other).1 == name && **other != *path);
        let named = named.filter(|other| !is_of_other_version(&path, other));
        let common = |other: &str| {
            let names = path.rsplit('/').zip(other.rsplit('/'));
            names.take_while(|(one, other)| one == other).count()
        };
        let (mut nearest, mut most, mut count, mut is_only) = (None, 0, 0, false);
        for other in named {
            let names = common(other);
            count += 1;
            if names > most {
                (nearest, most, is_only) = (Some(other), names, true);
            } else if names == most {
                is_only = false;
            }
        }
        // Many folders have an index file.
        let has_own_name = !name.starts_with("index.");
        let is_sure = is_only && (most > 1 || count == 1 && has_own_name);
        nearest.filter(|_| is_sure)
    }

    /// Returns the file in the same folder with the most similar name, if a typing error can explain the
    /// difference. For the URL of a folder, which ends in a slash, returns a folder.
    pub fn nearest(self, path: &str) -> Option<String> {
        let path = normalized_path(path);
        let known = lock(&self.index.nearest).get(&*path).cloned();
        known.unwrap_or_else(|| {
            let found = self.find_nearest(&path);
            remember(&self.index.nearest, &path, found.clone(), KNOWN_RESULTS);
            found
        })
    }

    /// As [`Suggestions::nearest`] for a normalized path.
    fn find_nearest(self, path: &str) -> Option<String> {
        if let Some(path) = path.strip_suffix('/') {
            return self.nearest_folder(path);
        }
        let (folder, name) = split(path);
        let name = &*readable(name);
        let (wanted, extension) = stem(name);
        let limit = limit(wanted);
        let folder_of = |file: &FileNumber| split(self.files.path(*file)).0;
        let files = equal(self.by_folder(), folder, folder_of);
        let name_of = |file: &FileNumber| split(self.files.path(*file)).1;
        files.first()?;
        let known = lock(&self.index.names).get(folder).cloned();
        let index = known.unwrap_or_else(|| {
            let names = files.iter().take(NAMES);
            let index = Arc::new(NameIndex::new(names.map(|file| readable(name_of(file)))));
            remember(&self.index.names, folder, Arc::clone(&index), KNOWN_FOLDERS);
            index
        });
        let letters = Letters::of(name);
        let candidates = index.with_numbers_of(name).iter();
        let candidates = candidates.filter(|it| it.letters.may_be_near(letters, limit));
        let candidates = candidates.filter_map(|it| files.get(it.rank).map(name_of));
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

/// The names of directories of versions that are no numbers.
pub(super) const VERSIONS: [&str; 6] = ["latest", "stable", "main", "dev", "current", "next"];

/// Returns true if two paths are in directories of different versions: `2.0/a.html` and `3.0/a.html`.
pub(super) fn is_of_other_version(one: &str, other: &str) -> bool {
    let is_version = |name: &str| {
        let number = name.strip_prefix('v').unwrap_or(name);
        let is_number = number.contains(|it: char| it.is_ascii_digit())
            && number.chars().all(|it| it.is_ascii_digit() || it == '.');
        is_number || VERSIONS.contains(&name)
    };
    let mut names = one.split('/').zip(other.split('/'));
    let different = names.find(|(one, other)| one != other);
    different.is_some_and(|(one, other)| is_version(one) && is_version(other))
}

impl Suggestions<'_> {
    /// The folder beside that of `path` whose name is nearest, with a slash.
    fn nearest_folder(self, path: &str) -> Option<String> {
        let (above, name) = split(path);
        let above = if above.is_empty() { String::new() } else { format!("{above}/") };
        let name = &*readable(name);
        let (limit, letters) = (limit(name), Letters::of(name));
        let numbers = numbers(name);
        let candidates = self.folders_in(&above);
        let candidates = candidates.map(|other| (readable(other), other));
        let candidates = candidates.filter(|(read, _)| {
            Letters::of(read).may_be_near(letters, limit) && self::numbers(read) == numbers
        });
        let (edits, nearest) = nearest::nearest(candidates, name, limit)?;
        (edits > 0).then(|| format!("{above}{nearest}/"))
    }

    /// The names of the folders in the folder `above`, which is empty or ends in a slash; some twice.
    fn folders_in<'t>(self, above: &'t str) -> impl Iterator<Item = &'t str>
    where
        Self: 't,
    {
        let files = self.by_folder();
        let folder_at = move |at: usize| files.get(at).map(|file| split(self.files.path(*file)).0);
        let first = |from: usize, is_before: &dyn Fn(&str) -> bool| {
            let rest = files.get(from..).unwrap_or_default();
            from + rest.partition_point(|file| is_before(split(self.files.path(*file)).0))
        };
        let mut at = first(0, &|folder| folder <= above);
        std::iter::from_fn(move || {
            let below = folder_at(at)?.strip_prefix(above)?;
            let (name, is_deeper) = match below.split_once('/') {
                Some((name, _)) => (name, true),
                None => (below, false),
            };
            // `a-b` is between `a` and `a/c`.
            let end = format!("{above}{name}{}", if is_deeper { "0" } else { "" });
            at = first(at, &|folder| if is_deeper { folder < &*end } else { folder <= &*end });
            Some(name)
        })
        .take(NAMES)
    }
}

/// The entries of a sorted list with this key.
fn equal<T, K: Ord>(sorted: &[T], key: K, key_of: impl Fn(&T) -> K) -> &[T] {
    let start = sorted.partition_point(|entry| key_of(entry) < key);
    let from = sorted.get(start..).unwrap_or_default();
    let count = from.partition_point(|entry| key_of(entry) == key);
    from.get(..count).unwrap_or_default()
}

fn hash(text: &str) -> u32 {
    // The upper bits of this hash are the better ones.
    u32::try_from(FxBuildHasher.hash_one(text) >> 32).unwrap_or_default()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Returns the anchor that is most similar to the fragment `wanted`, if a typing error can explain the
    /// difference.
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
            if name.eq_ignore_ascii_case(wanted) { (wanted, name) } else { (name, name) }
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
    /// The place in the list.
    rank: usize,
    /// The length in bytes.
    length: usize,
    letters: Letters,
}

impl NameIndex {
    fn new<S: AsRef<str>>(names: impl Iterator<Item = S>) -> NameIndex {
        let mut index = NameIndex::default();
        for (rank, name) in names.enumerate() {
            let name = name.as_ref();
            let indexed = IndexedName { rank, length: name.len(), letters: Letters::of(name) };
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

/// Returns a path or a fragment, percent-decoded.
pub(super) fn readable(encoded: &str) -> Cow<'_, str> {
    if encoded.contains('%') {
        Cow::Owned(String::from_utf8_lossy(&percent_decoded(encoded)).into_owned())
    } else {
        Cow::Borrowed(encoded)
    }
}

/// The folder and the name of a path.
fn split(path: &str) -> (&str, &str) {
    // Faster than `rsplit_once`: all files of a site are sorted by it.
    let slash = memchr::memrchr(b'/', path.as_bytes());
    let split = slash.and_then(|slash| Some((path.get(..slash)?, path.get(slash + 1..)?)));
    split.unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site_index::SiteIndex;
    use rehref_site::{Entry, EntryKind, FileIndex, SiteUrl};
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
            "b/images/logo.svg",
            "b/x/logo.svg",
            "old/page.html",
            "posts/first-post-b/index.html",
            "posts/first-post/images/index.html",
            "posts/first-post/index.html",
            "posts/part-1/index.html",
        ]
        .map(|path| Entry { path: path.into(), kind: EntryKind::File })
        .into();
        let site = SiteIndex::of_files(
            FileIndex::new(Path::new("/nowhere"), &entries),
            SiteUrl::parse("https://h/").unwrap().0,
            Vec::new(),
        );
        let files = FileNumbers::new(&site);
        let suggestions = Suggestions { files: &files, index: &SuggestionIndex::default() };
        for (path, case, name, nearest) in [
            ("README.html", Some("Readme.html"), None, None),
            ("a/LOGO.png", None, None, None),
            ("docs/instal.html", None, None, Some("docs/install.html")),
            ("docs/install.htm", None, None, Some("docs/install.html")),
            ("docs/git-p4.html", None, None, None),
            ("docs/y.html", None, None, None),
            ("docs/part-2.html", None, None, None),
            ("docs/gr%C3%BC%C3%9Feaus.html", None, None, Some("docs/gr%C3%BC%C3%9Fe%20aus.html")),
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
            ("Docs/", Some("docs/"), None, Some("docs/")),
            ("OLD", Some("old"), None, None),
            ("new/page.html", None, Some("old/page.html"), None),
            ("new/index.html", None, None, None),
            ("docs/something.html", None, None, None),
            ("blog/part-1/index.html", None, Some("posts/part-1/index.html"), None),
            ("blog/first-post/images/", None, Some("posts/first-post/images/index.html"), None),
            ("blog/images/", None, Some("posts/first-post/images/index.html"), None),
            ("blog/index.html", None, None, None),
            ("x/images/logo.svg", None, Some("b/images/logo.svg"), None),
            ("x/pictures/logo.svg", None, None, None),
            ("dcos/", None, None, Some("docs/")),
            ("posts/frist-post/", None, None, Some("posts/first-post/")),
            ("posts/first-psot/", None, None, Some("posts/first-post/")),
            ("posts/first-post/imgaes/", None, None, Some("posts/first-post/images/")),
            ("posts/part-2/", None, None, None),
            ("post/", None, None, Some("posts/")),
        ] {
            assert_eq!(suggestions.other_case(path).as_deref(), case, "{path}");
            assert_eq!(suggestions.same_name(path), name, "{path}");
            assert_eq!(suggestions.nearest(path).as_deref(), nearest, "{path}");
        }
    }
}
