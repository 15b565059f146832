//! Writes WACZ files (version 1.1.1) with rewritten archives.
//!
//! The indexes, `datapackage.json` and `datapackage-digest.json` state places and digests, which are updated. All other
//! entries are copied. New contents are in temporary files until the new file is written.

mod datapackage;
mod index;
mod json;
mod records;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use datapackage::PackageError;
use index::Updater;
use records::ChangedArchive;

use super::container::{PackError, Remark, RewrittenArchive};
use super::error::ContainerError;
use crate::plural::counted;
use crate::site::open_file;
use crate::warc::cdx::CdxError;
use crate::warc::source::ArchiveReader;
use crate::warc::wacz::WaczError;
use crate::warc::zip_writer::{self, DirectoryEntry};

/// The size of buffers, in bytes.
const BUFFER: usize = 128 << 10;

/// The directory with the indexes (section 3.2 of the specification).
const INDEXES: &str = "indexes/";

const PACKAGE: &str = "datapackage.json";
const PACKAGE_DIGEST: &str = "datapackage-digest.json";

/// Why an index cannot be updated.
#[derive(Debug, thiserror::Error)]
enum IndexError {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error(transparent)]
    Line(#[from] CdxError),
    #[error("line {line}: no record begins at byte {offset} of {archive}")]
    NoRecord {
        line: usize,
        archive: String,
        offset: u64,
    },
    #[error("line {line}: no gzip member begins at byte {offset} of the compressed index")]
    NoBlock { line: usize, offset: u64 },
    #[error("the zip entry is compressed with an unsupported method, too large, or encrypted")]
    Unreadable,
}

/// Why an entry cannot be updated.
#[derive(Debug, thiserror::Error)]
#[error(
    "{entry}: {kind}; to make a new WACZ file without it, unzip the file, rewrite the archives in its directory archive/, \
     and run `wacz create` on them"
)]
struct UpdateError {
    entry: String,
    kind: UpdateErrorKind,
}

#[derive(Debug, thiserror::Error)]
enum UpdateErrorKind {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Package(#[from] PackageError),
}

impl UpdateError {
    fn of<E: Into<UpdateErrorKind>>(entry: &DirectoryEntry) -> impl Fn(E) -> PackError {
        let entry = entry.data.name.clone();
        move |error| {
            let (entry, kind) = (entry.clone(), error.into());
            ContainerError(Box::new(UpdateError { entry, kind })).into()
        }
    }
}

impl From<WaczError> for PackError {
    fn from(error: WaczError) -> PackError {
        PackError::Container(error.into())
    }
}

/// Writes the WACZ file at `path` to `out`, with `archives` in place of its archives of the same names.
///
/// # Errors
/// When something in the file cannot be read or updated, or `out` cannot be written.
pub(super) fn pack(
    path: &Path,
    archives: Vec<RewrittenArchive>,
    out: &mut dyn Write,
) -> Result<Vec<Remark>, PackError> {
    let entries = zip_writer::directory(path)?;
    let read = |entry: &DirectoryEntry| -> Result<ArchiveReader, IndexError> {
        match entry.is_readable {
            true => Ok(entry.data.open(open_file(path)?.0)?),
            false => Err(IndexError::Unreadable),
        }
    };
    let mut contents: BTreeMap<String, File> = BTreeMap::new();
    let mut updater = Updater {
        archives: Vec::new(),
        wrong_digests: 0,
    };
    for archive in archives {
        if let Some(entry) = entries.iter().find(|it| it.data.name == archive.name) {
            let old = read(entry).map_err(UpdateError::of(entry))?;
            let changed = ChangedArchive::new(archive, old).map_err(PackError::Output)?;
            updater.archives.push(changed.0);
            contents.insert(entry.data.name.clone(), changed.1);
        }
    }
    let indexes = |entry: &&DirectoryEntry| {
        let name = &entry.data.name;
        name.starts_with(INDEXES) && !name.ends_with('/')
    };
    let is_of_blocks = |entry: &&DirectoryEntry| entry.data.name.ends_with(".idx");
    let mut compressed = Vec::new();
    for entry in entries
        .iter()
        .filter(indexes)
        .filter(|it| !is_of_blocks(it))
    {
        let failed = UpdateError::of::<IndexError>(entry);
        let updated = read(entry)
            .and_then(|old| updater.index(old))
            .map_err(&failed)?;
        let (name, old) = (entry.data.name.clone(), read(entry).map_err(&failed)?);
        let file = updated.file.try_clone().map_err(PackError::Output)?;
        contents.insert(name.clone(), file);
        if !updated.blocks.is_empty() {
            compressed.push((name, old, updated));
        }
    }
    for entry in entries.iter().filter(indexes).filter(is_of_blocks) {
        let updated = read(entry).and_then(|old| updater.blocks(old, &mut compressed));
        let file = updated.map_err(UpdateError::of(entry))?;
        contents.insert(entry.data.name.clone(), file);
    }
    let is_signed = packages(&entries, &read, &mut contents)?;
    zip_writer::write(path, &entries, &mut contents, out).map_err(PackError::Output)?;
    let mut remarks = Vec::new();
    if updater.wrong_digests > 0 {
        let digests = counted(updater.wrong_digests, "digest");
        remarks.push(remark(
            "wrong-digest",
            format!("{digests} in the indexes did not match the records before the rewrite, so rehref did not update them"),
        ));
    }
    if is_signed {
        remarks.push(remark(
            "signature",
            format!(
                "{PACKAGE_DIGEST}: the signature is not valid for the new contents, so rehref removed it; sign the file again"
            ),
        ));
    }
    Ok(remarks)
}

fn remark(code: &'static str, message: String) -> Remark {
    Remark {
        code,
        message,
        is_skipped: false,
    }
}

/// Adds the new `datapackage.json` and `datapackage-digest.json` to `contents`. Returns whether a signature was removed.
fn packages(
    entries: &[DirectoryEntry],
    read: &dyn Fn(&DirectoryEntry) -> Result<ArchiveReader, IndexError>,
    contents: &mut BTreeMap<String, File>,
) -> Result<bool, PackError> {
    let find = |name: &str| entries.iter().find(|it| it.data.name == name);
    let text = |entry: &DirectoryEntry| -> Result<String, PackError> {
        let mut reader = read(entry).map_err(UpdateError::of(entry))?;
        let mut text = String::new();
        let read = reader.read_to_string(&mut text).map_err(IndexError::Read);
        read.map_err(UpdateError::of(entry))?;
        Ok(text)
    };
    let Some(entry) = find(PACKAGE) else {
        return Ok(false);
    };
    let new = datapackage::package(&text(entry)?, contents).map_err(UpdateError::of(entry))?;
    let mut package = stored(&new).map_err(PackError::Output)?;
    let mut is_signed = false;
    if let Some(entry) = find(PACKAGE_DIGEST) {
        let updated = datapackage::digest(&text(entry)?, &mut package);
        let (new, signed) = updated.map_err(UpdateError::of(entry))?;
        is_signed = signed;
        let file = stored(&new).map_err(PackError::Output)?;
        contents.insert(PACKAGE_DIGEST.to_owned(), file);
    }
    contents.insert(PACKAGE.to_owned(), package);
    Ok(is_signed)
}

/// A temporary file with `text`.
fn stored(text: &str) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}
