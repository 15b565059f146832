//! Redirect rules by the paths that they match: a site may have thousands, most for one path or folder each.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::redirect_rule::{PathSegment, RedirectRule, RulePaths};

/// The numbers of redirect rules by their paths: the forced ones, which come before files, and the others.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleIndex {
    forced: RulesByPath,
    others: RulesByPath,
}

type RulesByText = FxHashMap<Box<str>, Vec<usize>>;

#[derive(Clone, Debug, Default)]
struct RulesByPath {
    /// The rules that match one path, by that path without its trailing slashes; each list in order.
    fixed: RulesByText,
    /// The rules that match only paths in one folder, and perhaps the folder's own, by that path; each list
    /// in order.
    folders: RulesByText,
    /// The lengths of their paths: a request may have very many folders.
    folder_lengths: BTreeSet<usize>,
    /// The rules that match only paths with certain names at certain places, by the places and the names.
    places: Vec<(Places, RulesByText)>,
    /// All other rules, in order.
    others: Vec<usize>,
}

/// A set of segments of a path: a bit for each of the first eight.
type Places = u8;

impl RuleIndex {
    /// Of several rules for the same paths the first is indexed: the others never apply. Rules for some
    /// visitors only are not indexed: other visitors must find something, too.
    pub(super) fn new(rules: &[RedirectRule]) -> RuleIndex {
        let mut index = RuleIndex::default();
        let mut seen = FxHashSet::default();
        for (number, rule) in rules.iter().enumerate().filter(|(_, it)| !it.is_conditional) {
            if !seen.insert((rule.is_forced, rule.host.as_deref(), &*rule.below, shape(&rule.from)))
            {
                continue;
            }
            if rule.is_forced {
                index.forced.add(number, &rule.from)
            } else {
                index.others.add(number, &rule.from)
            }
        }
        index
    }

    /// Returns the numbers of all rules that may match `path`, in order: the forced ones, or the others. `path` starts
    /// at the root of the host, without the slash at its start.
    pub(super) fn candidates(&self, path: &str, forced: bool) -> Vec<usize> {
        if forced { self.forced.candidates(path) } else { self.others.candidates(path) }
    }
}

impl RulesByPath {
    fn add(&mut self, number: usize, paths: &RulePaths) {
        let start = paths.literal_start();
        let folder = start.trim_end_matches('/');
        let rules = match (paths.literal(), places(paths)) {
            (Some(path), _) => self.fixed.entry(path.trim_end_matches('/').into()).or_default(),
            (None, Some((places, names))) => {
                let known = self.places.iter().position(|(it, _)| *it == places);
                let at = known.unwrap_or_else(|| {
                    self.places.push((places, FxHashMap::default()));
                    self.places.len() - 1
                });
                match self.places.get_mut(at) {
                    Some((_, rules)) => rules.entry(names.into()).or_default(),
                    None => &mut self.others,
                }
            }
            (None, None) if folder.is_empty() => &mut self.others,
            (None, None) => {
                self.folder_lengths.insert(folder.len());
                self.folders.entry(folder.into()).or_default()
            }
        };
        rules.push(number);
    }

    fn candidates(&self, path: &str) -> Vec<usize> {
        let whole = path.trim_end_matches('/');
        let mut found = self.others.clone();
        if let Some(rules) = self.fixed.get(whole) {
            found.extend_from_slice(rules);
        }
        let is_end = |at: usize| at == whole.len() || whole.as_bytes().get(at) == Some(&b'/');
        for &at in self.folder_lengths.range(..=whole.len()) {
            let folder = whole.get(..at).filter(|_| is_end(at));
            found.extend(folder.and_then(|it| self.folders.get(it)).into_iter().flatten());
        }
        let mut names = String::new();
        for (places, rules) in &self.places {
            names.clear();
            for (_, name) in path.split('/').enumerate().filter(|(at, _)| has(*places, *at)) {
                push_name(&mut names, name);
            }
            found.extend(rules.get(&*names).into_iter().flatten());
        }
        // Presorted lists.
        found.sort();
        found
    }
}

fn has(places: Places, at: usize) -> bool {
    at < 8 && places & (1 << at) != 0
}

fn push_name(names: &mut String, name: &str) {
    names.push_str(name);
    names.push('/');
}

/// The places of the names that all paths have that `paths` matches, and these names; `None` if there are none.
fn places(paths: &RulePaths) -> Option<(Places, String)> {
    let RulePaths::Segments(segments) = paths else { return None };
    let (mut places, mut names) = (0, String::new());
    for (at, segment) in before_rest(segments).enumerate().take(8) {
        // An empty one may be the slash at the end, which is ignored.
        if let PathSegment::Literal(name) = segment
            && !name.is_empty()
        {
            places |= 1 << at;
            push_name(&mut names, name);
        }
    }
    (places != 0).then_some((places, names))
}

fn before_rest(segments: &[PathSegment]) -> impl Iterator<Item = &PathSegment> {
    segments.iter().take_while(|it| **it != PathSegment::Rest)
}

/// A text that is the same for all `paths` that match the same.
fn shape(paths: &RulePaths) -> String {
    match paths {
        RulePaths::Segments(segments) => {
            let names = before_rest(segments).map(|segment| match segment {
                PathSegment::Literal(name) => ["=", name].concat(),
                PathSegment::Named(_) | PathSegment::Rest => ":".to_owned(),
            });
            let mut names: Vec<String> = names.collect();
            if names.len() < segments.len() {
                names.push("*".to_owned());
            }
            names.join("/")
        }
        RulePaths::Exact(path) => ["exact/", path].concat(),
        RulePaths::Prefix(path) => ["prefix/", path].concat(),
        RulePaths::Pattern(pattern) => ["pattern/", pattern.as_str()].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PathPattern, PathSegment, PatternBudget, RulePaths, RulePlace};

    #[test]
    fn no_rule_that_matches_is_left_out() {
        let literal = |name: &str| PathSegment::Literal(name.to_owned());
        let pattern = |text| {
            RulePaths::Pattern(PathPattern::new(text, &mut PatternBudget::default()).unwrap())
        };
        let named = || PathSegment::Named("x".to_owned());
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
            RulePaths::Segments(vec![named(), named(), literal("c")]),
            RulePaths::Segments(vec![named(), literal(""), literal("c")]),
            RulePaths::Segments(vec![named(), PathSegment::Rest, literal("c")]),
            RulePaths::Segments(
                std::iter::repeat_with(named).take(9).chain([literal("c")]).collect(),
            ),
        ];
        let both = paths.into_iter().flat_map(|from| [(from.clone(), false), (from, true)]);
        let rule = |(from, is_forced)| RedirectRule {
            place: RulePlace::default(),
            host: None,
            from,
            to: "/x".to_owned(),
            own_origin: 0,
            below: String::new(),
            is_conditional: false,
            is_forced,
            catches_index: false,
            status: 301,
        };
        let rules: Vec<RedirectRule> = both.map(rule).collect();
        let index = RuleIndex::new(&rules);
        for path in [
            "", "/", "a", "a/", "a/b", "a/b/", "a//b", "a//b/c", "a/b/c", "c", "c/", "c//", "d",
            "d/", "d/e/f", "dd", "ab", "x%20y/z", "x%20y", "a//c", "d/b", "a/b/c/d/e/f/g/h/i/c",
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
        assert_eq!(unforced, [16, 20, 32, 36, 38, 40, 44, 50, 52]);
        let forced = index.candidates("c", true);
        assert_eq!(forced, [17, 21, 33, 37, 39, 41, 45, 51, 53]);
    }

    #[test]
    fn rules_that_never_apply_are_no_candidates() {
        let named = |name: &str| PathSegment::Named(name.to_owned());
        let literal = |name: &str| PathSegment::Literal(name.to_owned());
        let rule = |from: Vec<PathSegment>, host: Option<&str>| RedirectRule {
            place: RulePlace::default(),
            host: host.map(str::to_owned),
            from: RulePaths::Segments(from),
            to: "/x".to_owned(),
            own_origin: 0,
            below: String::new(),
            is_conditional: false,
            is_forced: false,
            catches_index: false,
            status: 301,
        };
        let rules = [
            rule(vec![literal("a")], Some("h")),
            rule(vec![literal("a")], None),
            rule(vec![literal("a")], None),
            rule(vec![named("x"), literal("b")], None),
            rule(vec![named("y"), literal("b")], None),
            rule(vec![named("y"), literal("c")], None),
            rule(vec![literal("d"), named("y"), literal("b")], None),
            rule(vec![literal("d"), named("y"), literal("c")], None),
        ];
        let index = RuleIndex::new(&rules);
        assert_eq!(index.candidates("a", false), [0, 1]);
        assert_eq!(index.candidates("q/b", false), [3]);
        assert_eq!(index.candidates("d/q/c", false), [7]);
    }
}
