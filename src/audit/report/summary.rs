//! The figures of an audit: totals, and counts by severity and by check.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::audit::checks::Check;
use crate::audit::finding::Finding;
use crate::diagnostic::Severity;

/// The figures of an audit besides its findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The version of rehref.
    pub version: String,
    /// The site's path, as given.
    pub site: String,
    /// The URL it is published at, if known.
    pub url: Option<String>,
    /// How many documents were read.
    pub documents: usize,
    /// How many references they have.
    pub references: usize,
    /// How many references point outside the site; they are counted, not checked.
    pub external: usize,
    /// The duration of the audit in seconds.
    pub seconds: f64,
    /// How many findings were not reported because the baseline accepts them.
    pub baselined: usize,
    /// How many findings were not reported because a rule or a mark ignores them.
    pub ignored: usize,
}

impl Summary {
    /// The path of a document relative to the working directory, so that an editor can open it.
    pub(super) fn path(&self, document: &str) -> String {
        let site = self.site.trim_start_matches("./").trim_end_matches('/');
        match site {
            "" if self.site.starts_with('/') => format!("/{document}"),
            "" | "." => document.to_owned(),
            site => format!("{site}/{document}"),
        }
    }
}

/// How many findings of each severity; compared by errors first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SeverityCounts {
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) notes: usize,
}

impl SeverityCounts {
    pub(super) fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut counts = SeverityCounts::default();
        for finding in findings {
            counts.add(finding.severity);
        }
        counts
    }

    pub(super) fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }

    pub(super) fn total(self) -> usize {
        self.errors + self.warnings + self.notes
    }

    pub(super) fn worst_first(self) -> [(Severity, usize); 3] {
        [
            (Severity::Error, self.errors),
            (Severity::Warning, self.warnings),
            (Severity::Note, self.notes),
        ]
    }
}

/// `:12:3` for line 12, column 3; empty for a whole file.
pub(super) fn line_and_column(finding: &Finding) -> String {
    let numbers = [finding.line(), finding.column()].into_iter().flatten();
    numbers.map(|number| format!(":{number}")).collect()
}

/// How many findings each check has of each severity; the worst severity first, then the most
/// findings, then in the order of the table.
pub(super) fn by_check(findings: &[Finding]) -> Vec<(Check, Severity, usize)> {
    let mut counts: BTreeMap<(Check, Severity), usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.check, finding.severity)).or_default() += 1;
    }
    let counts = counts.into_iter();
    let mut rows: Vec<_> = counts
        .map(|((check, severity), count)| (check, severity, count))
        .collect();
    rows.sort_by_key(|&(_, severity, count)| Reverse((severity, count)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_working_directory() {
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
