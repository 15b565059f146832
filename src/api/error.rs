//! One error for programs that call several functions.

#[cfg(feature = "site")]
use super::{RecordError, SiteError};
use super::{RefusedLink, RelativeError};
#[cfg(feature = "site")]
use rehref_corpus::{ContainerError, warc::ArchiveError};
use rehref_document::DocumentError;
use rehref_document::html::further::BadAttribute;
use rehref_url::{ParseError, ResolveError};

/// Any error of this crate, for programs that handle all of them in the same way. Each function names its own.
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
    /// A text is not an absolute URL.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A reference has no target.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// A text is not an attribute.
    #[error(transparent)]
    Attribute(#[from] BadAttribute),
    /// A document cannot be parsed or edited.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A document cannot be made relative.
    #[error(transparent)]
    Relative(#[from] RelativeError),
    /// The place of a link cannot have its replacement.
    #[error(transparent)]
    Refused(#[from] RefusedLink),
    /// A site cannot be read.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Site(#[from] SiteError),
    /// A file is not an archive, or cannot be read.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// An archive is damaged.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A record has no document, or cannot be rewritten.
    #[cfg(feature = "site")]
    #[error(transparent)]
    Record(#[from] RecordError),
}
