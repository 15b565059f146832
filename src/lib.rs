//! rehref rewrites the links of HTML documents and of whole site trees, and nothing else in them.
//!
//! The command `rehref` is described by its `--help`. The library has the same engine for other
//! programs. Make every link of a document absolute:
//!
//! ```
//! use rehref::PageOptions;
//!
//! let url = "https://example.org/docs/guide.html".parse()?;
//! let html = b"<a href=\"./#top\">Top</a> <img src='/logo.svg'>";
//! let absolute = rehref::absolute(html, &url, &PageOptions::default())?.unwrap();
//! assert_eq!(
//!     String::from_utf8(absolute)?,
//!     "<a href=\"https://example.org/docs/#top\">Top</a> \
//!      <img src='https://example.org/logo.svg'>"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Go through the links of a document, and replace some of them:
//!
//! ```
//! use rehref::{Page, PageOptions};
//!
//! let url = "https://example.org/".parse()?;
//! let html = b"<base href=/docs/><a href=a.html>A</a> <a href=mailto:me@example.org>Me</a>";
//! let page = Page::parse(html, &url, &PageOptions::default())?;
//! let targets: Vec<String> = page
//!     .links()
//!     .filter(|link| link.element == "a")
//!     .filter_map(|link| Some(link.target?.to_string()))
//!     .collect();
//! assert_eq!(targets, ["https://example.org/docs/a.html", "mailto:me@example.org"]);
//!
//! let rewritten = rehref::rewrite(html, &url, &PageOptions::default(), |link| {
//!     link.text.strip_suffix(".html").map(str::to_owned)
//! })?;
//! let rewritten = String::from_utf8(rewritten.unwrap())?;
//! assert!(rewritten.contains("<a href=a>A</a>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Audit a site on disk:
//!
//! ```
//! use rehref::{Check, Site};
//!
//! let site = Site::open("sample-site", &"https://example.org/docs/".parse()?)?;
//! let findings = site.audit()?;
//! let broken: Vec<_> = findings
//!     .iter()
//!     .filter(|finding| finding.check == Check::BrokenTarget)
//!     .collect();
//! assert_eq!(broken.len(), 1);
//! assert_eq!(broken[0].reference.as_deref(), Some("visit/guide.html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `cli` (default): the command.
//! - `parquet` (default): tables in Parquet.
//!
//! # The house
//!
//! Data walks one way: corpus, decode, extract, base, policy, splice, output. Each module uses only
//! those below it.
//!
//! | module | subject |
//! |---|---|
//! | `api` | what is public |
//! | `cli` | arguments to a plain configuration, terminal output; only here is anything printed |
//! | `audit` | what is broken: an index of targets and anchors, a table of checks, reports |
//! | `verify` | the proof that a rewriting kept every link and every other byte |
//! | `rewrite` | one document by a policy, and the run over a corpus |
//! | `moves` | requests, plan, moved URLs, and the redirects that are written and read |
//! | `publication` | the URL that a site is published at, inferred from its documents |
//! | `corpus` | one stream of documents, whatever they are stored in |
//! | `warc` | the archive format |
//! | `output` | atomic writing, copying, exchanging trees, diffs |
//! | `site` | a directory and its URL, its files by URL, how a server maps URLs to files |
//! | `parallel` | one ordered queue |
//! | `diagnostic` | everything that is reported about a place |
//! | `document` | one document: bytes in, references with spans out; edits in, bytes out |
//! | `browser` | a headless Chromium over the DevTools protocol |
//! | `coding` | compressions, both ways |
//! | `url` | parsing, resolving by several standards, relativizing, spelling |

#![warn(missing_docs)]
// Input must not be able to panic it, and only `cli` prints; tests may do both.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]
// The core is built with fewer features than the program; what only the program uses is not dead.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(test)]
extern crate self as rehref;

mod api;
#[cfg(feature = "cli")]
mod cli;
pub mod error;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod moves;
#[cfg(feature = "cli")]
mod table;
#[cfg(test)]
#[path = "../tests/support/data.rs"]
mod test_data;
#[cfg(test)]
mod tests;

pub use api::Site;
pub use api::{
    AuditTables, CaptureState, WarcBytes, WarcDocument, WarcReader, WarcRecord, with_content,
};
pub use api::{Link, Page, PageOptions, Url, absolute, anchors, relative, rewrite};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::run as run_command;
pub use rehref_audit::tables::{DocumentRows, LinkRow};
pub use rehref_audit::{Check, Finding};
pub use rehref_document::redirects::RedirectSyntax;
pub use rehref_document::{DocumentKind, Position};
pub use rehref_generators::markdown::MarkdownDialect;
pub use rehref_site::{Diagnostic, Location, Severity};
pub use rehref_url::Span;
pub use rehref_url::{RelativeForm, Standard};
