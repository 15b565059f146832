//! The records of several archives, one archive after the other: those of a WACZ file, or of one archive.

use std::vec;

use super::error::ArchiveError;
use super::record::{Format, Piece, RecordHeader, Records};
use super::source::{ArchiveReader, ArchiveSource};

/// Reads archives one after the other. Their records are numbered through.
#[derive(Debug)]
pub struct ArchiveSequence {
    left: vec::IntoIter<ArchiveSource>,
    makes_members: bool,
    open: Option<Records<ArchiveReader>>,
    /// The number of records in the archives before the open one.
    before: usize,
}

/// A part of several archives.
#[derive(Debug)]
pub enum Step {
    /// The start of the next archive.
    Archive(ArchiveSource, Format),
    /// A part of the archive that began last.
    Piece(Piece),
}

impl ArchiveSequence {
    /// Returns the sequence of `archives`. For `makes_members` see [`Records::new`].
    pub fn new(archives: Vec<ArchiveSource>, makes_members: bool) -> ArchiveSequence {
        ArchiveSequence { left: archives.into_iter(), makes_members, open: None, before: 0 }
    }

    /// Returns the name of the zip entry that is being read; `None` between archives, and if the archive is a file of
    /// its own.
    pub fn entry_name(&self) -> Option<&str> {
        self.open.as_ref()?.entry_name()
    }

    /// Returns the number of records that were begun.
    pub fn count(&self) -> usize {
        self.before + self.open.as_ref().map_or(0, Records::count)
    }

    /// Reads the next part; `None` at the end of the last archive. `is_wanted` as for [`Records::next_piece`].
    ///
    /// # Errors
    /// Returns an error if an archive is damaged or cannot be read. The next call continues with the archive after it.
    pub fn next(
        &mut self,
        mut is_wanted: impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Step>, ArchiveError> {
        let before = self.before;
        if let Some(records) = &mut self.open {
            let piece =
                records.next_piece(|number, head, start| is_wanted(before + number, head, start));
            if let Ok(Some(mut piece)) = piece {
                if let Piece::Record(record) = &mut piece {
                    record.number += before;
                }
                return Ok(Some(Step::Piece(piece)));
            }
            // After damage, the next records of the archive cannot be found.
            self.before += records.count();
            self.open = None;
            piece?;
        }
        let Some(source) = self.left.next() else { return Ok(None) };
        let records = Records::open(&source, self.makes_members)?;
        let format = records.format();
        self.open = Some(records);
        Ok(Some(Step::Archive(source, format)))
    }
}
