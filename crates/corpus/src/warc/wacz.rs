//! WACZ files (version 1.1.1): zip files with the WARC archives of a crawl in the directory `archive/`.
//!
//! Only the directory of the zip file is read here; the archives are read from where they are in it.

use std::collections::HashSet;
use std::path::Path;

use super::source::ArchiveSource;
use super::zip_directory::{check_overlaps, directory};
use crate::ContainerError;

/// The first bytes of a zip file that has entries.
pub const MAGIC: &[u8] = b"PK\x03\x04";

/// The directory with the WARC archives (section 3.1 of the specification).
const ARCHIVES: &str = "archive/";

/// The starts of the names of entries that state places and digests of records: the indexes and `datapackage.json` with
/// its digest (sections 3.2 to 3.5).
const DERIVED: [&str; 2] = ["indexes/", "datapackage"];

/// The endings of the names of WARC archives, in lower case.
const SUFFIXES: [&str; 2] = [".warc", ".warc.gz"];

/// Returns the WARC archives in the WACZ file at `path`, in the order of the zip directory.
///
/// # Errors
/// Returns an error if the zip directory cannot be read, or an archive in it cannot.
pub fn open(path: &Path) -> Result<Vec<ArchiveSource>, ContainerError> {
    let archives = directory(path, is_archive)?;
    let mut names = HashSet::new();
    for entry in &archives {
        let data = &entry.data;
        let refused = if entry.is_readable {
            let is_new = names.insert(data.name.as_str());
            (!is_new).then(|| "the zip file has two entries of this name".to_owned())
        } else {
            Some(entry.unreadable())
        };
        if let Some(why) = refused {
            return Err(ContainerError::Other(format!("{}: {why}", data.name)));
        }
    }
    check_overlaps(&archives)?;
    if archives.is_empty() {
        let message =
            "the file is not a WACZ file: it has no WARC archive in its directory archive/";
        return Err(ContainerError::Other(message.to_owned()));
    }
    let sources = archives.into_iter();
    let sources =
        sources.map(|entry| ArchiveSource { path: path.to_owned(), entry: Some(entry.data) });
    Ok(sources.collect())
}

/// Returns true if the entry `name` states places and digests of records, so that it changes with the archives.
pub fn is_derived(name: &str) -> bool {
    DERIVED.iter().any(|derived| name.starts_with(derived))
}

/// Returns true if the entry `name` is a WARC archive.
pub fn is_archive(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    name.starts_with(ARCHIVES) && SUFFIXES.iter().any(|suffix| lower.ends_with(suffix))
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
    use rawzip::CompressionMethod;
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
    fn records(file: &[u8]) -> Result<usize, ContainerError> {
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
