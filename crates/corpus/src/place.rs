//! SITE: a directory, a single document, or a single archive.

use std::io;
use std::path::{Path, PathBuf};

use crate::{Selection, container_format, container_suffixes};
use rehref_document::is_markdown;
use rehref_site::{self, Entry, EntryKind, FileTree, walk};

/// The canonical path of SITE, which is a directory, an archive or a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePlace {
    /// The root directory of a site.
    Directory(PathBuf),
    /// An archive, whose documents have URLs of their own.
    Archive(PathBuf),
    /// A document. Its site is the directory that holds it, of which it is the only document that is read.
    Document(PathBuf),
}

/// The error of a path that cannot be SITE.
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
    /// The path is a file that is neither an archive nor a document.
    #[error(
        "{} is not a site, a document or an archive that rehref reads ({})",
        .0.display(), container_suffixes()
    )]
    NotASite(PathBuf),
}

impl SitePlace {
    /// Determines whether `site` is a directory, an archive or a document: by the name of a file, or else by its first
    /// bytes.
    ///
    /// # Errors
    /// Returns an error if `site` does not exist, or is none of these.
    pub fn of(site: &Path) -> Result<SitePlace, SitePlaceError> {
        let path = canonical(site)?;
        let Some(name) = path.file_name().filter(|_| path.is_file()) else {
            return SitePlace::of_directory(site);
        };
        if container_format(name).is_some() {
            return Ok(SitePlace::Archive(path));
        }
        let (folder, name) = (path.parent().unwrap_or(&path), Path::new(name));
        if is_markdown(name) {
            return Ok(SitePlace::Document(path));
        }
        match Selection::default().document_kind(folder, name) {
            Ok(Some(_)) => Ok(SitePlace::Document(path)),
            Ok(None) => SitePlace::of_directory(site),
            Err(source) => Err(SitePlaceError::Read { path: site.to_owned(), source }),
        }
    }

    /// As [`SitePlace::of`], but treats every file that is not an archive as a document.
    ///
    /// # Errors
    /// Returns an error if `site` does not exist.
    pub fn of_file(site: &Path) -> Result<SitePlace, SitePlaceError> {
        let path = canonical(site)?;
        let is_archive = path.file_name().and_then(container_format).is_some();
        if path.is_file() && !is_archive {
            Ok(SitePlace::Document(path))
        } else {
            SitePlace::of(site)
        }
    }

    /// As [`SitePlace::of`], but accepts only directories.
    ///
    /// # Errors
    /// Returns an error if `site` does not exist, or is not a directory.
    pub fn of_directory(site: &Path) -> Result<SitePlace, SitePlaceError> {
        let root = canonical(site)?;
        if root.is_dir() {
            Ok(SitePlace::Directory(root))
        } else {
            Err(SitePlaceError::NotASite(site.to_owned()))
        }
    }

    /// Returns the root directory; for a file, the directory that holds it.
    pub fn root(&self) -> PathBuf {
        match self {
            SitePlace::Directory(root) => root.clone(),
            SitePlace::Archive(path) | SitePlace::Document(path) => {
                path.parent().unwrap_or(path).to_owned()
            }
        }
    }

    /// Returns `site` as reports show it, with slashes. For a file, returns its folder, since the names of
    /// documents contain the file name.
    pub fn name(&self, site: &Path) -> String {
        let folder = match self {
            SitePlace::Directory(_) => site,
            SitePlace::Archive(path) | SitePlace::Document(path) => {
                // A symbolic link may have another name than its target, whose name the documents have.
                let is_same = site.file_name() == path.file_name();
                folder_of(if is_same { site } else { path })
            }
        };
        let name = folder.to_string_lossy();
        // The names of documents, which follow it, have slashes on every system.
        if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
    }

    /// Returns the name of the archive or document; `None` for a directory.
    pub fn file_name(&self) -> Option<&Path> {
        match self {
            SitePlace::Directory(_) => None,
            SitePlace::Archive(path) | SitePlace::Document(path) => path.file_name().map(Path::new),
        }
    }

    /// Returns the name of the document; `None` for a directory and an archive.
    pub fn document_name(&self) -> Option<&Path> {
        match self {
            SitePlace::Document(_) => self.file_name(),
            SitePlace::Directory(_) | SitePlace::Archive(_) => None,
        }
    }

    /// Lists the files of the directory, or for a document the files of its directory, to which its links may
    /// lead. Lists only an archive itself.
    pub fn walk_with_neighbors(&self) -> FileTree {
        match self {
            SitePlace::Document(_) => walk(&self.root()),
            SitePlace::Directory(_) | SitePlace::Archive(_) => self.walk(),
        }
    }

    /// Lists the files of the directory; for an archive or document, only the file itself.
    pub fn walk(&self) -> FileTree {
        match self {
            SitePlace::Directory(root) => walk(root),
            SitePlace::Archive(path) | SitePlace::Document(path) => FileTree {
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
    rehref_site::canonical(site)
        .map_err(|source| SitePlaceError::Read { path: site.to_owned(), source })
}

/// Returns the directory that holds the file at `path`; `.` for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
