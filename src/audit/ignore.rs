//! The rules of `--ignore`: which findings to drop.

use std::path::Path;
use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

use super::checks::Check;
use super::finding::Finding;
use crate::site::Globs;

/// A rule: findings that meet all of its conditions are ignored.
#[derive(Clone, Debug)]
pub struct IgnoreRule {
    checks: Vec<Check>,
    path: Option<Globs>,
    target: Option<GlobMatcher>,
}

/// Why a rule cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum IgnoreRuleError {
    /// It has no condition.
    #[error("the rule is empty; give a check, path:GLOB or target:GLOB")]
    Empty,
    /// A word is neither a check nor another condition.
    #[error("`{word}` is not a condition; {}", conditions(.nearest))]
    UnknownCheck {
        /// The word as given.
        word: String,
        /// The check with the nearest id, if one is near.
        nearest: Option<&'static str>,
    },
    /// Checks are separated by commas.
    #[error("`{0}` is not a check; repeat --ignore for each check")]
    List(String),
    /// A condition has no glob.
    #[error("{0} has no glob; write one after the colon, like {0}blog/**")]
    NoGlob(&'static str),
    /// A condition is repeated.
    #[error("{0} is repeated in one rule; give one --ignore for each")]
    Repeated(&'static str),
    /// A glob cannot be parsed.
    #[error("`{glob}` is not a glob: {message}")]
    Glob {
        /// The glob as given.
        glob: String,
        /// The error of the glob parser.
        message: String,
    },
}

/// What a condition can be.
fn conditions(nearest: &Option<&'static str>) -> String {
    match nearest {
        Some(check) => format!("did you mean {check}?"),
        None => "give a check (rehref explain lists all), path:GLOB or target:GLOB".to_owned(),
    }
}

impl FromStr for IgnoreRule {
    type Err = IgnoreRuleError;

    /// Parses conditions separated by white space: ids of checks (one of which must be the
    /// finding's), `path:GLOB`, `target:GLOB`. In a target's glob `*` matches slashes, too.
    fn from_str(rule: &str) -> Result<IgnoreRule, IgnoreRuleError> {
        let mut parsed = IgnoreRule {
            checks: Vec::new(),
            path: None,
            target: None,
        };
        let bad_glob = |glob: &str, message: String| IgnoreRuleError::Glob {
            glob: glob.to_owned(),
            message,
        };
        for word in rule.split_whitespace() {
            if let Some(prefix) = ["path:", "target:"].into_iter().find(|it| *it == word) {
                return Err(IgnoreRuleError::NoGlob(prefix));
            }
            if let Some(glob) = word.strip_prefix("path:") {
                let globs = Globs::new(&[glob.to_owned()]);
                let globs = globs.map_err(|error| bad_glob(glob, error.to_string()))?;
                if parsed.path.replace(globs).is_some() {
                    return Err(IgnoreRuleError::Repeated("path:"));
                }
            } else if let Some(text) = word.strip_prefix("target:") {
                let glob = GlobBuilder::new(text).literal_separator(false).build();
                let glob = glob.map_err(|error| bad_glob(text, error.kind().to_string()))?;
                if parsed.target.replace(glob.compile_matcher()).is_some() {
                    return Err(IgnoreRuleError::Repeated("target:"));
                }
            } else {
                let check = Check::named(word);
                let check = check.ok_or_else(|| match word.contains(',') {
                    true => IgnoreRuleError::List(word.to_owned()),
                    false => IgnoreRuleError::UnknownCheck {
                        word: word.to_owned(),
                        nearest: Check::nearest(word),
                    },
                })?;
                parsed.checks.push(check);
            }
        }
        if parsed.checks.is_empty() && parsed.path.is_none() && parsed.target.is_none() {
            return Err(IgnoreRuleError::Empty);
        }
        Ok(parsed)
    }
}

impl IgnoreRule {
    /// The condition for the document.
    pub fn paths(&self) -> Option<&Globs> {
        self.path.as_ref()
    }

    /// Whether all findings of `check` meet the conditions.
    pub fn covers_all_of(&self, check: Check) -> bool {
        self.path.is_none() && self.target.is_none() && self.checks.contains(&check)
    }

    /// Whether the finding meets all conditions. The glob for targets may match the resolved target
    /// or the reference.
    pub fn covers(&self, finding: &Finding) -> bool {
        let path = Path::new(&*finding.location.path);
        let mut targets = [&finding.target, &finding.reference].into_iter().flatten();
        let (globs, glob) = (self.path.as_ref(), self.target.as_ref());
        (self.checks.is_empty() || self.checks.contains(&finding.check))
            && globs.is_none_or(|globs| globs.is_match(path))
            && glob.is_none_or(|glob| targets.any(|text| glob.is_match(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_covers_findings_that_meet_all_its_conditions() {
        let path = "drafts/a.html".to_owned();
        let mut finding = Finding::of_file(Check::BrokenTarget, path, String::new());
        finding.reference = Some("../old/x.html".to_owned());
        finding.target = Some("https://h/old/x.html".to_owned());
        for (rule, expected) in [
            ("broken-target", Some(true)),
            ("wrong-case", Some(false)),
            ("wrong-case broken-target", Some(true)),
            ("path:drafts", Some(true)),
            ("path:*.html", Some(true)),
            ("path:/a.html", Some(false)),
            ("target:https://h/old/*", Some(true)),
            ("target:../old/*", Some(true)),
            ("target:*/new/*", Some(false)),
            ("broken-target path:drafts target:*x.html", Some(true)),
            ("broken-target path:other", Some(false)),
            ("", None),
            ("broken", None),
            ("path:[", None),
            ("target:[", None),
            ("path:a path:b", None),
        ] {
            let parsed = rule.parse::<IgnoreRule>().ok();
            let found = parsed.map(|rule| rule.covers(&finding));
            assert_eq!(found, expected, "{rule}");
        }
    }
}
