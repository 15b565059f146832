//! The rewritten archives of a WACZ file, as its indexes need them: the new place and the new digests of a record.

use std::io::{self, Cursor};
use std::ops::Range;

use super::super::container::RecordPlaces;
use super::IndexError;
use super::index_lines::IndexLine;
use crate::warc::capture::{Capture, PAYLOAD_DIGEST};
use crate::warc::digest::DigestFormat;
use crate::warc::record::{Piece, Record, Records};
use crate::warc::source::{ArchiveReader, read_range};
use rehref_document::message::headers::Headers;

/// An archive before and after the rewrite.
pub(super) struct ChangedArchive {
    /// The name of its entry.
    pub(super) name: String,
    /// The places of its records, in the order of the archive.
    pub(super) places: Vec<RecordPlaces>,
    pub(super) old: ArchiveReader,
    pub(super) new: ArchiveReader,
}

impl ChangedArchive {
    /// Whether an index means this archive by `file`: indexes have the path in `archive/`, or the name alone.
    pub(super) fn is_named(&self, file: &str) -> bool {
        let within = self.name.strip_prefix("archive/").unwrap_or(&self.name);
        let name = within.rsplit('/').next();
        [&*self.name, within].contains(&file) || name == Some(file)
    }

    /// The places of the record to which `line`, with the number `number`, refers: it began at this offset before.
    ///
    /// # Errors
    /// When no record began there.
    pub(super) fn at(
        &self,
        line: &IndexLine<'_>,
        number: usize,
    ) -> Result<RecordPlaces, IndexError> {
        let offset = line.offset(number)?.value;
        let found = self
            .places
            .binary_search_by_key(&offset, |places| places.old.start);
        let places = found.ok().and_then(|at| self.places.get(at));
        places.cloned().ok_or_else(|| IndexError::NoRecord {
            line: number,
            archive: self.name.clone(),
            offset,
        })
    }

    /// Reads the record at `places` before and after the rewrite.
    ///
    /// # Errors
    /// When one of the two cannot be read.
    pub(super) fn versions(&mut self, places: &RecordPlaces) -> io::Result<Versions> {
        Ok(Versions {
            old: Version::read(&mut self.old, &places.old)?,
            new: Version::read(&mut self.new, &places.new)?,
        })
    }
}

impl RecordPlaces {
    /// The new length that an index states, in place of `length`. Some indexes do not count the line ends after a record.
    pub(super) fn length(&self, length: u64) -> u64 {
        let [old, new] = [&self.old, &self.new].map(|range| range.end - range.start);
        length.saturating_add(new).saturating_sub(old)
    }
}

/// A record before and after the rewrite.
pub(super) struct Versions {
    old: Version,
    new: Version,
}

impl Versions {
    /// The digest of the new record in place of `value`, a digest of the old one: the one that it states of its payload, or
    /// that of its bytes, its block or its payload. `None` if `value` is not a digest of the old record.
    pub(super) fn digest(&self, value: &str) -> Option<String> {
        let bare = |digest: &str| {
            let (_, bare) = digest.split_once(':')?;
            Some(bare.to_owned())
        };
        if let (Some(old), Some(new)) = (&self.old.stated, &self.new.stated) {
            if value == old {
                return Some(new.clone());
            }
            if Some(value) == bare(old).as_deref() {
                return bare(new);
            }
        }
        // CDX files leave out the algorithm, which is SHA-1.
        let labelled = match value.contains(':') {
            true => value.to_owned(),
            false => format!("sha1:{value}"),
        };
        let contents = self.old.contents.iter().zip(&self.new.contents);
        let new = contents
            .filter_map(|(old, new)| Some((old.as_ref()?, new.as_ref()?)))
            .find_map(|(old, new)| Some(DigestFormat::of(&labelled, old)?.value(new)))?;
        match value.contains(':') {
            true => Some(new),
            false => bare(&new),
        }
    }
}

/// The parts of a record of which indexes have digests.
struct Version {
    /// The digest of its payload that it states.
    stated: Option<String>,
    /// Its bytes in the archive, its bytes after decompression, its block, the body of the HTTP message, and its
    /// content without the codings of HTTP.
    contents: [Option<Vec<u8>>; 5],
}

impl Version {
    fn read(archive: &mut ArchiveReader, place: &Range<u64>) -> io::Result<Version> {
        let bytes = read_range(archive, place)?;
        let mut records = Records::new(Cursor::new(&bytes), false).map_err(io::Error::other)?;
        let record = match records
            .next_piece(|_, _, _| true)
            .map_err(io::Error::other)?
        {
            Some(Piece::Record(record)) => record,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        Ok(Version::of(record, bytes))
    }

    fn of(record: Record, bytes: Vec<u8>) -> Version {
        let capture = Capture::of(&record).ok().flatten();
        let content = capture.map(|capture| capture.bytes().to_vec());
        let headers = Headers::response(&record.block).filter(|_| record.head.kind().has_http());
        let body = headers.and_then(|headers| record.block.get(headers.body..));
        let body = body.map(<[u8]>::to_vec);
        let whole = [record.head.bytes(), &record.block, &record.tail].concat();
        Version {
            stated: record.head.value(PAYLOAD_DIGEST),
            contents: [Some(bytes), Some(whole), Some(record.block), body, content],
        }
    }
}
