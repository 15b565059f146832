//! One error for programs that call several functions.

#[cfg(feature = "site")]
use super::{RecordError, SiteError};
use super::{RefusedLink, RelativeError};
#[cfg(feature = "site")]
use rehref_corpus::{ContainerError, warc::ArchiveError};
use rehref_document::DocumentError;
use rehref_document::html::further::BadAttribute;
use rehref_url::{ParseError, ResolveError};

/// Any error of this crate, for programs that handle all errors in the same way. Each function returns a more
/// specific error, which converts to this type.
///
/// ```
/// use rehref::{Error, PageOptions};
///
/// fn absolute(html: &str, url: &str) -> Result<String, Error> {
///     let options = PageOptions::default().with_attributes(["img@data-src"])?;
///     Ok(rehref::absolute(html, &url.parse()?, &options)?.into_owned())
/// }
/// assert!(matches!(absolute("", "nope"), Err(Error::Parse(_))));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not an absolute URL.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The reference has no target.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The text does not name an attribute that can be added: see
    /// [`PageOptions::with_attributes`](crate::PageOptions::with_attributes).
    #[error(transparent)]
    Attribute(#[from] BadAttribute),
    /// The document cannot be parsed or edited.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The links of the document cannot be made relative.
    #[error(transparent)]
    Relative(#[from] RelativeError),
    /// The place of the link cannot hold the replacement.
    #[error(transparent)]
    Refused(#[from] RefusedLink),
    /// The site cannot be read, moved or compared.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The file is not an archive, or cannot be read.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The archive is damaged from a record on.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The document of the record cannot be read or rewritten.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Record(#[from] RecordError),
}
