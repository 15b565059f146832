//! SITE: a directory, or a single archive.

use std::io;
use std::path::{Path, PathBuf};

use super::formats::{container_format, container_suffixes};
use crate::site::{Entry, EntryKind, FileTree, walk};

/// The canonical path of SITE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePlace {
    /// The root directory of a site.
    Directory(PathBuf),
    /// An archive, whose documents have URLs of their own.
    Archive(PathBuf),
}

/// Why a path is not a site.
#[derive(Debug, thiserror::Error)]
pub enum SitePlaceError {
    /// The path does not exist, or cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// The path as the caller gave it.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The path is a file, but not an archive.
    #[error(
        "{}: not a directory; SITE is the root directory of a site, or an archive ({})",
        .0.display(), container_suffixes()
    )]
    NotASite(PathBuf),
}

impl SitePlace {
    /// Determines whether `site` is a directory or an archive.
    ///
    /// # Errors
    /// When `site` does not exist, or is neither a directory nor an archive.
    pub fn of(site: &Path) -> Result<SitePlace, SitePlaceError> {
        let path = canonical(site)?;
        let format = path.file_name().and_then(container_format);
        match format.is_some() && path.is_file() {
            true => Ok(SitePlace::Archive(path)),
            false => SitePlace::of_directory(site),
        }
    }

    /// As [`SitePlace::of`], without archives.
    ///
    /// # Errors
    /// When `site` does not exist, or is not a directory.
    pub fn of_directory(site: &Path) -> Result<SitePlace, SitePlaceError> {
        let root = canonical(site)?;
        match root.is_dir() {
            true => Ok(SitePlace::Directory(root)),
            false => Err(SitePlaceError::NotASite(site.to_owned())),
        }
    }

    /// The root directory; for an archive, the directory that holds it.
    pub fn root(&self) -> PathBuf {
        match self {
            SitePlace::Directory(root) => root.clone(),
            SitePlace::Archive(path) => path.parent().unwrap_or(path).to_owned(),
        }
    }

    /// `site` as reports show it; for an archive its folder, since its documents' names hold its own.
    pub fn name(&self, site: &Path) -> String {
        let folder = match self {
            SitePlace::Directory(_) => site,
            SitePlace::Archive(_) => folder_of(site),
        };
        folder.to_string_lossy().into_owned()
    }

    /// The file name of the archive; `None` for a directory.
    pub fn archive_name(&self) -> Option<&Path> {
        match self {
            SitePlace::Directory(_) => None,
            SitePlace::Archive(path) => path.file_name().map(Path::new),
        }
    }

    /// Walks the directory; for an archive, lists it alone.
    pub fn walk(&self) -> FileTree {
        match self {
            SitePlace::Directory(root) => walk(root),
            SitePlace::Archive(path) => FileTree {
                entries: vec![Entry {
                    path: path.file_name().unwrap_or_default().into(),
                    kind: EntryKind::File,
                }],
                errors: Vec::new(),
            },
        }
    }
}

fn canonical(site: &Path) -> Result<PathBuf, SitePlaceError> {
    site.canonicalize().map_err(|source| SitePlaceError::Read {
        path: site.to_owned(),
        source,
    })
}

/// The directory that holds the file at `path`; `.` for a name alone.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
