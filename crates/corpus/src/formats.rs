//! The kinds of containers, by the names of their files.

use std::ffi::OsStr;
use std::path::Path;

use crate::ContainerError;
use crate::files::first_bytes;
use crate::warc::{ArchiveSource, wacz};

/// The endings of the names of index files of archives, in lower case.
const INDEX_SUFFIXES: &[&str] = &[".cdxj", ".cdxj.gz", ".cdx", ".cdx.gz"];

/// A kind of file that contains archived documents, such as a WARC archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerFormat {
    /// A WARC archive.
    Warc,
    /// A zip file with WARC archives.
    Wacz,
}

/// The endings of the names of containers, in lower case.
const SUFFIXES: &[(&str, ContainerFormat)] = &[
    (".warc", ContainerFormat::Warc),
    (".warc.gz", ContainerFormat::Warc),
    (".wacz", ContainerFormat::Wacz),
];

impl ContainerFormat {
    /// Returns the WARC archives in the file at `path`, which is of this kind.
    pub(crate) fn archives(self, path: &Path) -> Result<Vec<ArchiveSource>, ContainerError> {
        Ok(match self {
            ContainerFormat::Warc => vec![ArchiveSource::file(path)],
            ContainerFormat::Wacz => wacz::open(path)?,
        })
    }
}

/// Returns the suffixes of all kinds of containers, for help and messages: `.warc, .warc.gz, .wacz`.
pub fn container_suffixes() -> String {
    let suffixes: Vec<&str> = SUFFIXES.iter().map(|(suffix, _)| *suffix).collect();
    suffixes.join(", ")
}

/// Returns the kind of container that a file called `name` is; `None` for other files.
pub fn container_format(name: &OsStr) -> Option<ContainerFormat> {
    SUFFIXES.iter().find(|(suffix, _)| ends_with(name, suffix)).map(|(_, format)| *format)
}

/// Returns the WARC archives in the file at `path`: the file itself, or the archives in a WACZ file. The kind
/// of the file depends on its suffix, or without a known suffix on its first bytes.
///
/// # Errors
/// Returns an error if the file cannot be read, or the archives in it cannot be found.
pub fn archives_in(path: &Path) -> Result<Vec<ArchiveSource>, ContainerError> {
    let start = first_bytes(path, wacz::MAGIC.len());
    let start = start.map_err(|error| ArchiveSource::file(path).unreadable(error))?;
    let format = match path.file_name().and_then(container_format) {
        Some(format) => format,
        None if start == wacz::MAGIC => ContainerFormat::Wacz,
        None => ContainerFormat::Warc,
    };
    format.archives(path)
}

/// Returns true if the file at `path` is an index of archives, which lists captures.
pub(super) fn is_archive_index(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    INDEX_SUFFIXES.iter().any(|suffix| ends_with(name, suffix))
}

/// Returns true if `name` ends with `suffix`, in any letter case.
fn ends_with(name: &OsStr, suffix: &str) -> bool {
    let name = name.as_encoded_bytes();
    let start = name.len().checked_sub(suffix.len());
    let end = start.and_then(|start| name.get(start..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(suffix.as_bytes()))
}
