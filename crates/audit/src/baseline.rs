//! Baselines: accepted findings, so that only new ones are reported.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::checks::Check;
use super::finding::Finding;
use super::report::fingerprints;

/// The version of the format.
const VERSION: u32 = 1;
const FORMAT: &str = "rehref-baseline";

/// A baseline: the findings of a site that the user has accepted, so that only new findings are reported.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// By fingerprint.
    accepted: HashMap<u64, AcceptedFinding>,
}

/// A target that is accepted in at least this many documents is one of a template: a new page has it, too.
const TEMPLATE: usize = 3;

/// An accepted finding in the file. The fingerprint is compared; check, document and target tell which targets a template
/// has; the reference is for people who read the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct AcceptedFinding {
    fingerprint: String,
    check: String,
    document: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    target: Option<String>,
}

impl AcceptedFinding {
    fn name(self) -> String {
        let reference = self.reference.map(|it| format!(": {it}"));
        format!("{} in {}{}", self.check, self.document, reference.unwrap_or_default())
    }
}

/// The first members of every JSON file of rehref.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Deserialize)]
struct BaselineFile {
    findings: Vec<AcceptedFinding>,
}

/// The reason a file cannot be read as a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file is not a baseline.
    #[error("{0}")]
    OtherFile(String),
    /// The file is a baseline, which --update-baseline may replace.
    #[error("{0}")]
    Unreadable(String),
}

impl From<serde_json::Error> for BaselineError {
    fn from(error: serde_json::Error) -> BaselineError {
        BaselineError::OtherFile(format!(
            "the file is not a baseline ({error})\nhelp: to accept the findings of today, pass a new file, and add --update-baseline"
        ))
    }
}

impl Baseline {
    /// Returns the baseline that accepts `findings`.
    pub fn of(findings: &[Finding]) -> Baseline {
        let prints = fingerprints(findings);
        let accepted = findings.iter().zip(prints).map(|(finding, print)| {
            let accepted = AcceptedFinding {
                fingerprint: format!("{print:016x}"),
                check: finding.check.id().to_owned(),
                document: finding.location.path.to_string(),
                reference: finding.reference.as_deref().map(str::to_owned),
                target: finding.target.as_deref().map(str::to_owned),
            };
            (print, accepted)
        });
        Baseline { accepted: accepted.collect() }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.accepted.len()
    }

    /// Returns true if the baseline accepts nothing.
    pub fn is_empty(&self) -> bool {
        self.accepted.is_empty()
    }

    /// Returns true if `other` accepts one of the same findings.
    pub fn shares(&self, other: &Baseline) -> bool {
        self.accepted.keys().any(|it| other.accepted.contains_key(it))
    }

    /// Adds those entries of `old` for whose check and document `is_kept` returns true (the check is `None` if
    /// rehref does not know it). Returns the number of added entries.
    pub fn keep(&mut self, old: Baseline, is_kept: impl Fn(Option<Check>, &str) -> bool) -> usize {
        let entries = old.accepted.into_iter();
        let is_kept = |it: &AcceptedFinding| is_kept(Check::named(&it.check), &it.document);
        let kept: Vec<_> = entries.filter(|(_, it)| is_kept(it)).collect();
        let count = kept.len();
        self.accepted.extend(kept);
        count
    }

    /// Parses the JSON of a baseline file.
    ///
    /// # Errors
    /// Returns an error if the file is not a baseline of this version.
    pub fn parse(json: &[u8]) -> Result<Baseline, BaselineError> {
        // A struct can be read from an array, too.
        if json.trim_ascii_start().first() != Some(&b'{') {
            return Err(BaselineError::OtherFile(
                "the file is not a baseline\nhelp: to accept the findings of today, pass a new file, and add --update-baseline".to_owned(),
            ));
        }
        let Head { format, version } = serde_json::from_slice(json)?;
        if format != FORMAT || version != VERSION {
            let message = format!(
                "the format is {format}, version {version}, but this rehref reads {FORMAT}, version {VERSION}\nhelp: to create a baseline, pass a new file and add --update-baseline"
            );
            let is_baseline = format == FORMAT;
            let error =
                if is_baseline { BaselineError::Unreadable } else { BaselineError::OtherFile };
            return Err(error(message));
        }
        let file: BaselineFile = serde_json::from_slice(json)?;
        let numbered = file.findings.into_iter().map(|accepted| {
            let print = u64::from_str_radix(&accepted.fingerprint, 16).map_err(|_| {
                let print = &accepted.fingerprint;
                let message =
                    "is not a fingerprint\nhelp: recreate the file with --update-baseline";
                BaselineError::Unreadable(format!("`{print}` {message}"))
            })?;
            Ok((print, accepted))
        });
        Ok(Baseline { accepted: numbered.collect::<Result<_, BaselineError>>()? })
    }

    /// Returns the content of the baseline file: JSON with one line per finding, sorted by document, so that diffs in
    /// version control are readable.
    pub fn to_json(&self) -> Vec<u8> {
        let mut lines: Vec<&AcceptedFinding> = self.accepted.values().collect();
        lines.sort_by_key(|it| (&it.document, &it.check, &it.reference, &it.fingerprint));
        let lines = lines.into_iter().map(serde_json::to_string);
        let findings = lines.flatten().collect::<Vec<_>>().join(",\n    ");
        let (open, close) = if findings.is_empty() { ("", "") } else { ("\n    ", "\n  ") };
        format!(
            "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"findings\": \
             [{open}{findings}{close}]\n}}\n"
        )
        .into_bytes()
    }

    /// The documents with each check and target.
    fn documents(&self) -> HashMap<(String, String), HashSet<String>> {
        let mut documents: HashMap<_, HashSet<String>> = HashMap::new();
        for it in self.accepted.values() {
            if let Some(target) = &it.target {
                let key = (it.check.clone(), target.clone());
                documents.entry(key).or_default().insert(it.document.clone());
            }
        }
        documents
    }

    /// Removes the findings that the baseline accepts from `all`, the findings of an audit. `finds` returns true if
    /// this audit would report findings of a check (`None`: an unknown one) in a document. A target that is accepted in
    /// many documents is one of a template: the first link of another document to this target is accepted, too.
    pub fn compare(
        mut self,
        all: Vec<Finding>,
        finds: impl Fn(Option<Check>, &str) -> bool,
    ) -> Comparison {
        let prints = fingerprints(&all);
        let mut documents = self.documents();
        let mut is_of_template = |finding: &Finding| {
            let target = finding.target.as_deref().unwrap_or_default();
            let key = (finding.check.id().to_owned(), target.to_owned());
            let documents = documents.get_mut(&key).filter(|it| it.len() >= TEMPLATE);
            documents.is_some_and(|it| it.insert(finding.location.path.to_string()))
        };
        let new = all
            .into_iter()
            .zip(prints)
            .filter(|(_, print)| self.accepted.remove(print).is_none())
            .map(|(finding, _)| finding)
            .filter(|finding| !is_of_template(finding))
            .collect();
        let may_be_gone = |it: &AcceptedFinding| finds(Check::named(&it.check), &it.document);
        let gone = self.accepted.into_values().filter(may_be_gone);
        let mut gone: Vec<String> = gone.map(AcceptedFinding::name).collect();
        gone.sort_unstable();
        Comparison { new, gone }
    }
}

/// The result of comparing findings with a baseline.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The findings that the baseline does not accept.
    pub new: Vec<Finding>,
    /// The stale entries of the baseline, whose findings no longer exist: `CHECK in DOCUMENT: REFERENCE`.
    pub gone: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(document: &str, reference: &str) -> Finding {
        let path = document.to_owned();
        let mut finding = Finding::of_file(Check::BrokenTarget, path, String::new());
        finding.reference = Some(reference.into());
        finding
    }

    #[test]
    fn accepted_findings_are_not_new() {
        let old = vec![finding("a", "x"), finding("a", "x"), finding("b", "\"<>")];
        let file = Baseline::of(&old).to_json();
        let read = Baseline::parse(&file).unwrap();
        assert_eq!(read, Baseline::of(&old));
        assert_eq!(read.accepted.len(), 3);
        let mut now = old.clone();
        now.push(finding("a", "y"));
        now.push(finding("a", "x"));
        now.retain(|finding| &*finding.location.path != "b");
        let found = read.compare(now, |_, _| true);
        assert_eq!(found.new, [finding("a", "y"), finding("a", "x")]);
        assert_eq!(found.gone, ["broken-target in b: \"<>"]);
        let empty = Baseline::default();
        assert_eq!(Baseline::parse(&empty.to_json()).unwrap(), empty);
    }

    #[test]
    fn a_target_of_a_template_is_accepted_in_a_new_page_once() {
        let to = |document: &str, reference: &str, target: &str| {
            let target = Some(target.into());
            Finding { target, ..finding(document, reference) }
        };
        let pages = ["a.html", "b.html", "c/d.html"];
        let of_template = pages.map(|page| to(page, "gone", "/gone"));
        let mut old = of_template.to_vec();
        old.extend(["a.html", "b.html"].map(|page| to(page, "rare", "/rare")));
        let mut now = old.clone();
        now.push(to("new/e.html", "../gone", "/gone"));
        now.push(to("new/e.html", "../gone", "/gone"));
        now.push(to("a.html", "./gone", "/gone"));
        now.push(to("new/e.html", "../rare", "/rare"));
        let new = now[6..].to_vec();
        let baseline = Baseline::parse(&Baseline::of(&old).to_json()).unwrap();
        assert_eq!(baseline.compare(now, |_, _| true).new, new);
    }

    #[test]
    fn other_files_are_not_baselines() {
        for bad in [
            "",
            "{}",
            r#"{"format":"rehref-audit","version":1,"findings":[]}"#,
            r#"{"format":"rehref-baseline","version":2,"findings":[]}"#,
            r#"{"format":"rehref-baseline","version":1,"findings":
               [{"fingerprint":"x","check":"","document":""}]}"#,
        ] {
            assert!(Baseline::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
