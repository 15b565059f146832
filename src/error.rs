//! The errors of the public functions.

pub use crate::api::RecordError;
pub use crate::api::SiteError;
pub use crate::api::{RelativeError, RewriteError};
pub use crate::corpus::ContainerError;
pub use crate::document::DocumentError;
pub use crate::document::encoding::LossyTranscoding;
pub use crate::document::html::raw::TooComplex;
pub use crate::warc::{ArchiveError, ArchiveErrorKind};
pub use rehref_url::{HostError, ParseError, ResolveError, UnknownForm, UnknownStandard};
