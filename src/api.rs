//! The public API: a few types and functions over the modules of the crate.

mod page;
mod site;
mod url;
mod warc;

pub use page::{
    Link, Page, PageOptions, RelativeError, RewriteError, absolute, anchors, relative, rewrite,
};
pub use site::{Site, SiteError};
pub use url::Url;
pub use warc::{
    AuditTables, CaptureState, RecordError, WarcBytes, WarcDocument, WarcReader, WarcRecord,
    with_content,
};
