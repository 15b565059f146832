//! A single document that belongs to no site: a file, or stdin.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use crate::Selection;
use crate::files::with_file_bytes_up_to;
use rehref_document::{DocumentError, DocumentKind, FileKind, file_kind, sniff_xml};
use rehref_site::{SiteUrl, SiteUrlError, canonical};
use rehref_url::{ParseError, Url, percent_decoded};

/// A single document that is not part of a site, such as a document on stdin.
#[derive(Clone, Debug)]
pub struct SingleDocument {
    /// The kind of the document: from the caller, or from the name or first bytes of the file.
    pub kind: DocumentKind,
    /// The bytes of the document.
    pub bytes: Vec<u8>,
    /// The URL from which the document was retrieved: for a file, its `file:` URL, unless the caller passes another URL.
    pub url: Url,
}

/// The error of a single document that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SingleDocumentError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// Neither its name nor its first bytes show a kind of document.
    #[error("neither the name nor the first bytes identify a kind of document")]
    UnknownKind,
    /// The name in the URL of stdin is not that of a document.
    #[error("the file name in {0} is not the name of a document")]
    NotADocument(String),
    /// The file is too large.
    #[error(transparent)]
    Refused(DocumentError),
    /// The directory has no URL.
    #[error(transparent)]
    DirectoryUrl(#[from] SiteUrlError),
    /// The name gives no URL.
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
}

impl SingleDocument {
    /// Reads the file at `path`, retrieved from `url`, if it has no more than `most` bytes. Without `kind`, its name
    /// and its first bytes determine the kind.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a document, or has no `file:` URL and `url` is `None`.
    pub fn of_file(
        path: &Path,
        url: Option<Url>,
        kind: Option<DocumentKind>,
        most: Option<u64>,
    ) -> Result<SingleDocument, SingleDocumentError> {
        let path = canonical(path)?;
        let most = most.unwrap_or(u64::MAX);
        let (bytes, size) =
            with_file_bytes_up_to(&path, most, |bytes, metadata| (bytes.to_vec(), metadata.len()))?;
        if size > most {
            let error = DocumentError::AboveLimit { size, limit: most };
            return Err(SingleDocumentError::Refused(error));
        }
        let folder = path.parent().unwrap_or(&path);
        let name = Path::new(path.file_name().unwrap_or_default());
        let kind = match kind {
            None => Selection::default().document_kind(folder, name)?,
            kind => kind,
        };
        Ok(SingleDocument {
            kind: kind.ok_or(SingleDocumentError::UnknownKind)?,
            bytes,
            url: match url {
                Some(url) => url,
                None => SiteUrl::of_directory(folder)?.file_url(name)?,
            },
        })
    }

    /// Creates the document `bytes` from stdin, retrieved from `url`. Without `kind`, the name at the end of
    /// the URL determines the kind. If the name does not, a document with an XML declaration is XML, and any
    /// other is HTML.
    ///
    /// # Errors
    /// Returns an error if the URL is that of another kind of file.
    pub fn of_stdin(
        bytes: Vec<u8>,
        url: Url,
        kind: Option<DocumentKind>,
    ) -> Result<SingleDocument, SingleDocumentError> {
        let name = url.path().rsplit('/').next().unwrap_or_default();
        let kind = match kind.map_or_else(|| served_kind(name), FileKind::Document) {
            FileKind::Document(kind) => kind,
            FileKind::Unknown => sniff_xml(&bytes).unwrap_or_default(),
            FileKind::Other => return Err(SingleDocumentError::NotADocument(url.to_string())),
        };
        Ok(SingleDocument { kind, bytes, url })
    }
}

/// The kind of the document that a server sends for a URL that ends in `name`: pages, also where
/// the name is that of a program (`page.php`).
fn served_kind(name: &str) -> FileKind {
    let name = String::from_utf8_lossy(&percent_decoded(name)).into_owned();
    // With a query, the name is that of what a program made.
    file_kind(OsStr::new(&format!("{name}?")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_a_url_tells_the_kind() {
        use FileKind::{Document, Other, Unknown};
        for (name, kind) in [
            ("", Unknown),
            ("page", Unknown),
            ("page.php", Unknown),
            ("page.html", Document(DocumentKind::Html)),
            ("page%2Ehtml", Document(DocumentKind::Html)),
            ("feed.xml", Document(DocumentKind::Xml)),
            ("style.css", Document(DocumentKind::Css)),
            ("letter.eml", Document(DocumentKind::Message)),
            (
                "robots.txt",
                Document(DocumentKind::Lines(rehref_document::lines::LineSyntax::Robots)),
            ),
            ("app.js", Other),
            ("logo.png", Other),
        ] {
            assert_eq!(served_kind(name), kind, "{name}");
        }
    }
}
