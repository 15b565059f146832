//! Updates indexes of archives: the offset, length and digests of each record.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::BUFFER;
use super::index_lines::{BlockLines, IndexLine, IndexLines};
use super::json::Edits;
use super::records::ChangedArchives;
use crate::ContainerError;
use crate::container::Places;
use crate::temporary::TemporaryFile;
use crate::warc::cdx::{Columns, not_a_line};
use crate::warc::source::read_range;
use crate::warc::{ArchiveReader, DigestFormat};

/// Updates the indexes of a WACZ file.
pub(super) struct Updater {
    /// The rewritten archives.
    pub(super) archives: ChangedArchives,
    /// The number of digests that were not those of their records, and were not updated.
    pub(super) wrong_digests: usize,
}

/// An updated index.
pub(super) struct Updated {
    pub(super) file: File,
    /// The gzip members, if it is compressed.
    pub(super) blocks: Vec<Places>,
}

impl Updater {
    /// Updates the index `old`, compressed or not. Compressed parts without changes keep their bytes.
    ///
    /// # Errors
    /// Returns an error if a line is malformed, refers to no record, or cannot be read.
    pub(super) fn index(&mut self, old: ArchiveReader) -> Result<Updated, ContainerError> {
        let mut out = BufWriter::with_capacity(BUFFER, TemporaryFile::new()?);
        let mut columns = Columns::default();
        let mut lines = IndexLines::new(old)?;
        let mut blocks = Vec::new();
        let mut start = 0;
        while lines.next_block()? {
            if !lines.is_compressed() {
                self.lines(&mut lines, &mut out, &mut columns)?;
                continue;
            }
            let mut encoder = GzEncoder::new(&mut out, Compression::default());
            let is_changed = self.lines(&mut lines, &mut encoder, &mut columns)?;
            encoder.finish()?;
            let old = lines.block()?;
            if let (false, Some(bytes)) = (is_changed, lines.file()?) {
                out.flush()?;
                out.get_mut().set_len(start)?;
                out.seek(SeekFrom::Start(start))?;
                bytes.seek(SeekFrom::Start(old.start))?;
                io::copy(&mut bytes.take(old.end - old.start), &mut out)?;
            }
            let new = start..out.stream_position()?;
            start = new.end;
            blocks.push(Places { old, new, is_changed });
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Updated { file: file.into_file(), blocks })
    }

    /// Updates the lines of a block. Returns whether any changed.
    fn lines(
        &mut self,
        old: &mut IndexLines,
        out: &mut impl Write,
        columns: &mut Columns,
    ) -> Result<bool, ContainerError> {
        let (mut bytes, mut is_changed) = (Vec::new(), false);
        while old.next_line(&mut bytes)? {
            match self.line(&bytes, old.number, columns)? {
                Some(line) => {
                    is_changed = true;
                    out.write_all(line.as_bytes())?;
                }
                None => out.write_all(&bytes)?,
            }
        }
        Ok(is_changed)
    }

    /// The new text of the line `bytes` with the number `number`; `None` if it does not change.
    fn line(
        &mut self,
        bytes: &[u8],
        number: usize,
        columns: &mut Columns,
    ) -> Result<Option<String>, ContainerError> {
        let Some(line) = IndexLine::parse(bytes, number, columns)? else { return Ok(None) };
        let Some(record) = self.archives.record(&line)? else { return Ok(None) };
        let (offset, places) = (line.offset()?, &record.places);
        let mut edits = Edits::new(std::str::from_utf8(bytes).unwrap_or_default());
        edits.replace(offset.text, offset.spell(places.new.start));
        if let Some(length) = &line.length {
            let new = places.length(length.value);
            edits.replace(length.text, length.spell(new));
        }
        if places.is_changed && !line.digests.is_empty() {
            let versions = self.archives.versions(&record)?;
            for digest in &line.digests {
                match versions.digest(&digest.value) {
                    Some(new) => edits.replace(digest.text, digest.spell(&new)),
                    None => self.wrong_digests += 1,
                }
            }
        }
        Ok(edits.finish())
    }

    /// Updates an index of the blocks of compressed indexes (`.idx`). `compressed`: those indexes, each with its name, its
    /// old bytes and its new ones.
    ///
    /// # Errors
    /// Returns an error if a line is malformed or refers to no block, or a file cannot be read.
    pub(super) fn blocks(
        &mut self,
        old: ArchiveReader,
        compressed: &mut [(String, ArchiveReader, Updated)],
    ) -> Result<File, ContainerError> {
        let mut out = BufWriter::with_capacity(BUFFER, TemporaryFile::new()?);
        let mut lines = BlockLines::new(old);
        while let Some((text, reference)) = lines.next()? {
            let Some(block) = reference else {
                out.write_all(text.as_bytes())?;
                continue;
            };
            let found = compressed.iter_mut().find(|(entry, ..)| block.is_in(entry));
            let (_, before, after) = found.ok_or_else(|| not_a_line(block.line))?;
            let part = Places::starting_at(&after.blocks, block.offset.value);
            let (_, part) = part.ok_or_else(|| {
                let (line, offset) = (block.line, block.offset.value);
                ContainerError::Other(format!(
                    "line {line}: no gzip member begins at byte {offset} of the compressed index"
                ))
            })?;
            let mut edits = Edits::new(text);
            edits.replace(block.offset.text, block.offset.spell(part.new.start));
            if let Some(length) = &block.length {
                edits.replace(length.text, length.spell(part.new.end - part.new.start));
            }
            if let Some(digest) = &block.digest {
                self.archives.reread(part.old.end - part.old.start, block.line)?;
                let before = read_range(before, &part.old)?;
                let after = read_range(&mut after.file, &part.new)?;
                match DigestFormat::of(&digest.value, &before) {
                    Some(format) => {
                        edits.replace(digest.text, digest.spell(format.value(&after)));
                    }
                    None => self.wrong_digests += 1,
                }
            }
            let line = edits.finish();
            out.write_all(line.as_deref().unwrap_or(text).as_bytes())?;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(file.into_file())
    }
}
