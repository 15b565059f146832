//! GitLab's code quality report, which merge requests show beside the changed lines.

use serde_json::{Value, json};

use super::super::finding::Finding;
use super::fingerprint::fingerprints;
use super::json::pretty;
use super::summary::Summary;
use crate::diagnostic::Severity;

/// An array with an issue for each finding. GitLab tells old and new ones apart by their fingerprints.
pub fn gitlab(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let issues = findings.iter().zip(fingerprints(findings));
    let issues = issues.map(|(finding, fingerprint)| issue(summary, finding, fingerprint));
    pretty(&issues.collect::<Vec<_>>())
}

fn issue(summary: &Summary, finding: &Finding, fingerprint: u64) -> Value {
    let details = finding.details();
    let mut details: String = details
        .map(|(label, value)| format!("; {label}: {value}"))
        .collect();
    if let Some(page) = summary.built(finding) {
        details += &format!("; page: {page}");
    }
    let place = finding.reported();
    json!({
        "description": format!("{}{details}", finding.message),
        "check_name": finding.check.id(),
        "fingerprint": format!("{fingerprint:016x}"),
        "severity": match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        },
        "location": {
            "path": summary.path(place.file),
            "lines": {"begin": place.position.map_or(1, |it| it.line)},
        },
    })
}
