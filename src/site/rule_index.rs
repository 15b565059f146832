//! Redirect rules by the paths that they match: a site may have thousands, most for one path each.

use std::iter;

use rustc_hash::FxHashMap;

use super::redirect_rule::RedirectRule;

/// The numbers of redirect rules by their paths.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleIndex {
    /// The rules that match one path, by that path without its trailing slashes; each list in order.
    fixed: FxHashMap<Box<str>, Vec<usize>>,
    /// All other rules, in order.
    others: Vec<usize>,
}

impl RuleIndex {
    pub(super) fn new(rules: &[RedirectRule]) -> RuleIndex {
        let mut index = RuleIndex::default();
        for (number, rule) in rules.iter().enumerate() {
            match rule.from.literal() {
                Some(path) => {
                    let path = path.trim_end_matches('/').into();
                    index.fixed.entry(path).or_default().push(number);
                }
                None => index.others.push(number),
            }
        }
        index
    }

    /// The numbers of all rules that may match `path`, in order. `path` starts at the root of the host,
    /// without the slash at its start.
    pub(super) fn candidates(&self, path: &str) -> impl Iterator<Item = usize> {
        let fixed = self.fixed.get(path.trim_end_matches('/'));
        let mut fixed = fixed.into_iter().flatten().copied().peekable();
        let mut others = self.others.iter().copied().peekable();
        iter::from_fn(move || match (fixed.peek(), others.peek()) {
            (Some(one), Some(other)) if other < one => others.next(),
            (Some(_), _) => fixed.next(),
            (None, _) => others.next(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{PathSegment, RulePaths, RulePlace};

    #[test]
    fn no_rule_that_matches_is_left_out() {
        let literal = |name: &str| PathSegment::Literal(name.to_owned());
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
            "", "/", "a", "a/", "a/b", "a/b/", "a//b", "c", "c/", "c//", "d",
        ] {
            let matching = |number: &usize| rules[*number].target(path).is_some();
            let found: Vec<usize> = index.candidates(path).filter(matching).collect();
            let expected: Vec<usize> = (0..rules.len()).filter(matching).collect();
            assert_eq!(found, expected, "{path}");
        }
        let fixed: Vec<usize> = index.candidates("c").collect();
        assert_eq!(fixed, [1, 3, 6, 8, 10]);
    }
}
