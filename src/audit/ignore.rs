//! Rules for findings that are not wanted.

use std::path::Path;
use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

use super::checks::Check;
use super::finding::Finding;
use crate::site::Globs;

/// A rule: findings that meet all of its conditions are left out.
#[derive(Clone, Debug)]
pub struct IgnoreRule {
    checks: Vec<Check>,
    path: Option<Globs>,
    target: Option<GlobMatcher>,
}

/// Why a rule is none.
#[derive(Debug, thiserror::Error)]
pub enum IgnoreRuleError {
    /// There is nothing in it.
    #[error("an empty rule; name a check, path:GLOB or target:GLOB")]
    Empty,
    /// Neither a check nor one of the conditions.
    #[error(
        "`{0}` is no check; rehref audit --explain lists them (or write path:GLOB, target:GLOB)"
    )]
    NoCheck(String),
    /// A condition twice.
    #[error("{0} twice in a rule; a finding would have to fit both: give --ignore twice")]
    Twice(&'static str),
    /// A bad glob.
    #[error("`{glob}` is no glob: {message}")]
    Glob {
        /// As it was given.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
}

impl FromStr for IgnoreRule {
    type Err = IgnoreRuleError;

    /// Parses conditions separated by white space: ids of checks (one of which must be the
    /// finding's), `path:GLOB`, `target:GLOB`. A `*` in the latter stands for anything.
    fn from_str(rule: &str) -> Result<IgnoreRule, IgnoreRuleError> {
        let mut parsed = IgnoreRule {
            checks: Vec::new(),
            path: None,
            target: None,
        };
        for word in rule.split_whitespace() {
            if let Some(glob) = word.strip_prefix("path:") {
                let globs = Globs::new(&[glob.to_owned()]);
                let globs = globs.map_err(|error| IgnoreRuleError::Glob {
                    glob: glob.to_owned(),
                    message: error.to_string(),
                })?;
                if parsed.path.replace(globs).is_some() {
                    return Err(IgnoreRuleError::Twice("path:"));
                }
            } else if let Some(glob) = word.strip_prefix("target:") {
                let matcher = GlobBuilder::new(glob).literal_separator(false).build();
                let matcher = matcher.map_err(|error| IgnoreRuleError::Glob {
                    glob: glob.to_owned(),
                    message: error.kind().to_string(),
                })?;
                if parsed.target.replace(matcher.compile_matcher()).is_some() {
                    return Err(IgnoreRuleError::Twice("target:"));
                }
            } else {
                let check = Check::named(word);
                let check = check.ok_or_else(|| IgnoreRuleError::NoCheck(word.to_owned()))?;
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
    /// Whether the finding meets all conditions. A target fits as a whole, or as it was written.
    pub fn covers(&self, finding: &Finding) -> bool {
        let written = [&finding.target, &finding.reference];
        (self.checks.is_empty() || self.checks.contains(&finding.check))
            && self
                .path
                .as_ref()
                .is_none_or(|globs| globs.is_match(Path::new(&finding.location.path)))
            && self.target.as_ref().is_none_or(|matcher| {
                written
                    .into_iter()
                    .flatten()
                    .any(|text| matcher.is_match(text))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
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
