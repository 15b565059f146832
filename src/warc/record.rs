//! The records of an archive, one after the other.
//!
//! A record that is wanted is held whole; of the others only the place in the file is handed out, so
//! that they can be copied as they are, however large. The crates for WARC do not keep what that
//! takes: `warc` has the headers in a map, `fastwarc` without their white space, and neither knows
//! where a compressed record stands.

mod header;
mod read_ahead;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::ops::Range;
use std::path::Path;

use memchr::memmem;
use sha2::{Digest, Sha256};

pub use header::{RecordHeader, RecordKind};
use read_ahead::{ReadAhead, STEP};

use super::error::{ArchiveError, ArchiveErrorKind};
use super::gzip::{self, MemberWriter};

/// How a file holds its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One behind the other.
    Plain,
    /// Each as a gzip member.
    Gzip,
}

/// A part of an archive, in the order of the file.
#[derive(Debug)]
pub enum Piece {
    /// A record that was wanted.
    Record(Record),
    /// Records that were not, as they stand in the file.
    Range(Range<u64>),
    /// A part of a record that was not wanted, which shares its gzip member with others: compressed
    /// anew, as a member of its own.
    Member(Vec<u8>),
    /// A record that was not wanted, from [`Records::hashing`].
    Digest(RecordDigest),
}

/// A record of which only the digest of the block is held.
#[derive(Debug)]
pub struct RecordDigest {
    /// Its number, from 1.
    pub number: usize,
    /// Its header.
    pub head: RecordHeader,
    /// The SHA-256 digest of its block.
    pub digest: [u8; 32],
    /// What separates it from the next one.
    pub tail: Vec<u8>,
}

/// A record that is held whole.
#[derive(Debug)]
pub struct Record {
    /// Its number, from 1.
    pub number: usize,
    /// Where it stands in the file; `None` where it shares its gzip member with others, so that it
    /// has to be written anew even if it does not change.
    pub place: Option<Range<u64>>,
    /// Its header.
    pub head: RecordHeader,
    /// Its block: what the header says the length of.
    pub block: Vec<u8>,
    /// What separates it from the next one.
    pub tail: Vec<u8>,
}

impl Record {
    /// The record as bytes of an archive of this format.
    ///
    /// # Errors
    /// For want of memory.
    pub fn write(&self, format: Format) -> io::Result<Vec<u8>> {
        let parts: [&[u8]; 3] = [self.head.bytes(), &self.block, &self.tail];
        match format {
            Format::Plain => Ok(parts.concat()),
            Format::Gzip => gzip::member(&parts),
        }
    }

    /// About how much memory it takes.
    pub fn len(&self) -> usize {
        self.head.bytes().len() + self.block.len()
    }

    /// Whether nothing is in it, which no record that was read is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How long the header of a record may be.
const HEAD_LIMIT: usize = 1 << 20;

/// How much of a block is looked at before it is decided whether the record is wanted: more than the
/// headers of HTTP nearly ever take.
const START: usize = 64 << 10;

/// How much of a record that is compressed anew is handed out at a time.
const PART: usize = 1 << 20;

/// Reads the records of an archive.
#[derive(Debug)]
pub struct Records<R> {
    input: ReadAhead<R>,
    /// The number of the record that is being read.
    number: usize,
    /// Whether it is being read, and not what comes behind it.
    is_within: bool,
    /// Where that begins, or the first gzip member that holds it.
    place: u64,
    /// Whether the gzip members that are being read hold several records.
    is_shared: bool,
    /// Whether [`Piece::Member`]s are wanted.
    makes_members: bool,
    /// Whether [`Piece::Digest`]s are.
    makes_digests: bool,
    /// A record on its way to be compressed anew: how much of its block is left.
    passing: Option<(u64, MemberWriter)>,
}

impl Records<BufReader<File>> {
    /// The records of the file at `path`; see [`Records::new`].
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path, makes_members: bool) -> Result<Self, ArchiveError> {
        let file = File::open(path).map_err(|error| ArchiveError {
            record: 1,
            offset: 0,
            kind: ArchiveErrorKind::Read(error),
        })?;
        Records::new(BufReader::with_capacity(2 * STEP, file), makes_members)
    }
}

impl<R: BufRead + Seek> Records<R> {
    /// The records of `file`, from its start. Whether it is compressed shows in its first bytes.
    /// With `makes_members` all of the file is handed out; without, what is not wanted and shares its
    /// gzip member with other records is left out.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn new(file: R, makes_members: bool) -> Result<Records<R>, ArchiveError> {
        let input = ReadAhead::new(file).map_err(|error| ArchiveError {
            record: 1,
            offset: 0,
            kind: ArchiveErrorKind::Read(error),
        })?;
        Ok(Records {
            input,
            number: 0,
            is_within: false,
            place: 0,
            is_shared: false,
            makes_members,
            makes_digests: false,
            passing: None,
        })
    }

    /// The same, which hand out the digests of the records that are not wanted.
    #[must_use]
    pub fn hashing(self) -> Self {
        Records {
            makes_digests: true,
            ..self
        }
    }

    /// How the file holds its records.
    pub fn format(&self) -> Format {
        self.input.format()
    }

    /// How many records were begun.
    pub fn count(&self) -> usize {
        self.number
    }

    /// The next part of the archive; `None` at its end. `is_wanted` is asked with the number
    /// of a record, its header and the start of its block.
    ///
    /// # Errors
    /// When the archive is damaged or cannot be read; nothing can be read behind that.
    pub fn next_piece(
        &mut self,
        is_wanted: impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Piece>, ArchiveError> {
        let piece = self.piece(is_wanted);
        if piece.is_ok() {
            self.is_within = self.passing.is_some();
        }
        piece.map_err(|kind| ArchiveError {
            record: self.number + usize::from(!self.is_within),
            offset: self.place,
            kind,
        })
    }

    fn piece(
        &mut self,
        mut is_wanted: impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Piece>, ArchiveErrorKind> {
        if let Some((left, writer)) = self.passing.take() {
            return self.pass_on(left, writer).map(Some);
        }
        loop {
            if !self.is_shared {
                self.place = self.input.position()?;
            }
            let lead = self.input.newlines()?;
            if self.input.ahead().is_empty() && self.input.fill(true)? == 0 {
                let end = self.input.position()?;
                let is_nothing = self.place == end || self.is_shared;
                return Ok((!is_nothing).then_some(Piece::Range(self.place..end)));
            }
            if let Some(piece) = self.record(lead, &mut is_wanted)? {
                return Ok(Some(piece));
            }
        }
    }

    /// Reads a record. `None` where it has to be read again, since its gzip member holds others,
    /// or where it is left out.
    fn record(
        &mut self,
        lead: Vec<u8>,
        is_wanted: &mut impl FnMut(usize, &RecordHeader, &[u8]) -> bool,
    ) -> Result<Option<Piece>, ArchiveErrorKind> {
        self.number += 1;
        self.is_within = true;
        let head = self.head(lead)?;
        let length = head.content_length().ok_or(ArchiveErrorKind::NoLength)?;
        let is_wanted = is_wanted(self.number, &head, self.start_of_block(length)?);
        if is_wanted || self.makes_digests {
            let (mut block, mut hash) = (Vec::new(), Sha256::new());
            match is_wanted {
                true => block = self.input.block(length)?,
                false => self.input.parts(length, |part| hash.update(part))?,
            }
            let tail = self.input.newlines()?;
            let place = match self.place()? {
                None if !self.is_shared => return self.again(),
                place => place,
            };
            self.is_shared &= !self.input.is_between()?;
            let number = self.number;
            return Ok(Some(match is_wanted {
                true => Piece::Record(Record {
                    number,
                    place,
                    head,
                    block,
                    tail,
                }),
                false => Piece::Digest(RecordDigest {
                    number,
                    head,
                    digest: hash.finalize().into(),
                    tail,
                }),
            }));
        }
        if self.is_shared && self.makes_members {
            let mut writer = gzip::member_writer();
            writer
                .write_all(head.bytes())
                .map_err(ArchiveErrorKind::Read)?;
            return self.pass_on(length, writer).map(Some);
        }
        self.input.skip(length)?;
        self.input.newlines()?;
        match self.place()? {
            Some(place) => Ok(Some(Piece::Range(place))),
            None if !self.is_shared => self.again(),
            None => {
                self.is_shared = !self.input.is_between()?;
                Ok(None)
            }
        }
    }

    /// Where the record that was just read stands by itself; `None` where it shares its gzip member.
    fn place(&mut self) -> Result<Option<Range<u64>>, ArchiveErrorKind> {
        if self.is_shared || !self.input.is_between()? {
            return Ok(None);
        }
        Ok(Some(self.place..self.input.position()?))
    }

    /// Goes back to the first member of the record that was just read.
    fn again(&mut self) -> Result<Option<Piece>, ArchiveErrorKind> {
        self.input.go_to(self.place)?;
        self.number -= 1;
        self.is_within = false;
        self.is_shared = true;
        Ok(None)
    }

    /// Compresses the record on, of whose block so much is left.
    fn pass_on(
        &mut self,
        mut left: u64,
        mut writer: MemberWriter,
    ) -> Result<Piece, ArchiveErrorKind> {
        while left > 0 {
            if writer.get_ref().len() >= PART {
                let part = std::mem::take(writer.get_mut());
                self.passing = Some((left, writer));
                return Ok(Piece::Member(part));
            }
            if self.input.ahead().is_empty() && self.input.fill(true)? == 0 {
                return Err(ArchiveErrorKind::Truncated { missing: left });
            }
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            let ahead = self.input.ahead();
            let part = ahead.get(..most).unwrap_or(ahead);
            writer.write_all(part).map_err(ArchiveErrorKind::Read)?;
            let length = part.len();
            self.input.take(length);
            left -= u64::try_from(length).unwrap_or(left);
        }
        let tail = self.input.newlines()?;
        writer.write_all(&tail).map_err(ArchiveErrorKind::Read)?;
        self.is_shared = !self.input.is_between()?;
        writer
            .finish()
            .map(Piece::Member)
            .map_err(ArchiveErrorKind::Read)
    }

    fn head(&mut self, lead: Vec<u8>) -> Result<RecordHeader, ArchiveErrorKind> {
        const VERSION: &[u8] = b"WARC/";
        let mut searched = 0;
        loop {
            let ahead = self.input.ahead();
            let start = ahead.get(..VERSION.len()).unwrap_or(ahead);
            if !VERSION.starts_with(start) {
                return Err(ArchiveErrorKind::NoRecord);
            }
            if let Some(length) = head_length(ahead, searched) {
                let mut bytes = lead;
                let version = bytes.len();
                bytes.extend_from_slice(ahead.get(..length).unwrap_or_default());
                self.input.take(length);
                return Ok(RecordHeader::new(bytes, version));
            }
            searched = ahead.len().saturating_sub(4);
            if ahead.len() > HEAD_LIMIT {
                return Err(ArchiveErrorKind::EndlessHeader);
            }
            if self.input.fill(true)? == 0 {
                return Err(match self.input.ahead().len() < VERSION.len() {
                    true => ArchiveErrorKind::NoRecord,
                    false => ArchiveErrorKind::EndlessHeader,
                });
            }
        }
    }

    /// As much of the block as shows what it is, where it has so much.
    fn start_of_block(&mut self, length: u64) -> Result<&[u8], ArchiveErrorKind> {
        let wanted = usize::try_from(length).map_or(START, |length| length.min(START));
        while self.input.ahead().len() < wanted && self.input.fill(true)? > 0 {}
        let ahead = self.input.ahead();
        Ok(ahead.get(..wanted).unwrap_or(ahead))
    }
}

/// How long the header at the start of `ahead` is, with the empty line behind it; it does not end
/// before `searched`.
fn head_length(ahead: &[u8], searched: usize) -> Option<usize> {
    let rest = ahead.get(searched..)?;
    let ends = [&b"\n\r\n"[..], b"\n\n"];
    let found = ends
        .iter()
        .filter_map(|end| Some(memmem::find(rest, end)? + end.len()))
        .min()?;
    Some(searched + found)
}
