//! A single document that belongs to no site: a file, or stdin.

use std::io::{self, Read};
use std::path::Path;

use super::selection::Selection;
use crate::document::DocumentKind;
use crate::site::{SiteUrl, SiteUrlError, with_file_bytes};
use crate::url::{ParseError, Url};

/// A document outside any site.
#[derive(Clone, Debug)]
pub struct SingleDocument {
    /// Its kind, by its name or its first bytes; stdin is HTML.
    pub kind: DocumentKind,
    /// Its bytes in the file.
    pub bytes: Vec<u8>,
    /// The URL it was retrieved from: of a file, its `file:` URL unless the caller gives another.
    pub url: Url,
}

/// Why a single document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SingleDocumentError {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// Neither its name nor its first bytes show a kind of document.
    #[error("neither its name nor its first bytes show a kind of document")]
    UnknownKind,
    /// Its directory has no URL.
    #[error(transparent)]
    DirectoryUrl(#[from] SiteUrlError),
    /// Its name gives no URL.
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
}

impl SingleDocument {
    /// Reads the file at `path`, retrieved from `url`.
    ///
    /// # Errors
    /// When the file cannot be read, is not a document, or has no `file:` URL and `url` is `None`.
    pub fn of_file(path: &Path, url: Option<Url>) -> Result<SingleDocument, SingleDocumentError> {
        let path = path.canonicalize()?;
        let bytes = with_file_bytes(&path, |bytes, _| bytes.to_vec())?;
        let folder = path.parent().unwrap_or(&path);
        let name = Path::new(path.file_name().unwrap_or_default());
        let kind = Selection::default().document_kind(folder, name)?;
        Ok(SingleDocument {
            kind: kind.ok_or(SingleDocumentError::UnknownKind)?,
            bytes,
            url: match url {
                Some(url) => url,
                None => SiteUrl::of_directory(folder)?.file_url(name)?,
            },
        })
    }

    /// Reads all of stdin as an HTML document, retrieved from `url`.
    ///
    /// # Errors
    /// When stdin cannot be read.
    pub fn of_stdin(url: Url) -> io::Result<SingleDocument> {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        Ok(SingleDocument {
            kind: DocumentKind::Html,
            bytes,
            url,
        })
    }
}
