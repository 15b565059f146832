//! Adds the redirects of a move to a file that may have rules of earlier moves: some of them the move undoes,
//! and some it would write a second time.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use encoding_rs::UTF_8;

use super::format::RedirectFormat;
use super::redirect::{HEADER, Redirect};
use crate::MovedUrls;
use crate::{FileIndex, RedirectRule, Response, RulePlace, SiteUrl};
use rehref_url::{Url, percent_decoded};

/// A file of redirect rules before a move, with the site before and after the move.
#[derive(Clone, Copy, Debug)]
pub struct RuleFile<'f> {
    /// The content of the file.
    pub text: &'f str,
    /// True if the move updates both sides of the rules, as in all rule files of the site.
    pub follows_moves: bool,
    /// The URL of the root before the move.
    pub url: &'f SiteUrl,
    /// The files before the move, and a server with the rules of the file.
    pub before: &'f FileIndex,
    /// The files after the move, and a server without redirect rules.
    pub after: &'f FileIndex,
    /// The URL of the root after the move.
    pub new_url: &'f SiteUrl,
    /// The moved files.
    pub moved: &'f MovedUrls,
}

/// The changes that a move makes in a file of rules, in addition to updated URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleFileChange {
    /// The lines to remove, from 1, sorted: rules that the move reverses, and headers that are left without a
    /// rule.
    pub removed_lines: Vec<usize>,
    /// The number of rules in the removed lines.
    pub removed_rules: usize,
    /// The redirects to add to the file.
    pub added: Vec<Redirect>,
    /// The redirects that the file cannot contain, each with the rule that redirects the same path elsewhere.
    pub conflicts: Vec<(Redirect, RulePlace)>,
}

/// Finds what a move changes in `file`, so that the file has `redirects` in `format`. `map` gives the URL of a target
/// after the move, if it changes.
///
/// The move undoes a rule if the rule redirects to a file that is at the source of the rule now: the rule would
/// redirect the file to itself, or to a URL that redirects back. A rule whose source the move makes that of a rule before
/// it goes, too: it would apply when the other one is undone. Only rules that a move wrote count: those below its
/// header, in the very form in which it writes them.
pub fn change(
    file: &RuleFile<'_>,
    format: &RedirectFormat,
    redirects: Vec<Redirect>,
    map: impl Fn(&Url) -> Option<Url>,
) -> RuleFileChange {
    let host = file.url.url();
    let follow = |url: Url| if file.follows_moves { map(&url).unwrap_or(url) } else { url };
    let mut written = written_lines(file.text);
    let mut removed_lines = Vec::new();
    let mut emptied: BTreeSet<usize> = BTreeSet::new();
    let mut known: HashMap<Vec<u8>, (Url, &RulePlace)> = HashMap::new();
    let mut sources: HashSet<Vec<u8>> = HashSet::new();
    for rule in file.before.redirect_rules() {
        let folder = rule.of_folder();
        let is_of_folder = folder.is_some();
        let Some((path, to)) = folder.or_else(|| Some((rule.from.literal()?, &*rule.to))) else {
            continue;
        };
        let from = Url::parse(&format!("{}/{path}", host.before_path()));
        let (Ok(from), Ok(to)) = (from, host.resolve(to, UTF_8)) else { continue };
        let redirect = Redirect { from, to, is_of_folder };
        let from = follow(redirect.from.clone());
        let after = Redirect { from, ..redirect.clone() };
        let line = rule.place.line;
        let is_undone = || match is_of_folder {
            true => map(&redirect.to).as_ref() == Some(&after.from),
            false => is_undone(rule, &path, &after.from, file),
        };
        let is_shadowed = !sources.insert(format.key(&after));
        if let Some(&(text, header)) = written.get(&line)
            && text.as_bytes() == format.line(&redirect)
            && (is_shadowed || is_undone())
        {
            written.remove(&line);
            removed_lines.push(line);
            emptied.insert(header);
        } else {
            known.entry(format.key(&after)).or_insert_with(|| (follow(redirect.to), &rule.place));
        }
    }
    let removed_rules = removed_lines.len();
    for (_, header) in written.values() {
        emptied.remove(header);
    }
    removed_lines.extend(emptied);
    removed_lines.sort_unstable();
    let mut change = RuleFileChange { removed_lines, removed_rules, ..RuleFileChange::default() };
    for redirect in redirects {
        match known.get(&format.key(&redirect)) {
            Some((to, _)) if *to == redirect.to => {}
            Some((_, place)) if format.refuses_duplicates => {
                change.conflicts.push((redirect, (*place).clone()));
            }
            Some(_) | None => change.added.push(redirect),
        }
    }
    change
}

/// Returns true if the file to which `rule` redirects the path `from` is at the URL `from_after` after the move.
fn is_undone(rule: &RedirectRule, from: &str, from_after: &Url, file: &RuleFile<'_>) -> bool {
    let RuleFile { before, after, .. } = file;
    let Some(from) = before.below_root(from) else { return false };
    let applied = before.rule_for(from);
    let Some(Response::ByRule(old)) =
        before.find(from, "").filter(|_| applied.is_some_and(|it| it.place == rule.place))
    else {
        return false;
    };
    let new = file.moved.new_path_of_file(old).unwrap_or(old);
    let Some(path) = file.new_url.below(from_after.as_str()) else { return false };
    // Not by a name to which only some servers add the extension.
    matches!(
        after.find(path, ""),
        Some(Response::File(now) | Response::Index(now) | Response::ByRule(now)) if now == new
    )
}

/// Returns `text` without these lines, numbered from 1 and sorted.
pub fn without_lines(text: &[u8], lines: &[usize]) -> Vec<u8> {
    let numbered = (1..).zip(text.split_inclusive(|&byte| byte == b'\n'));
    let kept = numbered.filter(|(number, _)| lines.binary_search(number).is_err());
    kept.flat_map(|(_, line)| line).copied().collect()
}

/// The lines that moves wrote into the file of rules `text`, below their headers, by number from 1; each with the
/// number of its header. A block ends before an empty line or a comment: what follows may be from somebody else.
fn written_lines(text: &str) -> BTreeMap<usize, (&str, usize)> {
    let mut written = BTreeMap::new();
    let mut header = None;
    for (number, line) in (1..).zip(text.lines()) {
        if line.as_bytes() == HEADER.trim_ascii_end() {
            header = Some(number);
        } else if line.trim_start().is_empty() || line.trim_start().starts_with('#') {
            header = None;
        } else if let Some(header) = header {
            written.insert(number, (line, header));
        }
    }
    written
}

impl RedirectFormat {
    /// The line of `redirect` as a move writes it; empty if it cannot.
    fn line(&self, redirect: &Redirect) -> Vec<u8> {
        let text = self.write(std::slice::from_ref(redirect)).text;
        text.strip_prefix(HEADER).unwrap_or_default().trim_ascii_end().to_owned()
    }

    /// Returns the path from which `redirect` leads as a server of this format compares it: among two rules with one
    /// key, only one applies.
    pub(super) fn key(&self, redirect: &Redirect) -> Vec<u8> {
        let path = redirect.from.path();
        match path.strip_suffix('/') {
            // No path has this byte.
            _ if redirect.is_of_folder => [&*percent_decoded(path), b"\0"].concat(),
            Some(bare) if self.ignores_slash => percent_decoded(bare),
            _ => percent_decoded(path),
        }
    }
}
