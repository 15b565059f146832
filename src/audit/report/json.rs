//! The report as JSON, whole or a line per finding.

use serde::Serialize;

use super::super::checks::Check;
use super::super::finding::Finding;
use super::summary::{SeverityCounts, Summary, by_check};
use crate::diagnostic::Severity;

/// The version of the format of [`json`] and [`jsonl`]. Within a version members may be added, but
/// are never removed, and never change their meaning.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    format: &'static str,
    version: u32,
    tool: Tool<'a>,
    summary: SummaryObject<'a>,
    findings: Vec<FindingObject<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
struct SummaryObject<'a> {
    site: &'a str,
    url: Option<&'a str>,
    documents: usize,
    references: usize,
    external: usize,
    seconds: f64,
    findings: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    baselined: usize,
    ignored: usize,
    checks: Vec<CheckCount>,
}

#[derive(Serialize)]
struct CheckCount {
    check: Check,
    level: Severity,
    findings: usize,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    check: Check,
    level: Severity,
    document: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    element: Option<&'a str>,
    attribute: Option<&'a str>,
    reference: Option<&'a str>,
    target: Option<&'a str>,
    message: &'a str,
    suggestion: Option<&'a str>,
}

impl<'a> From<&'a Finding> for FindingObject<'a> {
    fn from(finding: &'a Finding) -> Self {
        let unless_empty = |text: &'a str| (!text.is_empty()).then_some(text);
        FindingObject {
            check: finding.check,
            level: finding.severity,
            document: &finding.location.path,
            line: finding.line(),
            column: finding.column(),
            element: unless_empty(&finding.location.element),
            attribute: unless_empty(&finding.location.attribute),
            reference: finding.reference.as_deref(),
            target: finding.target.as_deref(),
            message: &finding.message,
            suggestion: finding.suggestion.as_deref(),
        }
    }
}

/// One JSON object and a line end.
///
/// ```json
/// {
///   "format": "rehref-audit",
///   "version": 1,
///   "tool": {"name": "rehref", "version": "1.0.0"},
///   "summary": {
///     "site": "public",
///     "url": "https://example.org/",
///     "documents": 120, "references": 4711, "external": 230, "seconds": 0.21,
///     "findings": 1, "errors": 1, "warnings": 0, "notes": 0,
///     "baselined": 0, "ignored": 0,
///     "checks": [{"check": "wrong-case", "level": "error", "findings": 1}]
///   },
///   "findings": [ ... ]
/// }
/// ```
///
/// - `version`: [`VERSION`].
/// - `site`: the path as given. `url`: null where none was given.
/// - `external`: references that point outside the site; they are counted, not checked.
/// - `baselined`, `ignored`: findings that the baseline accepts or that a rule or mark ignores; they
///   are not in `findings`.
/// - `checks`: the checks that found something, the worst level first, then the most findings.
/// - `findings`: objects as in [`jsonl`], by document, line and column.
pub fn json(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let levels = SeverityCounts::of(findings);
    let report = Report {
        format: "rehref-audit",
        version: VERSION,
        tool: Tool {
            name: "rehref",
            version: &summary.version,
        },
        summary: SummaryObject {
            site: &summary.site,
            url: summary.url.as_deref(),
            documents: summary.documents,
            references: summary.references,
            external: summary.external,
            seconds: summary.seconds,
            findings: levels.total(),
            errors: levels.errors,
            warnings: levels.warnings,
            notes: levels.notes,
            baselined: summary.baselined,
            ignored: summary.ignored,
            checks: by_check(findings)
                .into_iter()
                .map(|(check, level, findings)| CheckCount {
                    check,
                    level,
                    findings,
                })
                .collect(),
        },
        findings: findings.iter().map(FindingObject::from).collect(),
    };
    let mut bytes = serialized(serde_json::to_vec_pretty(&report));
    bytes.push(b'\n');
    bytes
}

/// One JSON object per finding and line, by document, line and column; of the version [`VERSION`].
/// All members are always present, null if a finding has no value:
///
/// - `check`: the stable name of the check. `level`: `error`, `warning` or `note`.
/// - `document`: the path below the site's root, `/` between names.
/// - `line`, `column`: of the URL, from 1, in characters (a tab is one); null for a whole file.
/// - `element`: as in `a`; for markup in an attribute with its carrier, as in `iframe srcdoc > img`.
/// - `attribute`: null for text.
/// - `reference`: as the author wrote it, decoded (`&` for `&amp;`).
/// - `target`: the absolute URL that it resolves to; the path from the site's root if the site's URL
///   is unknown.
/// - `message`: what is wrong. `suggestion`: what to write instead.
pub fn jsonl(findings: &[Finding]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for finding in findings {
        bytes.append(&mut serialized(serde_json::to_vec(&FindingObject::from(
            finding,
        ))));
        bytes.push(b'\n');
    }
    bytes
}

/// The bytes of JSON. Structs of text and numbers always serialize, so there is no error to report.
pub(super) fn serialized(result: serde_json::Result<Vec<u8>>) -> Vec<u8> {
    result.unwrap_or_default()
}
