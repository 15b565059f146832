//! The public API: a few types and functions over the other crates.

mod page;
#[cfg(feature = "site")]
mod site;
mod url;
#[cfg(feature = "site")]
mod warc;

pub use page::{
    Link, Page, PageOptions, RelativeError, RewriteError, absolute, anchors, relative, rewrite,
};
#[cfg(feature = "site")]
pub use site::{Site, SiteError};
pub use url::Url;
#[cfg(feature = "site")]
pub use warc::{
    AuditTables, CaptureState, RecordError, WarcBytes, WarcDocument, WarcReader, WarcRecord,
    with_content,
};
