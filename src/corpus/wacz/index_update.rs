//! Updates indexes of archives: the offset, length and digests of each record.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::json::{Edits, Members, number_like, string};
use super::records::ChangedArchive;
use super::{BUFFER, IndexError};
use crate::warc::cdx::{CdxError, Columns, next_line};
use crate::warc::digest::DigestFormat;
use crate::warc::gzip::{self, Members as GzipMembers};
use crate::warc::source::{ArchiveReader, read_range};

/// The members of CDXJ lines that are digests of the record; `recordDigest` is of py-wacz.
const DIGESTS: [&str; 2] = ["digest", "recordDigest"];

/// Updates the indexes of a WACZ file.
pub(super) struct Updater {
    /// The rewritten archives.
    pub(super) archives: Vec<ChangedArchive>,
    /// The number of digests that were not those of their records, and were not updated.
    pub(super) wrong_digests: usize,
}

/// A block of a compressed index: a gzip member, before and after the update.
pub(super) struct Block {
    pub(super) old: Range<u64>,
    pub(super) new: Range<u64>,
}

/// An updated index.
pub(super) struct Updated {
    pub(super) file: File,
    /// Its gzip members, if it is compressed.
    pub(super) blocks: Vec<Block>,
}

/// The position in an index, for errors, and the columns of its lines.
#[derive(Default)]
struct Position {
    line: usize,
    columns: Columns,
}

impl Updater {
    /// Updates the index `old`, compressed or not. Compressed parts without changes keep their bytes.
    ///
    /// # Errors
    /// When a line is malformed, refers to no record, or cannot be read.
    pub(super) fn index(&mut self, mut old: ArchiveReader) -> Result<Updated, IndexError> {
        let file = tempfile::tempfile()?;
        let mut out = BufWriter::with_capacity(BUFFER, file);
        let mut position = Position::default();
        let mut blocks = Vec::new();
        if !old.fill_buf()?.starts_with(&gzip::MAGIC) {
            self.lines(&mut old, &mut out, &mut position)?;
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            return Ok(Updated { file, blocks });
        }
        let mut members = GzipMembers::new(old);
        let mut start = 0;
        loop {
            let from = members.position()?;
            if !members.begin()? {
                break;
            }
            let mut encoder = GzEncoder::new(&mut out, Compression::default());
            let mut lines = BufReader::new(Member(&mut members));
            let is_changed = self.lines(&mut lines, &mut encoder, &mut position)?;
            encoder.finish()?;
            let range = from..members.position()?;
            if !is_changed {
                out.flush()?;
                out.get_mut().set_len(start)?;
                out.seek(SeekFrom::Start(start))?;
                let bytes = members.file()?;
                bytes.seek(SeekFrom::Start(range.start))?;
                io::copy(&mut bytes.take(range.end - range.start), &mut out)?;
            }
            let end = out.stream_position()?;
            blocks.push(Block {
                old: range,
                new: start..end,
            });
            start = end;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Updated { file, blocks })
    }

    /// Updates the lines of `old`. Returns whether any changed.
    fn lines(
        &mut self,
        old: &mut impl BufRead,
        out: &mut impl Write,
        position: &mut Position,
    ) -> Result<bool, IndexError> {
        let (mut bytes, mut is_changed) = (Vec::new(), false);
        loop {
            position.line += 1;
            if !next_line(old, position.line, &mut bytes)? {
                position.line -= 1;
                return Ok(is_changed);
            }
            match self.line(&bytes, position)? {
                Some(line) => {
                    is_changed = true;
                    out.write_all(line.as_bytes())?;
                }
                None => out.write_all(&bytes)?,
            }
        }
    }

    /// The new text of a line; `None` if it does not change.
    fn line(&mut self, bytes: &[u8], at: &mut Position) -> Result<Option<String>, IndexError> {
        let malformed = || CdxError::NotALine { line: at.line };
        let text = std::str::from_utf8(bytes).map_err(|_| malformed())?;
        if let Some(names) = text.trim_start().strip_prefix("CDX ") {
            at.columns = Columns::of(names);
            return Ok(None);
        }
        if text.trim().is_empty() || text.starts_with('!') {
            return Ok(None);
        }
        let json = text.splitn(3, ' ').nth(2).filter(|it| it.starts_with('{'));
        let Some(json) = json else {
            return self.columns(text, at);
        };
        let fields: Members<'_> = serde_json::from_str(json).map_err(|_| malformed())?;
        let archive = fields.string("filename").ok_or_else(malformed)?;
        let Some(archive) = self.archive(&archive) else {
            return Ok(None);
        };
        let value = |name| fields.get(name);
        let (Some(offset), Some(old_offset)) = (fields.number("offset"), value("offset")) else {
            return Err(malformed().into());
        };
        let mut edits = Edits::new(text);
        let places = archive.at(offset, at.line)?;
        edits.replace(old_offset, number_like(old_offset, places.new.start));
        if let (Some(length), Some(old)) = (fields.number("length"), value("length")) {
            edits.replace(old, number_like(old, places.length(length)));
        }
        if places.is_changed {
            let versions = archive.versions(&places)?;
            for name in DIGESTS {
                if let (Some(old), Some(digest)) = (value(name), fields.string(name)) {
                    match versions.digest(&digest) {
                        Some(new) => edits.replace(old, string(&new)),
                        None => self.wrong_digests += 1,
                    }
                }
            }
        }
        Ok(edits.finish())
    }

    /// The new text of a line with columns.
    fn columns(&mut self, text: &str, at: &Position) -> Result<Option<String>, IndexError> {
        let malformed = || CdxError::NotALine { line: at.line };
        let value = |column: Option<usize>| text.split_whitespace().nth(column?);
        let archive = value(at.columns.archive).ok_or_else(malformed)?;
        let Some(archive) = self.archive(archive) else {
            return Ok(None);
        };
        let old_offset = value(at.columns.offset).ok_or_else(malformed)?;
        let offset = old_offset.parse().map_err(|_| malformed())?;
        let places = archive.at(offset, at.line)?;
        let mut edits = Edits::new(text);
        edits.replace(old_offset, places.new.start.to_string());
        if let Some(old) = value(at.columns.length)
            && let Ok(length) = old.parse()
        {
            edits.replace(old, places.length(length).to_string());
        }
        if places.is_changed
            && let Some(old) = value(at.columns.digest).filter(|it| *it != "-")
        {
            match archive.versions(&places)?.digest(old) {
                Some(new) => edits.replace(old, new),
                None => self.wrong_digests += 1,
            }
        }
        Ok(edits.finish())
    }

    /// The rewritten archive that an index calls `name`; `None` if that archive did not change.
    fn archive(&mut self, name: &str) -> Option<&mut ChangedArchive> {
        self.archives.iter_mut().find(|it| it.is_named(name))
    }

    /// Updates an index of the blocks of compressed indexes (`.idx`). `compressed`: those indexes, each with its name, its
    /// old bytes and its new ones.
    ///
    /// # Errors
    /// When a line is malformed or refers to no block, or a file cannot be read.
    pub(super) fn blocks(
        &mut self,
        mut old: ArchiveReader,
        compressed: &mut [(String, ArchiveReader, Updated)],
    ) -> Result<File, IndexError> {
        let mut out = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
        let (mut bytes, mut line, mut index) = (Vec::new(), 0, None);
        loop {
            line += 1;
            if !next_line(&mut old, line, &mut bytes)? {
                return Ok(out.into_inner().map_err(io::IntoInnerError::into_error)?);
            }
            let malformed = || CdxError::NotALine { line };
            let text = std::str::from_utf8(&bytes).map_err(|_| malformed())?;
            if text.trim().is_empty() {
                out.write_all(&bytes)?;
                continue;
            }
            let json = text.find(" {").and_then(|at| text.get(at + 1..));
            let fields = json.and_then(|json| serde_json::from_str::<Members<'_>>(json).ok());
            let fields = fields.ok_or_else(malformed)?;
            index = fields.string("filename").or(index);
            if text.starts_with('!') {
                out.write_all(&bytes)?;
                continue;
            }
            let found = match &index {
                Some(name) => compressed
                    .iter_mut()
                    .find(|(entry, ..)| entry == name || entry.rsplit('/').next() == Some(&**name)),
                None => compressed.first_mut(),
            };
            let (offset, value) = (fields.number("offset"), fields.get("offset"));
            let (Some((_, before, after)), Some(offset), Some(value)) = (found, offset, value)
            else {
                return Err(malformed().into());
            };
            let block = after.blocks.iter().find(|it| it.old.start == offset);
            let block = block.ok_or(IndexError::NoBlock { line, offset })?;
            let mut edits = Edits::new(text);
            edits.replace(value, number_like(value, block.new.start));
            if let Some(value) = fields.get("length") {
                let length = block.new.end - block.new.start;
                edits.replace(value, number_like(value, length));
            }
            if let (Some(value), Some(digest)) = (fields.get("digest"), fields.string("digest")) {
                let before = read_range(before, &block.old)?;
                let after = read_range(&mut after.file, &block.new)?;
                match DigestFormat::of(&digest, &before) {
                    Some(format) => edits.replace(value, string(&format.value(&after))),
                    None => self.wrong_digests += 1,
                }
            }
            let line = edits.finish();
            out.write_all(line.as_ref().map_or(&*bytes, |line| line.as_bytes()))?;
        }
    }
}

/// The decompressed bytes of one gzip member.
struct Member<'m>(&'m mut GzipMembers<ArchiveReader>);

impl Read for Member<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room)
    }
}
