//! The anchors of all files of a site, and the pending fragments that need them.
//!
//! Files are read in parallel and in one pass, so the anchors of a target may be unknown when a
//! reference to it is checked. The fragment is then kept as a [`PendingFragment`]. Names are stored
//! as hashes of 64 bits: among sites with a billion broken fragments each, one in ten million would
//! miss one.

use std::hash::{DefaultHasher, Hasher};
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::{FileNumber, ItemNumber};
use super::fragment_shapes::{FragmentShapes, other_spelling};
use rehref_document::metadata::Anchors;
use rehref_document::metadata::fragment::candidates;

/// The maker of anchors for which a document that others import has links.
pub(super) const IMPORTER: &str = "the page that imports the document";

/// The anchors of the files of a site, by number. The first ones set for a file stay.
#[derive(Debug)]
pub(super) struct AnchorIndex {
    files: Vec<OnceLock<FileAnchors>>,
}

/// The fragments that are valid in a file.
#[derive(Debug, Default)]
pub(super) struct FileAnchors {
    /// The hashes of the names, sorted.
    names: Box<[u64]>,
    /// The shapes of fragments that scripts may handle in the file.
    rows: FragmentShapes,
    /// The page that the file redirects to immediately, with the fragment.
    redirects_to: Option<FileNumber>,
    /// The files whose texts are parts of the file, with their anchors.
    included: Box<[FileNumber]>,
    /// The maker of further anchors.
    maker: Option<AnchorMaker>,
}

/// The maker of anchors that a document has, and its text does not.
#[derive(Clone, Debug)]
pub(super) struct AnchorMaker {
    /// The name in messages.
    name: Box<str>,
    /// The hashes of the letters of all anchors if it makes only other ids of headings; `None` if it makes any.
    of_headings: Option<Box<[u64]>>,
}

impl AnchorMaker {
    /// Returns a maker of any anchor.
    pub(super) fn of_any(name: impl Into<Box<str>>) -> AnchorMaker {
        AnchorMaker { name: name.into(), of_headings: None }
    }

    /// Returns a maker of other ids of the headings, whose usual ids are among `anchors`.
    pub(super) fn of_headings(name: &str, anchors: &Anchors) -> AnchorMaker {
        let of_headings = anchors.iter().map(|it| hash(&letters(it))).collect();
        AnchorMaker { name: name.into(), of_headings: Some(of_headings) }
    }

    /// Returns the name of the maker if it may make the anchor that `fragment` names.
    pub(super) fn makes(&self, fragment: &str) -> Option<&str> {
        let is_made = self.of_headings.as_ref().is_none_or(|known| {
            candidates(fragment).any(|name| known.contains(&hash(&letters(&name))))
        });
        is_made.then_some(&self.name)
    }
}

/// The letters and digits of an anchor in lower case, without the number at its end that tells equal ones apart.
fn letters(anchor: &str) -> String {
    let anchor = anchor.trim_end_matches(|it: char| it.is_ascii_digit());
    anchor.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl FileAnchors {
    /// Returns the anchors of a document, with the scripts and the redirect that handle other fragments.
    pub(super) fn new(
        anchors: &Anchors,
        rows: FragmentShapes,
        redirects_to: Option<FileNumber>,
    ) -> FileAnchors {
        let mut names: Vec<u64> = anchors.iter().map(hash).collect();
        names.sort_unstable();
        names.dedup();
        let included = Box::default();
        FileAnchors { names: names.into(), rows, redirects_to, included, maker: None }
    }

    /// Returns the same for a file that includes others.
    pub(super) fn including(self, included: &[FileNumber]) -> FileAnchors {
        FileAnchors { included: included.into(), ..self }
    }

    /// Returns the same for a file in which `maker` may make further anchors.
    pub(super) fn made_by(self, maker: Option<AnchorMaker>) -> FileAnchors {
        FileAnchors { maker, ..self }
    }

    fn has_any(&self, wanted: &PendingFragment) -> bool {
        wanted.names.iter().any(|name| self.names.binary_search(name).is_ok())
    }
}

/// A fragment that a file should have; small, since a site may have millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PendingFragment {
    pub(super) file: FileNumber,
    /// The shapes that the fragment has, which most fragments do not need.
    pub(super) shapes: FragmentShapes,
    /// The hashes of its candidate names; equal if it has only one.
    names: [u64; 2],
    /// The hash of its other spelling; see [`other_spelling`].
    other: u64,
}

/// The result of a search for a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FragmentStatus {
    /// The file has the anchor.
    Anchor,
    /// The file lacks the anchor, but a script in it handles fragments of this shape, or carries them
    /// to a page that has the anchor ([`FragmentShapes::REDIRECT`]).
    Scripted(FragmentShapes),
    /// The file lacks the anchor.
    Missing,
    /// The anchors of the file are unknown: it has not been read yet, or is not a document.
    Unknown,
}

/// The files that have wanted anchors, by the hashes of the names; `None` for several.
#[derive(Debug, Default)]
pub(super) struct AnchorHomes(FxHashMap<u64, Option<FileNumber>>);

impl AnchorHomes {
    /// Returns true if a file has the anchor that `wanted` names.
    pub(super) fn has(&self, wanted: &PendingFragment) -> bool {
        wanted.names.iter().any(|name| self.0.contains_key(name))
    }

    /// Returns the only file that has the anchor that `wanted` names.
    pub(super) fn only(&self, wanted: &PendingFragment) -> Option<FileNumber> {
        let mut homes = wanted.names.iter().filter_map(|name| self.0.get(name));
        *homes.next()?
    }
}

/// How many redirects a fragment is followed through.
const HOPS: usize = 8;

impl PendingFragment {
    /// `fragment` is as in a parsed URL, without `#`.
    pub(super) fn new(file: FileNumber, fragment: &str, shapes: FragmentShapes) -> PendingFragment {
        let mut hashes = candidates(fragment).map(|name| hash(&name));
        let first = hashes.next().unwrap_or_default();
        let names = [first, hashes.next().unwrap_or(first)];
        let decoded = candidates(fragment).last();
        let other = decoded.map_or(first, |name| hash(&other_spelling(&name)));
        PendingFragment { file, shapes, names, other }
    }
}

impl AnchorIndex {
    /// Returns an index for `files` files without anchors yet.
    pub(super) fn new(files: usize) -> AnchorIndex {
        AnchorIndex { files: (0..files).map(|_| OnceLock::new()).collect() }
    }

    /// Sets the anchors of a file, if they are not set.
    pub(super) fn set(&self, file: FileNumber, anchors: FileAnchors) {
        if let Some(place) = self.place(file) {
            // Only archives have several documents with one number: captures of one URL.
            let _ = place.set(anchors);
        }
    }

    fn place(&self, file: FileNumber) -> Option<&OnceLock<FileAnchors>> {
        self.files.get(usize::try_from(file).ok()?)
    }

    /// Returns the anchors of a file, if they are known.
    pub(super) fn get(&self, file: FileNumber) -> Option<&FileAnchors> {
        self.place(file)?.get()
    }

    /// Returns the files that have the anchors that `missing` name.
    pub(super) fn homes<'w>(
        &self,
        missing: impl IntoIterator<Item = &'w PendingFragment>,
    ) -> AnchorHomes {
        let wanted: FxHashSet<u64> = missing.into_iter().flat_map(|it| it.names).collect();
        let mut homes = FxHashMap::default();
        if wanted.is_empty() {
            return AnchorHomes::default();
        }
        for (number, anchors) in (0..).zip(&self.files) {
            let names = anchors.get().map_or(&[][..], |it| &it.names);
            for name in names.iter().filter(|name| wanted.contains(name)) {
                let home = homes.entry(*name).or_insert(Some(number));
                *home = home.filter(|first| *first == number);
            }
        }
        AnchorHomes(homes)
    }

    /// Searches for a fragment in the files that a file includes, and those that these include.
    fn find_included(&self, anchors: &FileAnchors, wanted: &PendingFragment) -> FragmentStatus {
        let mut status = FragmentStatus::Missing;
        let mut left = anchors.included.to_vec();
        let mut known = FxHashSet::default();
        while let Some(number) = left.pop() {
            match self.get(number).filter(|_| known.insert(number)) {
                Some(further) if further.has_any(wanted) => return FragmentStatus::Anchor,
                Some(further) => left.extend(&further.included),
                None if known.contains(&number) => {}
                None => status = FragmentStatus::Unknown,
            }
        }
        status
    }

    /// Returns the maker of the anchor that `fragment` names in a file, or in those that it includes, and the file
    /// that has it.
    pub(super) fn maker(&self, file: FileNumber, fragment: &str) -> Option<(&str, FileNumber)> {
        let mut left = vec![file];
        let mut known = FxHashSet::default();
        while let Some(number) = left.pop() {
            if let Some(anchors) = self.get(number).filter(|_| known.insert(number)) {
                let name = anchors.maker.as_ref().and_then(|it| it.makes(fragment));
                // The importer of an included document is the one that includes it.
                if let Some(name) = name.filter(|it| number == file || *it != IMPORTER) {
                    return Some((name, number));
                }
                left.extend(&anchors.included);
            }
        }
        None
    }

    /// Searches for a fragment.
    pub(super) fn find(&self, wanted: &PendingFragment) -> FragmentStatus {
        let Some(anchors) = self.get(wanted.file) else { return FragmentStatus::Unknown };
        if anchors.has_any(wanted) {
            return FragmentStatus::Anchor;
        }
        let of_included = self.find_included(anchors, wanted);
        if of_included != FragmentStatus::Missing {
            return of_included;
        }
        let mut next = anchors.redirects_to;
        for _ in 0..HOPS {
            let Some(number) = next else { break };
            let Some(further) = self.get(number) else { return FragmentStatus::Unknown };
            if further.has_any(wanted) {
                return FragmentStatus::Scripted(FragmentShapes::REDIRECT);
            }
            next = further.redirects_to;
        }
        match anchors.rows.first_of_both(wanted.shapes) {
            Some(FragmentShapes::SPELLING)
                if anchors.names.binary_search(&wanted.other).is_err() =>
            {
                FragmentStatus::Missing
            }
            Some(row) => FragmentStatus::Scripted(row),
            None => FragmentStatus::Missing,
        }
    }
}

/// A hash without a random seed, so that the same site gives the same findings in every run.
fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// The pending fragments of a site. Most are pending in many documents, so that each is kept once and
/// has a number.
#[derive(Debug, Default)]
pub(super) struct PendingFragments {
    numbers: FxHashMap<PendingFragment, u32>,
    /// The numbers of the fragments of all items, one item after the other.
    of_items: Vec<u32>,
    /// Each item with pending fragments, and the end of its numbers in `of_items`.
    items: Vec<(ItemNumber, usize)>,
}

impl PendingFragments {
    /// Adds the fragments of an item.
    pub(super) fn add(&mut self, item: ItemNumber, fragments: &[PendingFragment]) {
        if fragments.is_empty() {
            return;
        }
        for fragment in fragments {
            let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            let number = *self.numbers.entry(*fragment).or_insert(next);
            self.of_items.push(number);
        }
        self.items.push((item, self.of_items.len()));
    }

    /// Returns the files that should have the fragments; some of them several times.
    pub(super) fn files(&self) -> impl Iterator<Item = FileNumber> {
        self.numbers.keys().map(|fragment| fragment.file)
    }

    /// Looks all fragments up, now that the anchors of all files are known, and calls `found` for each
    /// fragment of each item. Returns the missing ones, each once.
    pub(super) fn resolve(
        self,
        anchors: &AnchorIndex,
        mut found: impl FnMut(ItemNumber, FragmentStatus),
    ) -> Vec<PendingFragment> {
        let mut missing = Vec::new();
        let mut results = vec![FragmentStatus::Unknown; self.numbers.len()];
        for (fragment, number) in self.numbers {
            if let Some(result) = results.get_mut(number as usize) {
                *result = anchors.find(&fragment);
                if *result == FragmentStatus::Missing {
                    missing.push(fragment);
                }
            }
        }
        let mut start = 0;
        for (item, end) in self.items {
            for number in self.of_items.get(start..end).unwrap_or_default() {
                if let Some(result) = results.get(*number as usize) {
                    found(item, *result);
                }
            }
            start = end;
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment_shapes::FragmentTarget;

    #[test]
    fn fragments_are_found_in_their_file_or_after_its_redirects() {
        let index = AnchorIndex::new(5);
        let anchors = |names: &[&str]| names.iter().collect::<Anchors>();
        let rows = FragmentShapes::of_target(FragmentTarget::Html, ["rustdoc"]);
        index.set(0, FileAnchors::new(&anchors(&["a", "b c"]), rows, None));
        let rows = FragmentShapes::of_target(FragmentTarget::Html, []);
        index.set(1, FileAnchors::new(&anchors(&[]), rows, Some(0)));
        index.set(2, FileAnchors::new(&anchors(&["x"]), rows, Some(3)));
        let rows = FragmentShapes::of_target(FragmentTarget::Html, ["github"]);
        index.set(4, FileAnchors::new(&anchors(&["set-up"]), rows, None));
        for (file, fragment, expected) in [
            (0, "a", "anchor"),
            (0, "b%20c", "anchor"),
            (0, "A", "nothing"),
            (0, "1-2", "script"),
            (1, "a", "redirect"),
            (1, "z", "nothing"),
            (1, "1-2", "nothing"),
            (2, "x", "anchor"),
            (2, "a", "unknown"),
            (3, "a", "unknown"),
            (4, "Set-Up", "script"),
            (4, "user-content-set-up", "script"),
            (4, "Set", "nothing"),
            (4, "L7", "script"),
            (9, "a", "unknown"),
        ] {
            let wanted =
                PendingFragment::new(file, fragment, FragmentShapes::of_fragment(fragment));
            let found = match index.find(&wanted) {
                FragmentStatus::Anchor => "anchor",
                FragmentStatus::Scripted(FragmentShapes::REDIRECT) => "redirect",
                FragmentStatus::Scripted(_) => "script",
                FragmentStatus::Missing => "nothing",
                FragmentStatus::Unknown => "unknown",
            };
            assert_eq!(found, expected, "{file} {fragment}");
        }
    }

    #[test]
    fn other_ids_of_headings_have_their_letters() {
        let anchors: Anchors = ["get-started", "set_up-1", "größe"].into_iter().collect();
        let maker = AnchorMaker::of_headings("x", &anchors);
        for (fragment, expected) in [
            ("getStarted", true),
            ("get_started-2", true),
            ("setup", true),
            ("Gr%C3%B6%C3%9Fe", true),
            ("started", false),
            ("get-start", false),
        ] {
            assert_eq!(maker.makes(fragment).is_some(), expected, "{fragment}");
        }
        assert!(AnchorMaker::of_any("x").makes("started").is_some());
    }

    #[test]
    fn each_fragment_of_each_item_has_its_result() {
        let wanted = |file, name| PendingFragment::new(file, name, FragmentShapes::NONE);
        let mut pending = PendingFragments::default();
        pending.add(7, &[wanted(0, "a"), wanted(0, "b"), wanted(0, "a")]);
        pending.add(8, &[]);
        pending.add(9, &[wanted(0, "b"), wanted(1, "a")]);
        let anchors = AnchorIndex::new(2);
        let names: Anchors = ["a"].into_iter().collect();
        anchors.set(0, FileAnchors::new(&names, FragmentShapes::NONE, None));
        let mut results = Vec::new();
        let missing = pending.resolve(&anchors, |item, status| results.push((item, status)));
        assert_eq!(missing, [wanted(0, "b")]);
        use FragmentStatus::{Anchor, Missing, Unknown};
        assert_eq!(results, [(7, Anchor), (7, Missing), (7, Anchor), (9, Missing), (9, Unknown)]);
    }
}
