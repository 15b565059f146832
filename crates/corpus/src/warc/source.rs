//! The bytes of a WARC archive: a file of its own, or an entry of a zip file.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::error::ArchiveError;
use crate::files::open_file;
use crate::temporary::TemporaryFile;

/// The size of the buffers in front of files, in bytes.
const BUFFER: usize = 128 << 10;

/// The place of a WARC archive.
#[derive(Clone, Debug)]
pub struct ArchiveSource {
    /// The file that contains the archive.
    pub path: PathBuf,
    /// The entry of that file, if it is a zip file; `None` if the archive is the whole file.
    pub entry: Option<ZipEntry>,
}

/// An entry of a zip file.
#[derive(Clone, Debug)]
pub struct ZipEntry {
    /// The name of the entry.
    pub name: String,
    /// The bytes of the zip file that hold its data.
    pub range: Range<u64>,
    /// True if its data is compressed with Deflate; otherwise it is stored.
    pub is_deflated: bool,
    /// The number of bytes of its data after decompression.
    pub size: u64,
    /// The CRC-32 of its data after decompression.
    pub crc: u32,
}

impl ArchiveSource {
    /// Returns the archive that is the whole file at `path`.
    pub fn file(path: &Path) -> ArchiveSource {
        ArchiveSource { path: path.to_owned(), entry: None }
    }

    /// Opens the archive for reading, whether it is a file or a zip entry.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn open(&self) -> io::Result<ArchiveReader> {
        let (file, _) = open_file(&self.path)?;
        match &self.entry {
            None => reader(file),
            Some(entry) => entry.open(file),
        }
    }

    /// Returns the name of the entry; `None` if the archive is the whole file.
    pub fn entry_name(&self) -> Option<&str> {
        self.entry.as_ref().map(|entry| entry.name.as_str())
    }

    /// Returns the error of an archive that cannot be opened.
    pub fn unreadable(&self, error: io::Error) -> ArchiveError {
        self.name_in(ArchiveError::unopened(error))
    }

    /// Adds the name of the entry to an error.
    pub(super) fn name_in(&self, error: ArchiveError) -> ArchiveError {
        ArchiveError { entry: self.entry_name().map(str::to_owned), ..error }
    }
}

/// Returns the archives of two files, in pairs: entries by their names, and archives that are whole files.
pub(crate) fn pairs(
    old: Vec<ArchiveSource>,
    new: &[ArchiveSource],
) -> impl Iterator<Item = [ArchiveSource; 2]> {
    old.into_iter().filter_map(|archive| {
        let counterpart = new.iter().find(|it| it.entry_name() == archive.entry_name());
        Some([archive, counterpart?.clone()])
    })
}

impl ZipEntry {
    /// Reads the data of the entry to its end, calls `take` with each part of it, and checks its size and
    /// checksum. `file` is the zip file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the data is not that of the zip directory.
    pub fn read(&self, file: File, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        let mut check = Check::new(self.size, self.crc);
        read_parts(&mut self.open(file)?, |part| {
            take(part);
            check.add(part)
        })?;
        check.add(&[])
    }

    /// Opens the data of the entry, after decompression. `file` is the zip file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn open(&self, file: File) -> io::Result<ArchiveReader> {
        let section = Section::new(file, self.range.clone())?;
        Ok(if self.is_deflated {
            buffered(Inflated::new(section, self.size, self.crc))
        } else {
            buffered(section)
        })
    }
}

/// Bytes that can be read from any position.
pub trait ReadSeek: BufRead + Seek + Send + Sync + fmt::Debug {}

impl<R: BufRead + Seek + Send + Sync + fmt::Debug> ReadSeek for R {}

/// A reader of the bytes of an archive.
pub type ArchiveReader = Box<dyn ReadSeek>;

/// Reads `file`, from its start.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn reader(file: File) -> io::Result<ArchiveReader> {
    let length = file.metadata()?.len();
    Ok(buffered(Section::new(file, 0..length)?))
}

fn buffered(source: impl Read + Seek + Send + Sync + fmt::Debug + 'static) -> ArchiveReader {
    Box::new(BufReader::with_capacity(BUFFER, source))
}

/// Reads `file` to its end, and calls `take` with its parts, none of which is empty.
///
/// # Errors
/// Returns an error if it cannot be read, or `take` fails.
pub fn read_parts(
    file: &mut dyn BufRead,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    loop {
        let part = file.fill_buf()?;
        let length = part.len();
        if length == 0 {
            return Ok(());
        }
        take(part)?;
        file.consume(length);
    }
}

/// Returns the bytes of `file` in `range`.
///
/// # Errors
/// Returns an error if they cannot be read, or `file` ends before their end.
pub fn read_range(file: &mut (impl Read + Seek), range: &Range<u64>) -> io::Result<Vec<u8>> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    let read = file.take(length).read_to_end(&mut bytes)?;
    if u64::try_from(read) == Ok(length) {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// The position `to` of a file of `length` bytes, which is read at `position`.
fn target(to: SeekFrom, position: u64, length: u64) -> io::Result<u64> {
    let target = match to {
        SeekFrom::Start(target) => Some(target),
        SeekFrom::Current(offset) => position.checked_add_signed(offset),
        SeekFrom::End(offset) => length.checked_add_signed(offset),
    };
    target.ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// A part of a file.
#[derive(Debug)]
struct Section {
    file: File,
    range: Range<u64>,
    /// The byte of the section that is read next.
    position: u64,
}

impl Section {
    fn new(mut file: File, range: Range<u64>) -> io::Result<Section> {
        file.seek(SeekFrom::Start(range.start))?;
        Ok(Section { file, range, position: 0 })
    }

    fn length(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }
}

impl Read for Section {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = self.length().saturating_sub(self.position);
        let most = usize::try_from(left).map_or(room.len(), |left| left.min(room.len()));
        let read = self.file.read(room.get_mut(..most).unwrap_or_default())?;
        self.position += u64::try_from(read).unwrap_or_default();
        Ok(read)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = target(to, self.position, self.length())?;
        let place = self.range.start.saturating_add(self.position);
        self.file.seek(SeekFrom::Start(place))?;
        Ok(self.position)
    }
}

/// The size and the checksum that the zip directory declares of an entry, and those of its bytes up to some place.
#[derive(Debug)]
struct Check {
    read: u64,
    crc: Crc,
    size: u64,
    expected: u32,
}

impl Check {
    fn new(size: u64, expected: u32) -> Check {
        Check { read: 0, crc: Crc::new(), size, expected }
    }

    /// Adds the next bytes; none at the end, where size and checksum must be right.
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let damaged = |message| Err(io::Error::new(io::ErrorKind::InvalidData, message));
        self.read += u64::try_from(bytes.len()).unwrap_or_default();
        self.crc.update(bytes);
        let is_end = bytes.is_empty();
        if self.read > self.size || is_end && self.read < self.size {
            return damaged("the zip entry does not have its declared size");
        }
        if is_end && self.crc.sum() != self.expected {
            return damaged("the zip entry has a wrong checksum");
        }
        Ok(())
    }
}

/// A compressed entry. It is decompressed as a stream. The first time that an earlier byte is read again, it is
/// decompressed to an unnamed temporary file, so that many such reads take no more time than one.
#[derive(Debug)]
struct Inflated {
    decoder: DeflateDecoder<BufReader<Section>>,
    /// Counts the bytes that were decompressed.
    check: Check,
    /// The byte that is read next.
    position: u64,
    decompressed: Option<File>,
}

impl Inflated {
    fn new(section: Section, size: u64, crc: u32) -> Inflated {
        Inflated {
            decoder: DeflateDecoder::new(BufReader::with_capacity(BUFFER, section)),
            check: Check::new(size, crc),
            position: 0,
            decompressed: None,
        }
    }

    /// Decompresses the next bytes into `room`. Returns 0 at the end, where size and checksum are right.
    fn decode(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        let read = self.decoder.read(room)?;
        self.check.add(room.get(..read).unwrap_or_default())?;
        Ok(read)
    }

    /// Decompresses the whole entry to a temporary file.
    fn decompress(&mut self) -> io::Result<File> {
        self.decoder.get_mut().seek(SeekFrom::Start(0))?;
        self.decoder.reset_data();
        self.check = Check::new(self.check.size, self.check.expected);
        let mut file = TemporaryFile::new()?;
        self.decode_before(self.check.size, &mut file)?;
        // Its end has the checksum.
        self.decode(&mut [0])?;
        Ok(file.into_file())
    }

    /// Decompresses the next bytes before the byte `end` to `out`.
    fn decode_before(&mut self, end: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut step = Vec::new();
        while self.check.read < end {
            let left = usize::try_from(end - self.check.read);
            step.resize(left.map_or(BUFFER, |left| left.min(BUFFER)), 0);
            match self.decode(&mut step)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => out.write_all(step.get(..read).unwrap_or_default())?,
            }
        }
        Ok(())
    }
}

impl Read for Inflated {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.position < self.check.read && self.decompressed.is_none() {
            self.decompressed = Some(self.decompress()?);
        }
        let read = match &mut self.decompressed {
            Some(file) => {
                file.seek(SeekFrom::Start(self.position))?;
                file.read(room)?
            }
            None => {
                self.decode_before(self.position, &mut io::sink())?;
                self.decode(room)?
            }
        };
        self.position += u64::try_from(read).unwrap_or_default();
        Ok(read)
    }
}

impl Seek for Inflated {
    /// Only remembers the position: the next read decompresses up to it.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = target(to, self.position, self.check.size)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    /// A zip entry whose data is `bytes` after decompression, and its file.
    fn entry(bytes: &[u8], is_deflated: bool) -> (ZipEntry, File) {
        let data = if is_deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            bytes.to_vec()
        };
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"before").unwrap();
        file.write_all(&data).unwrap();
        file.write_all(b"after").unwrap();
        let mut crc = Crc::new();
        crc.update(bytes);
        let entry = ZipEntry {
            name: "archive/a.warc".to_owned(),
            range: 6..6 + data.len() as u64,
            is_deflated,
            size: bytes.len() as u64,
            crc: crc.sum(),
        };
        (entry, file)
    }

    #[test]
    fn an_entry_is_read_at_any_position() {
        let bytes: Vec<u8> = (0..1_000_000_u64).map(|i| ((i * i) >> 7) as u8).collect();
        for is_deflated in [false, true] {
            let (entry, file) = entry(&bytes, is_deflated);
            let mut reader = entry.open(file).unwrap();
            assert_eq!(reader.seek(SeekFrom::End(0)).unwrap(), 1_000_000);
            for (at, length) in
                [(0, 10), (600_000, 300_000), (5, 7), (999_999, 1), (400_000, 200_000)]
            {
                reader.seek(SeekFrom::Start(at as u64)).unwrap();
                let mut read = vec![0; length];
                reader.read_exact(&mut read).unwrap();
                assert_eq!(read, bytes[at..at + length], "{at}");
                assert_eq!(reader.stream_position().unwrap(), (at + length) as u64);
            }
            reader.seek(SeekFrom::Start(999_990)).unwrap();
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest).unwrap();
            assert_eq!(rest, bytes[999_990..]);
        }
    }

    #[test]
    fn a_compressed_entry_has_its_declared_size_and_checksum() {
        let read = |entry: &ZipEntry, file: &File| {
            let mut reader = entry.open(file.try_clone().unwrap()).unwrap();
            reader.read_to_end(&mut Vec::new())
        };
        let (right, file) = entry(&[b'x'; 70_000], true);
        assert_eq!(read(&right, &file).unwrap(), 70_000);
        for size in [0, 69_999, 70_001] {
            let wrong = ZipEntry { size, ..right.clone() };
            assert!(read(&wrong, &file).is_err(), "{size}");
        }
        let wrong = ZipEntry { crc: right.crc ^ 1, ..right.clone() };
        assert!(read(&wrong, &file).is_err());
        let cut = ZipEntry { range: right.range.start..right.range.end - 5, ..right };
        assert!(read(&cut, &file).is_err());
    }
}
