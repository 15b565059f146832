//! The lines of indexes.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::Range;

use super::json::{Members, Value};
use super::{BUFFER, unreadable};
use crate::ContainerError;
use crate::coding::Sizes;
use crate::warc::ArchiveReader;
use crate::warc::cdx::{Columns, LineFields, next_line, not_a_line};
use crate::warc::gzip::{self, Members as GzipMembers};

/// The members of CDXJ lines that are digests of the record; `recordDigest` is of py-wacz.
const DIGESTS: [&str; 2] = ["digest", "recordDigest"];

/// Reads the lines of an index, compressed or not, in blocks: the gzip members, or the whole file.
pub(super) struct IndexLines {
    source: Source,
    /// The bytes of the file that hold the block; the end is known after its last line.
    block: Range<u64>,
    /// The number of the latest line, from 1.
    pub(super) number: usize,
    /// The size of the file, and that of the lines so far.
    sizes: Sizes,
}

enum Source {
    /// Whether the only block has begun.
    Plain(ArchiveReader, bool),
    Gzip(BufReader<GzipMembers<ArchiveReader>>),
}

impl IndexLines {
    /// Reads `file` from its start.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(super) fn new(mut file: ArchiveReader) -> io::Result<IndexLines> {
        let encoded = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let source = if file.fill_buf()?.starts_with(&gzip::MAGIC) {
            Source::Gzip(BufReader::with_capacity(BUFFER, GzipMembers::new(file)))
        } else {
            Source::Plain(file, false)
        };
        Ok(IndexLines { source, block: 0..0, number: 0, sizes: Sizes { encoded, decoded: 0 } })
    }

    pub(super) fn is_compressed(&self) -> bool {
        matches!(self.source, Source::Gzip(_))
    }

    /// Begins the next block, after the last line of the one before. Returns `false` at the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(super) fn next_block(&mut self) -> io::Result<bool> {
        match &mut self.source {
            Source::Plain(_, has_begun) => Ok(!std::mem::replace(has_begun, true)),
            Source::Gzip(members) => {
                let members = members.get_mut();
                self.block = members.position()?..0;
                members.begin()
            }
        }
    }

    /// Reads the next line of the block with its line end into `text`. Returns `false` at the end of the block.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the line is too long.
    pub(super) fn next_line(&mut self, text: &mut Vec<u8>) -> Result<bool, ContainerError> {
        let number = self.number + 1;
        let is_line = match &mut self.source {
            Source::Plain(file, _) => next_line(file, number, text)?,
            Source::Gzip(members) => next_line(members, number, text)?,
        };
        self.number += usize::from(is_line);
        let size = u64::try_from(text.len()).unwrap_or_default();
        if self.sizes.add(0, size) { Ok(is_line) } else { Err(unreadable()) }
    }

    /// Returns the bytes of the file that hold the block whose lines were read.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(super) fn block(&mut self) -> io::Result<Range<u64>> {
        if let Source::Gzip(members) = &mut self.source {
            self.block.end = members.get_mut().position()?;
        }
        Ok(self.block.clone())
    }

    /// Returns the bytes of the compressed file; `None` for another. The next block is read from where they are left.
    pub(super) fn file(&mut self) -> io::Result<Option<&mut ArchiveReader>> {
        match &mut self.source {
            Source::Plain(..) => Ok(None),
            Source::Gzip(members) => members.get_mut().file().map(Some),
        }
    }
}

/// A line of an index that refers to a record.
pub(super) struct IndexLine<'t> {
    /// The number of the line, from 1.
    pub(super) number: usize,
    /// The archive, as the index names it.
    pub(super) archive: String,
    offset: Option<Value<'t, u64>>,
    pub(super) length: Option<Value<'t, u64>>,
    /// The digests of the record.
    pub(super) digests: Vec<Value<'t, String>>,
}

impl<'t> IndexLine<'t> {
    /// Parses the line `bytes` with the number `line`; `None` if it refers to no record. `columns`: those that an earlier
    /// line names.
    ///
    /// # Errors
    /// Returns an error if the line is malformed.
    pub(super) fn parse(
        bytes: &'t [u8],
        line: usize,
        columns: &mut Columns,
    ) -> Result<Option<IndexLine<'t>>, ContainerError> {
        let malformed = || not_a_line(line);
        let text = std::str::from_utf8(bytes).map_err(|_| malformed())?;
        let parsed = match columns.fields(text) {
            None => return Ok(None),
            Some(LineFields::Json(json)) => IndexLine::of_json(json, line),
            Some(LineFields::Columns(text)) => IndexLine::of_columns(text, line, columns),
        };
        parsed.ok_or_else(malformed).map(Some)
    }

    fn of_json(json: &'t str, number: usize) -> Option<IndexLine<'t>> {
        let fields: Members<'t> = serde_json::from_str(json).ok()?;
        let digests = DIGESTS.iter().filter_map(|name| fields.string_value(name));
        Some(IndexLine {
            number,
            archive: fields.string("filename")?,
            offset: fields.number_value("offset"),
            length: fields.number_value("length"),
            digests: digests.collect(),
        })
    }

    fn of_columns(line: &'t str, number: usize, columns: &Columns) -> Option<IndexLine<'t>> {
        let text = |column: Option<usize>| line.split_whitespace().nth(column?);
        let value = |column| {
            let text = text(column)?;
            let value = text.parse().ok()?;
            Some(Value { text, value })
        };
        let digest = text(columns.digest).filter(|it| *it != "-");
        Some(IndexLine {
            number,
            archive: text(columns.archive)?.to_owned(),
            offset: value(columns.offset),
            length: value(columns.length),
            digests: digest
                .map(|text| Value { text, value: text.to_owned() })
                .into_iter()
                .collect(),
        })
    }

    /// Returns the offset of the record in the archive.
    ///
    /// # Errors
    /// Returns an error if the line has none.
    pub(super) fn offset(&self) -> Result<&Value<'t, u64>, ContainerError> {
        self.offset.as_ref().ok_or_else(|| not_a_line(self.number))
    }

    /// Returns the texts that change with the record.
    pub(super) fn changing(&self) -> impl Iterator<Item = &'t str> {
        let numbers = self.offset.iter().chain(&self.length).map(|it| it.text);
        numbers.chain(self.digests.iter().map(|it| it.text))
    }
}

/// A line of an index of blocks.
pub(super) struct BlockLine<'t> {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// The compressed index, as the line or a line before it names it; `None` if there is only one.
    index: Option<String>,
    pub(super) offset: Value<'t, u64>,
    pub(super) length: Option<Value<'t, u64>>,
    /// The digest of the compressed block.
    pub(super) digest: Option<Value<'t, String>>,
}

impl<'t> BlockLine<'t> {
    /// Returns the texts that change with the block.
    pub(super) fn changing(&self) -> impl Iterator<Item = &'t str> {
        let digest = self.digest.iter().map(|it| it.text);
        let numbers = [&self.offset].into_iter().chain(&self.length);
        numbers.map(|it| it.text).chain(digest)
    }

    /// Returns true if `entry` is the compressed index that the line means: its path, or its name alone.
    pub(super) fn is_in(&self, entry: &str) -> bool {
        let is_named = |name: &str| entry == name || entry.rsplit('/').next() == Some(name);
        self.index.as_deref().is_none_or(is_named)
    }
}

/// Reads the lines of an index of blocks (`.idx`).
pub(super) struct BlockLines {
    file: ArchiveReader,
    bytes: Vec<u8>,
    /// The number of the latest line, from 1.
    pub(super) number: usize,
    /// The compressed index that the latest line with a name means.
    index: Option<String>,
}

impl BlockLines {
    /// Reads `file` from its start.
    pub(super) fn new(file: ArchiveReader) -> BlockLines {
        BlockLines { file, bytes: Vec::new(), number: 0, index: None }
    }

    /// Returns the next line, and what it says of a block; `None` for empty lines and those of metadata. `None` at the
    /// end.
    ///
    /// # Errors
    /// Returns an error if the line is malformed, or cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<(&str, Option<BlockLine<'_>>)>, ContainerError> {
        let line = self.number + 1;
        if !next_line(&mut self.file, line, &mut self.bytes)? {
            return Ok(None);
        }
        self.number = line;
        let malformed = || not_a_line(line);
        let text = std::str::from_utf8(&self.bytes).map_err(|_| malformed())?;
        if text.trim().is_empty() {
            return Ok(Some((text, None)));
        }
        let json = text.find(" {").and_then(|at| text.get(at + 1..));
        let fields = json.and_then(|json| serde_json::from_str::<Members<'_>>(json).ok());
        let fields = fields.ok_or_else(malformed)?;
        if let Some(name) = fields.string("filename") {
            self.index = Some(name);
        }
        if text.starts_with('!') {
            return Ok(Some((text, None)));
        }
        let block = BlockLine {
            line,
            index: self.index.clone(),
            offset: fields.number_value("offset").ok_or_else(malformed)?,
            length: fields.number_value("length"),
            digest: fields.string_value("digest"),
        };
        Ok(Some((text, Some(block))))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn an_index_that_is_compressed_too_far_is_an_error() {
        let index = gzip::member(&[b"one\ntwo\n"]).unwrap();
        let lines = |decoded: u64| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&index).unwrap();
            let mut lines = IndexLines::new(crate::warc::source::reader(file).unwrap()).unwrap();
            lines.sizes.decoded = decoded;
            lines.next_block().unwrap();
            lines
        };
        let mut text = Vec::new();
        assert!(lines(0).next_line(&mut text).unwrap());
        assert_eq!(text, b"one\n");
        let most = (16 << 20) + 100 * index.len() as u64;
        assert!(lines(most - 4).next_line(&mut text).is_ok());
        assert!(lines(most - 3).next_line(&mut text).is_err());
    }
}
