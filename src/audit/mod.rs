//! The audit: what is broken in a tree, found without asking any server.
//!
//! - [`checks`] is the table of what is looked for, [`finding`] what is found, [`explain()`] a page on
//!   each check;
//! - [`url_checks`] are the checks of one reference by itself, [`fragments`] the fragments that no
//!   anchor in a document stands for;
//! - [`report`] says it: to people, to other programs, as a page;
//! - [`targets`] says whether anything is there, [`suggest`] what was meant where not;
//! - [`ignore`] and [`baseline`] say which findings are not wanted;
//! - [`audit()`] is the whole: a collection of documents in, findings out;
//! - [`resolved`] resolves references to the files that serve them, [`links`] turns that into records.
//!
//! ```
//! use rehref::audit::resolved::SiteIndex;
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
//!     let audited = audit(
//!         &Audit {
//!             collection,
//!             site: &site,
//!             is_published: true,
//!             fragments: FragmentMode::Known,
//!             entries: None,
//!         },
//!         || {},
//!     )?;
//!     let findings = audited.findings.into_iter().map(|(finding, _)| finding);
//!     missing.extend(findings.filter(|it| it.check == Check::BrokenTarget));
//! }
//! assert_eq!(missing.len(), 1);
//! assert_eq!(missing[0].reference.as_deref(), Some("visit/guide.html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod anchors;
pub mod baseline;
pub mod checks;
mod document_audit;
pub mod explain;
mod fast_path;
mod files;
pub mod finding;
pub mod fragments;
mod graph;
pub mod ignore;
pub mod links;
pub mod message_parts;
pub mod report;
pub mod resolved;
mod run;
pub mod suggest;
mod symlinks;
pub mod targets;
pub mod url_checks;

pub use crate::diagnostic::Severity;
pub use baseline::Baseline;
pub use checks::Check;
pub use document_audit::{FragmentMode, ProposedFix};
pub use explain::explain;
pub use finding::Finding;
pub use run::{Audit, Audited, audit};
pub use targets::Confidence;
