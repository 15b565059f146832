//! Rewriting: what becomes of each reference, of each document, of a whole tree.
//!
//! - [`policy`] is the rule: a reference and its base URLs in, a decision out; [`targets`] knows
//!   where targets lead afterwards, [`pretty`] how index files and folders are written;
//! - [`fix`] replaces single references;
//! - [`document`] applies a policy to one document;
//! - [`mod@archive`] does so with the records of an archive;
//! - [`plan`] is what a run over a site is to do, [`tree`] does it and writes the result;
//! - [`report`] is what a run has to say;

pub mod archive;
mod bases;
mod decision;
mod directories;
pub mod document;
pub mod entry;
mod fast_path;
pub mod fix;
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
pub use report::{References, Report};
pub use tree::run;
