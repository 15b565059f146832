//! Redirect rules by the paths that they match: a site may have thousands, most for one path or folder each.

use rustc_hash::FxHashMap;

#[cfg(feature = "site")]
use super::path::encoded;
use super::redirect_rule::{PathSegment, RedirectRule, RulePaths};
#[cfg(feature = "site")]
use crate::document::redirects::escape::literal_start;

/// The numbers of redirect rules by their paths: the forced ones, which come before files, and the others.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleIndex {
    forced: RulesByPath,
    others: RulesByPath,
}

#[derive(Clone, Debug, Default)]
struct RulesByPath {
    /// The rules that match one path, by that path without its trailing slashes; each list in order.
    fixed: FxHashMap<Box<str>, Vec<usize>>,
    /// The rules that match only paths in one folder, and perhaps the folder's own, by that path; each list
    /// in order.
    folders: FxHashMap<Box<str>, Vec<usize>>,
    /// All other rules, in order.
    others: Vec<usize>,
}

impl RuleIndex {
    pub(super) fn new(rules: &[RedirectRule]) -> RuleIndex {
        let mut index = RuleIndex::default();
        for (number, rule) in rules.iter().enumerate() {
            let key = |path: &str| path.trim_end_matches('/').into();
            let by_path = match rule.is_forced {
                true => &mut index.forced,
                false => &mut index.others,
            };
            let rules = match (rule.from.literal(), folder(&rule.from)) {
                (Some(path), _) => by_path.fixed.entry(key(&path)).or_default(),
                (None, Some(path)) => by_path.folders.entry(key(&path)).or_default(),
                (None, None) => &mut by_path.others,
            };
            rules.push(number);
        }
        index
    }

    /// The numbers of all rules that may match `path`, in order: the forced ones, or the others. `path` starts
    /// at the root of the host, without the slash at its start.
    pub(super) fn candidates(&self, path: &str, forced: bool) -> Vec<usize> {
        match forced {
            true => self.forced.candidates(path),
            false => self.others.candidates(path),
        }
    }
}

impl RulesByPath {
    fn candidates(&self, path: &str) -> Vec<usize> {
        let whole = path.trim_end_matches('/');
        let mut found = self.others.clone();
        if let Some(rules) = self.fixed.get(whole) {
            found.extend_from_slice(rules);
        }
        if !self.folders.is_empty() {
            let around = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            let around = around.filter(|folder| folder.len() < whole.len());
            let folders = around.chain([whole]);
            found.extend(folders.filter_map(|it| self.folders.get(it)).flatten());
        }
        // Presorted lists.
        found.sort();
        found
    }
}

/// The folder in which all paths are that `paths` matches; `None` if it may be any.
fn folder(paths: &RulePaths) -> Option<String> {
    let folder = match paths {
        RulePaths::Segments(segments) => {
            let literals = segments.iter().map_while(|segment| match segment {
                PathSegment::Literal(name) => Some(name.as_str()),
                PathSegment::Named(_) | PathSegment::Rest => None,
            });
            literals.collect::<Vec<_>>().join("/")
        }
        RulePaths::Prefix(path) => path.clone(),
        RulePaths::Exact(_) => return None,
        #[cfg(feature = "site")]
        RulePaths::Pattern(pattern) => {
            let (start, _) = literal_start(pattern.as_str().strip_prefix('^')?);
            let end = start.iter().rposition(|&byte| byte == b'/')?;
            encoded(start.get(..end)?.strip_prefix(b"/")?)
        }
    };
    (!folder.trim_end_matches('/').is_empty()).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{PathPattern, PathSegment, RulePaths, RulePlace};

    #[test]
    fn no_rule_that_matches_is_left_out() {
        let literal = |name: &str| PathSegment::Literal(name.to_owned());
        let pattern = |text| RulePaths::Pattern(PathPattern::new(text).unwrap());
        let paths = [
            RulePaths::Segments(vec![literal("a"), literal("b")]),
            RulePaths::Segments(vec![literal("a"), PathSegment::Rest]),
            RulePaths::Exact("a/b".to_owned()),
            RulePaths::Prefix("a".to_owned()),
            RulePaths::Exact("a/b/".to_owned()),
            RulePaths::Segments(vec![literal("a"), literal("")]),
            RulePaths::Segments(vec![PathSegment::Named("x".to_owned()), literal("b")]),
            RulePaths::Segments(vec![]),
            RulePaths::Segments(vec![literal("c")]),
            RulePaths::Exact(String::new()),
            RulePaths::Prefix(String::new()),
            RulePaths::Prefix("a/".to_owned()),
            RulePaths::Prefix("a/b".to_owned()),
            RulePaths::Segments(vec![literal("a"), literal(""), PathSegment::Rest]),
            RulePaths::Segments(vec![literal("d"), PathSegment::Rest]),
            pattern("^/a/(.*)$"),
            pattern("^/a/?b"),
            pattern("^/a//b"),
            pattern("^/a/b/|^/d"),
            pattern("/b$"),
            pattern("(?i)^/A/B"),
            pattern(r"^/x\x20y/"),
            pattern("^/"),
        ];
        let both = paths
            .into_iter()
            .flat_map(|from| [(from.clone(), false), (from, true)]);
        let rule = |(from, is_forced)| RedirectRule {
            place: RulePlace::default(),
            host: None,
            from,
            to: "/x".to_owned(),
            is_forced,
            status: 301,
        };
        let rules: Vec<RedirectRule> = both.map(rule).collect();
        let index = RuleIndex::new(&rules);
        for path in [
            "", "/", "a", "a/", "a/b", "a/b/", "a//b", "a//b/c", "a/b/c", "c", "c/", "c//", "d",
            "d/", "d/e/f", "dd", "ab", "x%20y/z", "x%20y",
        ] {
            for forced in [false, true] {
                let matching = |number: &usize| {
                    rules[*number].is_forced == forced && rules[*number].target(path).is_some()
                };
                let mut found = index.candidates(path, forced);
                found.retain(matching);
                let expected: Vec<usize> = (0..rules.len()).filter(matching).collect();
                assert_eq!(found, expected, "{path}");
            }
        }
        let unforced = index.candidates("c", false);
        assert_eq!(unforced, [12, 16, 20, 32, 36, 38, 40, 44]);
        let forced = index.candidates("c", true);
        assert_eq!(forced, [13, 17, 21, 33, 37, 39, 41, 45]);
    }
}
