//! Copies parts of the old file or archive.

use std::io::{self, Read, SeekFrom, Write};
use std::ops::Range;

use crate::warc::source::ArchiveReader;

/// Copies ranges of the old file. Ranges that follow each other become one copy, made when the next
/// range does not follow, or at a flush.
pub(super) struct Copier {
    file: ArchiveReader,
    pending: Range<u64>,
}

impl Copier {
    pub(super) fn new(file: ArchiveReader) -> Copier {
        Copier { file, pending: 0..0 }
    }

    /// Copies `range` of the old file to `out`, now or at the next flush.
    pub(super) fn copy(&mut self, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        if self.pending.end == range.start {
            self.pending.end = range.end;
            return Ok(());
        }
        self.flush(out)?;
        self.pending = range;
        Ok(())
    }

    /// Writes what is pending to `out`.
    ///
    /// # Errors
    /// When reading or writing fails, or the old file ends within the range.
    pub(super) fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let pending = std::mem::replace(&mut self.pending, 0..0);
        let length = pending.end - pending.start;
        if length == 0 {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(pending.start))?;
        let copied = io::copy(&mut self.file.by_ref().take(length), out)?;
        if copied == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
