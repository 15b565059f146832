//! Rewrites references, documents and whole trees.
//!
//! - [`policy`] decides on a reference, given its base URLs; [`targets`] maps targets to their URLs
//!   after the run, [`pretty_urls`] spells the URLs of index files and folders;
//! - [`fix`] replaces single references;
//! - [`document`] applies a policy to one document, `container` to the items of an archive;
//! - [`plan`] describes a run over a site, [`tree`] runs it and writes the result;
//! - [`report`] holds the results of a run.

mod bases;
mod container;
mod decision;
mod directories;
pub mod document;
mod entry;
mod fast_path;
pub mod fix;
mod outcome;
pub mod plan;
pub mod policy;
pub mod pretty_urls;
pub mod report;
pub mod targets;
pub mod tree;

pub use bases::DocumentUrls;
pub use decision::{Decision, Skip};
pub use document::{Rewritten, rewrite_document};
pub use fix::{Fix, Fixes};
pub use plan::{Mode, Observer, Plan};
pub use policy::{Policy, SitePolicy};
pub use report::{ReferenceCounts, Report};
pub use tree::run;
