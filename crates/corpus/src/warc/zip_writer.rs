//! Writes a zip file again: the same entries in the same order, some of them with other contents.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::path::EntryPath;
use rawzip::time::{UtcDateTime, ZipDateTimeKind};
use rawzip::{
    CompressionMethod, CreatorSystem, DataDescriptorOutput, ErrorKind, RECOMMENDED_BUFFER_SIZE,
    ZipArchive, ZipArchiveWriter, ZipFileBuilder,
};

use super::source::ZipEntry;
use crate::ContainerError;
use crate::coding::Sizes;
use crate::files::open_file;

/// An entry of a zip file, with all that the zip directory says of it.
#[derive(Clone, Debug)]
pub struct DirectoryEntry {
    /// Its name and its data.
    pub data: ZipEntry,
    /// Whether it can be read: stored or deflated, to no more than any index has, and not encrypted.
    pub is_readable: bool,
    /// Whether the header before its data says the same of it as the directory.
    pub has_same_header: bool,
    name: Vec<u8>,
    method: CompressionMethod,
    is_encrypted: bool,
    modified: Option<UtcDateTime>,
    permissions: Option<u32>,
    comment: Vec<u8>,
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
                    "the zip entry is compressed with {name}; rehref reads stored and deflated entries"
                )
            }
        }
    }
}

/// Reads the directory of the zip file at `path`: all entries in their order whose names are wanted.
///
/// # Errors
/// When the file cannot be read, or its directory is damaged.
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

/// Checks that no byte of the file is read for two entries: a small file could hold an endless crawl.
///
/// # Errors
/// When two entries have data in common.
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

/// Writes the zip file at `path`, whose entries are `entries`, to `out`. Entries in `contents` get these contents and
/// keep their method, and the data of all others is copied.
///
/// # Errors
/// When reading or writing fails.
pub fn write(
    path: &Path,
    entries: &[DirectoryEntry],
    contents: &mut BTreeMap<String, File>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mut old, _) = open_file(path)?;
    let mut zip = ZipArchiveWriter::new(out);
    for entry in entries {
        match contents.get_mut(&entry.data.name) {
            Some(new) => replace(entry, new, &mut zip)?,
            None => copy(entry, &mut old, &mut zip)?,
        }
    }
    zip.finish().map_err(io_error).map(drop)
}

fn begin<'z, 'e, W: Write>(
    entry: &'e DirectoryEntry,
    zip: &'z mut ZipArchiveWriter<W>,
) -> ZipFileBuilder<'z, 'e, W> {
    let name = match std::str::from_utf8(&entry.name) {
        // Marks the name as UTF-8.
        Ok(name) if !name.is_ascii() => EntryPath::conformant(name),
        _ => EntryPath::verbatim(entry.name.as_slice()),
    };
    let mut builder = zip
        .new_file(name)
        .compression_method(entry.method)
        .encrypted(entry.is_encrypted)
        .comment(entry.comment.clone());
    if let Some(modified) = entry.modified {
        builder = builder.last_modified(modified);
    }
    if let Some(permissions) = entry.permissions {
        builder = builder.unix_permissions(permissions);
    }
    builder
}

fn copy<W: Write>(
    entry: &DirectoryEntry,
    old: &mut File,
    zip: &mut ZipArchiveWriter<W>,
) -> io::Result<()> {
    let ZipEntry { range, crc, size, .. } = &entry.data;
    let length = range.end.saturating_sub(range.start);
    let (mut writer, _) = begin(entry, zip).start().map_err(io_error)?;
    old.seek(SeekFrom::Start(range.start))?;
    if io::copy(&mut old.take(length), &mut writer)? != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let descriptor = DataDescriptorOutput::new(*crc, *size);
    writer.finish(descriptor).map_err(io_error).map(drop)
}

fn replace<W: Write>(
    entry: &DirectoryEntry,
    new: &mut File,
    zip: &mut ZipArchiveWriter<W>,
) -> io::Result<()> {
    new.seek(SeekFrom::Start(0))?;
    let (mut writer, config) = begin(entry, zip).start().map_err(io_error)?;
    let descriptor = if entry.data.is_deflated {
        let encoder = DeflateEncoder::new(&mut writer, Compression::default());
        let mut data = config.wrap(encoder);
        io::copy(new, &mut data)?;
        let (encoder, descriptor) = data.finish().map_err(io_error)?;
        encoder.finish()?;
        descriptor
    } else {
        let mut data = config.wrap(&mut writer);
        io::copy(new, &mut data)?;
        data.finish().map_err(io_error)?.1
    };
    writer.finish(descriptor).map_err(io_error).map(drop)
}

fn io_error(error: rawzip::Error) -> io::Error {
    match error.kind() {
        ErrorKind::IO(source) => io::Error::new(source.kind(), source.to_string()),
        _ => io::Error::other(error),
    }
}
