//! The audit: finds what is broken in a site, without asking any server.
//!
//! - [`audit()`] runs the audit: a collection of documents in, findings out;
//! - [`checks`] is the table of checks, with a page on each, [`finding`] their result;
//! - [`site_index`] resolves references to the files of the site, [`links`] lists them as records;
//! - [`url_checks`] check a reference by itself, [`targets`] its target, with the likely correction of
//!   [`suggest`]; [`fragment_shapes`] knows fragments that scripts handle;
//! - [`ignore`] and [`baseline`] drop findings that are not wanted;
//! - [`report`] prints findings for people, programs and browsers.
//!
//! ```
//! use rehref::audit::site_index::SiteIndex;
//! use rehref::audit::{Audit, Check, FragmentMode, audit};
//! use rehref::corpus::Corpus;
//! use rehref::site::{FileIndex, SiteUrl, walk};
//!
//! let root = std::path::PathBuf::from("sample-site");
//! let walk = walk(&root);
//! let site_url = SiteUrl::parse("https://example.org/docs/")?.0;
//! let site = SiteIndex {
//!     site_url: site_url.clone(),
//!     also: Vec::new(),
//!     files: FileIndex::new(&root, &walk.entries),
//!     archive: None,
//! };
//! let corpus = Corpus::new(root, walk, site_url);
//! let mut missing = Vec::new();
//! for collection in corpus.collections() {
//!     let outcome = audit(
//!         &Audit {
//!             collection,
//!             site: &site,
//!             is_published: true,
//!             fragments: FragmentMode::Known,
//!             entries: None,
//!         },
//!         || {},
//!     )?;
//!     let findings = outcome.findings.into_iter();
//!     missing.extend(findings.filter(|it| it.check == Check::BrokenTarget));
//! }
//! assert_eq!(missing.len(), 1);
//! assert_eq!(missing[0].reference.as_deref(), Some("visit/guide.html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
pub use finding::{Confidence, Finding, ProposedFix};
pub use run::{Audit, AuditOutcome, audit};
