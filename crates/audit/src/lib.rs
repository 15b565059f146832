//! The audit: finds broken links and other mistakes in a site, without sending any request. The documents of a corpus
//! go in; out come [`Finding`]s, and reports of them for people and programs.
//!
//! - [`audit()`] runs the audit: a collection of documents in, findings out;
//! - [`checks`] is the table of checks, with a page on each, [`finding`] their result;
//! - [`site_index`] resolves references to the files of the site, [`links`] lists them as records;
//! - [`url_checks`] checks a reference without its target, [`targets`] checks the target and suggests
//!   a correction from [`suggest`]; [`fragment_shapes`] is the table of fragments that scripts handle;
//! - [`published`] is what another tree publishes, whose losses the audit finds;
//! - [`sources`] finds the places in the files that a site was built from;
//! - [`ignore`] and [`baseline`] drop findings that the user does not want;
//! - [`tables`] holds the rows of a document for an audit by joins;
//! - [`report`] prints findings for people, programs and browsers.

// Input must not be able to panic it, and it prints nothing; tests may do both.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

mod anchors;
pub mod baseline;
pub mod checks;
mod context;
mod document_audit;
mod files;
pub mod finding;
pub mod fragment_shapes;
mod graph;
pub mod ignore;
mod line_index;
pub mod links;
pub mod message_parts;
pub mod publication;
pub mod published;
pub mod redirects;
pub mod report;
mod run;
pub mod site_index;
pub mod sources;
pub mod successors;
pub mod suggest;
mod symlinks;
pub mod tables;
pub mod target_place;
pub mod targets;
#[cfg(test)]
mod tests;
pub mod url_checks;

pub use baseline::Baseline;
pub use checks::Check;
pub use context::FragmentMode;
pub use finding::{Confidence, Finding, ProposedFix};
pub use run::{Audit, AuditOutcome, OtherSite, audit};
