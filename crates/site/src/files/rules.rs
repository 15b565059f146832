//! The redirect rules of a server: which applies to a URL, and what the server then sends.

use std::cell::Cell;

use super::{FileIndex, Response};
use crate::path::{as_folder, normalized_path, with_slash};
use crate::redirect_rule::{RedirectBudget, RedirectRule, RedirectTarget, RequestPath};

/// The redirects that may still follow, and whether a chain had more.
#[derive(Clone, Copy)]
struct Chain<'c> {
    left: RedirectBudget,
    gave_up: &'c Cell<bool>,
}

impl Chain<'_> {
    /// A chain that begins at `path`.
    fn new<'c>(path: &str, gave_up: &'c Cell<bool>) -> Chain<'c> {
        Chain { left: RedirectBudget::new(path), gave_up }
    }

    /// The chain after a redirect to `to`.
    fn after(self, to: &str) -> Option<Self> {
        let left = self.left.after(to);
        if left.is_none() {
            self.gave_up.set(true);
        }
        left.map(|left| Chain { left, ..self })
    }
}

impl FileIndex {
    /// As [`FileIndex::find_or_loop`] for a normalized path.
    pub(super) fn find_normalized(&self, path: &str, query: &str) -> (Option<Response<'_>>, bool) {
        let gave_up = Cell::new(false);
        let response = match self.find_after(path, query, None, Chain::new(path, &gave_up)) {
            None | Some(Response::Folder) if self.is_unread(path) || self.is_made(path) => {
                Some(Response::Unread)
            }
            response => response,
        };
        (response, gave_up.get())
    }

    /// As [`FileIndex::find`] for a normalized path, when the redirects of `chain` may still follow.
    /// `served`: the result of [`FileIndex::find_file`], if it is known.
    fn find_after<'i>(
        &'i self,
        path: &str,
        query: &str,
        served: Option<Option<Response<'i>>>,
        chain: Chain<'_>,
    ) -> Option<Response<'i>> {
        if let Some(response) = self.redirected(path, true, chain) {
            return response;
        }
        let response = served.unwrap_or_else(|| self.find_file(path, query));
        let response = match response {
            None | Some(Response::Folder) => {
                let resolved = self.tree.aliases.resolve(path);
                let found = resolved.and_then(|it| self.find_file(&it.path, query));
                found.or(response)
            }
            Some(_) => response,
        };
        match response {
            None | Some(Response::Extension(_) | Response::Folder) => {
                let by_rule = || self.redirected(path, false, chain).flatten();
                // A directory comes before the variants of its name.
                let is_folder =
                    matches!(response, Some(Response::Folder)) && as_folder(path).is_none();
                let variant = if is_folder { None } else { self.variant(path) };
                variant.map(Response::ByRule).or_else(by_rule).or(response)
            }
            Some(_) => response,
        }
    }

    /// Applies the redirect rules to `path`: the forced ones, which come before files, or the
    /// others. The outer `None`: no rule matches; the inner one: the server answers "not found".
    fn redirected(
        &self,
        path: &str,
        forced: bool,
        chain: Chain<'_>,
    ) -> Option<Option<Response<'_>>> {
        self.rule_of_request(path, forced).map(|(.., target)| match target {
            RedirectTarget::External => Some(Response::Redirect),
            RedirectTarget::Error => None,
            RedirectTarget::TooLong => {
                chain.gave_up.set(true);
                None
            }
            RedirectTarget::Path(to) => {
                let chain = chain.after(&to)?;
                let to = self.normalized(&to);
                let Some(to) = to.strip_prefix(&*self.root_path) else {
                    return Some(Response::Redirect);
                };
                let response = self.find_file(to, "");
                let is_sent = |it: &&Response<'_>| self.is_sent(it);
                let file = response.as_ref().filter(is_sent).and_then(Response::file);
                // Some rules come before files.
                let is_file = self.rule_of_request(to, true).is_none();
                if let Some(file) = file.or_else(|| self.variant(to)).filter(|_| is_file) {
                    return Some(Response::ByRule(file));
                }
                let response = self
                    .find_after(to, "", Some(response), chain)
                    .as_ref()
                    .filter(is_sent)
                    .cloned()?;
                Some(response.file().map_or(response.clone(), Response::ByRule))
            }
        })
    }

    /// Returns the first rule for `path`, of the forced rules or of the others, with its number and its target.
    fn rule_of_request(
        &self,
        path: &str,
        forced: bool,
    ) -> Option<(usize, &RedirectRule, RedirectTarget)> {
        if self.server.redirects.is_empty() {
            return None;
        }
        let first = |path: &str, is_index: bool| {
            let whole = self.with_root(path);
            let request = RequestPath::new(&whole);
            let rules = self.rules_at(&whole, forced);
            let mut rules = rules.filter(|(_, rule)| rule.catches_index || !is_index);
            rules.find_map(|(number, rule)| Some((number, rule, rule.target_of(&request)?)))
        };
        first(path, false).or_else(|| {
            let is_whole = path.is_empty() || path.ends_with('/');
            if !is_whole && !self.is_folder(path) {
                return None;
            }
            // The server itself redirects the path of a directory to the one with a slash.
            let folder = if is_whole { path.to_owned() } else { with_slash(path) };
            let of_folder = if is_whole { None } else { first(&folder, true) };
            of_folder.or_else(|| match self.find_file(&folder, "") {
                Some(Response::Index(file)) => first(file, true),
                _ => None,
            })
        })
    }

    /// Returns the redirect rules of the server, in the order in which it tries them.
    pub fn redirect_rules(&self) -> &[RedirectRule] {
        &self.server.redirects
    }

    /// Returns the redirect rule that applies to the URL with this `path`: a forced rule even if a file exists,
    /// any other rule only if the server finds no file. Returns `None` if no rule applies.
    pub fn rule_for(&self, path: &str) -> Option<&RedirectRule> {
        self.rule_at(&normalized_path(path)).map(|(_, rule)| rule)
    }

    /// Returns the path to which a rule redirects the URL with this `path`, if it is below the root.
    pub fn redirected_path(&self, path: &str) -> Option<String> {
        let (.., RedirectTarget::Path(to)) = self.rule_and_target(&normalized_path(path))? else {
            return None;
        };
        self.normalized(&to).strip_prefix(&*self.root_path).map(str::to_owned)
    }

    /// Returns true if the rules redirect the URL with this `path` without end, in a loop or to longer and
    /// longer paths, so that browsers give up.
    pub fn is_redirect_loop(&self, path: &str) -> bool {
        let mut path = normalized_path(path).into_owned();
        let mut left = RedirectBudget::new(&path);
        loop {
            let to = match self.rule_and_target(&path) {
                Some((_, _, RedirectTarget::Path(to))) => to,
                Some((_, _, RedirectTarget::TooLong)) => return true,
                _ => return false,
            };
            match left.after(&to) {
                Some(after) => left = after,
                None => return true,
            }
            let normalized = self.normalized(&to);
            let Some(next) = normalized.strip_prefix(&*self.root_path) else { return false };
            path = next.to_owned();
        }
    }

    /// As [`FileIndex::rule_for`], for a normalized path. Also returns the number of the rule.
    pub fn rule_at(&self, path: &str) -> Option<(usize, &RedirectRule)> {
        let found = self.rule_and_target(path);
        found.map(|(number, rule, _)| (number, rule))
    }

    fn rule_and_target(&self, path: &str) -> Option<(usize, &RedirectRule, RedirectTarget)> {
        let is_served = || self.file_without_rules(path).is_some();
        let others = || self.rule_of_request(path, false).filter(|_| !is_served());
        self.rule_of_request(path, true).or_else(others)
    }

    /// Returns the numbers of the rules that may match `path`, which begins at the root of the host, in the
    /// order in which the server tries them.
    pub fn rule_candidates(&self, path: &str) -> Vec<usize> {
        let mut rules = self.rules.candidates(path, true);
        rules.extend(self.rules.candidates(path, false));
        rules.sort_unstable();
        rules
    }

    /// The rules that may match `path`, which starts at the root of the host: the forced ones, or the
    /// others. Each has its number.
    fn rules_at(&self, path: &str, forced: bool) -> impl Iterator<Item = (usize, &RedirectRule)> {
        let rules = self.rules.candidates(path, forced).into_iter();
        rules.filter_map(|number| Some((number, self.server.redirects.get(number)?)))
    }

    /// Returns the file that the server sends for `path` if no redirect rule applies.
    pub fn file_without_rules(&self, path: &str) -> Option<&str> {
        let path = normalized_path(path);
        let served = self.find_file(&path, "");
        let file = served.as_ref().and_then(Response::file);
        file.or_else(|| {
            let resolved = self.tree.aliases.resolve(&path)?;
            self.find_file(&resolved.path, "")?.file()
        })
    }

    /// Returns `path`, which begins at the root of the host, as a path below the site's root; `None` if it is
    /// outside.
    pub fn below_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&*self.root_path)
    }

    /// Returns a path below the site's root as a path from the root of the host.
    pub fn with_root(&self, path: &str) -> String {
        [&*self.root_path, path].concat()
    }
}
