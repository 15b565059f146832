//! WACZ files (version 1.1.1) beyond their archives: the indexes, `datapackage.json` and `datapackage-digest.json`, which
//! state places and digests of records.
//!
//! [`pack()`] writes a file whose archives were rewritten, [`compare`] checks one.

mod compare;
mod datapackage;
mod index_compare;
mod index_lines;
mod index_update;
mod json;
mod pack;
mod records;

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

pub(super) use compare::compare_entries;
pub(super) use pack::pack;

use crate::ContainerError;
use crate::files::open_file;
use crate::warc::ArchiveReader;
use crate::warc::source::{ZipEntry, read_parts};
use crate::warc::zip_directory::{DirectoryEntry, check_overlaps, directory};

/// The size of buffers, in bytes.
const BUFFER: usize = 128 << 10;

/// The directory with the indexes (section 3.2 of the specification).
const INDEXES: &str = "indexes/";

const PACKAGE: &str = "datapackage.json";
const PACKAGE_DIGEST: &str = "datapackage-digest.json";

/// The member of `datapackage-digest.json` that is a signature of its hash.
const SIGNATURE: &str = "signedData";

/// The entries of a WACZ file.
struct Entries<'p> {
    path: &'p Path,
    /// The number of bytes of the file.
    size: u64,
    all: Vec<DirectoryEntry>,
    /// The first entry of each name, by its place among all.
    by_name: HashMap<String, usize>,
}

impl<'p> Entries<'p> {
    /// Reads the directory of the zip file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or its directory is damaged.
    fn open(path: &'p Path) -> Result<Entries<'p>, ContainerError> {
        let all = directory(path, |_| true)?;
        check_overlaps(&all)?;
        let mut by_name = HashMap::new();
        for (at, entry) in all.iter().enumerate() {
            by_name.entry(entry.data.name.clone()).or_insert(at);
        }
        Ok(Entries { path, size: open_file(path)?.1.len(), all, by_name })
    }

    fn find(&self, name: &str) -> Option<&DirectoryEntry> {
        self.all.get(*self.by_name.get(name)?)
    }

    /// Reads the bytes of the file that hold the data of `entry`, compressed or not, and calls `take` with their parts.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn read_raw(
        &self,
        entry: &DirectoryEntry,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), ContainerError> {
        let raw = ZipEntry { is_deflated: false, ..entry.data.clone() };
        let read = read_parts(&mut raw.open(open_file(self.path)?.0)?, |part| {
            take(part);
            Ok(())
        });
        Ok(read?)
    }

    /// Opens the data of `entry`.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn read(&self, entry: &DirectoryEntry) -> Result<ArchiveReader, ContainerError> {
        if entry.is_readable {
            Ok(entry.data.open(open_file(self.path)?.0)?)
        } else {
            Err(unreadable())
        }
    }

    /// The data of `entry`, a text.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is not UTF-8.
    fn text(&self, entry: &DirectoryEntry) -> Result<String, ContainerError> {
        let mut text = String::new();
        self.read(entry)?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// The indexes of records (CDXJ, CDX), or those of the blocks of compressed indexes (`.idx`).
    fn indexes(&self, of_blocks: bool) -> impl Iterator<Item = &DirectoryEntry> {
        self.all.iter().filter(move |it| is_index(it) && is_block_index(it) == of_blocks)
    }
}

/// For `map_err`: what in BEFORE cannot be compared.
fn in_before(error: impl ToString) -> String {
    format!("in the old tree: {}", error.to_string())
}

/// For `map_err`: what in AFTER cannot be compared.
fn in_after(error: impl ToString) -> String {
    error.to_string()
}

fn unreadable() -> ContainerError {
    let message = "the zip entry is compressed with an unsupported method, too large, or encrypted";
    ContainerError::Other(message.to_owned())
}

fn is_index(entry: &DirectoryEntry) -> bool {
    let name = &entry.data.name;
    name.starts_with(INDEXES) && !name.ends_with('/')
}

fn is_block_index(entry: &DirectoryEntry) -> bool {
    entry.data.name.ends_with(".idx")
}
