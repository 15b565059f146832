//! Redirect rules by the paths that they match: a site may have thousands, most for one path or folder each.

use rustc_hash::FxHashMap;

#[cfg(feature = "site")]
use super::path::encoded;
use super::redirect_rule::{PathSegment, RedirectRule, RulePaths};
#[cfg(feature = "site")]
use crate::document::redirects::escape::literal_start;

/// The numbers of redirect rules by their paths.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleIndex {
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
            let rules = match (rule.from.literal(), folder(&rule.from)) {
                (Some(path), _) => index.fixed.entry(key(&path)).or_default(),
                (None, Some(path)) => index.folders.entry(key(&path)).or_default(),
                (None, None) => &mut index.others,
            };
            rules.push(number);
        }
        index
    }

    /// The numbers of all rules that may match `path`, in order. `path` starts at the root of the host,
    /// without the slash at its start.
    pub(super) fn candidates(&self, path: &str) -> impl Iterator<Item = usize> {
        let whole = path.trim_end_matches('/');
        let mut found = self.others.clone();
        found.extend(self.fixed.get(whole).into_iter().flatten());
        if !self.folders.is_empty() {
            let around = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            let around = around.filter(|folder| folder.len() < whole.len());
            let folders = around.chain([whole]);
            found.extend(folders.filter_map(|it| self.folders.get(it)).flatten());
        }
        // Presorted lists.
        found.sort();
        found.into_iter()
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
            let (start, _) = literal_start(pattern.0.as_str().strip_prefix('^')?);
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
        let pattern = |text| RulePaths::Pattern(PathPattern(regex::Regex::new(text).unwrap()));
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
        let rules = paths.map(|from| RedirectRule {
            place: RulePlace::default(),
            host: None,
            from,
            to: "/x".to_owned(),
            is_forced: false,
            status: 301,
        });
        let index = RuleIndex::new(&rules);
        for path in [
            "", "/", "a", "a/", "a/b", "a/b/", "a//b", "a//b/c", "a/b/c", "c", "c/", "c//", "d",
            "d/", "d/e/f", "dd", "ab", "x%20y/z", "x%20y",
        ] {
            let matching = |number: &usize| rules[*number].target(path).is_some();
            let found: Vec<usize> = index.candidates(path).filter(matching).collect();
            let expected: Vec<usize> = (0..rules.len()).filter(matching).collect();
            assert_eq!(found, expected, "{path}");
        }
        let all: Vec<usize> = index.candidates("c").collect();
        assert_eq!(all, [6, 8, 10, 16, 18, 19, 20, 22]);
    }
}
