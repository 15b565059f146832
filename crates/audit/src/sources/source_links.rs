//! The links in all sources that may be the sources of findings.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::finding::SourcePlace;
use super::block::BlockLink;
use super::key::{agree, key, reference_directories};
use super::matching::is_sentence;
use super::text;
use super::tree::SourceTree;
use rehref_document::{Position, Positions};

/// A link in a source.
#[derive(Debug)]
pub(super) struct SourceLink {
    /// The number of its file.
    pub(super) file: usize,
    pub(super) link: BlockLink,
    /// The directories of its reference.
    directories: Vec<String>,
    position: Position,
    /// The number of its characters.
    width: u32,
}

impl SourceLink {
    /// Returns true if the directories of its reference are those of a link in a page.
    pub(super) fn agrees(&self, directories: &[String]) -> bool {
        agree(&self.directories, directories)
    }
}

/// A place in the sources.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkPlace<'s> {
    /// The number of the file.
    pub(super) file: usize,
    /// The link; `None` if the file holds it more than once.
    pub(super) link: Option<&'s SourceLink>,
}

impl LinkPlace<'_> {
    /// Returns the place as reports show it.
    pub(super) fn shown(self, tree: &SourceTree) -> SourcePlace {
        SourcePlace {
            path: tree.shown(tree.paths.get(self.file).map_or("", String::as_str)),
            position: self.link.map(|link| link.position),
            width: self.link.map_or(0, |link| link.width),
        }
    }
}

/// The number that `look_up` has for the block of `link`, if it is a sentence. It is asked once for the links of
/// a block, which may be as long as its file: `last` is the one before.
fn of_block(
    last: &mut Option<(Arc<str>, Option<usize>)>,
    link: &BlockLink,
    look_up: impl FnOnce(&Arc<str>) -> Option<usize>,
) -> Option<usize> {
    if let Some((block, number)) = last
        && Arc::ptr_eq(block, &link.block)
    {
        return *number;
    }
    let number = if is_sentence(link) { look_up(&link.block) } else { None };
    *last = Some((Arc::clone(&link.block), number));
    number
}

/// The links in all sources that have a wanted key, in the order of the files and of their text.
#[derive(Debug, Default)]
pub(super) struct SourceLinks {
    links: Vec<SourceLink>,
    by_key: FxHashMap<Box<str>, Vec<usize>>,
    /// The numbers of the blocks that are sentences, by their letters.
    sentences: FxHashMap<Arc<str>, usize>,
    /// By the number of the sentence and the key.
    by_sentence: FxHashMap<(usize, Box<str>), Vec<usize>>,
}

impl SourceLinks {
    /// Reads all files of `tree`, one at a time.
    pub(super) fn read(tree: &SourceTree, wanted: &FxHashSet<Box<str>>) -> SourceLinks {
        let mut found = SourceLinks::default();
        for (file, path) in tree.paths.iter().enumerate() {
            if let Some((text, syntax)) = tree.read(path) {
                found.add(file, &text, text::links(&text, syntax, |it| wanted.contains(&key(it))));
            }
        }
        found
    }

    fn add(&mut self, file: usize, text: &str, links: Vec<BlockLink>) {
        let mut positions = Positions::new(text.as_bytes());
        let mut last: Option<(Arc<str>, Option<usize>)> = None;
        for link in links {
            let reference = text.get(link.reference.clone()).unwrap_or_default();
            let number = self.links.len();
            let key = key(reference);
            let sentence = of_block(&mut last, &link, |block| {
                let next = self.sentences.len();
                Some(*self.sentences.entry(Arc::clone(block)).or_insert(next))
            });
            if let Some(sentence) = sentence {
                let of_sentence = self.by_sentence.entry((sentence, key.clone()));
                of_sentence.or_default().push(number);
            }
            self.by_key.entry(key).or_default().push(number);
            self.links.push(SourceLink {
                file,
                directories: reference_directories(reference),
                position: positions.of(link.reference.start),
                width: u32::try_from(reference.chars().count()).unwrap_or(0),
                link,
            });
        }
    }

    /// Returns true if no source has a link of a wanted key.
    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Returns true if a source has a link of this key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.by_key.contains_key(key)
    }

    /// The links with these numbers.
    fn numbered<'n>(&'n self, numbers: &'n [usize]) -> impl Iterator<Item = &'n SourceLink> {
        numbers.iter().filter_map(|number| self.links.get(*number))
    }

    /// Returns the links of one key in one file.
    pub(super) fn of_file(&self, key: &str, file: usize) -> impl Iterator<Item = &SourceLink> {
        let all = self.by_key.get(key).map_or(&[][..], Vec::as_slice);
        let file_of = |number: &usize| self.links.get(*number).map_or(usize::MAX, |it| it.file);
        let start = all.partition_point(|number| file_of(number) < file);
        let links = self.numbered(all.get(start..).unwrap_or_default());
        links.take_while(move |link| link.file == file)
    }

    /// For each of `links`, which are in the order of their text, the number of the sentence of a source that
    /// its block is.
    pub(super) fn sentences(&self, links: &[BlockLink]) -> Vec<Option<usize>> {
        let mut last = None;
        let sentence = |link| of_block(&mut last, link, |block| self.sentences.get(block).copied());
        links.iter().map(sentence).collect()
    }

    /// Returns the links of one key in the blocks that are the sentence of this number.
    pub(super) fn of_sentence(&self, key: &str, sentence: usize) -> Vec<&SourceLink> {
        let found = self.by_sentence.get(&(sentence, key.into()));
        self.numbered(found.map_or(&[], Vec::as_slice)).collect()
    }
}
