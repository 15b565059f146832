//! SARIF 2.1.0, which code scanning and editors read.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::checks::{CHECKS, Check};
use super::super::finding::Finding;
use super::json::serialized;
use super::{Summary, fingerprints};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log with one run: the checks as rules, one result a finding.
///
/// `explain` gives the documentation of a check, for the rules' help; None for its line in the
/// table. Paths are relative to the folder that the site's path is given from (a repository's root,
/// as code scanning wants it); where that is no folder above the site, to the site.
pub fn sarif(
    summary: &Summary,
    findings: &[Finding],
    explain: &dyn Fn(Check) -> Option<String>,
) -> Vec<u8> {
    let (base, prefix) = source_root(summary);
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: json!({"driver": {
                "name": "rehref",
                "semanticVersion": summary.version,
                "rules": CHECKS.iter().map(|row| rule(row.check, explain)).collect::<Vec<_>>(),
            }}),
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: json!({"SRCROOT": base}),
            results: findings
                .iter()
                .zip(fingerprints(findings))
                .map(|(finding, fingerprint)| outcome(finding, fingerprint, &prefix))
                .collect(),
        }],
    };
    let mut bytes = serialized(serde_json::to_vec_pretty(&log));
    bytes.push(b'\n');
    bytes
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Value,
    column_kind: &'static str,
    original_uri_base_ids: Value,
    results: Vec<Outcome<'a>>,
}

fn rule(check: Check, explain: &dyn Fn(Check) -> Option<String>) -> Value {
    let row = check.row();
    let help = explain(check).unwrap_or_else(|| row.summary.to_owned());
    json!({
        "id": row.id,
        "shortDescription": {"text": message(row.summary)},
        "help": {"text": message(&help)},
        "defaultConfiguration": {"enabled": row.by_default, "level": row.severity.name()},
    })
}

/// A result; typed, since a tree of JSON values takes many times the memory.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<usize>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "findingHash/v1")]
    finding: String,
}

#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    element: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    attribute: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a str>,
}

fn outcome<'a>(finding: &'a Finding, fingerprint: u64, prefix: &str) -> Outcome<'a> {
    let mut text = finding.message.clone();
    if let Some(reference) = &finding.reference {
        let _ = write!(text, ": {reference}");
    }
    if let Some(suggestion) = &finding.suggestion {
        let _ = write!(text, " (suggestion: {suggestion})");
    }
    Outcome {
        rule_id: finding.check.id(),
        rule_index: finding.check as usize,
        level: finding.severity.name(),
        message: Message {
            text: message(&text),
        },
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: format!("{prefix}{}", path(&finding.location.path)),
                    uri_base_id: "SRCROOT",
                },
                region: finding.line().map(|line| Region {
                    start_line: line,
                    start_column: finding.column(),
                }),
            },
        }],
        partial_fingerprints: Fingerprints {
            finding: format!("{fingerprint:016x}"),
        },
        properties: Properties {
            element: &finding.location.element,
            attribute: &finding.location.attribute,
            reference: finding.reference.as_deref(),
            target: finding.target.as_deref(),
            suggestion: finding.suggestion.as_deref(),
        },
    }
}

/// What the URIs are relative to, and what they have in front of a document's path.
fn source_root(summary: &Summary) -> (Value, String) {
    let site = if cfg!(windows) {
        summary.site.replace('\\', "/")
    } else {
        summary.site.clone()
    };
    let drive = cfg!(windows) && site.get(1..2) == Some(":");
    if drive || site.starts_with('/') {
        let slash = if drive { "/" } else { "" };
        let end = if site.ends_with('/') { "" } else { "/" };
        let uri = format!("file://{slash}{}{end}", path(&site));
        (json!({"uri": uri}), String::new())
    } else if site.split('/').any(|name| name == "..") {
        let description = json!({"text": "the root of the site"});
        (json!({"description": description}), String::new())
    } else {
        let names = site.split('/').filter(|name| !matches!(*name, "" | "."));
        let prefix = names.map(|name| path(name) + "/").collect();
        let description = json!({"text": "the folder that rehref ran in"});
        (json!({"description": description}), prefix)
    }
}

/// As section 3.11 wants it: braces are placeholders unless doubled, `[text](destination)` a link.
fn message(text: &str) -> String {
    text.replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "] (")
}

/// A path as a URI: whatever RFC 3986 does not have in a relative path's names percent-encoded.
fn path(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        // A colon in a first name would read as a scheme.
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=@/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        for (name, expected) in [
            ("a/b-c_d~.html", "a/b-c_d~.html"),
            ("a b#c?d%20.html", "a%20b%23c%3Fd%2520.html"),
            ("this:that", "this%3Athat"),
            ("漢\u{fffd}\n", "%E6%BC%A2%EF%BF%BD%0A"),
        ] {
            assert_eq!(path(name), expected);
        }
    }

    #[test]
    fn the_root_is_where_rehref_ran_if_that_is_above() {
        for (site, base, prefix) in [
            (".", "the folder that rehref ran in", ""),
            (
                "./pub lic/x/",
                "the folder that rehref ran in",
                "pub%20lic/x/",
            ),
            ("../public", "the root of the site", ""),
            ("/srv/w w", "file:///srv/w%20w/", ""),
            ("/", "file:///", ""),
        ] {
            let summary = Summary {
                site: site.to_owned(),
                ..Summary::default()
            };
            let (value, actual) = source_root(&summary);
            assert_eq!(actual, prefix, "{site}");
            assert!(
                value.to_string().contains(&format!("\"{base}\"")),
                "{value}"
            );
        }
    }

    #[test]
    fn messages_have_no_placeholders_and_no_links() {
        assert_eq!(message("{{ url }} [a](b) [c]"), "{{{{ url }}}} [a] (b) [c]");
    }
}
