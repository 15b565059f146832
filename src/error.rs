//! The errors of the public functions.

#[cfg(feature = "site")]
pub use crate::api::{RecordError, SiteError};
pub use crate::api::{RelativeError, RewriteError};
#[cfg(feature = "site")]
pub use rehref_corpus::ContainerError;
#[cfg(feature = "site")]
pub use rehref_corpus::warc::{ArchiveError, ArchiveErrorKind};
pub use rehref_document::DocumentError;
pub use rehref_document::encoding::LossyTranscoding;
pub use rehref_document::html::raw::TooComplex;
pub use rehref_url::{HostError, ParseError, ResolveError, UnknownForm, UnknownStandard};
