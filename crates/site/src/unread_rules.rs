//! Directives of a server that are not read, and that may make pages without a file.

use rustc_hash::FxHashMap;

use super::path_pattern::PathPattern;
use rehref_url::percent_decoded;

/// A directive that is not read, and that may make pages without a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadRule {
    /// The directory of its file from the root of the host, with a slash at its end; empty for the root.
    pub below: String,
    /// The paths; `None` for all below the directory.
    pub paths: Option<PathPattern>,
    /// True if the paths are relative to the directory, and not from the root of the host.
    pub is_relative: bool,
    /// Its name and place, for messages.
    pub name: String,
}

/// The directives of a server, by the directories that contain all their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadRules {
    rules: Vec<UnreadRule>,
    by_folder: FxHashMap<Box<str>, Vec<usize>>,
}

impl UnreadRules {
    /// Indexes `rules`.
    pub fn new(rules: Vec<UnreadRule>) -> UnreadRules {
        let mut by_folder: FxHashMap<Box<str>, Vec<usize>> = FxHashMap::default();
        for (number, rule) in rules.iter().enumerate() {
            let folder = rule.paths.as_ref().filter(|_| !rule.is_relative);
            let folder = folder.and_then(|it| Some(it.folder()? + "/"));
            let folder = folder.filter(|it| it.starts_with(&rule.below));
            let folder = folder.unwrap_or_else(|| rule.below.clone());
            by_folder.entry(folder.into()).or_default().push(number);
        }
        UnreadRules { rules, by_folder }
    }

    /// Returns the name and place of a directive that may make the page at `path`, from the root of the host.
    pub(crate) fn maker_of(&self, path: &str) -> Option<&str> {
        if self.rules.is_empty() {
            return None;
        }
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let decoded = [b"/", &*percent_decoded(path)].concat();
        let ends = path.rmatch_indices('/').map(|(slash, _)| slash + 1);
        let folders = ends.chain([0]).filter_map(|end| path.get(..end));
        let numbers = folders.filter_map(|folder| self.by_folder.get(folder)).flatten();
        let mut rules = numbers.filter_map(|number| self.rules.get(*number));
        rules.find(|rule| rule.makes(path, &decoded)).map(|rule| &*rule.name)
    }
}

impl UnreadRule {
    /// Returns true if it may make the page at `path`, which is below its directory; `whole`: the path decoded, with a slash
    /// before it.
    fn makes(&self, path: &str, whole: &[u8]) -> bool {
        let Some(paths) = &self.paths else { return path.starts_with(&self.below) };
        if !self.is_relative {
            return path.starts_with(&self.below) && paths.matches(whole);
        }
        let rest = path.strip_prefix(&*self.below);
        rest.is_some_and(|rest| paths.matches(&percent_decoded(rest)))
    }
}

#[cfg(all(test, feature = "disk"))]
mod tests {
    use super::*;
    use crate::PatternBudget;

    #[test]
    fn directives_are_found_by_paths_from_the_root_of_the_host() {
        let rule = |below: &str, paths: &str, is_relative: bool| UnreadRule {
            below: below.to_owned(),
            paths: PathPattern::new(paths, &mut PatternBudget::default())
                .ok()
                .filter(|_| !paths.is_empty()),
            is_relative,
            name: format!("{below} {paths}"),
        };
        let rules = UnreadRules::new(vec![
            rule("", "^/api/", false),
            rule("docs/", "^old/", true),
            rule("docs/", "^/docs/a b$", false),
            rule("app/", "", true),
        ]);
        for (path, expected) in [
            ("api/x", Some(" ^/api/")),
            ("apix", None),
            ("docs/old/x?q", Some("docs/ ^old/")),
            ("old/x", None),
            ("docs/a%20b", Some("docs/ ^/docs/a b$")),
            ("app/x#y", Some("app/ ")),
            ("app", None),
            ("", None),
        ] {
            assert_eq!(rules.maker_of(path), expected, "{path}");
        }
    }
}
