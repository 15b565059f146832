//! The records of an archive, one by one.
//!
//! A wanted record is read whole. Others are only byte ranges of the file, so that they can be copied
//! however large they are. The crates for WARC do not keep what this needs: `warc` has the headers in a
//! map, `fastwarc` without their white space, and neither returns the place of a compressed record.

mod header;
mod read_ahead;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Seek, Write};
use std::ops::Range;

use memchr::memmem;
use sha2::{Digest, Sha256};

pub use header::{RecordHeader, RecordKind};
pub use read_ahead::Format;
use read_ahead::ReadAhead;

use super::error::{ArchiveError, ArchiveErrorKind};
use super::gzip::{self, MemberWriter};
use super::source::{ArchiveReader, ArchiveSource};

/// A part of an archive, in the order of the file.
#[derive(Debug)]
pub enum Piece {
    /// A wanted record; from [`Records::hashing`], any record.
    Record(Record),
    /// The bytes of the file that hold unwanted records, and white space between records.
    Range(Range<u64>),
    /// A part of an unwanted record that shares its gzip member with others, compressed as a member of
    /// its own.
    Member(Vec<u8>),
}

/// A record.
#[derive(Debug)]
pub struct Record {
    /// The number in the archive, counted from 1.
    pub number: usize,
    /// The bytes in the file; `None` where it shares its gzip member with others, so that it must be
    /// compressed again even if it does not change.
    pub place: Option<Range<u64>>,
    /// The header.
    pub head: RecordHeader,
    /// The block: as many bytes as the header says; the SHA-256 digest of these if it is not whole.
    pub block: Vec<u8>,
    /// True if it is a wanted record. Others are from [`Records::hashing`].
    pub is_whole: bool,
    /// The line ends after the block.
    pub tail: Vec<u8>,
}

impl Record {
    /// Returns the bytes of the record in an archive of this format.
    ///
    /// # Errors
    /// Returns an error if the encoder fails, for lack of memory.
    pub fn write(&self, format: Format) -> io::Result<Vec<u8>> {
        let parts: [&[u8]; 3] = [self.head.bytes(), &self.block, &self.tail];
        match format {
            Format::Plain => Ok(parts.concat()),
            Format::Gzip => gzip::member(&parts),
        }
    }

    /// Returns the number of bytes of its header and its block.
    pub fn size(&self) -> usize {
        self.head.bytes().len() + self.block.len()
    }
}

/// The largest size of the header of a record, in bytes.
const HEADER_LIMIT: usize = 1 << 20;

/// The number of bytes of a block that decide whether the record is wanted. HTTP headers are rarely
/// longer.
const START: usize = 64 << 10;

/// The largest size of a [`Piece::Member`] in bytes, roughly.
const MEMBER_SIZE: usize = 1 << 20;

/// Reads the records of an archive.
#[derive(Debug)]
pub struct Records<R> {
    input: ReadAhead<R>,
    /// The name of the zip entry that is the archive, for errors.
    entry: Option<String>,
    /// The number of the latest record.
    number: usize,
    /// Whether the next byte is in that record, not after it.
    is_within: bool,
    /// The byte of the file at which that record begins, or the first gzip member that holds it.
    place: u64,
    /// The number of bytes that were decompressed before `place`.
    decoded: u64,
    /// Whether the gzip members from `place` on hold several records.
    is_shared: bool,
    /// Whether [`Piece::Member`]s are wanted.
    makes_members: bool,
    /// Whether the digests of unwanted records are wanted.
    makes_digests: bool,
    /// An unwanted record that is being compressed, and the number of bytes left of its block.
    compressing: Option<(u64, MemberWriter)>,
}

impl Records<ArchiveReader> {
    /// Opens the archive at `source`; see [`Records::new`].
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn open(source: &ArchiveSource, makes_members: bool) -> Result<Self, ArchiveError> {
        let reader = source.open().map_err(ArchiveError::unopened);
        let records = reader.and_then(|reader| Records::new(reader, makes_members));
        let mut records = records.map_err(|error| source.name_in(error))?;
        if let Some(entry) = &source.entry {
            // It may be compressed there once more.
            records.input.encoded = entry.range.end.saturating_sub(entry.range.start);
        }
        Ok(Records { entry: source.entry.as_ref().map(|entry| entry.name.clone()), ..records })
    }
}

impl<R: BufRead + Seek> Records<R> {
    /// Reads `file` from its start; its first bytes show whether it is compressed. With
    /// `makes_members` the pieces are all of the file; without, unwanted records that share their gzip
    /// member with others are left out.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn new(file: R, makes_members: bool) -> Result<Records<R>, ArchiveError> {
        Ok(Records {
            input: ReadAhead::new(file).map_err(ArchiveError::unopened)?,
            entry: None,
            number: 0,
            is_within: false,
            place: 0,
            decoded: 0,
            is_shared: false,
            makes_members,
            makes_digests: false,
            compressing: None,
        })
    }

    /// Hands out unwanted records too, with digests of their blocks.
    #[must_use]
    pub fn hashing(self) -> Self {
        Records { makes_digests: true, ..self }
    }

    /// Returns the name of the zip entry that is the archive; `None` if the archive is a separate file.
    pub fn entry_name(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Returns the format of the file.
    pub fn format(&self) -> Format {
        self.input.format()
    }

    /// Returns the number of records that were begun.
    pub fn count(&self) -> usize {
        self.number
    }

    /// Reads the next part of the archive; `None` at its end. `is_wanted` gets the number of a record, its
    /// header and the start of its block.
    ///
    /// # Errors
    /// Returns an error if the archive is damaged or cannot be read. Nothing can be read after an error.
    pub fn next_piece(
        &mut self,
        is_wanted: impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Piece>, ArchiveError> {
        let piece = self.piece(is_wanted);
        if piece.is_ok() {
            self.is_within = self.compressing.is_some();
        }
        piece.map_err(|kind| ArchiveError {
            entry: self.entry.clone(),
            record: self.number + usize::from(!self.is_within),
            offset: self.place,
            kind,
        })
    }

    /// As [`Records::next_piece`], for the records alone.
    ///
    /// # Errors
    /// Returns the errors of [`Records::next_piece`].
    pub fn next_record(
        &mut self,
        mut is_wanted: impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Record>, ArchiveError> {
        while let Some(piece) = self.next_piece(&mut is_wanted)? {
            if let Piece::Record(record) = piece {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    fn piece(
        &mut self,
        mut is_wanted: impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Piece>, ArchiveErrorKind> {
        if let Some((left, writer)) = self.compressing.take() {
            return self.compress(left, writer).map(Some);
        }
        loop {
            if !self.is_shared {
                self.place = self.input.position()?;
                self.decoded = self.input.decoded;
            }
            let newlines = self.input.newlines()?;
            if self.input.bytes().is_empty() && self.input.fill(true)? == 0 {
                let end = self.input.position()?;
                let is_nothing = self.place == end || self.is_shared;
                return Ok((!is_nothing).then_some(Piece::Range(self.place..end)));
            }
            if let Some(piece) = self.record(newlines, &mut is_wanted)? {
                return Ok(Some(piece));
            }
        }
    }

    /// Reads the record after `newlines`. Returns `None` where it must be read again, since its gzip member
    /// holds others, or where it is left out.
    fn record(
        &mut self,
        newlines: Vec<u8>,
        is_wanted: &mut impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Piece>, ArchiveErrorKind> {
        self.number += 1;
        self.is_within = true;
        let head = self.head(newlines)?;
        let length = head.content_length().ok_or(ArchiveErrorKind::NoLength)?;
        let is_wanted = is_wanted(self.number, &head, self.start_of_block(length)?);
        if is_wanted || self.makes_digests {
            let block = if is_wanted {
                self.input.block(length)?
            } else {
                let mut hash = Sha256::new();
                self.input.parts(length, |part| hash.update(part))?;
                hash.finalize().to_vec()
            };
            let tail = self.input.newlines()?;
            let place = match self.place()? {
                None if !self.is_shared => return self.read_again(),
                place => place,
            };
            self.is_shared &= !self.input.is_between()?;
            let (number, is_whole) = (self.number, is_wanted);
            return Ok(Some(Piece::Record(Record { number, place, head, block, is_whole, tail })));
        }
        if self.is_shared && self.makes_members {
            let mut writer = gzip::member_writer();
            writer.write_all(head.bytes())?;
            return self.compress(length, writer).map(Some);
        }
        self.input.skip(length)?;
        self.input.newlines()?;
        match self.place()? {
            Some(place) => Ok(Some(Piece::Range(place))),
            None if !self.is_shared => self.read_again(),
            None => {
                self.is_shared = !self.input.is_between()?;
                Ok(None)
            }
        }
    }

    /// The bytes of the file that hold the record just read; `None` where it shares its gzip member.
    fn place(&mut self) -> Result<Option<Range<u64>>, ArchiveErrorKind> {
        if self.is_shared || !self.input.is_between()? {
            return Ok(None);
        }
        Ok(Some(self.place..self.input.position()?))
    }

    /// Goes back to the first gzip member of the record just read.
    fn read_again(&mut self) -> Result<Option<Piece>, ArchiveErrorKind> {
        self.input.seek_to(self.place, self.decoded)?;
        self.number -= 1;
        self.is_within = false;
        self.is_shared = true;
        Ok(None)
    }

    /// Compresses more of an unwanted record into `writer`, up to a piece of the usual size. `left`: the
    /// number of bytes left of its block.
    fn compress(
        &mut self,
        mut left: u64,
        mut writer: MemberWriter,
    ) -> Result<Piece, ArchiveErrorKind> {
        while left > 0 {
            if writer.get_ref().len() >= MEMBER_SIZE {
                let part = std::mem::take(writer.get_mut());
                self.compressing = Some((left, writer));
                return Ok(Piece::Member(part));
            }
            let part = self.input.part(&mut left)?;
            writer.write_all(part)?;
        }
        let tail = self.input.newlines()?;
        writer.write_all(&tail)?;
        self.is_shared = !self.input.is_between()?;
        let member = writer.finish()?;
        Ok(Piece::Member(member))
    }

    /// Reads the header of a record. `bytes`: the line ends before it.
    fn head(&mut self, mut bytes: Vec<u8>) -> Result<RecordHeader, ArchiveErrorKind> {
        // Text in quotes ignores case (RFC 2616, 2.1, whose rules the grammar of WARC takes over).
        const VERSION: &[u8] = b"WARC/";
        let mut searched = 0;
        loop {
            let ahead = self.input.bytes();
            let start = ahead.get(..VERSION.len()).unwrap_or(ahead);
            if !VERSION.iter().zip(start).all(|(one, other)| one.eq_ignore_ascii_case(other)) {
                return Err(ArchiveErrorKind::NoRecord);
            }
            if let Some(length) = header_length(ahead, searched) {
                let version = bytes.len();
                bytes.extend_from_slice(ahead.get(..length).unwrap_or_default());
                self.input.take(length);
                return Ok(RecordHeader::new(bytes, version));
            }
            searched = ahead.len().saturating_sub(4);
            if ahead.len() > HEADER_LIMIT {
                return Err(ArchiveErrorKind::EndlessHeader);
            }
            if self.input.fill(true)? == 0 {
                return Err(if self.input.bytes().len() < VERSION.len() {
                    ArchiveErrorKind::NoRecord
                } else {
                    ArchiveErrorKind::EndlessHeader
                });
            }
        }
    }

    /// The first [`START`] bytes of the block, or all of it.
    fn start_of_block(&mut self, length: u64) -> Result<&[u8], ArchiveErrorKind> {
        let wanted = usize::try_from(length).map_or(START, |length| length.min(START));
        while self.input.bytes().len() < wanted && self.input.fill(true)? > 0 {}
        let ahead = self.input.bytes();
        Ok(ahead.get(..wanted).unwrap_or(ahead))
    }
}

/// The length of the header at the start of `bytes`, with its empty line, which does not end before
/// `searched`.
fn header_length(bytes: &[u8], searched: usize) -> Option<usize> {
    let rest = bytes.get(searched..)?;
    let ends = [&b"\n\r\n"[..], b"\n\n"];
    let ends = ends.iter();
    let length = ends.filter_map(|end| Some(memmem::find(rest, end)? + end.len()));
    Some(searched + length.min()?)
}
