//! The table of container kinds.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

use super::container::ContainerFormat;
use super::error::ContainerError;
use crate::files::open_file;
use crate::warc::{cdx, source::ArchiveSource, wacz::MAGIC};
use crate::warc_container;
use rehref_site::CaptureIndex;

/// The endings of the names of index files of archives, in lower case.
const INDEX_SUFFIXES: &[&str] = &[".cdxj", ".cdxj.gz", ".cdx", ".cdx.gz"];

/// All kinds of containers.
pub const CONTAINERS: &[ContainerFormat] = &[warc_container::WARC, warc_container::WACZ];

/// The suffixes of all kinds of containers, for help and messages: `.warc, .warc.gz, .wacz`.
pub fn container_suffixes() -> String {
    let suffixes: Vec<&str> = CONTAINERS.iter().flat_map(|kind| kind.suffixes).copied().collect();
    suffixes.join(", ")
}

/// The kind of container that a file of this name is; `None` for other files.
pub fn container_format(name: &OsStr) -> Option<&'static ContainerFormat> {
    CONTAINERS.iter().find(|kind| ends_with_any(name, kind.suffixes))
}

/// The WARC archives in the file at `path`: in one, if the file is an archive itself. The name of the file shows what it is;
/// without a suffix of the table, its first bytes.
///
/// # Errors
/// When the file cannot be read, or the archives in it cannot be found.
pub fn archives_in(path: &Path) -> Result<Vec<ArchiveSource>, ContainerError> {
    let mut start = Vec::new();
    let length = u64::try_from(MAGIC.len()).unwrap_or_default();
    let read = open_file(path).and_then(|(file, _)| file.take(length).read_to_end(&mut start));
    read.map_err(|error| ArchiveSource::file(path).unreadable(error))?;
    let format = match path.file_name().and_then(container_format) {
        Some(format) => format,
        None if start == MAGIC => &warc_container::WACZ,
        None => &warc_container::WARC,
    };
    (format.archives)(path)
}

/// Whether the file at `path` is an index of archives, which lists captures.
pub(super) fn is_archive_index(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    ends_with_any(name, INDEX_SUFFIXES)
}

/// Whether `name` ends with one of `suffixes`, in any letter case.
fn ends_with_any(name: &OsStr, suffixes: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    suffixes.iter().any(|suffix| {
        let start = name.len().checked_sub(suffix.len());
        let end = start.and_then(|start| name.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(suffix.as_bytes()))
    })
}

/// Adds the captures that the index file at `path` lists to `index`.
///
/// # Errors
/// When the file cannot be read, or is not an index.
pub(super) fn add_listed(path: &Path, index: &mut CaptureIndex) -> Result<(), ContainerError> {
    cdx::captures(path, index).map_err(|error| ContainerError(Box::new(error)))
}
