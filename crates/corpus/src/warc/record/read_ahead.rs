//! Reads the bytes of an archive ahead, one gzip member after the other.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use flate2::bufread::GzDecoder;

use crate::coding::is_plausible_size;
use crate::warc::error::ArchiveErrorKind;
use crate::warc::gzip::{self, Members};

/// The number of bytes that are read at once.
pub(super) const STEP: usize = 64 << 10;

/// The largest number of line ends between records.
const NEWLINES: usize = 1 << 20;

/// The format of an archive: compressed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Uncompressed.
    Plain,
    /// Each record is a gzip member, or shares one with others.
    Gzip,
}

impl Format {
    /// Returns the format of an archive that begins with `start`; `None` for other files.
    pub fn of_archive(start: &[u8]) -> Option<Format> {
        const VERSION: &[u8] = b"WARC/";
        let is_version = |start: &[u8]| {
            let start = start.get(..VERSION.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(VERSION))
        };
        if is_version(start) {
            return Some(Format::Plain);
        }
        let mut begin = [0; VERSION.len()];
        let is_compressed = start.starts_with(&gzip::MAGIC)
            && GzDecoder::new(start).read_exact(&mut begin).is_ok()
            && is_version(&begin);
        is_compressed.then_some(Format::Gzip)
    }
}

/// The decompressed bytes of a file.
#[derive(Debug)]
pub(super) struct ReadAhead<R> {
    input: Input<R>,
    /// The bytes read ahead are `buffer[start..end]`, all of one gzip member or of one record.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The number of bytes that the archive has in its file.
    pub(super) encoded: u64,
    /// The number of bytes that were decompressed.
    pub(super) decoded: u64,
}

#[derive(Debug)]
enum Input<R> {
    Plain {
        file: R,
        /// The byte of the file that is read next.
        position: u64,
        length: u64,
    },
    Gzip(Members<R>),
}

impl<R: BufRead + Seek> ReadAhead<R> {
    /// Reads `file` from its start.
    pub(super) fn new(mut file: R) -> io::Result<ReadAhead<R>> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let is_gzip = file.fill_buf()?.starts_with(&gzip::MAGIC);
        let input = if is_gzip {
            Input::Gzip(Members::new(file))
        } else {
            Input::Plain { file, position: 0, length }
        };
        Ok(ReadAhead { input, buffer: Vec::new(), start: 0, end: 0, encoded: length, decoded: 0 })
    }

    /// Returns the format of the file.
    pub(super) fn format(&self) -> Format {
        match self.input {
            Input::Plain { .. } => Format::Plain,
            Input::Gzip(_) => Format::Gzip,
        }
    }

    /// Goes back to the gzip member that begins at the byte `position` of the file, where `decoded` bytes had been
    /// decompressed.
    pub(super) fn seek_to(&mut self, position: u64, decoded: u64) -> Result<(), ArchiveErrorKind> {
        self.decoded = decoded;
        if let Input::Gzip(members) = &mut self.input {
            members.seek_to(position)?;
        }
        (self.start, self.end) = (0, 0);
        Ok(())
    }

    /// Drops the first `length` of the bytes read ahead.
    pub(super) fn take(&mut self, length: usize) {
        self.start = self.end.min(self.start + length);
    }

    /// Returns the bytes read ahead.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the next byte of the file; exact only between gzip members if the file is compressed.
    pub(super) fn position(&mut self) -> Result<u64, ArchiveErrorKind> {
        let ahead = u64::try_from(self.end - self.start).unwrap_or_default();
        match &mut self.input {
            Input::Plain { position, .. } => Ok(*position - ahead),
            Input::Gzip(members) => Ok(members.position()?),
        }
    }

    /// Whether a record may begin here: anywhere in a plain file, between members in a compressed one.
    pub(super) fn is_between(&mut self) -> Result<bool, ArchiveErrorKind> {
        match self.input {
            Input::Plain { .. } => Ok(true),
            Input::Gzip(_) => Ok(self.bytes().is_empty() && self.fill(false)? == 0),
        }
    }

    /// Takes the next `length` bytes, which are the block of a record.
    pub(super) fn block(&mut self, length: u64) -> Result<Vec<u8>, ArchiveErrorKind> {
        // The length in the header may be wrong.
        let room = usize::try_from(length).unwrap_or(usize::MAX).min(1 << 20);
        let mut block = Vec::with_capacity(room);
        self.parts(length, |part| block.extend_from_slice(part))?;
        Ok(block)
    }

    /// Takes the next `length` bytes and calls `take` with them, part by part.
    pub(super) fn parts(
        &mut self,
        length: u64,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), ArchiveErrorKind> {
        let mut left = length;
        while left > 0 {
            take(self.part(&mut left)?);
        }
        Ok(())
    }

    /// Takes some of the next `left` bytes, at least one, and subtracts their number from `left`.
    pub(super) fn part(&mut self, left: &mut u64) -> Result<&[u8], ArchiveErrorKind> {
        if self.bytes().is_empty() && self.fill(true)? == 0 {
            return Err(ArchiveErrorKind::Truncated { missing: *left });
        }
        let most = usize::try_from(*left).unwrap_or(usize::MAX);
        let start = self.start;
        self.start = self.end.min(start.saturating_add(most));
        *left -= u64::try_from(self.start - start).unwrap_or(*left);
        Ok(self.buffer.get(start..self.start).unwrap_or_default())
    }

    /// Skips the next `length` bytes.
    pub(super) fn skip(&mut self, length: u64) -> Result<(), ArchiveErrorKind> {
        let mut left = length;
        loop {
            let ahead = u64::try_from(self.bytes().len()).unwrap_or(u64::MAX);
            let part = left.min(ahead);
            self.start += usize::try_from(part).unwrap_or_default();
            left -= part;
            if left == 0 {
                return Ok(());
            }
            if let Input::Plain { file, position, length } = &mut self.input {
                let available = length.saturating_sub(*position);
                if available < left {
                    let missing = left - available;
                    return Err(ArchiveErrorKind::Truncated { missing });
                }
                *position += left;
                let left = i64::try_from(left).unwrap_or(i64::MAX);
                file.seek_relative(left)?;
                return Ok(());
            }
            if self.fill(true)? == 0 {
                return Err(ArchiveErrorKind::Truncated { missing: left });
            }
        }
    }

    /// Takes the next line ends, up to the end of the gzip member.
    pub(super) fn newlines(&mut self) -> Result<Vec<u8>, ArchiveErrorKind> {
        let mut found = Vec::new();
        loop {
            let ahead = self.bytes();
            let is_newline = |b: &&u8| matches!(b, b'\r' | b'\n');
            let count = ahead.iter().take_while(is_newline).count();
            let is_all = count == ahead.len();
            found.extend_from_slice(ahead.get(..count).unwrap_or_default());
            self.start += count;
            if !is_all || found.len() > NEWLINES || self.fill(false)? == 0 {
                return Ok(found);
            }
        }
    }

    /// Reads more bytes ahead and returns their number: 0 at the end of the file and, unless `across`,
    /// at the end of the gzip member.
    pub(super) fn fill(&mut self, across: bool) -> Result<usize, ArchiveErrorKind> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.buffer.len() < self.end + STEP {
            self.buffer.resize(self.end + 2 * STEP, 0);
        }
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        let read = match &mut self.input {
            Input::Plain { file, position, .. } => {
                let read = gzip::read(file, room)?;
                *position += u64::try_from(read).unwrap_or_default();
                read
            }
            Input::Gzip(members) => loop {
                let read = members.read(room).map_err(ArchiveErrorKind::Member)?;
                if read > 0 || !across || !members.begin()? {
                    self.decoded += u64::try_from(read).unwrap_or_default();
                    if !is_plausible_size(self.encoded, self.decoded) {
                        return Err(ArchiveErrorKind::TooLarge {
                            decoded: self.decoded,
                            encoded: self.encoded,
                        });
                    }
                    break read;
                }
            },
        };
        self.end += read;
        Ok(read)
    }
}
