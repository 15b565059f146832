//! The rewritten archives of a WACZ file, as its indexes need them: the new place and the new digests of a record.

use std::collections::HashMap;
use std::io::{self, Cursor};
use std::ops::Range;

use super::super::container::Places;
use super::index_lines::IndexLine;
use crate::ContainerError;
use crate::coding::Sizes;
use crate::warc::source::read_range;
use crate::warc::{ArchiveReader, Capture, DigestFormat, PAYLOAD_DIGEST, Record, Records};
use rehref_document::message::headers::Headers;

/// An archive before and after the rewrite.
pub(super) struct ChangedArchive {
    /// The name of its entry.
    pub(super) name: String,
    /// The places of its records, in the order of the archive.
    pub(super) places: Vec<Places>,
    pub(super) old: ArchiveReader,
    pub(super) new: ArchiveReader,
}

/// A record to which a line of an index refers.
pub(super) struct ReferredRecord {
    /// The number of its archive among those that changed, and its number in that archive.
    number: (usize, usize),
    pub(super) places: Places,
    /// The number of the line.
    line: usize,
}

/// The archives that changed.
pub(super) struct ChangedArchives {
    all: Vec<ChangedArchive>,
    /// The archives by the names that indexes have for them: the path in `archive/`, or the name alone.
    by_name: HashMap<String, usize>,
    /// Whether the records of each archive have been read.
    were_read: Vec<Vec<bool>>,
    /// The latest record that was read.
    latest: Option<((usize, usize), Versions)>,
    /// The size of the WACZ file, and that of what indexes make rehref read again: many lines may lead to one record or
    /// block.
    rereads: Sizes,
}

impl ChangedArchives {
    /// Returns the archives `all` of a WACZ file of `size` bytes.
    pub(super) fn new(all: Vec<ChangedArchive>, size: u64) -> ChangedArchives {
        let mut by_name = HashMap::new();
        for (at, archive) in all.iter().enumerate() {
            let within = archive.name.strip_prefix("archive/");
            let within = within.unwrap_or(&archive.name);
            let name = within.rsplit('/').next().unwrap_or(within);
            for name in [&archive.name, within, name] {
                by_name.entry(name.to_owned()).or_insert(at);
            }
        }
        ChangedArchives {
            by_name,
            were_read: all.iter().map(|it| vec![false; it.places.len()]).collect(),
            all,
            latest: None,
            rereads: Sizes { encoded: size, decoded: 0 },
        }
    }

    /// Returns the record to which `line` refers: it began at this offset before. `None` if its archive did not
    /// change.
    ///
    /// # Errors
    /// Returns an error if no record began there.
    pub(super) fn record(
        &self,
        line: &IndexLine<'_>,
    ) -> Result<Option<ReferredRecord>, ContainerError> {
        let at = self.by_name.get(&line.archive);
        let Some((at, archive)) = at.and_then(|at| Some((*at, self.all.get(*at)?))) else {
            return Ok(None);
        };
        let (offset, line) = (line.offset()?.value, line.number);
        let found = Places::starting_at(&archive.places, offset);
        let (record, places) = found.ok_or_else(|| {
            let archive = &archive.name;
            ContainerError::Other(format!(
                "line {line}: no record begins at byte {offset} of {archive}"
            ))
        })?;
        Ok(Some(ReferredRecord { number: (at, record), places: places.clone(), line }))
    }

    /// Counts `bytes` that are read again for the line `line`.
    ///
    /// # Errors
    /// Returns an error if more was read again before than a file of this size has after decompression.
    pub(super) fn reread(&mut self, bytes: u64, line: usize) -> Result<(), ContainerError> {
        if !self.rereads.are_plausible() {
            return Err(ContainerError::Other(format!(
                "line {line}: too many lines lead to the same records or blocks"
            )));
        }
        self.rereads.add(0, bytes);
        Ok(())
    }

    /// Reads `record` before and after the rewrite.
    ///
    /// # Errors
    /// Returns an error if one of the two cannot be read, or too many lines lead to the same records.
    pub(super) fn versions(
        &mut self,
        record: &ReferredRecord,
    ) -> Result<&Versions, ContainerError> {
        let latest = match self.latest.take() {
            Some(latest) if latest.0 == record.number => latest,
            _ => (record.number, self.read(record)?),
        };
        Ok(&self.latest.insert(latest).1)
    }

    fn read(&mut self, record: &ReferredRecord) -> Result<Versions, ContainerError> {
        let (archive, number) = record.number;
        let flags = self.were_read.get_mut(archive);
        let was_read = flags.and_then(|it| it.get_mut(number));
        let is_again = was_read.is_some_and(|it| std::mem::replace(it, true));
        if is_again {
            self.reread(0, record.line)?;
        }
        let archive = self.all.get_mut(archive).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        let versions = Versions {
            old: Version::read(&mut archive.old, &record.places.old)?,
            new: Version::read(&mut archive.new, &record.places.new)?,
        };
        if is_again {
            self.rereads.add(0, versions.old.size);
        }
        Ok(versions)
    }
}

impl Places {
    /// Returns the new length that an index states, in place of `length`. Some indexes do not count the line ends
    /// after a record.
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
    /// Returns the digest of the new record in place of `value`, a digest of the old one: the one that it states of
    /// its payload, or that of its bytes, its block or its payload. `None` if `value` is not a digest of the old
    /// record.
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
        let labelled = if value.contains(':') { value.to_owned() } else { format!("sha1:{value}") };
        let contents = self.old.contents.iter().zip(&self.new.contents);
        let new = contents
            .filter_map(|(old, new)| Some((old.as_ref()?, new.as_ref()?)))
            .find_map(|(old, new)| Some(DigestFormat::of(&labelled, old)?.value(new)))?;
        if value.contains(':') { Some(new) } else { bare(&new) }
    }
}

/// The parts of a record of which indexes have digests.
struct Version {
    /// The number of its bytes after decompression.
    size: u64,
    /// The digest of its payload that it states.
    stated: Option<String>,
    /// The bytes in the archive, its bytes after decompression, its block, the body of the HTTP message, and its
    /// content without the codings of HTTP.
    contents: [Option<Vec<u8>>; 5],
}

impl Version {
    fn read(archive: &mut ArchiveReader, place: &Range<u64>) -> io::Result<Version> {
        let bytes = read_range(archive, place)?;
        let mut records = Records::new(Cursor::new(&bytes), false).map_err(io::Error::other)?;
        let record = records.next_record(|_, _, _| true).map_err(io::Error::other)?;
        let record = record.ok_or(io::ErrorKind::InvalidData)?;
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
            size: u64::try_from(whole.len()).unwrap_or(u64::MAX),
            stated: record.head.value(PAYLOAD_DIGEST),
            contents: [Some(bytes), Some(whole), Some(record.block), body, content],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::warc::cdx::Columns;

    #[test]
    fn lines_that_lead_to_the_same_records_again_and_again_are_an_error() {
        let record = |uri: &str| {
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {uri}\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"
            )
        };
        let parts = [record("http://h/a"), record("http://h/b")];
        let archive = || {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(parts.concat().as_bytes()).unwrap();
            crate::warc::source::reader(file).unwrap()
        };
        let length = parts[0].len() as u64;
        let places = [0..length, length..2 * length].map(|place| Places {
            old: place.clone(),
            new: place,
            is_changed: true,
        });
        let changed = ChangedArchive {
            name: "archive/a.warc".to_owned(),
            places: places.to_vec(),
            old: archive(),
            new: archive(),
        };
        let mut archives = ChangedArchives::new(vec![changed], 0);
        let mut read = |offset: u64, number: usize| {
            let line = format!("h)/ 2024 {{\"filename\": \"a.warc\", \"offset\": {offset}}}");
            let line = IndexLine::parse(line.as_bytes(), number, &mut Columns::default());
            let record = archives.record(&line.unwrap().unwrap()).unwrap().unwrap();
            let read = archives.versions(&record);
            let read = read.map(|_| ()).map_err(|error| error.to_string());
            // As if the records were large.
            archives.rereads.add(0, 1 << 30);
            read
        };
        for (number, offset) in [(1, 0), (2, 0), (3, length), (4, length)] {
            assert_eq!(read(offset, number), Ok(()));
        }
        let error = "line 5: too many lines lead to the same records or blocks";
        assert_eq!(read(0, 5), Err(error.to_owned()));
    }
}
