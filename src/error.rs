//! The errors of the public functions.

pub use crate::api::RecordError;
pub use crate::api::SiteError;
pub use crate::api::{RelativeError, RewriteError};
pub use rehref_corpus::ContainerError;
pub use rehref_corpus::warc::{ArchiveError, ArchiveErrorKind};
pub use rehref_document::DocumentError;
pub use rehref_document::encoding::LossyTranscoding;
pub use rehref_document::html::raw::TooComplex;
pub use rehref_url::{HostError, ParseError, ResolveError, UnknownForm, UnknownStandard};
