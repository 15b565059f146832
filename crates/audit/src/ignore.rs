//! The rules of `--ignore`: which findings to drop.

use std::borrow::Cow;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use globset::{Glob, GlobBuilder, GlobSet};

use super::checks::Check;
use super::finding::Finding;
use super::site_index::SiteIndex;
use rehref_corpus::files::{GlobError, Globs, check_count, has_wildcard, is_like_regex};
use rehref_url::percent_decoded;

/// A rule of `--ignore`: the audit ignores findings that meet all of its conditions.
#[derive(Clone, Debug)]
pub struct IgnoreRule {
    checks: Vec<Check>,
    /// The name of the element, and that of the attribute.
    names: [Option<Box<str>>; 2],
    path: Option<String>,
    target: Option<Glob>,
}

/// The conditions for the names of the element and the attribute.
const NAMES: [&str; 2] = ["element", "attribute"];

/// All ignore rules of a run, with their globs compiled into one matcher, because there may be thousands of
/// rules and many more findings.
#[derive(Debug)]
pub struct IgnoreRules {
    rules: Vec<IgnoreRule>,
    /// The globs for paths.
    paths: Globs,
    /// The number of the rule that has each of them.
    rules_of_paths: Vec<usize>,
    targets: GlobSet,
    rules_of_targets: Vec<usize>,
}

/// The rules for the findings of one document.
#[derive(Debug)]
struct PathRules {
    path: Arc<str>,
    /// For each rule, whether its condition for the document is met.
    is_met: Vec<bool>,
    /// The numbers of the rules without a condition for the target.
    without_target: Vec<usize>,
}

impl FromStr for IgnoreRule {
    type Err = String;

    /// Parses conditions separated by white space: ids of checks (one of which must be the
    /// finding's), `element:NAME`, `attribute:NAME`, `path:GLOB`, `target:GLOB`. In a target's glob `*` matches slashes, too.
    fn from_str(rule: &str) -> Result<IgnoreRule, String> {
        let mut parsed =
            IgnoreRule { checks: Vec::new(), names: [None, None], path: None, target: None };
        let bad_glob = |glob: &str, message: String| format!("`{glob}` is not a glob: {message}");
        let repeated = |condition: &str| {
            Err(format!("{condition}: is repeated in one rule\nhelp: pass one --ignore for each"))
        };
        for word in rule.split_whitespace() {
            match word.split_once(':') {
                Some(("path" | "target", "")) => {
                    return Err(format!(
                        "{word} has no glob\nhelp: write one after the colon, like {word}blog/**"
                    ));
                }
                Some((condition @ ("element" | "attribute"), name)) => {
                    if name.is_empty() {
                        return Err(format!("{word} has no name\nhelp: write it like element:img"));
                    }
                    if name.contains([',', '<', '[', '#', '*']) {
                        return Err(format!(
                            "`{name}` is not the name of an {condition}\nhelp: write one name, like element:img or attribute:src, and repeat --ignore for each"
                        ));
                    }
                    let at = usize::from(condition == NAMES[1]);
                    let known = parsed.names.get_mut(at);
                    if known.is_some_and(|it| it.replace(name.into()).is_some()) {
                        return repeated(condition);
                    }
                }
                Some((condition @ "path", glob)) => {
                    Globs::check(glob).map_err(|error| bad_glob(glob, error.to_string()))?;
                    if parsed.path.replace(glob.to_owned()).is_some() {
                        return repeated(condition);
                    }
                }
                Some((condition @ "target", text)) => {
                    let glob = GlobBuilder::new(text).literal_separator(false).build();
                    let glob = glob.map_err(|error| bad_glob(text, error.kind().to_string()))?;
                    if parsed.target.replace(glob).is_some() {
                        return repeated(condition);
                    }
                }
                _ => {
                    let check = Check::named(word).ok_or_else(|| bad_condition(rule, word))?;
                    parsed.checks.push(check);
                }
            }
        }
        let has_names = parsed.names.iter().any(Option::is_some);
        let is_empty = parsed.checks.is_empty() && !has_names;
        if is_empty && parsed.path.is_none() && parsed.target.is_none() {
            return Err(format!("the rule is empty\nhelp: add a check, {CONDITIONS}"));
        }
        Ok(parsed)
    }
}

/// The mistake in `word` of `rule`, which is neither a check nor another condition.
fn bad_condition(rule: &str, word: &str) -> String {
    if word.contains(',') && rule.contains(char::is_whitespace) {
        let separated = rule.replace(',', " ");
        let conditions: Vec<&str> = separated.split_whitespace().collect();
        return format!("separate conditions with spaces: '{}'", conditions.join(" "));
    }
    if word.contains(',') {
        return format!("`{word}` is not a check\nhelp: repeat --ignore for each check");
    }
    if word.starts_with('!') {
        return format!(
            "`{word}`: a condition cannot be negated\nhelp: to check only some documents, use --include GLOB; to run only some checks, --only CHECK"
        );
    }
    if let Some((_, url)) = rule.split_once(" > ") {
        return format!(
            "`{word}` is not a condition\nhelp: for documents of archives, write their URL: 'path:*{url}'"
        );
    }
    let mut ends = word.rsplitn(3, ':');
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit());
    if ends.by_ref().take(2).all(is_number) && ends.next().is_some() {
        return format!(
            "`{word}`: a rule has no line numbers\nhelp: for one link, write 'path:DOCUMENT target:LINK', where DOCUMENT is relative to the site"
        );
    }
    let level = word.split_once([':', '=']).map_or(word, |(_, value)| value);
    if let Some((_, help)) = LEVELS.iter().find(|(it, _)| *it == level.trim_end_matches('s')) {
        return format!("`{word}` is a level, not a condition\nhelp: {help}");
    }
    if let Some((name, value)) = word.split_once([':', '='])
        && let Some((condition, _)) = OTHER_NAMES.iter().find(|(_, names)| names.contains(&name))
        && !value.is_empty()
    {
        // A fragment is the end of a target.
        let star = if *condition == "target:" && value.starts_with('#') { "*" } else { "" };
        return format!(
            "`{word}` is not a condition\nhelp: did you mean '{condition}{star}{value}'?"
        );
    }
    match Check::nearest(word).filter(|_| !word.contains(['/', '.', '*'])) {
        Some(check) => format!("`{word}` is not a condition\nhelp: did you mean {check}?"),
        None if is_like_regex(word) => {
            let bare = word.strip_prefix('/').and_then(|it| it.strip_suffix('/')).unwrap_or(word);
            let plain = bare.replace('\\', "");
            let glob = plain.replace(".*", "*").replace(".+", "*");
            let glob = glob.trim_matches(['^', '$', '(', ')']);
            // `\.pdf$`
            let start = if glob.starts_with('.') { "*" } else { "" };
            let glob = format!("{start}{glob}");
            format!(
                "`{word}` is a regular expression\nhelp: write a condition with a glob, like 'target:{glob}' or 'path:{glob}'"
            )
        }
        None if word.ends_with('/') => format!(
            "`{word}` is not a condition\nhelp: write 'target:*{word}*' for links that lead there, or 'path:{}**' for documents in this directory",
            word.trim_start_matches('/')
        ),
        None if word.contains(['/', '*']) || has_extension(word) => {
            let is_list =
                [".txt", ".toml", ".json", ".yml", ".yaml"].iter().any(|it| word.ends_with(it));
            let of_list = if is_list {
                "\nhelp: for many rules, write them to rehref.toml: [audit], and below it ignore = [\"target:/admin/*\"]"
            } else {
                ""
            };
            format!(
                "`{word}` is not a condition\nhelp: did you mean 'target:{word}' or 'path:{word}'?{of_list}"
            )
        }
        None => format!(
            "`{word}` is not a condition\nhelp: write a check (rehref explain lists all), {CONDITIONS}"
        ),
    }
}

/// Returns true for the name of a file, but not for a dotted name such as `myst.xref_missing`.
fn has_extension(word: &str) -> bool {
    let extension = word.rsplit_once('.').map_or("", |(_, it)| it);
    (1..=5).contains(&extension.len()) && extension.bytes().all(|it| it.is_ascii_alphanumeric())
}

/// Words that people write before the value of a condition, by its name; checks have none.
const OTHER_NAMES: [(&str, &[&str]); 5] = [
    ("path:", &["path", "file", "page", "document", "source"]),
    ("target:", &["target", "link", "url", "href"]),
    ("element:", &["element", "tag"]),
    ("attribute:", &["attribute", "attr"]),
    ("", &["check", "rule", "code"]),
];

/// The levels that people want to ignore, with the option that does so.
const LEVELS: [(&str, &str); 2] = [
    ("warning", "to hide warnings and notes, use --min-level error"),
    ("note", "to hide notes, use --min-level warning"),
];

/// The conditions besides checks, for messages.
const CONDITIONS: &str = "element:NAME, attribute:NAME, path:GLOB or target:GLOB";

impl IgnoreRule {
    /// Returns true if the rule ignores all findings of `check`.
    pub fn covers_all_of(&self, check: Check) -> bool {
        self.path.is_none()
            && self.target.is_none()
            && self.names.iter().all(Option::is_none)
            && self.checks.contains(&check)
    }

    /// Returns true if the finding meets the conditions for its check, its element and its attribute.
    fn is_of(&self, finding: &Finding) -> bool {
        let location = &finding.location;
        let names = self.names.iter().zip([&location.element, &location.attribute]);
        let mut names = names.filter_map(|(name, found)| Some((name.as_deref()?, found)));
        (self.checks.is_empty() || self.checks.contains(&finding.check))
            && names.all(|(name, found)| name.eq_ignore_ascii_case(found))
    }
}

impl IgnoreRules {
    /// Compiles the globs of `rules`.
    ///
    /// # Errors
    /// Returns an error if there are too many.
    pub fn new(rules: &[IgnoreRule]) -> Result<IgnoreRules, GlobError> {
        let paths: Vec<String> = rules.iter().filter_map(|rule| rule.path.clone()).collect();
        let targets: Vec<Glob> = rules.iter().filter_map(|rule| rule.target.clone()).collect();
        check_count(targets.iter().filter(|target| has_wildcard(target.glob())).count())?;
        let numbers_with = |has: fn(&IgnoreRule) -> bool| {
            let numbered = rules.iter().enumerate().filter(|(_, rule)| has(rule));
            numbered.map(|(number, _)| number).collect()
        };
        Ok(IgnoreRules {
            rules: rules.to_vec(),
            paths: Globs::new(&paths)?,
            rules_of_paths: numbers_with(|rule| rule.path.is_some()),
            targets: GlobSet::new(targets)
                .map_err(|error| GlobError::malformed(error.glob().unwrap_or_default(), &error))?,
            rules_of_targets: numbers_with(|rule| rule.target.is_some()),
        })
    }

    /// Returns the globs of the conditions `path:` of all rules.
    pub fn paths(&self) -> &Globs {
        &self.paths
    }

    /// Returns the globs of conditions `target:` that match the target of none of `findings`, each with the
    /// check of its rule.
    pub fn unused_targets(&self, findings: &[Finding], site: &SiteIndex) -> Vec<(&str, &[Check])> {
        let mut used = vec![false; self.rules_of_targets.len()];
        let findings = if used.is_empty() { &[] } else { findings };
        for glob in findings.iter().flat_map(|it| self.globs_of_target(it, site)) {
            if let Some(used) = used.get_mut(glob) {
                *used = true;
            }
        }
        let unused = self.rules_of_targets.iter().zip(used);
        unused
            .filter(|(_, is_used)| !is_used)
            .filter_map(|(number, _)| {
                let rule = self.rules.get(*number)?;
                Some((rule.target.as_ref()?.glob(), &*rule.checks))
            })
            .collect()
    }

    /// The numbers of the globs that match the target of `finding`.
    fn globs_of_target(&self, finding: &Finding, site: &SiteIndex) -> Vec<usize> {
        let texts = if self.targets.is_empty() { Vec::new() } else { target_texts(finding, site) };
        texts.iter().flat_map(|text| self.targets.matches(&**text)).collect()
    }

    /// Removes the findings that a rule ignores. `findings` are those of `site`.
    pub fn drop_covered(&self, findings: &mut Vec<Finding>, site: &SiteIndex) {
        if self.rules.is_empty() {
            return;
        }
        // Findings of one document mostly follow each other.
        let mut latest: Option<PathRules> = None;
        findings.retain(|finding| {
            let path = &finding.location.path;
            let known = latest.take().filter(|it| it.path == *path);
            let rules = latest.insert(known.unwrap_or_else(|| self.for_path(path)));
            !self.cover(rules, finding, site)
        });
    }

    fn for_path(&self, path: &Arc<str>) -> PathRules {
        let mut is_met: Vec<bool> = self.rules.iter().map(|rule| rule.path.is_none()).collect();
        for glob in self.paths.matches(Path::new(&**path)) {
            let rule = self.rules_of_paths.get(glob);
            if let Some(is_met) = rule.and_then(|rule| is_met.get_mut(*rule)) {
                *is_met = true;
            }
        }
        let rules = self.rules.iter().zip(&is_met).enumerate();
        let without_target = rules
            .filter(|(_, (rule, is_met))| **is_met && rule.target.is_none())
            .map(|(number, _)| number)
            .collect();
        PathRules { path: Arc::clone(path), is_met, without_target }
    }

    /// Returns true if the finding meets all conditions of a rule.
    fn cover(&self, rules: &PathRules, finding: &Finding, site: &SiteIndex) -> bool {
        let is_of = |number: &usize| {
            let rule = self.rules.get(*number);
            rule.is_some_and(|rule| rule.is_of(finding))
        };
        let is_met = |number: &usize| rules.is_met.get(*number) == Some(&true);
        rules.without_target.iter().any(is_of) || {
            let globs = self.globs_of_target(finding, site).into_iter();
            let mut numbers = globs.filter_map(|glob| self.rules_of_targets.get(glob));
            numbers.any(|number| is_met(number) && is_of(number))
        }
    }
}

/// The ways in which reports and sources spell the target of `finding`: the link, the URL, and the path below the root of
/// `site` with a slash before it and without; each also without its fragment and without its query.
fn target_texts<'f>(finding: &'f Finding, site: &'f SiteIndex) -> Vec<Cow<'f, str>> {
    let target = finding.target.as_deref();
    let below = |target: &'f str| match target.strip_prefix('/') {
        Some(path) => Some(path.into()),
        None => site.below(target),
    };
    let path = target.and_then(below);
    let from_root = path.as_ref().map(|path| Cow::Owned(format!("/{path}")));
    // The path from the root of the host, as links of the site have it.
    let site_path = site.site_url.url().path();
    let from_host = path.as_ref().map(|path| Cow::Owned(format!("{site_path}{path}")));
    let written = [target, finding.reference.as_deref()].map(|it| it.map(Cow::Borrowed));
    let mut texts: Vec<Cow<'_, str>> =
        written.into_iter().chain([path, from_root, from_host]).flatten().collect();
    for end in ['#', '?'] {
        let cut = |text: &Cow<'f, str>| {
            let before = text.split_once(end)?.0;
            (!before.is_empty()).then(|| Cow::Owned(before.to_owned()))
        };
        texts.extend(texts.iter().filter_map(cut).collect::<Vec<_>>());
    }
    // `/~name/` for `/%7Ename/`, and `news/index.html` for `news/`.
    let decoded = |text: &Cow<'f, str>| {
        let bytes = text.contains('%').then(|| percent_decoded(text))?;
        String::from_utf8(bytes).ok().map(Cow::Owned)
    };
    texts.extend(texts.iter().filter_map(decoded).collect::<Vec<_>>());
    let index =
        |text: &Cow<'f, str>| text.ends_with('/').then(|| Cow::Owned(format!("{text}index.html")));
    texts.extend(texts.iter().filter_map(index).collect::<Vec<_>>());
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::{FileIndex, SiteUrl};

    fn site() -> SiteIndex {
        let url = SiteUrl::parse("https://h/docs/").unwrap().0;
        SiteIndex::of_files(FileIndex::default(), url, Vec::new())
    }

    #[test]
    fn a_glob_matches_a_target_as_reports_and_sources_spell_it() {
        for (target, glob, expected) in [
            ("https://h/docs/imprint/x.html?q#top", "/imprint*", true),
            ("https://h/docs/imprint/x.html?q#top", "imprint/x.html", true),
            ("https://h/docs/imprint/x.html?q#top", "imprint/x.html[?]q", true),
            ("https://h/docs/imprint/x.html?q#top", "/imprint/x.html[?]q#top", true),
            ("https://h/docs/imprint/x.html?q#top", "https://h/docs/imprint/x.html", true),
            ("https://h/docs/imprint/x.html?q#top", "*.html", true),
            ("https://h/docs/imprint/x.html?q#top", "/docs/imprint/*", true),
            ("https://h/docs/imprint/x.html?q#top", "x.html", false),
            ("/imprint#a", "imprint", true),
            ("/imprint#a", "/imprint", true),
            ("/imprint#a", "/imprint#a", true),
            ("https://h/other/x", "/other/x", false),
            ("https://h/docs/#a", "/", true),
        ] {
            let mut finding = Finding::of_file(Check::BrokenTarget, "a.html", "");
            finding.target = Some(target.into());
            finding.reference = Some("#".into());
            let rule: IgnoreRule = format!("target:{glob}").parse().unwrap();
            let rules = IgnoreRules::new(&[rule]).unwrap();
            let mut left = vec![finding];
            assert_eq!(
                rules.unused_targets(&left, &site()).is_empty(),
                expected,
                "{target} {glob}"
            );
            rules.drop_covered(&mut left, &site());
            assert_eq!(left.is_empty(), expected, "{target} {glob}");
        }
    }

    #[test]
    fn a_rule_covers_findings_that_meet_all_its_conditions() {
        let path = "drafts/a.html".to_owned();
        let mut finding = Finding::of_file(Check::BrokenTarget, path, String::new());
        finding.location.element = "img".into();
        finding.location.attribute = "src".into();
        finding.reference = Some("../old/x.html".into());
        finding.target = Some("https://h/old/x.html".into());
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
            ("element:IMG", Some(true)),
            ("element:a", Some(false)),
            ("broken-target element:img attribute:src", Some(true)),
            ("attribute:srcset", Some(false)),
            ("element:", None),
            ("element:a element:b", None),
            ("/imprint", None),
            ("", None),
            ("broken", None),
            ("path:[", None),
            ("target:[", None),
            ("path:a path:b", None),
        ] {
            let parsed = rule.parse::<IgnoreRule>().ok();
            let found = parsed.map(|rule| {
                let mut left = vec![finding.clone()];
                let rules = IgnoreRules::new(&[rule]).unwrap();
                rules.drop_covered(&mut left, &site());
                left.is_empty()
            });
            assert_eq!(found, expected, "{rule}");
        }
    }

    #[test]
    fn each_of_many_rules_keeps_its_conditions_together() {
        let rules =
            ["broken-target path:a", "wrong-case path:b target:x*", "target:y*", "path:c target:*"];
        let rules: Vec<IgnoreRule> = rules.iter().map(|it| it.parse().unwrap()).collect();
        let rules = IgnoreRules::new(&rules).unwrap();
        for (check, path, target, is_left) in [
            (Check::BrokenTarget, "a", "x1", false),
            (Check::BrokenTarget, "a", "x2", false),
            (Check::WrongCase, "a", "x1", true),
            (Check::WrongCase, "b", "x1", false),
            (Check::WrongCase, "b", "z", true),
            (Check::BrokenTarget, "b", "x1", true),
            (Check::BrokenTarget, "b", "y1", false),
            (Check::WrongCase, "c", "z", false),
            (Check::WrongCase, "d", "z", true),
        ] {
            let mut finding = Finding::of_file(check, path.to_owned(), String::new());
            finding.reference = Some(target.into());
            let mut findings = vec![finding];
            rules.drop_covered(&mut findings, &site());
            assert_eq!(!findings.is_empty(), is_left, "{check:?} {path} {target}");
        }
    }

    #[test]
    fn very_many_rules_with_wildcards_are_an_error() {
        let rules = |condition: &str| {
            let rules = (0..4001).map(|at| format!("{condition}:x{at}*").parse().unwrap());
            IgnoreRules::new(&rules.collect::<Vec<_>>()).map(|_| ())
        };
        let too_many = check_count(4001);
        assert!(too_many.is_err());
        assert_eq!(rules("path"), too_many);
        assert_eq!(rules("target"), too_many);
    }
}
