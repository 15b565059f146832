//! rehref rewrites the links of HTML documents and of whole sites, and changes nothing else in them.
//!
//! `rehref --help` describes the command. The library lets your program do the same. This example makes every
//! link of a document absolute:
//!
//! ```
//! use rehref::PageOptions;
//!
//! let url = "https://example.org/docs/guide.html".parse()?;
//! let html = "<a href=\"./#top\">Top</a> <img src='/logo.svg'>";
//! let absolute = rehref::absolute(html, &url, &PageOptions::default())?;
//! assert_eq!(
//!     absolute,
//!     "<a href=\"https://example.org/docs/#top\">Top</a> \
//!      <img src='https://example.org/logo.svg'>"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This example lists the targets of the links of a document, and then replaces some links:
//!
//! ```
//! use rehref::{Page, PageOptions};
//!
//! let url = "https://example.org/".parse()?;
//! let html = "<base href=/docs/><a href=a.html>A</a> <a href=mailto:me@example.org>Me</a>";
//! let page = Page::parse(html, &url, &PageOptions::default())?;
//! let targets: Vec<String> = page
//!     .links()
//!     .filter(|link| link.element == "a")
//!     .filter_map(|link| Some(link.target.ok()?.to_string()))
//!     .collect();
//! assert_eq!(targets, ["https://example.org/docs/a.html", "mailto:me@example.org"]);
//!
//! let rewritten = rehref::rewrite(html, &url, &PageOptions::default(), |link| {
//!     link.reference.strip_suffix(".html").map(str::to_owned)
//! })?;
//! assert!(rewritten.document.contains("<a href=a>A</a>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This example audits a site on disk (feature `site`), and looks for links to missing files:
//!
//! ```
//! # #[cfg(feature = "site")] {
//! use rehref::{Check, Site};
//!
//! let site = Site::open("sample-site", &"https://example.org/docs/".parse()?)?;
//! let audit = site.audit()?;
//! let broken: Vec<_> = audit
//!     .into_iter()
//!     .filter(|finding| finding.check == Check::BrokenTarget)
//!     .collect();
//! assert_eq!(broken.len(), 1);
//! assert_eq!(broken[0].reference.as_deref(), Some("visit/guide.html"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `cli` (default): the command.
//! - `parquet`: the command writes tables in Parquet. Building it takes a tenth of the time of a release build.
//! - `site` (part of both): sites on disk, and archives. Without it, the crate reads only documents in memory
//!   and URLs, and does no I/O.
//! - `markdown` (part of `site`): documents in Markdown. Without it, Cargo builds no parser of Markdown, YAML
//!   or TOML, and such a document is an error.
//! - `url`: conversions to and from the crate `url`.
//!
//! # The house
//!
//! This crate contains the command, and exports the public items of the other crates. Data passes through these
//! steps: corpus, decode, extract, base, policy, splice, output. Each crate depends only on crates above it in
//! this table.
//!
//! | crate | in, out |
//! |---|---|
//! | `rehref-url` | strings to URLs, and back: parsing, resolving by several standards, relativizing, spelling; spans, edits |
//! | `rehref-generators` | the text of a source to links and anchors with spans, names and URLs of pages: Markdown, YAML, TOML |
//! | `rehref-document` | the bytes of a document to references with spans; edits to bytes |
//! | `rehref-site` | the files of a tree to URLs, and back: servers, redirects, moved URLs; diagnostics |
//! | `rehref-rewrite` | one document and a policy to the rewritten bytes |
//! | `rehref-corpus` | folders, compressed pages and archives to documents; a run over them to an output tree |
//! | `rehref-audit` | documents to findings, findings to reports |
//! | `rehref-verify` | two trees to their differences, by rules and in a browser; does not know `rehref-rewrite` |
//! | `rehref` | arguments to a plain configuration, reports to texts; plans of moves; only here is anything printed |

#![warn(missing_docs)]
// Input must not be able to panic it, and only `cli` prints; tests may do both.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)
)]

#[cfg(test)]
extern crate self as rehref;

mod api;
#[cfg(feature = "cli")]
mod cli;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
// The command has more requests than the library.
#[cfg(feature = "site")]
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod moves;
#[cfg(feature = "site")]
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod server_rules;
#[cfg(feature = "cli")]
mod table;
/// The programs of the guide, as tests.
#[cfg(all(doctest, feature = "site"))]
#[doc = include_str!("../docs/guide/programs.md")]
mod guide {}
#[cfg(test)]
mod tests;
#[cfg(test)]
use tests::support::data as test_data;

#[cfg(feature = "site")]
pub use api::{
    AuditTables, CaptureState, MovedSite, RecordError, Site, SiteAudit, SiteError, SiteMoves,
    SiteOptions, SiteOutput, Verification, WarcBytes, WarcDocument, WarcReader, WarcRecord,
    with_content,
};
pub use api::{
    Error, Link, NoTarget, Page, PageOptions, RefusedLink, RelativeError, Rewriter, Rewritten,
    Source, SourceForm, Url, absolute, anchors, relative, rewrite,
};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::run as run_command;
#[cfg(feature = "site")]
pub use rehref_audit::finding::{
    Confidence, ProposedFix, ReportedFile, ReportedPlace, SourcePlace,
};
#[cfg(feature = "site")]
pub use rehref_audit::tables::{DocumentRows, LinkRow};
#[cfg(feature = "site")]
pub use rehref_audit::{Check, Finding};
#[cfg(feature = "site")]
pub use rehref_corpus::warc::{ArchiveError, ArchiveErrorKind};
#[cfg(feature = "site")]
pub use rehref_corpus::{ContainerError, ParserPanic};
pub use rehref_document::encoding::LossyTranscoding;
pub use rehref_document::html::further::BadAttribute;
pub use rehref_document::html::raw::TooComplex;
pub use rehref_document::lines::LineSyntax;
pub use rehref_document::redirects::RedirectSyntax;
pub use rehref_document::{DocumentError, DocumentKind, Fix, Position};
pub use rehref_generators::markdown::{MarkdownDialect, NavigationKind};
pub use rehref_site::{Diagnostic, Location, Severity};
pub use rehref_url::{
    HostError, ParseError, RelativeForm, ResolveError, Span, Standard, UnknownForm, UnknownStandard,
};
#[cfg(feature = "site")]
pub use rehref_verify::report::{Difference, DifferenceKind, FileDifferences};
