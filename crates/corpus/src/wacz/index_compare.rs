//! Compares the indexes of two WACZ files: each line must lead to the counterpart of the record that it led to.

use super::index_lines::{BlockLine, BlockLines, IndexLine, IndexLines};
use super::json::without;
use super::records::ChangedArchives;
use super::{in_after, in_before};
use crate::container::Places;
use crate::warc::cdx::Columns;
use crate::warc::source::read_range;
use crate::warc::{ArchiveReader, DigestFormat};

const MALFORMED: &str = "the line is not valid in a CDX or CDXJ index";
const OTHERWISE: &str = "the line differs in more than the place and the digests of its record";
const OFFSET: &str = "the offset points to a different record than in the old tree";
const LENGTH: &str = "the length does not match the record";
const DIGEST: &str = "the digest does not match the record";
const WRONG_DIGEST: &str = "the digest was wrong in the old tree, and differs";

/// Takes a difference: the line and a message.
type Report<'r> = dyn FnMut(usize, &str) + 'r;

/// Compares indexes.
pub(super) struct Indexes {
    /// The archives that changed.
    archives: ChangedArchives,
    /// The compressed indexes that were compared.
    pub(super) compressed: Vec<ComparedIndex>,
}

/// A compressed index, in BEFORE and AFTER.
pub(super) struct ComparedIndex {
    /// The name of its entry.
    pub(super) name: String,
    pub(super) files: [ArchiveReader; 2],
    pub(super) blocks: Vec<Places>,
}

impl Indexes {
    pub(super) fn new(archives: ChangedArchives) -> Indexes {
        Indexes { archives, compressed: Vec::new() }
    }

    /// Compares an index of records line by line. Returns its blocks, if it is compressed.
    ///
    /// # Errors
    /// Returns an error if the index cannot be compared further.
    pub(super) fn compare(
        &mut self,
        [old, new]: [ArchiveReader; 2],
        report: &mut Report<'_>,
    ) -> Result<Vec<Places>, String> {
        let mut old = IndexLines::new(old).map_err(in_before)?;
        let mut new = IndexLines::new(new).map_err(in_after)?;
        let (mut texts, mut columns) = ([Vec::new(), Vec::new()], [Columns::default(); 2]);
        let mut blocks = Vec::new();
        loop {
            let more = [old.next_block().map_err(in_before)?, new.next_block().map_err(in_after)?];
            match more {
                [true, true] => {}
                [false, false] => return Ok(blocks),
                [has_more, _] => return Err(differs_in_number(has_more, "compressed blocks")),
            }
            loop {
                let more = [
                    old.next_line(&mut texts[0]).map_err(in_before)?,
                    new.next_line(&mut texts[1]).map_err(in_after)?,
                ];
                match more {
                    [true, true] => {}
                    [false, false] => break,
                    [has_more, _] => return Err(differs_in_number(has_more, "lines")),
                }
                if let Err(message) = self.line(&texts, new.number, &mut columns) {
                    report(new.number, &message);
                }
            }
            if old.is_compressed() {
                let old = old.block().map_err(in_before)?;
                let new = new.block().map_err(in_after)?;
                blocks.push(Places { old, new, is_changed: true });
            }
        }
    }

    /// Compares a line. The error is the difference.
    fn line(
        &mut self,
        [old_text, new_text]: &[Vec<u8>; 2],
        number: usize,
        [old_columns, new_columns]: &mut [Columns; 2],
    ) -> Result<(), String> {
        let in_before = |message: &str| format!("{message} in the old tree");
        let old = IndexLine::parse(old_text, number, old_columns);
        let old = old.map_err(|_| in_before(MALFORMED))?;
        let new = IndexLine::parse(new_text, number, new_columns).map_err(|_| MALFORMED)?;
        let (Some(old), Some(new)) = (old, new) else { return same(old_text, new_text, OTHERWISE) };
        let texts = [old_text, new_text].map(|it| std::str::from_utf8(it).unwrap_or_default());
        if without(texts[0], old.changing()) != without(texts[1], new.changing())
            || old.digests.len() != new.digests.len()
        {
            return Err(OTHERWISE.to_owned());
        }
        let record = self.archives.record(&old);
        let record = record.map_err(|_| in_before("no record begins at the offset"))?;
        let Some(record) = record else {
            return same(old_text, new_text, "the line differs, although its archive is the same");
        };
        let places = &record.places;
        let offset = new.offset().map_err(|_| MALFORMED)?;
        same(&offset.value, &places.new.start, OFFSET)?;
        let length = |line: &IndexLine<'_>| Some(line.length.as_ref()?.value);
        let expected = length(&old).map(|it| places.length(it));
        same(&length(&new), &expected, LENGTH)?;
        if !places.is_changed || old.digests.is_empty() {
            let mut pairs = old.digests.iter().zip(&new.digests);
            return if pairs.all(|(old, new)| old.value == new.value) {
                Ok(())
            } else {
                Err(DIGEST.to_owned())
            };
        }
        let versions = self.archives.versions(&record).map_err(in_after)?;
        for (old, new) in old.digests.iter().zip(&new.digests) {
            match versions.digest(&old.value) {
                Some(expected) => same(&new.value, &expected, DIGEST)?,
                None => same(&new.value, &old.value, WRONG_DIGEST)?,
            }
        }
        Ok(())
    }

    /// Compares an index of the blocks of compressed indexes.
    ///
    /// # Errors
    /// Returns an error if the index cannot be compared further.
    pub(super) fn compare_blocks(
        &mut self,
        [old, new]: [ArchiveReader; 2],
        report: &mut Report<'_>,
    ) -> Result<(), String> {
        let (mut old, mut new) = (BlockLines::new(old), BlockLines::new(new));
        loop {
            let old = old.next().map_err(in_before)?;
            let number = new.number + 1;
            let new = new.next().map_err(in_after)?;
            let compared = match (old, new) {
                (None, None) => return Ok(()),
                (Some(_), None) => return Err(differs_in_number(true, "lines")),
                (None, Some(_)) => return Err(differs_in_number(false, "lines")),
                (Some((old_text, Some(old))), Some((new_text, Some(new)))) => {
                    let without =
                        [without(old_text, old.changing()), without(new_text, new.changing())];
                    if without[0] == without[1] {
                        self.block(&old, &new)
                    } else {
                        Err(OTHERWISE.to_owned())
                    }
                }
                (Some((old, _)), Some((new, _))) => same(old, new, OTHERWISE),
            };
            if let Err(message) = compared {
                report(number, &message);
            }
        }
    }

    /// Compares a line of an index of blocks. The error is the difference.
    fn block(&mut self, old: &BlockLine<'_>, new: &BlockLine<'_>) -> Result<(), String> {
        let mut compressed = self.compressed.iter_mut();
        let index = compressed.find(|it| old.is_in(&it.name));
        let index = index.ok_or("the line points to no compressed index in the old tree")?;
        let block = Places::starting_at(&index.blocks, old.offset.value);
        let (_, block) =
            block.ok_or("in the old tree, no block begins at the offset of this line")?;
        same(
            &new.offset.value,
            &block.new.start,
            "the offset points to a different block than in the old tree",
        )?;
        let length = new.length.as_ref().map(|it| it.value);
        if length.is_some_and(|it| it != block.new.end - block.new.start) {
            return Err("the length does not match the block".to_owned());
        }
        let line = old.line;
        let (Some(old), Some(new)) = (&old.digest, &new.digest) else { return Ok(()) };
        let reread = self.archives.reread(block.old.end - block.old.start, line);
        reread.map_err(in_after)?;
        let [before, after] = &mut index.files;
        let before = read_range(before, &block.old).map_err(in_before)?;
        let after = read_range(after, &block.new).map_err(in_after)?;
        match DigestFormat::of(&old.value, &before) {
            Some(format) => {
                let expected = format.value(&after);
                same(&new.value, &expected, "the digest does not match the block")
            }
            None => same(&new.value, &old.value, WRONG_DIGEST),
        }
    }
}

/// The difference `message` unless both are the same.
fn same<T: PartialEq + ?Sized>(one: &T, other: &T, message: &str) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(message.to_owned()) }
}

/// The difference of an index with another number of lines or blocks. `has_more`: BEFORE has more.
fn differs_in_number(has_more: bool, of: &str) -> String {
    format!("the index has {} {of} than in the old tree", if has_more { "fewer" } else { "more" })
}
