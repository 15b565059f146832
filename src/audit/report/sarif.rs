//! SARIF 2.1.0, which code scanning and editors read.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::checks::{CHECKS, CheckRow};
use super::super::finding::Finding;
use super::fingerprint::fingerprints;
use super::json::{non_empty, object, pretty};
use super::summary::Summary;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Where people find the tool.
const INFORMATION: &str = "https://docs.rs/rehref";

/// A log with one run: the checks are its rules, the findings its results.
///
/// Paths are relative to the working directory (code scanning expects the root of the repository),
/// or to the site if the working directory does not contain it.
pub fn sarif(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let (base, prefix) = source_root(summary);
    let results = findings
        .iter()
        .zip(fingerprints(findings))
        .map(|(finding, fingerprint)| result(finding, fingerprint, &prefix));
    pretty(&object! {
        #[serde(rename = "$schema")]
        schema: SCHEMA,
        version: "2.1.0",
        runs: [object! {
            tool: json!({"driver": {
                "name": "rehref",
                "semanticVersion": summary.version,
                "informationUri": INFORMATION,
                "rules": CHECKS.iter().map(rule).collect::<Vec<_>>(),
            }}),
            invocations: json!([{"executionSuccessful": !summary.failed}]),
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: json!({"SRCROOT": base}),
            results: results.collect::<Vec<_>>()
        }]
    })
}

fn rule(row: &CheckRow) -> Value {
    json!({
        "id": row.id,
        "name": name(row.id),
        "shortDescription": {"text": message(row.summary)},
        "fullDescription": {"text": message(&first_paragraph(row.page))},
        "help": {"text": message(row.page)},
        "defaultConfiguration": {"enabled": row.check.is_default(), "level": row.severity.name()},
    })
}

/// The id of a check as one word: `BrokenTarget`. A name must not be the id itself: `OrphanCheck`.
fn name(id: &str) -> String {
    let words = id.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let name: String = words.collect();
    match id.contains('-') {
        true => name,
        false => name + "Check",
    }
}

fn result<'a>(finding: &'a Finding, fingerprint: u64, prefix: &str) -> impl Serialize + use<'a> {
    let mut text = finding.message.to_string();
    if let Some(reference) = &finding.reference {
        let _ = write!(text, ": {reference}");
    }
    if let Some(suggestion) = &finding.suggestion {
        let _ = write!(text, " (suggestion: {suggestion})");
    }
    let artifact = || {
        object! {
            uri: format!("{prefix}{}", path(&finding.location.path)),
            uri_base_id: "SRCROOT"
        }
    };
    // Code hosts show only results with a region: that of a whole file is its first line.
    let region = || {
        object! {
            start_line: finding.line().unwrap_or(1);
            start_column: finding.column(),
            end_column: end_column(finding)
        }
    };
    let location = object! {
        artifact_location: artifact();
        region: Some(region())
    };
    let fix = replacement(finding).map(|(description, text)| {
        [object! {
            description: object! { text: message(&description) },
            artifact_changes: [object! {
                artifact_location: artifact(),
                replacements: [object! {
                    deleted_region: region(),
                    inserted_content: object! { text: text.to_owned() }
                }]
            }]
        }]
    });
    object! {
        rule_id: finding.check.id(),
        rule_index: finding.check as usize,
        level: finding.severity.name(),
        message: object! { text: message(&text) },
        locations: [object! { physical_location: location }],
        partial_fingerprints: object! {
            #[serde(rename = "findingHash/v1")]
            finding: format!("{fingerprint:016x}")
        },
        properties: object! {;
            element: non_empty(&finding.location.element),
            attribute: non_empty(&finding.location.attribute),
            reference: finding.reference.as_deref(),
            target: finding.target.as_deref(),
            suggestion: finding.suggestion.as_deref()
        };
        fixes: fix
    }
}

/// The column after the reference.
fn end_column(finding: &Finding) -> Option<usize> {
    let width = usize::try_from(finding.width)
        .ok()
        .filter(|&width| width > 0)?;
    Some(finding.column()? + width)
}

/// What a fix does, and the text that takes the place of the reference; `None` if there is no fix, or if how
/// the text is written depends on its place (`&amp;` for `&`).
fn replacement(finding: &Finding) -> Option<(String, &str)> {
    end_column(finding)?;
    let replacement = &*finding.fix.as_ref()?.fix.replacement;
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/#?%:@+".contains(&b);
    let is_written_so = replacement.bytes().all(is_plain);
    is_written_so.then(|| (format!("Write {replacement}"), replacement))
}

/// The first paragraph of a page on a check, on one line.
fn first_paragraph(page: &str) -> String {
    let paragraphs = page.split("\n\n").skip(1);
    let words = paragraphs.take(1).flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

/// The base of the URIs, and the prefix of a document's path in them.
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
        let description = json!({"text": "the directory that rehref ran in"});
        (json!({"description": description}), prefix)
    }
}

/// Escapes a message (SARIF, section 3.11): a brace starts a placeholder unless it is doubled,
/// `[text](destination)` is a link.
fn message(text: &str) -> String {
    text.replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "] (")
}

/// A path as a URI: percent-encodes what RFC 3986 does not allow in a relative path.
fn path(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        // A colon in the first name would end a scheme.
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
    fn uris_are_relative_to_the_working_directory_if_it_contains_the_site() {
        for (site, base, prefix) in [
            (".", "the directory that rehref ran in", ""),
            (
                "./pub lic/x/",
                "the directory that rehref ran in",
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
    fn messages_contain_no_placeholders_and_no_links() {
        assert_eq!(message("{{ url }} [a](b) [c]"), "{{{{ url }}}} [a] (b) [c]");
    }
}
