//! Reports: what the audit found, for people and for other programs.
//!
//! Each is a pure function from a [`Summary`] and findings (sorted by document, line, column) to
//! bytes; the same findings give the same bytes.
//!
//! - [`text`] for a terminal, [`html`] for a browser.
//! - [`json`] and [`jsonl`] for scripts, [`sarif`] for code scanning, [`junit`] and [`github`] for
//!   continuous integration.
//! - [`groups`] puts findings of one cause together, [`fingerprints`] recognizes findings after
//!   unrelated edits.

mod escape;
mod fingerprint;
mod github;
mod group;
mod html;
mod json;
mod junit;
mod sarif;
mod snippet;
mod text;

pub use fingerprint::fingerprints;
pub use github::github;
pub use group::{Group, groups};
pub use html::html;
pub use json::{VERSION, json, jsonl};
pub use junit::junit;
pub use sarif::sarif;
pub use text::{Painter, TextOptions, text};

use super::checks::{CHECKS, Check};
use super::finding::Finding;
use crate::diagnostic::Severity;

/// What was looked at, beside the findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The version of this tool.
    pub version: String,
    /// The site's path, as given.
    pub site: String,
    /// The URL it is published at, where known.
    pub url: Option<String>,
    /// How many documents were read.
    pub documents: usize,
    /// How many references they have.
    pub references: usize,
    /// How many of these lead out of the site, and were counted only.
    pub external: usize,
    /// How long it took.
    pub seconds: f64,
    /// How many findings are in the baseline, and not among those reported.
    pub baselined: usize,
    /// How many findings were to be ignored, and are not among those reported.
    pub ignored: usize,
}

impl Summary {
    /// The path of a document from the folder that the site's path is given from, so that an editor
    /// finds it.
    fn path(&self, document: &str) -> String {
        let site = self.site.trim_start_matches("./").trim_end_matches('/');
        match site {
            "" if self.site.starts_with('/') => format!("/{document}"),
            "" | "." => document.to_owned(),
            site => format!("{site}/{document}"),
        }
    }
}

/// How many findings of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Levels {
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl Levels {
    fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut levels = Levels::default();
        for finding in findings {
            levels.add(finding.severity);
        }
        levels
    }

    fn add(&mut self, level: Severity) {
        match level {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }

    fn total(self) -> usize {
        self.errors + self.warnings + self.notes
    }
}

/// How many findings each check has, at each level it has some; the worst level first, then the
/// most.
fn by_check(findings: &[Finding]) -> Vec<(Check, Severity, usize)> {
    const LEVELS: [Severity; 3] = [Severity::Note, Severity::Warning, Severity::Error];
    let mut counts = vec![[0_usize; LEVELS.len()]; CHECKS.len()];
    for finding in findings {
        if let Some(count) = counts
            .get_mut(finding.check as usize)
            .and_then(|levels| levels.get_mut(finding.severity as usize))
        {
            *count += 1;
        }
    }
    let mut rows: Vec<(Check, Severity, usize)> = CHECKS
        .iter()
        .zip(counts)
        .flat_map(|(row, levels)| {
            LEVELS
                .into_iter()
                .zip(levels)
                .map(|(level, count)| (row.check, level, count))
        })
        .filter(|&(_, _, count)| count > 0)
        .collect();
    rows.sort_by_key(|&(_, level, count)| std::cmp::Reverse((level, count)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_what_an_editor_opens() {
        for (site, expected) in [
            (".", "a/b.html"),
            ("./", "a/b.html"),
            ("./public/", "public/a/b.html"),
            ("public", "public/a/b.html"),
            ("../public", "../public/a/b.html"),
            ("/srv/www/", "/srv/www/a/b.html"),
            ("/", "/a/b.html"),
        ] {
            let summary = Summary {
                site: site.to_owned(),
                ..Summary::default()
            };
            assert_eq!(summary.path("a/b.html"), expected, "{site}");
        }
    }
}
