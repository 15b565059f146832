//! GitLab's code quality report, which merge requests show beside the changed lines.

use serde_json::{Value, json};

use super::super::finding::Finding;
use super::fingerprint::{fingerprint_of, fingerprints};
use super::json::pretty;
use super::summary::{Problem, Summary};
use rehref_site::Severity;

/// Returns an array with an issue for each finding, and an issue for each other reason why the audit fails. GitLab
/// recognizes old issues by their fingerprints.
pub fn gitlab(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let issues = findings.iter().zip(fingerprints(findings));
    let issues = issues.map(|(finding, fingerprint)| issue(summary, finding, fingerprint));
    let problems = summary.problems().map(|problem| failure(summary, &problem));
    pretty(&issues.chain(problems).collect::<Vec<_>>())
}

/// The issue for a reason other than a finding why the audit fails. GitLab shows no issue without a file.
fn failure(summary: &Summary, problem: &Problem) -> Value {
    let unread = summary.unread.first().filter(|_| problem.is_incomplete);
    let path = unread.map_or(&summary.site, |unread| &unread.path);
    let details = problem.details.iter().map(|detail| format!("; {detail}"));
    let description = problem.message.clone() + &details.collect::<String>();
    json!({
        "description": description,
        "check_name": problem.id,
        "fingerprint": format!("{:016x}", fingerprint_of(problem.id)),
        "severity": "blocker",
        "location": {"path": path, "lines": {"begin": 1}},
    })
}

fn issue(summary: &Summary, finding: &Finding, fingerprint: u64) -> Value {
    let details = summary.details(finding);
    let details: String = details.map(|(label, value)| format!("; {label}: {value}")).collect();
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
