//! WACZ files (version 1.1.1): zip files with the WARC archives of a crawl in the directory `archive/`.
//!
//! Only the directory of the zip file is read here; the archives are read from where they are in it.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::Path;

use rawzip::{
    CompressionMethod, ErrorKind, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive,
    ZipArchiveEntryWayfinder,
};

use super::source::{ArchiveSource, ZipEntry};
use crate::coding::Sizes;
use crate::files::open_file;

/// The first bytes of a zip file that has entries.
pub const MAGIC: &[u8] = b"PK\x03\x04";

/// The directory with the WARC archives (section 3.1 of the specification).
const ARCHIVES: &str = "archive/";

/// The starts of the names of entries that state places and digests of records: the indexes and `datapackage.json` with
/// its digest (sections 3.2 to 3.5).
const DERIVED: [&str; 2] = ["indexes/", "datapackage"];

/// The endings of the names of WARC archives, in lower case.
const SUFFIXES: [&str; 2] = [".warc", ".warc.gz"];

/// Why the archives in a WACZ file cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum WaczError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is not a zip file, or its directory is damaged.
    #[error("not a zip file, or a damaged one: {0}")]
    Zip(#[source] rawzip::Error),
    /// The directory has another number of entries than it declares.
    #[error("the zip directory is damaged: it declares {declared} entries and has {found}")]
    Count {
        /// The number at the end of the file.
        declared: u64,
        /// The number of entries in the directory.
        found: u64,
    },
    /// An archive cannot be read.
    #[error("{name}: {kind}")]
    Entry {
        /// The name of its entry.
        name: String,
        /// The reason.
        kind: EntryErrorKind,
    },
    /// No entry is a WARC archive.
    #[error("has no WARC archive in its directory archive/: not a WACZ file")]
    NoArchive,
    /// No archive has this name.
    #[error("has no archive {0}")]
    Missing(String),
}

/// Why an entry of a WACZ file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EntryErrorKind {
    /// It is not where the zip directory says.
    #[error("the zip entry is damaged: {0}")]
    Damaged(#[source] rawzip::Error),
    /// It ends after the end of the file.
    #[error("the zip entry is damaged: the file ends before its end")]
    Truncated,
    /// It is compressed with another method than Deflate.
    #[error("the zip entry is compressed with {0}; rehref reads stored and deflated entries")]
    Method(String),
    /// It is encrypted.
    #[error("the zip entry is encrypted")]
    Encrypted,
    /// It is compressed further than any crawl.
    #[error("the zip entry is larger than rehref decompresses: {size} bytes from {compressed}")]
    TooLarge {
        /// The size after decompression.
        size: u64,
        /// The size in the file.
        compressed: u64,
    },
    /// Another entry has the same name.
    #[error("the zip file has two entries of this name")]
    Duplicate,
    /// Its data is also the data of another entry.
    #[error("the zip entry overlaps another one")]
    Overlapping,
}

/// The WARC archives in the WACZ file at `path`, in the order of the zip directory.
///
/// # Errors
/// When the zip directory cannot be read, or an archive in it cannot.
pub fn open(path: &Path) -> Result<Vec<ArchiveSource>, WaczError> {
    let (file, metadata) = open_file(path)?;
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let zip = ZipArchive::from_file(file, &mut buffer).map_err(zip_error)?;
    let (mut found, mut names, mut count) = (Vec::new(), HashSet::new(), 0);
    let mut sizes = Sizes::default();
    let mut entries = zip.entries(&mut buffer);
    while let Some(record) = entries.next_entry().map_err(zip_error)? {
        count += 1;
        let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
        if !is_archive(&name) {
            continue;
        }
        let failed = |kind| WaczError::Entry { name: name.clone(), kind };
        let wayfinder = record.wayfinder();
        let (compressed, size) =
            (wayfinder.compressed_size_hint(), wayfinder.uncompressed_size_hint());
        let is_deflated = match record.compression_method() {
            CompressionMethod::STORE => false,
            CompressionMethod::DEFLATE => true,
            other => return Err(failed(EntryErrorKind::Method(method_name(other)))),
        };
        if record.flags().is_encrypted() {
            return Err(failed(EntryErrorKind::Encrypted));
        }
        if is_deflated && !sizes.add(compressed, size) {
            return Err(failed(EntryErrorKind::TooLarge { size, compressed }));
        }
        if !names.insert(name.clone()) {
            return Err(failed(EntryErrorKind::Duplicate));
        }
        let crc = record.crc32();
        found.push((name, wayfinder, is_deflated, size, crc));
    }
    if count != zip.entries_hint() {
        return Err(WaczError::Count { declared: zip.entries_hint(), found: count });
    }
    let sources = found.into_iter().map(|(name, wayfinder, is_deflated, size, crc)| {
        let range = data_range(&zip, wayfinder, &name, metadata.len())?;
        Ok(ArchiveSource {
            path: path.to_owned(),
            entry: Some(ZipEntry { name, range, is_deflated, size, crc }),
        })
    });
    let archives = sources.collect::<Result<Vec<_>, WaczError>>()?;
    check_overlaps(archives.iter().filter_map(|it| it.entry.as_ref()))?;
    if archives.is_empty() { Err(WaczError::NoArchive) } else { Ok(archives) }
}

/// Whether the entry `name` states places and digests of records, so that it changes with the archives.
pub fn is_derived(name: &str) -> bool {
    DERIVED.iter().any(|derived| name.starts_with(derived))
}

/// Whether the entry `name` is a WARC archive.
pub fn is_archive(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    name.starts_with(ARCHIVES) && SUFFIXES.iter().any(|suffix| lower.ends_with(suffix))
}

/// The name of a compression method for messages: `BZIP2`, or its number.
fn method_name(method: CompressionMethod) -> String {
    let known = format!("{method:?}");
    let name = known.strip_prefix("CompressionMethod::");
    name.map_or_else(|| format!("method {}", method.as_u16()), str::to_owned)
}

/// Checks that no byte of the file is read for two entries: a small file could hold an endless crawl.
pub(super) fn check_overlaps<'e>(
    entries: impl Iterator<Item = &'e ZipEntry>,
) -> Result<(), WaczError> {
    let mut entries: Vec<&ZipEntry> = entries.collect();
    entries.sort_by_key(|entry| entry.range.start);
    match entries
        .iter()
        .zip(entries.iter().skip(1))
        .find(|(one, next)| one.range.end > next.range.start)
    {
        None => Ok(()),
        Some((_, next)) => {
            Err(WaczError::Entry { name: next.name.clone(), kind: EntryErrorKind::Overlapping })
        }
    }
}

/// The bytes of `zip`, a file of `length` bytes, that hold the data of its entry `name`.
pub(super) fn data_range(
    zip: &ZipArchive<FileReader>,
    entry: ZipArchiveEntryWayfinder,
    name: &str,
    length: u64,
) -> Result<Range<u64>, WaczError> {
    let failed = |kind| WaczError::Entry { name: name.to_owned(), kind };
    let (start, end) = zip
        .get_entry(entry)
        .map_err(|error| failed(EntryErrorKind::Damaged(error)))?
        .compressed_data_range();
    if end > length { Err(failed(EntryErrorKind::Truncated)) } else { Ok(start..end) }
}

pub(super) fn zip_error(error: rawzip::Error) -> WaczError {
    match error.kind() {
        ErrorKind::IO(source) if source.kind() != io::ErrorKind::UnexpectedEof => {
            WaczError::Read(io::Error::new(source.kind(), source.to_string()))
        }
        _ => WaczError::Zip(error),
    }
}

#[cfg(test)]
#[path = "../../../../tests/support/streamed_zip.rs"]
mod streamed_zip;

#[cfg(test)]
mod tests {
    use super::streamed_zip::streamed;
    use super::*;
    use crate::warc::record::Records;
    use proptest::prelude::*;
    use std::fs;

    const RECORD: &[u8] = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\n\
                            Content-Type: text/html\r\nContent-Length: 12\r\n\r\n<a href=b>b\n\r\n\r\n";

    fn whole() -> Vec<u8> {
        streamed(&[
            ("archive/a.warc", CompressionMethod::STORE, RECORD),
            ("archive/b.warc", CompressionMethod::DEFLATE, RECORD),
            ("pages/pages.jsonl", CompressionMethod::STORE, RECORD),
            ("indexes/index.cdx", CompressionMethod::STORE, RECORD),
        ])
    }

    /// The number of records in the archives of `file`, as far as they can be read.
    fn records(file: &[u8]) -> Result<usize, WaczError> {
        let path = tempfile::NamedTempFile::new().unwrap();
        fs::write(path.path(), file).unwrap();
        let mut count = 0;
        for archive in open(path.path())? {
            if let Ok(mut records) = Records::open(&archive, true) {
                while let Ok(Some(_)) = records.next_piece(|_, _, _| true) {}
                count += records.count();
            }
        }
        Ok(count)
    }

    #[test]
    fn entries_with_sizes_after_their_data_are_read() {
        let path = tempfile::NamedTempFile::new().unwrap();
        fs::write(path.path(), whole()).unwrap();
        let archives = open(path.path()).unwrap();
        let names = archives.iter().filter_map(|it| it.entry.as_ref());
        let names: Vec<(&str, bool, u64)> =
            names.map(|it| (it.name.as_str(), it.is_deflated, it.size)).collect();
        let size = RECORD.len() as u64;
        assert_eq!(names, [("archive/a.warc", false, size), ("archive/b.warc", true, size)]);
        assert_eq!(records(&whole()).unwrap(), 2);
    }

    proptest! {
        #[test]
        fn damage_is_an_error_or_harmless(
            changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
            cut in any::<proptest::sample::Index>(),
            is_cut in any::<bool>(),
        ) {
            let mut file = whole();
            for (at, byte) in changes {
                let at = at.index(file.len());
                file[at] = byte;
            }
            if is_cut {
                file.truncate(cut.index(file.len()));
            }
            if let Ok(count) = records(&file) {
                // A changed length can hide or show only what is in the file.
                prop_assert!(count <= 10, "{count}");
            }
        }
    }
}
