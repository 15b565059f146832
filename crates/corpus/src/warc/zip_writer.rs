//! Writes a zip file again: the same entries in the same order, some of them with other contents.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::path::EntryPath;
use rawzip::{DataDescriptorOutput, ErrorKind, ZipArchiveWriter, ZipFileBuilder};

use super::source::ZipEntry;
use super::zip_directory::DirectoryEntry;
use crate::files::open_file;

/// Writes the zip file at `path`, whose entries are `entries`, to `out`. Entries in `contents` get these contents and
/// keep their method, and the data of all others is copied.
///
/// # Errors
/// Returns an error if reading or writing fails.
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
