//! The audit: what is broken in a tree, found without asking any server.
//!
//! - [`checks`] is the table of what is looked for, [`finding`] what is found, [`explain()`] a page on
//!   each check;
//! - [`url_checks`] are the checks of one reference by itself, [`fragments`] the fragments that no
//!   anchor in a document stands for;
//! - [`report`] says it: to people, to other programs, as a page;
//! - [`targets`] says whether anything is there, [`suggest`] what was meant where not;
//! - [`ignore`] and [`baseline`] say which findings are not wanted;
//! - [`audit()`] is the whole: a tree in, findings out;
//! - [`mod@archive`] is the same for an archive;
//! - [`resolved`] is where references lead, [`links`] that as records, [`tree`] all documents of a tree.
//!
//! ```
//! use rehref::audit::resolved::SiteIndex;
//! use rehref::audit::tree::Tree;
//! use rehref::audit::{Audit, Check, FragmentMode, audit};
//! use rehref::site::{FileIndex, SiteUrl, walk};
//! use rehref::url::Standard;
//!
//! let root = std::path::PathBuf::from("sample-site");
//! let walk = walk(&root);
//! let site = SiteIndex {
//!     site_url: SiteUrl::parse("https://example.org/docs/")?.0,
//!     also: Vec::new(),
//!     files: FileIndex::new(&root, &walk.entries),
//!     archive: None,
//! };
//! let tree = Tree {
//!     root,
//!     walk,
//!     selection: Default::default(),
//!     options: Default::default(),
//!     threads: 0,
//!     cancel: Default::default(),
//! };
//! let audited = audit(
//!     &Audit {
//!         tree: &tree,
//!         site: &site,
//!         is_published: true,
//!         standard: Standard::Whatwg,
//!         fragments: FragmentMode::Known,
//!         entries: None,
//!     },
//!     || {},
//! )?;
//! let missing = audited.findings.iter().map(|(finding, _)| finding);
//! let missing: Vec<_> = missing.filter(|it| it.check == Check::BrokenTarget).collect();
//! assert_eq!(missing.len(), 1);
//! assert_eq!(missing[0].reference.as_deref(), Some("visit/guide.html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anchors;
pub mod archive;
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
pub mod tree;
pub mod url_checks;

pub use baseline::Baseline;
pub use checks::{Check, Level};
pub use document_audit::{FragmentMode, ProposedFix};
pub use explain::explain;
pub use finding::Finding;
pub use run::{Audit, Audited, audit};
pub use targets::Confidence;
