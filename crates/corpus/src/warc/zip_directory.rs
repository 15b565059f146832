//! Reads the directory of a zip file.

use std::fmt::Display;
use std::io;
use std::path::Path;

use rawzip::time::{UtcDateTime, ZipDateTimeKind};
use rawzip::{CompressionMethod, CreatorSystem, ErrorKind, RECOMMENDED_BUFFER_SIZE, ZipArchive};

use super::source::ZipEntry;
use crate::ContainerError;
use crate::coding::Sizes;
use crate::files::open_file;

/// An entry of a zip file, with all fields of the zip directory.
#[derive(Clone, Debug)]
pub struct DirectoryEntry {
    /// The name of the entry, and the place of its data.
    pub data: ZipEntry,
    /// True if rehref can read the entry: it is stored or deflated, not larger than any index, and not
    /// encrypted.
    pub is_readable: bool,
    /// True if the header before the data of the entry is equal to its record in the directory.
    pub has_same_header: bool,
    pub(super) name: Vec<u8>,
    pub(super) method: CompressionMethod,
    pub(super) is_encrypted: bool,
    pub(super) modified: Option<UtcDateTime>,
    pub(super) permissions: Option<u32>,
    pub(super) comment: Vec<u8>,
}

impl DirectoryEntry {
    /// Describes why an entry cannot be read that is not [`DirectoryEntry::is_readable`].
    pub fn unreadable(&self) -> String {
        let ZipEntry { range, size, .. } = &self.data;
        match self.method {
            CompressionMethod::STORE | CompressionMethod::DEFLATE if self.is_encrypted => {
                "the zip entry is encrypted".to_owned()
            }
            CompressionMethod::STORE | CompressionMethod::DEFLATE => {
                let compressed = range.end - range.start;
                format!(
                    "the zip entry is larger than rehref decompresses: {size} bytes from {compressed}"
                )
            }
            method => {
                let known = format!("{method:?}");
                let name = known.strip_prefix("CompressionMethod::").map(str::to_owned);
                let name = name.unwrap_or_else(|| format!("method {}", method.as_u16()));
                format!(
                    "the zip entry is compressed with {name}; rehref reads only stored and deflated entries"
                )
            }
        }
    }
}

/// Reads the directory of the zip file at `path`: all entries in their order whose names are wanted.
///
/// # Errors
/// Returns an error if the file cannot be read, or its directory is damaged.
pub fn directory(
    path: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<DirectoryEntry>, ContainerError> {
    let (file, metadata) = open_file(path)?;
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let zip = ZipArchive::from_file(file, &mut buffer).map_err(zip_error)?;
    // The name and the extra fields of a header have at most 64 KB each.
    let mut names = vec![0; 2 << 16];
    let (mut found, mut sizes, mut count) = (Vec::new(), Sizes::default(), 0);
    let mut entries = zip.entries(&mut buffer);
    while let Some(record) = entries.next_entry().map_err(zip_error)? {
        count += 1;
        let name = record.file_path().as_bytes().to_vec();
        let shown_name = String::from_utf8_lossy(&name).into_owned();
        if !is_wanted(&shown_name) {
            continue;
        }
        let (method, is_encrypted) = (record.compression_method(), record.flags().is_encrypted());
        let is_unix = record.version_made_by().creator_system() == CreatorSystem::UNIX;
        let size = record.uncompressed_size_hint();
        let entry = DirectoryEntry {
            data: ZipEntry {
                name: shown_name,
                range: 0..0,
                is_deflated: method == CompressionMethod::DEFLATE,
                size,
                crc: record.crc32(),
            },
            is_readable: !is_encrypted
                && match method {
                    CompressionMethod::STORE => true,
                    CompressionMethod::DEFLATE => sizes.add(record.compressed_size_hint(), size),
                    _ => false,
                },
            has_same_header: false,
            name,
            method,
            is_encrypted,
            modified: modified(&record.last_modified()),
            permissions: is_unix.then(|| record.external_attributes() >> 16),
            comment: record.comment().as_bytes().to_vec(),
        };
        found.push((entry, record.wayfinder()));
    }
    let declared = zip.entries_hint();
    if count != declared {
        return Err(ContainerError::Other(format!(
            "the zip directory is damaged: it declares {declared} entries and has {count}"
        )));
    }
    let placed = found.into_iter().map(|(mut entry, wayfinder)| {
        let damaged = |why: &dyn Display| {
            let name = &entry.data.name;
            ContainerError::Other(format!("{name}: the zip entry is damaged: {why}"))
        };
        let data = zip.get_entry(wayfinder).map_err(|error| damaged(&error))?;
        let (start, end) = data.compressed_data_range();
        if end > metadata.len() {
            return Err(damaged(&"the file ends before its end"));
        }
        entry.data.range = start..end;
        entry.has_same_header = data.local_header(&mut names).is_ok_and(|header| {
            header.file_path().as_bytes() == entry.name
                && header.compression_method() == entry.method
                && header.flags().is_encrypted() == entry.is_encrypted
        });
        Ok(entry)
    });
    placed.collect()
}

/// Checks that no two entries share bytes of the file, because a small file could otherwise contain an endless
/// crawl.
///
/// # Errors
/// Returns an error if two entries have data in common.
pub fn check_overlaps(entries: &[DirectoryEntry]) -> Result<(), ContainerError> {
    let mut entries: Vec<&ZipEntry> = entries.iter().map(|entry| &entry.data).collect();
    entries.sort_by_key(|entry| entry.range.start);
    let mut pairs = entries.iter().zip(entries.iter().skip(1));
    match pairs.find(|(one, next)| one.range.end > next.range.start) {
        None => Ok(()),
        Some((_, next)) => {
            let name = &next.name;
            Err(ContainerError::Other(format!("{name}: the zip entry overlaps another one")))
        }
    }
}

fn zip_error(error: rawzip::Error) -> ContainerError {
    match error.kind() {
        ErrorKind::IO(source) if source.kind() != io::ErrorKind::UnexpectedEof => {
            ContainerError::Read(io::Error::new(source.kind(), source.to_string()))
        }
        _ => ContainerError::Other(format!("not a zip file, or a damaged one: {error}")),
    }
}

/// The time of an entry. Local times, whose zone a zip file does not state, are treated as UTC: so the fields of the
/// entry stay the same.
fn modified(time: &ZipDateTimeKind) -> Option<UtcDateTime> {
    UtcDateTime::from_components(
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.nanosecond(),
    )
}
