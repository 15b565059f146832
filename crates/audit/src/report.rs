//! Reports: the findings of an audit, for people and for other programs.
//!
//! Each is a pure function from a [`Summary`] and findings (sorted by document, line, column) to
//! bytes; the same findings give the same bytes.
//!
//! - [`text()`] for a terminal, [`html()`] for a browser.
//! - [`json()`] and [`jsonl`] for scripts, [`sarif()`] for code scanning, [`junit()`], [`github()`], [`gitlab()`] and
//!   [`markdown()`] for continuous integration.
//! - `group` groups findings by cause, [`fingerprints`] identify findings after unrelated edits.

mod escape;
mod fingerprint;
mod github;
mod gitlab;
mod group;
mod html;
mod json;
mod junit;
mod markdown;
mod sarif;
mod sites;
mod snippet;
mod summary;
mod text;

pub use fingerprint::fingerprints;
pub use github::github;
pub use gitlab::gitlab;
pub use html::{HtmlOptions, SourceUrl, html};
pub use json::{json, jsonl, non_empty};
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use sites::merged;
pub use summary::{Summary, below};
pub use text::{TextOptions, text};
