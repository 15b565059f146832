//! SARIF 2.1.0, which code scanning and editors read.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::checks::{CHECKS, CheckRow};
use super::super::finding::{Finding, ReportedFile, ReportedPlace};
use super::fingerprint::fingerprints;
use super::json::{non_empty, object, pretty};
use super::summary::{Summary, below};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Where people find the tool.
const INFORMATION: &str = "https://docs.rs/rehref";

/// Returns a log with one run: the checks are its rules, the findings its results.
///
/// Paths are relative to the working directory (code scanning expects the root of the repository),
/// or to the site if the working directory does not contain it.
pub fn sarif(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let roots = Roots::of(summary);
    let results = findings
        .iter()
        .zip(fingerprints(findings))
        .map(|(finding, fingerprint)| result(finding, fingerprint, &roots));
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
            invocations: [invocation(summary)],
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: roots.bases(),
            results: results.collect::<Vec<_>>()
        }]
    })
}

/// The run: whether it is complete, and what is not in its results.
fn invocation(summary: &Summary) -> Value {
    let notifications = summary.problems().map(|problem| {
        let lines = std::iter::once(problem.message).chain(problem.details);
        json!({
            "level": "error",
            "descriptor": {"id": problem.id},
            "message": {"text": message(&lines.collect::<Vec<_>>().join("\n"))},
        })
    });
    let notifications: Vec<_> = notifications.collect();
    let mut invocation = json!({"executionSuccessful": summary.unread.is_empty()});
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = notifications.into();
    }
    invocation
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
    if id.contains('-') { name } else { name + "Check" }
}

fn result<'a>(finding: &'a Finding, fingerprint: u64, roots: &Roots) -> impl Serialize + use<'a> {
    let mut text = finding.message.to_string();
    if let Some(reference) = &finding.reference {
        let _ = write!(text, ": {reference}");
    }
    if let Some(suggestion) = &finding.suggestion {
        let _ = write!(text, " (suggestion: {suggestion})");
    }
    if let Some(help) = &finding.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    let artifact = |place: ReportedPlace<'_>| {
        let (uri, base) = roots.uri(place.file);
        object! {
            uri: uri,
            uri_base_id: base
        }
    };
    // Code hosts show only results with a region: that of a whole file is its first line.
    let region = |place: ReportedPlace<'_>| {
        object! {
            start_line: place.position.map_or(1, |position| position.line);
            start_column: place.position.map(|position| position.column),
            end_column: end_column(place)
        }
    };
    let location = |place: ReportedPlace<'_>| {
        object! {
            artifact_location: artifact(place),
            region: region(place)
        }
    };
    let page = finding.source.as_ref().map(|_| {
        [object! {
            physical_location: location(finding.built()),
            message: object! { text: "the built page" }
        }]
    });
    let fix = replacement(finding).map(|text| {
        [object! {
            description: object! { text: message(&format!("Replace the link with {text}")) },
            artifact_changes: [object! {
                artifact_location: artifact(finding.built()),
                replacements: [object! {
                    deleted_region: region(finding.built()),
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
        locations: [object! { physical_location: location(finding.reported()) }],
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
        related_locations: page,
        fixes: fix
    }
}

/// The column after the reference.
fn end_column(place: ReportedPlace<'_>) -> Option<usize> {
    let width = usize::try_from(place.width).ok().filter(|&width| width > 0)?;
    Some(place.position?.column + width)
}

/// The text of the fix that replaces the reference; `None` if there is no fix, or if the
/// spelling of the text depends on its place (`&amp;` for `&`).
fn replacement(finding: &Finding) -> Option<&str> {
    end_column(finding.built())?;
    let replacement = &*finding.fix.as_ref()?.fix.replacement;
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/#?%:@+".contains(&b);
    replacement.bytes().all(is_plain).then_some(replacement)
}

/// The first paragraph of a page on a check, on one line.
fn first_paragraph(page: &str) -> String {
    let paragraphs = page.split("\n\n").skip(1);
    let words = paragraphs.take(1).flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

/// The id of the base of the URIs of the files that people edit.
const SOURCES: &str = "SRCROOT";
/// The id of the base of the documents' URIs, if it is another.
const SITE: &str = "SITEROOT";

/// The bases of URIs.
struct Roots {
    site: (Value, String),
    /// The id of the base of the documents' URIs.
    site_id: &'static str,
    /// The base of the files that the site was built from.
    sources: Option<(Value, String)>,
    /// The start of their paths, which the base stands for.
    directory: String,
}

impl Roots {
    fn of(summary: &Summary) -> Roots {
        let site = root(&summary.site, "the root of the site");
        let sources = summary.sources.as_deref();
        let directory = sources.map_or(String::new(), |sources| below(sources, ""));
        let sources = sources.map(|sources| root(sources, "the root of the sources"));
        let are_two = sources.as_ref().is_some_and(|(sources, _)| *sources != site.0);
        Roots { site, site_id: if are_two { SITE } else { SOURCES }, sources, directory }
    }

    fn bases(&self) -> Value {
        let mut bases = json!({self.site_id: self.site.0});
        if let Some((sources, _)) = &self.sources {
            bases[SOURCES] = sources.clone();
        }
        bases
    }

    /// The URI of a file, and the id of its base.
    fn uri(&self, file: ReportedFile<'_>) -> (String, &'static str) {
        match file {
            ReportedFile::Document(document) => {
                (format!("{}{}", self.site.1, path(document)), self.site_id)
            }
            ReportedFile::Source(source) => {
                let file = source.strip_prefix(&*self.directory).unwrap_or(source);
                let prefix = self.sources.as_ref().map_or("", |(_, prefix)| prefix);
                (format!("{prefix}{}", path(file)), SOURCES)
            }
        }
    }
}

/// The base of the URIs of the files in `directory`, which is `described` so if it has no URI, and the prefix of
/// a file's path in them.
fn root(directory: &str, described: &str) -> (Value, String) {
    let site = if cfg!(windows) { directory.replace('\\', "/") } else { directory.to_owned() };
    let drive = cfg!(windows) && site.get(1..2) == Some(":");
    if drive || site.starts_with('/') {
        let slash = if drive { "/" } else { "" };
        let end = if site.ends_with('/') { "" } else { "/" };
        let uri = format!("file://{slash}{}{end}", path(&site));
        return (json!({"uri": uri}), String::new());
    }
    let (described, prefix) = if site.split('/').any(|name| name == "..") {
        (described, String::new())
    } else {
        let names = site.split('/').filter(|name| !matches!(*name, "" | "."));
        ("the directory that rehref ran in", names.map(|name| path(name) + "/").collect())
    };
    (json!({"description": {"text": described}}), prefix)
}

/// Escapes a message (SARIF, section 3.11): a brace starts a placeholder unless it is doubled,
/// `[text](destination)` is a link.
fn message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace("](", "] (")
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
            ("./pub lic/x/", "the directory that rehref ran in", "pub%20lic/x/"),
            ("../public", "the root of the site", ""),
            ("/srv/w w", "file:///srv/w%20w/", ""),
            ("/", "file:///", ""),
        ] {
            let (value, actual) = root(site, "the root of the site");
            assert_eq!(actual, prefix, "{site}");
            assert!(value.to_string().contains(&format!("\"{base}\"")), "{value}");
        }
    }

    #[test]
    fn messages_contain_no_placeholders_and_no_links() {
        assert_eq!(message("{{ url }} [a](b) [c]"), "{{{{ url }}}} [a] (b) [c]");
    }
}
