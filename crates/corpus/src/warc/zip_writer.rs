//! Writes a zip file again: the same entries in the same order, some of them with other contents.

use std::collections::BTreeMap;
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
use super::wacz::{WaczError, check_overlaps, data_range, zip_error};
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

/// Reads the directory of the zip file at `path`: all entries in their order.
///
/// # Errors
/// When the file cannot be read, its directory is damaged, or two entries have data in common.
pub fn directory(path: &Path) -> Result<Vec<DirectoryEntry>, WaczError> {
    let (file, metadata) = open_file(path)?;
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let zip = ZipArchive::from_file(file, &mut buffer).map_err(zip_error)?;
    // The name and the extra fields of a header have at most 64 KB each.
    let mut names = vec![0; 2 << 16];
    let (mut found, mut sizes) = (Vec::new(), Sizes::default());
    let mut entries = zip.entries(&mut buffer);
    while let Some(record) = entries.next_entry().map_err(zip_error)? {
        let name = record.file_path().as_bytes().to_vec();
        let (method, is_encrypted) = (record.compression_method(), record.flags().is_encrypted());
        let is_unix = record.version_made_by().creator_system() == CreatorSystem::UNIX;
        let is_deflated = method == CompressionMethod::DEFLATE;
        let entry = DirectoryEntry {
            data: ZipEntry {
                name: String::from_utf8_lossy(&name).into_owned(),
                range: 0..0,
                is_deflated,
                size: record.uncompressed_size_hint(),
                crc: record.crc32(),
            },
            is_readable: !is_encrypted
                && if is_deflated {
                    sizes.add(record.compressed_size_hint(), record.uncompressed_size_hint())
                } else {
                    method == CompressionMethod::STORE
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
    let placed = found.into_iter().map(|(mut entry, wayfinder)| {
        entry.data.range = data_range(&zip, wayfinder, &entry.data.name, metadata.len())?;
        let header = zip.get_entry(wayfinder);
        let header = header.and_then(|it| it.local_header(&mut names));
        entry.has_same_header = header.is_ok_and(|header| {
            header.file_path().as_bytes() == entry.name
                && header.compression_method() == entry.method
                && header.flags().is_encrypted() == entry.is_encrypted
        });
        Ok(entry)
    });
    let placed = placed.collect::<Result<Vec<DirectoryEntry>, WaczError>>()?;
    check_overlaps(placed.iter().map(|it| &it.data))?;
    Ok(placed)
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
