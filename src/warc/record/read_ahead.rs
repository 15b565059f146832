//! The bytes of an archive, read ahead as far as it takes, one gzip member after the other.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::Format;
use crate::warc::error::ArchiveErrorKind;
use crate::warc::gzip::{self, Members};

/// How much is read at a time.
pub(super) const STEP: usize = 64 << 10;

/// How many line ends may stand between records.
const NEWLINES: usize = 1 << 20;

/// The decompressed bytes of a file.
#[derive(Debug)]
pub(super) struct ReadAhead<R> {
    input: Input<R>,
    /// What was read ahead is `buffer[start..end]`, all of it of one gzip member or of the record
    /// that is being read.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
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
    /// Those of `file`, from its start.
    pub(super) fn new(mut file: R) -> io::Result<ReadAhead<R>> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let is_gzip = file.fill_buf()?.starts_with(&gzip::MAGIC);
        let input = match is_gzip {
            true => Input::Gzip(Members::new(file)),
            false => Input::Plain {
                file,
                position: 0,
                length,
            },
        };
        Ok(ReadAhead {
            input,
            buffer: Vec::new(),
            start: 0,
            end: 0,
        })
    }

    /// How the file holds its records.
    pub(super) fn format(&self) -> Format {
        match self.input {
            Input::Plain { .. } => Format::Plain,
            Input::Gzip(_) => Format::Gzip,
        }
    }

    /// Goes back to the gzip member at `position`.
    pub(super) fn go_to(&mut self, position: u64) -> Result<(), ArchiveErrorKind> {
        if let Input::Gzip(members) = &mut self.input {
            members.go_to(position).map_err(ArchiveErrorKind::Read)?;
        }
        (self.start, self.end) = (0, 0);
        Ok(())
    }

    /// Takes so many of the bytes that were read ahead.
    pub(super) fn take(&mut self, length: usize) {
        self.start = self.end.min(self.start + length);
    }

    /// What was read ahead.
    pub(super) fn ahead(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// The byte of the file that comes next; between gzip members where that is compressed.
    pub(super) fn position(&mut self) -> Result<u64, ArchiveErrorKind> {
        let ahead = u64::try_from(self.end - self.start).unwrap_or_default();
        match &mut self.input {
            Input::Plain { position, .. } => Ok(*position - ahead),
            Input::Gzip(members) => members.position().map_err(ArchiveErrorKind::Read),
        }
    }

    /// Whether a record may begin here, as far as gzip members go.
    pub(super) fn is_between(&mut self) -> Result<bool, ArchiveErrorKind> {
        match self.input {
            Input::Plain { .. } => Ok(true),
            Input::Gzip(_) => Ok(self.ahead().is_empty() && self.fill(false)? == 0),
        }
    }

    /// Takes the next `length` bytes, which are the block of a record.
    pub(super) fn block(&mut self, length: u64) -> Result<Vec<u8>, ArchiveErrorKind> {
        // What is said to be there may not be.
        let room = usize::try_from(length).unwrap_or(usize::MAX).min(1 << 20);
        let mut block = Vec::with_capacity(room);
        self.parts(length, |part| block.extend_from_slice(part))?;
        Ok(block)
    }

    /// Takes the next `length` bytes and shows them to `take`, part by part.
    pub(super) fn parts(
        &mut self,
        length: u64,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), ArchiveErrorKind> {
        let mut left = length;
        while left > 0 {
            if self.ahead().is_empty() && self.fill(true)? == 0 {
                return Err(ArchiveErrorKind::Truncated { missing: left });
            }
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            let ahead = self.ahead();
            let part = ahead.get(..most).unwrap_or(ahead);
            take(part);
            let length = part.len();
            self.start += length;
            left -= u64::try_from(length).unwrap_or(left);
        }
        Ok(())
    }

    /// Passes over them.
    pub(super) fn skip(&mut self, length: u64) -> Result<(), ArchiveErrorKind> {
        let mut left = length;
        loop {
            let ahead = u64::try_from(self.ahead().len()).unwrap_or(u64::MAX);
            let part = left.min(ahead);
            self.start += usize::try_from(part).unwrap_or_default();
            left -= part;
            if left == 0 {
                return Ok(());
            }
            if let Input::Plain {
                file,
                position,
                length,
            } = &mut self.input
            {
                let there = length.saturating_sub(*position);
                if there < left {
                    let missing = left - there;
                    return Err(ArchiveErrorKind::Truncated { missing });
                }
                *position += left;
                let left = i64::try_from(left).unwrap_or(i64::MAX);
                file.seek_relative(left).map_err(ArchiveErrorKind::Read)?;
                return Ok(());
            }
            if self.fill(true)? == 0 {
                return Err(ArchiveErrorKind::Truncated { missing: left });
            }
        }
    }

    /// Takes the line ends that come next, within the gzip member.
    pub(super) fn newlines(&mut self) -> Result<Vec<u8>, ArchiveErrorKind> {
        let mut found = Vec::new();
        loop {
            let ahead = self.ahead();
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

    /// Reads more ahead and says how much; 0 at the end of the file, or unless `across` at that of
    /// the gzip member.
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
                let read = read(file, room).map_err(ArchiveErrorKind::Read)?;
                *position += u64::try_from(read).unwrap_or_default();
                read
            }
            Input::Gzip(members) => loop {
                let read = members.read(room).map_err(ArchiveErrorKind::Member)?;
                if read > 0 || !across || !members.begin().map_err(ArchiveErrorKind::Read)? {
                    break read;
                }
            },
        };
        self.end += read;
        Ok(read)
    }
}

fn read(file: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
