//! The public API: a few types and functions over the modules of the crate.

mod page;
#[cfg(feature = "site")]
mod site;
mod url;
#[cfg(feature = "archives")]
mod warc;

pub use page::{
    Link, Page, PageOptions, RelativeError, RewriteError, absolute, anchors, relative, rewrite,
};
#[cfg(feature = "site")]
pub use site::{Site, SiteError};
pub use url::Url;
#[cfg(feature = "archives")]
pub use warc::{
    AuditTables, CaptureState, RecordError, WarcBytes, WarcDocument, WarcReader, WarcRecord,
    with_content,
};
