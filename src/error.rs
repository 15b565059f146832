//! The errors of the public functions.

#[cfg(feature = "archives")]
pub use crate::api::RecordError;
#[cfg(feature = "site")]
pub use crate::api::SiteError;
pub use crate::api::{RelativeError, RewriteError};
#[cfg(feature = "site")]
pub use crate::corpus::ContainerError;
pub use crate::document::DocumentError;
pub use crate::document::encoding::LossyTranscoding;
pub use crate::document::html::raw::TooComplex;
pub use crate::url::{HostError, ParseError, ResolveError, UnknownForm, UnknownStandard};
#[cfg(feature = "archives")]
pub use crate::warc::{ArchiveError, ArchiveErrorKind};
