//! The links in all sources that may be the sources of findings.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::finding::SourcePlace;
use super::block::Link;
use super::key::key;
use super::matching::is_sentence;
use super::place::Place;
use super::text;
use super::tree::SourceTree;
use crate::document::{Position, Positions};

/// A link in a source.
#[derive(Debug)]
struct SourceLink {
    /// The number of its file.
    file: usize,
    link: Link,
    position: Position,
    /// The number of its characters.
    width: u32,
}

/// The links in all sources that have a wanted key, in the order of the files and of their text.
#[derive(Debug, Default)]
pub(super) struct SourceLinks {
    links: Vec<SourceLink>,
    by_key: FxHashMap<Box<str>, Vec<usize>>,
    /// By the block, if it is a sentence.
    by_sentence: FxHashMap<Arc<str>, Vec<usize>>,
}

impl SourceLinks {
    /// Reads all files of `tree`, one at a time.
    pub(super) fn read(tree: &SourceTree, wanted: &FxHashSet<Box<str>>) -> SourceLinks {
        let mut found = SourceLinks::default();
        for (file, path) in tree.paths.iter().enumerate() {
            if let Some((text, syntax)) = tree.read(path) {
                found.add(
                    file,
                    &text,
                    text::links(&text, syntax, |it| wanted.contains(&key(it))),
                );
            }
        }
        found
    }

    fn add(&mut self, file: usize, text: &str, links: Vec<Link>) {
        let mut positions = Positions::new(text.as_bytes());
        for link in links {
            let reference = text.get(link.reference.clone()).unwrap_or_default();
            let number = self.links.len();
            self.by_key.entry(key(reference)).or_default().push(number);
            if is_sentence(&link) {
                self.by_sentence
                    .entry(Arc::clone(&link.block))
                    .or_default()
                    .push(number);
            }
            self.links.push(SourceLink {
                file,
                position: positions.of(link.reference.start),
                width: u32::try_from(reference.chars().count()).unwrap_or(0),
                link,
            });
        }
    }

    /// Whether no source has a link of a wanted key.
    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Whether a source has a link of this key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.by_key.contains_key(key)
    }

    /// The numbers of the links of one key.
    pub(super) fn of_key(&self, key: &str) -> &[usize] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the links of one key in one file.
    pub(super) fn of_file(&self, key: &str, file: usize) -> &[usize] {
        let all = self.of_key(key);
        let before = |least: usize| all.partition_point(|number| self.file(*number) < least);
        let range: Range<usize> = before(file)..before(file + 1);
        all.get(range).unwrap_or_default()
    }

    /// The numbers of the links of one key in the content of blocks with the text `sentence`.
    pub(super) fn of_sentence(&self, key: &str, sentence: &str) -> Vec<usize> {
        let all = self
            .by_sentence
            .get(sentence)
            .map_or(&[][..], Vec::as_slice);
        let of_key = self.of_key(key);
        let all = all.iter().copied();
        all.filter(|number| of_key.binary_search(number).is_ok())
            .collect()
    }

    /// The file of the link `number`.
    pub(super) fn file(&self, number: usize) -> usize {
        self.links.get(number).map_or(usize::MAX, |link| link.file)
    }

    pub(super) fn link(&self, number: usize) -> Option<&Link> {
        self.links.get(number).map(|it| &it.link)
    }

    /// A place as reports show it.
    pub(super) fn place(&self, place: Place, tree: &SourceTree) -> SourcePlace {
        let (file, link) = match place {
            Place::Link(number) => (self.file(number), self.links.get(number)),
            Place::File(file) => (file, None),
        };
        SourcePlace {
            path: tree.shown(tree.paths.get(file).map_or("", String::as_str)),
            position: link.map(|link| link.position),
            width: link.map_or(0, |link| link.width),
        }
    }
}
