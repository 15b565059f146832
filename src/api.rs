//! The public API: a few types and functions over the other crates.

mod error;
mod options;
mod page;
mod rewriting;
#[cfg(feature = "site")]
mod site;
#[cfg(feature = "site")]
mod site_changes;
#[cfg(feature = "site")]
mod site_error;
#[cfg(feature = "site")]
mod site_options;
mod source;
mod url;
#[cfg(feature = "site")]
mod warc;

pub use error::Error;
pub use options::PageOptions;
pub use page::{Link, NoTarget, Page, anchors};
pub use rewriting::{RefusedLink, RelativeError, Rewriter, Rewritten, absolute, relative, rewrite};
#[cfg(feature = "site")]
pub use site::{Site, SiteAudit};
#[cfg(feature = "site")]
pub use site_changes::{MovedSite, SiteMoves, SiteOutput, Verification};
#[cfg(feature = "site")]
pub use site_error::SiteError;
#[cfg(feature = "site")]
pub use site_options::SiteOptions;
pub use source::{Source, SourceForm};
pub use url::Url;
#[cfg(feature = "site")]
pub use warc::{
    AuditTables, CaptureState, RecordError, WarcBytes, WarcDocument, WarcReader, WarcRecord,
    with_content,
};
