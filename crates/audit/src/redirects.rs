//! Checks the redirect rules of the site: targets that do not exist, chains, loops, and rules that
//! never apply.

use rustc_hash::FxHashMap;

use super::checks::Check;
use super::finding::{Finding, HOST, may_be_made};
use rehref_document::Position;
use rehref_site::{
    FileIndex, Location, PathSegment, RedirectBudget, RedirectRule, RedirectTarget, RulePaths,
    Severity, normalized_path,
};

/// A name that no file and no rule has, in place of the parts that a rule leaves open.
const ANY_NAME: &str = "rehref-any-name";

/// The name that findings about a redirect rule have in place of an element.
pub const REDIRECT_RULE: &str = "redirect rule";

/// Checks every rule of `files`, in the order in which the server tries them. Visitors never get to the target of a
/// rule that never applies.
pub(super) fn check(files: &FileIndex) -> impl Iterator<Item = Finding> {
    let rules = files.redirect_rules();
    let mut steps = Steps::default();
    let checks = rules.iter().enumerate().map(move |(number, rule)| {
        if let Some(earlier) = earlier_rule(files, number, rule) {
            let message =
                format!("this rule never applies: the rule in {} matches first", earlier.place);
            return [Some(finding(Check::ShadowedRedirect, rule, message)), None];
        }
        if redirects_to_itself(rule) {
            let message = "the rule redirects its URLs to themselves, which never ends".to_owned();
            return [Some(finding(Check::BrokenTarget, rule, message)), None];
        }
        let target = match Route::of(files, number, rule, &mut steps) {
            Some(route) => route.finding(files, number, rule),
            None => missing_folder(files, rule),
        };
        [hidden_by_file(files, rule), target]
    });
    checks.flatten().flatten()
}

/// Returns true if a rule for many URLs redirects one of them to itself, whatever the name is that it leaves open.
fn redirects_to_itself(rule: &RedirectRule) -> bool {
    let path = rule.target_path().filter(|_| rule.is_redirect() && rule.fixed_target().is_none());
    let names = path.into_iter().flat_map(|it| it.trim_start_matches('/').split('/'));
    let path: Vec<&str> =
        names.map(|it| if it.starts_with([':', '$']) { ANY_NAME } else { it }).collect();
    let path = path.join("/");
    !path.is_empty() && rule.target(&path) == Some(RedirectTarget::Path(path))
}

fn finding(check: Check, rule: &RedirectRule, message: String) -> Finding {
    let position = Position { line: rule.place.line, column: rule.place.column };
    let location = Location::new(&*rule.place.file, Some(position), REDIRECT_RULE, "");
    let mut finding = Finding::new(check, location, message);
    finding.reference = Some(&*rule.to).filter(|to| !to.is_empty()).map(Box::from);
    finding
}

/// The rule before `rule`, the rule with this `number`, that applies in its place.
fn earlier_rule<'f>(
    files: &'f FileIndex,
    number: usize,
    rule: &RedirectRule,
) -> Option<&'f RedirectRule> {
    let path = sample(&rule.from)?;
    let rules = files.redirect_rules();
    let earlier = files.rule_candidates(&path).into_iter();
    let mut earlier = earlier.take_while(|it| *it < number).filter_map(|it| rules.get(it));
    earlier
        .find(|earlier| (earlier.is_forced || !rule.is_forced) && earlier.target(&path).is_some())
}

/// The finding about a rule for the URL of a file.
fn hidden_by_file(files: &FileIndex, rule: &RedirectRule) -> Option<Finding> {
    let literal = rule.from.literal().filter(|_| !rule.is_forced)?;
    let file = files.file_without_rules(files.below_root(&literal)?)?;
    // A rule for the file itself changes nothing.
    let target = rule.fixed_target().and_then(|to| files.below_root(to));
    if target.and_then(|to| files.file_without_rules(to)) == Some(file) {
        return None;
    }
    let message = format!(
        "this rule may never apply: {file} exists, and most servers look for files before they apply rules"
    );
    Some(finding(Check::ShadowedRedirect, rule, message))
}

/// A path that the rule matches, with [`ANY_NAME`] for what it leaves open; `None` for a regular
/// expression.
fn sample(from: &RulePaths) -> Option<String> {
    match from {
        RulePaths::Segments(segments) => {
            let names = segments.iter().map(|segment| match segment {
                PathSegment::Literal(name) => name.as_str(),
                PathSegment::Named(_) | PathSegment::Rest => ANY_NAME,
            });
            Some(names.collect::<Vec<_>>().join("/"))
        }
        RulePaths::Exact(path) => Some(path.clone()),
        RulePaths::Prefix(path) => Some(format!("{}/{ANY_NAME}", path.trim_end_matches('/'))),
        RulePaths::Pattern(_) => None,
    }
}

/// Checks the folder of a target that depends on the path.
fn missing_folder(files: &FileIndex, rule: &RedirectRule) -> Option<Finding> {
    let to = rule.target_path()?;
    let folder_before = |mark: &str| {
        let before = to.get(..=to.find(mark)?)?;
        Some(before.get(..before.rfind('/')?)?.trim_start_matches('/'))
    };
    let folder = match &rule.from {
        RulePaths::Segments(_) => folder_before("/:")?,
        RulePaths::Pattern(_) => folder_before("$")?,
        // The whole target may also be a file's path.
        RulePaths::Prefix(_) => to.trim_matches('/'),
        RulePaths::Exact(_) => return None,
    };
    let path = files.below_root(folder)?;
    let exists = path.is_empty()
        || files.is_folder(files.resolve_alias(path))
        || files.content_folder(&format!("{path}/")).is_some()
        || files.has_content_in(path)
        || files.find(path, "").is_some()
        || files.rule_for(&format!("{path}/{ANY_NAME}")).is_some();
    // The prefix of one file has its name.
    let is_file = path.rsplit('/').next().is_some_and(|it| it.contains('.'));
    let (what, slash) = if is_file { ("", "") } else { ("the directory ", "/") };
    let message = format!("the target of the rule, {what}`{path}{slash}`, does not exist");
    (!exists).then(|| missing(files, rule, &format!("{path}{slash}"), message))
}

/// The finding about a rule whose target, at `path`, is missing: a warning where something may make it.
fn missing(files: &FileIndex, rule: &RedirectRule, path: &str, message: String) -> Finding {
    let is_beyond = || files.reads_sources() && !files.has_content_beside(path, true);
    let unsure = || files.unread_maker(None).or_else(|| is_beyond().then_some(HOST));
    let Some(maker) = files.maker_of(None, path).or_else(unsure) else {
        return finding(Check::BrokenTarget, rule, message);
    };
    let mut found = finding(Check::BrokenTarget, rule, may_be_made(&message, maker));
    found.diagnostic.severity = Severity::Warning;
    found
}

/// The route from a rule with one target through further rules.
struct Route<'f> {
    /// The further rules, with their numbers.
    rules: Vec<(usize, &'f RedirectRule)>,
    end: RouteEnd,
}

/// The rules that apply at the fixed targets of rules, with the numbers of both: many routes have the same rest.
type Steps<'f> = FxHashMap<usize, Option<(usize, &'f RedirectRule)>>;

enum RouteEnd {
    /// A file of the site, or a place outside it.
    Served,
    /// Nothing is served at this path.
    Missing(String),
    /// A path of the route, again.
    Loop,
}

impl<'f> Route<'f> {
    /// The route of the rule with this `number`; `None` if its target is not one path of the site.
    fn of(
        files: &'f FileIndex,
        number: usize,
        rule: &RedirectRule,
        steps: &mut Steps<'f>,
    ) -> Option<Route<'f>> {
        // A server that fills a placeholder in may read more patterns than are read here.
        let target = rule.fixed_target().filter(|it| !it.contains(":splat"))?;
        let first = files.below_root(target)?;
        let mut rules = Vec::new();
        let end = Route::follow(files, number, rule, first, steps, &mut rules);
        Some(Route { rules, end })
    }

    /// Adds the rules that apply from the path `first` on to `rules`. Returns the end of the route.
    fn follow(
        files: &'f FileIndex,
        number: usize,
        rule: &RedirectRule,
        first: &str,
        steps: &mut Steps<'f>,
        rules: &mut Vec<(usize, &'f RedirectRule)>,
    ) -> RouteEnd {
        let mut path = normalized_path(first).into_owned();
        let own = rule.from.literal();
        let own = own.as_deref().and_then(|own| files.below_root(own));
        let mut seen: Vec<String> = own.map(str::to_owned).into_iter().collect();
        let mut fixed = Some(number);
        let mut left = RedirectBudget::new(&path).after(&path);
        while let Some(budget) = left
            && !seen.contains(&path)
        {
            seen.push(path.clone());
            let step = match fixed {
                Some(at) => *steps.entry(at).or_insert_with(|| files.rule_at(&path)),
                None => files.rule_at(&path),
            };
            let Some((next, rule)) = step else {
                let is_served = files.find(&path, "").is_some_and(|it| files.is_sent(&it));
                return if is_served { RouteEnd::Served } else { RouteEnd::Missing(path) };
            };
            // A rule for everything may serve its own target.
            if next == number && own.is_none() {
                return RouteEnd::Served;
            }
            rules.push((next, rule));
            let to = match rule.target(&files.with_root(&path)) {
                Some(RedirectTarget::Path(to)) => to,
                Some(RedirectTarget::TooLong) => return RouteEnd::Loop,
                _ => return RouteEnd::Served,
            };
            left = budget.after(&to);
            fixed = (rule.fixed_target() == Some(&*to)).then_some(next);
            let Some(to) = files.below_root(&to) else { return RouteEnd::Served };
            path = normalized_path(to).into_owned();
        }
        RouteEnd::Loop
    }

    /// The finding about the route that begins at `rule`, which has this `number`.
    fn finding(&self, files: &FileIndex, number: usize, rule: &RedirectRule) -> Option<Finding> {
        match &self.end {
            RouteEnd::Loop => {
                let own = rule.from.literal();
                let own = own.as_deref().and_then(|own| files.below_root(own));
                let is_shadowed = own.is_some_and(|own| files.rule_for(own).is_none());
                // Once for each loop, at its first rule.
                let is_first = self.rules.iter().all(|(other, _)| *other >= number);
                let returns = self.rules.last().is_none_or(|(_, last)| {
                    let own = rule.from.literal();
                    own.is_some_and(|own| last.fixed_target() == Some(own.as_str()))
                        || last.fixed_target() == rule.fixed_target()
                });
                // The server sends the file at the path itself, if a build makes one.
                let is_rewrite = self.rules.is_empty() && !rule.is_redirect();
                if is_shadowed || !is_first || !returns || is_rewrite {
                    return None;
                }
                let places = self.rules.iter().map(|(_, rule)| rule.place.to_string());
                let message = if self.rules.is_empty() {
                    "the rule redirects to its own path, which is a redirect loop".to_owned()
                } else {
                    let places = places.collect::<Vec<_>>().join(", then ");
                    format!("the rule starts a redirect loop through the rule in {places}")
                };
                Some(finding(Check::RedirectLoop, rule, message))
            }
            RouteEnd::Missing(path) if self.rules.is_empty() => {
                let message = if path.is_empty() {
                    "the target of the rule is the root of the site, which has no index file"
                        .to_owned()
                } else {
                    format!("the target of the rule, `{path}`, does not exist")
                };
                Some(missing(files, rule, path, message))
            }
            RouteEnd::Served if !self.rules.is_empty() && rule.is_redirect() => {
                let (_, next) = self.rules.iter().find(|(_, next)| next.is_redirect())?;
                let message = format!(
                    "the rule in {} redirects the target of this rule again, to {}",
                    next.place, next.to
                );
                Some(finding(Check::RedirectChain, rule, message))
            }
            RouteEnd::Served | RouteEnd::Missing(_) => None,
        }
    }
}
