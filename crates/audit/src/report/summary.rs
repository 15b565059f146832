//! The figures of an audit: totals, and counts by severity and by check.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::super::checks::Check;
use super::super::finding::{Finding, ReportedFile, ReportedPlace, Unread};
use super::escape::visible;
use rehref_document::Position;
use rehref_site::plural::counted;
use rehref_site::{Location, Severity};

/// The figures of an audit that reports show in addition to the findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The version of rehref that ran the audit.
    pub version: String,
    /// The path of the site, as the user wrote it.
    pub site: String,
    /// The directory of the sources, as the user wrote it; `None` without `--sources`.
    pub sources: Option<String>,
    /// The URL at which the site is published, if it is known.
    pub url: Option<String>,
    /// The number of documents that were read.
    pub documents: usize,
    /// The number of references in these documents.
    pub references: usize,
    /// The number of references to targets outside the site, which the audit counts but does not check.
    pub external: usize,
    /// The duration of the audit in seconds; `None` if equal audits must give equal reports.
    pub seconds: Option<f64>,
    /// The lowest severity that makes the audit fail; `None` if none does.
    pub fail_on: Option<Severity>,
    /// The parts of the site that could not be read.
    pub unread: Vec<Unread>,
    /// The number of findings that make the audit fail and are below the lowest reported level.
    pub hidden_failures: usize,
    /// The number of findings that are not reported because the baseline accepts them.
    pub baselined: usize,
    /// The number of findings that are not reported because a rule or a mark ignores them.
    pub ignored: usize,
    /// The number of findings that are not reported because the generator of the pages, which rehref does not read, may make
    /// the targets.
    pub unjudged: usize,
    /// The stale entries of the baseline, whose findings no longer exist, as text.
    pub stale: Vec<String>,
    /// True if stale entries make the audit fail.
    pub fails_on_stale: bool,
    /// For `rehref compare`: the numbers of URLs and anchors of the other tree.
    pub compared: Option<(usize, usize)>,
    /// For `rehref compare` of one site: the names of the other tree and of this one.
    pub trees: Option<(String, String)>,
    /// True if the site seems to be at another URL, so that advice on missing files would be wrong.
    pub is_elsewhere: bool,
}

/// The reasons for the audit to fail besides the findings of its report.
pub(crate) struct Problem {
    /// The name in reports that name each check.
    pub(super) id: &'static str,
    /// True if the audit is incomplete, so that it failed to run rather than found something.
    pub(super) is_incomplete: bool,
    pub(super) message: String,
    pub(super) details: Vec<String>,
}

impl Summary {
    /// Returns the path of a file relative to the working directory, so that an editor can open it.
    pub(super) fn path(&self, file: ReportedFile<'_>) -> String {
        match file {
            ReportedFile::Document(document) => below(&self.site, document),
            ReportedFile::Source(source) => source.to_owned(),
        }
    }

    /// Returns a place as [`Summary::path`] with line and column: `public/a.html:12:3`.
    pub(super) fn place(&self, place: ReportedPlace<'_>) -> String {
        self.path(place.file) + &line_and_column(place.position)
    }

    /// Returns the details of a finding, each with its label; also its place in the built document, if it is reported
    /// in a source.
    pub(super) fn details<'f>(
        &self,
        finding: &'f Finding,
    ) -> impl Iterator<Item = (&'static str, Cow<'f, str>)> {
        let page = finding.source.as_ref().map(|_| self.place(finding.built()));
        let details = finding.details().map(|(label, text)| (label, Cow::Borrowed(text)));
        details.chain(page.map(|page| ("page", Cow::Owned(page))))
    }

    /// Returns the reasons for the audit to fail besides the findings of the report.
    pub(crate) fn problems(&self) -> impl Iterator<Item = Problem> {
        let unread = self.unread.iter();
        let unread = Problem {
            id: "incomplete-audit",
            is_incomplete: true,
            message: format!(
                "rehref could not read {}",
                counted(self.unread.len(), "part of the site")
            ),
            details: unread.map(|it| format!("{}: {}", it.path, it.message)).collect(),
        };
        let stale = Problem {
            id: "stale-baseline",
            is_incomplete: false,
            message: format!(
                "{} in the baseline; --update-baseline removes stale entries",
                counted(self.stale.len(), "stale entry")
            ),
            details: self.stale.clone(),
        };
        let hidden = Problem {
            id: "hidden-findings",
            is_incomplete: false,
            message: format!(
                "--min-level hides {} that {} the audit fail",
                counted(self.hidden_failures, "finding"),
                if self.hidden_failures == 1 { "makes" } else { "make" },
            ),
            details: Vec::new(),
        };
        [
            (!self.unread.is_empty(), unread),
            (self.fails_on_stale && !self.stale.is_empty(), stale),
            (self.hidden_failures > 0, hidden),
        ]
        .into_iter()
        .filter_map(|(is_there, problem)| is_there.then_some(problem))
    }

    /// Returns the numbers of findings that are not reported, each with the reason.
    pub(super) fn hidden(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let unjudged = "to targets that a generator may make, which rehref does not read";
        [(self.baselined, "in the baseline"), (self.ignored, "ignored"), (self.unjudged, unjudged)]
            .into_iter()
            .filter(|&(count, _)| count > 0)
    }
}

/// Numbers of findings by severity; compared by errors first.
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

    /// Returns all three: `1 error, 2 warnings, 0 notes`.
    pub(super) fn in_words(self) -> String {
        let counts = self.worst_first();
        counts.map(|(severity, count)| counted(count, severity.name())).join(", ")
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

/// Joins `directory`, as the user wrote it, and the relative path `file`, for display. Resolves `../` at the start of `file`.
pub fn below(directory: &str, file: &str) -> String {
    let shown = directory.trim_start_matches("./").trim_end_matches('/');
    // A file of `--redirects` may be elsewhere.
    if let Some(above) = file.strip_prefix("../") {
        let (parent, name) = shown.rsplit_once('/').unwrap_or(("", shown));
        if !matches!(name, "" | "." | "..") {
            return below(
                if parent.is_empty() && directory.starts_with('/') { "/" } else { parent },
                above,
            );
        }
    }
    match shown {
        "" if directory.starts_with('/') => format!("/{file}"),
        "" | "." => file.to_owned(),
        shown => format!("{shown}/{file}"),
    }
}

/// `:12:3` for line 12, column 3; empty for a whole file.
pub(super) fn line_and_column(position: Option<Position>) -> String {
    position.map_or(String::new(), |at| format!(":{}:{}", at.line, at.column))
}

/// Returns the place of a finding in its document, in words: `<a> href`; empty for a whole file.
pub(super) fn carrier(location: &Location) -> String {
    visible(&location.in_words()).into_owned()
}

/// Returns the number of findings of each check and severity; the worst severity first, then the most findings, then
/// in the order of the table.
pub(super) fn by_check(findings: &[Finding]) -> Vec<(Check, Severity, usize)> {
    let mut counts: BTreeMap<(Check, Severity), usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.check, finding.severity)).or_default() += 1;
    }
    let counts = counts.into_iter();
    let mut rows: Vec<_> =
        counts.map(|((check, severity), count)| (check, severity, count)).collect();
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
            assert_eq!(below(site, "a/b.html"), expected, "{site}");
        }
    }
}
