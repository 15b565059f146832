//! The report as JSON, whole or a line per finding.

use serde::Serialize;

use rehref_site::diagnostic::escape_json;

use super::super::finding::Finding;
use super::summary::{SeverityCounts, Summary, by_check};

/// The version of the format of [`json`] and [`jsonl`]. Within a version members may be added, but
/// are never removed, and never change their meaning.
pub const VERSION: u32 = 1;

/// A value that serializes as a JSON object with these members, in this order and with names in
/// camel case. (`serde_json::json!` sorts them, and takes many times the memory.) Members after a
/// semicolon are options, omitted if they are `None`.
macro_rules! object {
    (
        $($(#[$attribute:meta])* $member:ident: $value:expr),*
        $(; $($option:ident: $optional:expr),*)?
    ) => {{
        #[allow(non_camel_case_types, reason = "the type of a member has its name")]
        let object = {
            #[derive(serde::Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Object<$($member,)* $($($option),*)?> {
                $($(#[$attribute])* $member: $member,)*
                $($(
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $option: Option<$option>,
                )*)?
            }
            Object {
                $($member: $value,)*
                $($($option: $optional,)*)?
            }
        };
        object
    }};
}
pub(super) use object;

/// Returns one JSON object and a line end.
///
/// ```json
/// {
///   "format": "rehref-audit",
///   "version": 1,
///   "tool": {"name": "rehref", "version": "1.0.0"},
///   "summary": {
///     "site": "public",
///     "url": "https://example.org/",
///     "documents": 120, "references": 4711, "external": 230,
///     "findings": 1, "errors": 1, "warnings": 0, "notes": 0,
///     "baselined": 0, "ignored": 0, "stale": 0, "hiddenFailures": 0, "unread": [],
///     "checks": [{"check": "wrong-case", "level": "error", "findings": 1}],
///     "seconds": 0.21
///   },
///   "findings": [ ... ]
/// }
/// ```
///
/// - `version`: [`VERSION`].
/// - `site`: the path as given. `url`: null where none was given.
/// - `external`: references that point outside the site; they are counted, not checked.
/// - `baselined`, `ignored`: findings that the baseline accepts or that a rule or mark ignores; they
///   are not in `findings`. `stale`: entries of the baseline whose findings no longer exist.
/// - `hiddenFailures`: findings that make the audit fail and are below `--min-level`. `unread`: the files, directories
///   and archives that could not be read, each with `path` and `message`; the audit is incomplete if there are any.
/// - `seconds`: the duration, where wanted.
/// - `checks`: the checks that found something, the worst level first, then the most findings.
/// - `findings`: objects as in [`jsonl`], by document, line and column.
pub fn json(summary: &Summary, findings: &[Finding]) -> Vec<u8> {
    let levels = SeverityCounts::of(findings);
    let checks = by_check(findings)
        .into_iter()
        .map(|(check, level, findings)| object! { check: check, level: level, findings: findings });
    pretty(&object! {
        format: "rehref-audit",
        version: VERSION,
        tool: object! { name: "rehref", version: &summary.version },
        summary: object! {
            site: &summary.site,
            url: &summary.url,
            documents: summary.documents,
            references: summary.references,
            external: summary.external,
            findings: levels.total(),
            errors: levels.errors,
            warnings: levels.warnings,
            notes: levels.notes,
            baselined: summary.baselined,
            ignored: summary.ignored,
            stale: summary.stale.len(),
            hidden_failures: summary.hidden_failures,
            unread: summary.unread.iter().map(|it| object! { path: &it.path, message: &it.message }).collect::<Vec<_>>(),
            checks: checks.collect::<Vec<_>>();
            seconds: summary.seconds
        },
        findings: findings.iter().map(finding_object).collect::<Vec<_>>()
    })
}

/// Returns one JSON object per finding and line, by document, line and column; of the version [`VERSION`]. All members
/// are always present, null if a finding has no value:
///
/// - `check`: the stable name of the check. `level`: `error`, `warning` or `note`.
/// - `document`: the path below the site's root, `/` between names.
/// - `line`, `column`: of the URL, from 1, in characters (a tab is one); null for a whole file.
/// - `element`: as in `a`; for markup in an attribute with its carrier, as in `iframe srcdoc > img`.
/// - `attribute`: null for text.
/// - `reference`: as the author wrote it, decoded (`&` for `&amp;`).
/// - `target`: the absolute URL that it resolves to; the path from the site's root if the site's URL
///   is unknown.
/// - `message`: what is wrong. `help`: what to do. `suggestion`: what to write instead.
/// - `source`: the place in the file that the document was built from: `path`, relative to the working directory
///   if that of the sources is, and `line` and `column`, null if the file has the link more than once.
pub fn jsonl(findings: &[Finding]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for finding in findings {
        // As in `pretty`, there is no error to report.
        let _ = serde_json::to_writer(&mut bytes, &finding_object(finding));
        bytes.push(b'\n');
    }
    escape_json(&mut bytes, 0);
    bytes
}

fn finding_object(finding: &Finding) -> impl Serialize {
    object! {
        check: finding.check,
        level: finding.severity,
        document: &*finding.location.path,
        line: finding.line(),
        column: finding.column(),
        element: non_empty(&finding.location.element),
        attribute: non_empty(&finding.location.attribute),
        reference: &finding.reference,
        target: &finding.target,
        message: &finding.message,
        help: &finding.help,
        suggestion: &finding.suggestion,
        source: finding.source.as_ref().map(|source| object! {
            path: &*source.path,
            line: source.position.map(|position| position.line),
            column: source.position.map(|position| position.column)
        })
    }
}

/// Returns `text`, or `None` if it is empty.
pub fn non_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Formats `value` as indented JSON with a line end. Values of text and numbers serialize without
/// errors.
pub(super) fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    escape_json(&mut bytes, 0);
    bytes.push(b'\n');
    bytes
}
