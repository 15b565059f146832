//! The audit: finds what is broken in a site, without asking any server.
//!
//! - [`audit()`] runs the audit: a collection of documents in, findings out;
//! - [`checks`] is the table of checks, with a page on each, [`finding`] their result;
//! - [`site_index`] resolves references to the files of the site, [`links`] lists them as records;
//! - [`url_checks`] check a reference by itself, [`targets`] its target, with the likely correction of
//!   [`suggest`]; [`fragment_shapes`] knows fragments that scripts handle;
//! - [`ignore`] and [`baseline`] drop findings that are not wanted;
//! - [`report`] prints findings for people, programs and browsers.
mod anchors;
pub mod baseline;
pub mod checks;
mod context;
mod document_audit;
mod fast_path;
mod files;
pub mod finding;
pub mod fragment_shapes;
mod graph;
pub mod ignore;
pub mod links;
pub mod message_parts;
pub mod report;
mod run;
pub mod site_index;
pub mod suggest;
mod symlinks;
pub mod target_place;
pub mod targets;
pub mod url_checks;

pub use crate::diagnostic::Severity;
pub use baseline::Baseline;
pub use checks::Check;
pub use context::FragmentMode;
pub use finding::{Confidence, Finding};
pub use run::{Audit, AuditOutcome, audit};
