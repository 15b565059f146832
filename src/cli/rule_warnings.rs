//! Warns of redirect rules that a move makes wrong: rules of earlier moves, and rules for URLs that get files.

use std::collections::hash_map::Entry;
use std::fs;

use rustc_hash::{FxHashMap, FxHashSet};

use super::exit::{CliError, Exit};
use super::moved_corpus::{FileChange, MovedCorpus};
use super::redirect_destination::Place;
use super::redirect_rules::{rule_files, with_rules};
use super::terminal;
use rehref_corpus::files::with_file_bytes;
use rehref_corpus::run::{Plan, changed_document};
use rehref_document::redirects::RedirectSyntax;
use rehref_rewrite::SiteMapping;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::{RedirectFormat, without_lines};
use rehref_site::{FileIndex, RedirectRule, RulePlace, SiteUrl, path_in_url};

/// A file of rules before and after a move.
struct RuleFile {
    /// The name after the move, for messages.
    name: String,
    syntax: RedirectSyntax,
    before: Vec<u8>,
    after: Vec<u8>,
    refuses_duplicates: bool,
}

/// The changes of a move in a file of rules, besides the URLs that it updates.
pub(super) struct AddedRules<'a> {
    pub(super) place: &'a Place<'a>,
    pub(super) change: &'a FileChange<'a>,
    /// The text of `change`.
    pub(super) text: &'a [u8],
}

impl AddedRules<'_> {
    /// `existing`, a content of the file, with the changes.
    fn in_file(&self, existing: &[u8]) -> Vec<u8> {
        with_added(&without_lines(existing, &self.change.rules.removed_lines), self.text)
    }
}

/// Warns of the rules in the files of `plan`, and in the file that `added` are for. [`Exit::Findings`]: visitors do not
/// reach a moved file because of a rule.
///
/// # Errors
/// When a file of rules cannot be read.
pub(super) fn warn(
    plan: &Plan,
    moved: &MovedCorpus<'_>,
    added: Option<AddedRules<'_>>,
) -> Result<Exit, CliError> {
    let files = rule_files_of(plan, added)?;
    if files.is_empty() || plan.moves.is_empty() {
        return Ok(Exit::Done);
    }
    let corpus = &plan.corpus;
    let SiteMapping { files: index, moved, .. } = &moved.mapping;
    let with_rules = |index: &FileIndex, url: &SiteUrl, file: &RuleFile, content: &[u8]| {
        let text = String::from_utf8_lossy(content);
        with_rules(index, &corpus.server, url, (&file.name, file.syntax, &text))
    };
    let mut is_hidden = false;
    for file in files {
        let before = with_rules(index, &corpus.site_url, &file, &file.before);
        let before = RulesBefore::of(plan, before);
        let after = with_rules(moved.after(index), plan.new_site_url(), &file, &file.after);
        is_hidden |= warn_of_hidden(plan, &file, &before, &after, moved.after(index));
        warn_of_repeated(&file, after.redirect_rules());
    }
    Ok(Exit::of(false, is_hidden))
}

/// `existing`, the content of a file of rules, with `text` at its end.
pub(super) fn with_added(existing: &[u8], text: &[u8]) -> Vec<u8> {
    let newline: &[u8] = match existing.last() {
        None | Some(b'\n') => b"",
        Some(_) if text.is_empty() => b"",
        Some(_) => b"\n",
    };
    [existing, newline, text].concat()
}

fn rule_files_of(plan: &Plan, added: Option<AddedRules<'_>>) -> Result<Vec<RuleFile>, CliError> {
    let corpus = &plan.corpus;
    let mut files = Vec::new();
    for (path, syntax) in rule_files(corpus) {
        let on_disk = corpus.root.join(path);
        let before = with_file_bytes(&on_disk, |bytes, _| bytes.to_vec());
        let mut before = before.map_err(CliError::io(on_disk.display()))?;
        let after = changed_document(plan, path, |_, after| after.to_vec());
        let mut after = after.unwrap_or_else(|| before.clone());
        let new_path = plan.new_path(path);
        if let Some(added) = &added
            && let Place::InTree(file) = added.place
            && file == new_path
        {
            before = without_lines(&before, &added.change.rules.removed_lines);
            after = added.in_file(&after);
        }
        files.push(RuleFile {
            name: display_path(new_path),
            syntax,
            before,
            after,
            refuses_duplicates: RedirectFormat::of_syntax(syntax)
                .is_some_and(|it| it.refuses_duplicates),
        });
    }
    // A file that is not there, or not a document of the site, has no rules of the site.
    if let Some(added) = added
        && let Place::Elsewhere(file) = added.place
        && let Ok(before) = fs::read(file)
    {
        let after = added.in_file(&before);
        files.push(RuleFile {
            name: file.display().to_string(),
            syntax: RedirectSyntax::of_content(&String::from_utf8_lossy(&after)),
            before: without_lines(&before, &added.change.rules.removed_lines),
            after,
            refuses_duplicates: added.change.format.refuses_duplicates,
        });
    }
    Ok(files)
}

/// The effects of a file's rules before a move, kept instead of the rules, which may take much memory.
struct RulesBefore {
    /// For each file of the site, whether a rule redirects its URL.
    hides: Vec<bool>,
    /// The numbers of the rules that lead to their own path.
    loops: FxHashSet<usize>,
}

impl RulesBefore {
    fn of(plan: &Plan, before: FileIndex) -> RulesBefore {
        let files = plan.corpus.files();
        let rules = before.redirect_rules().iter().enumerate();
        RulesBefore {
            hides: files.map(|file| before.rule_for(&path_in_url(file)).is_some()).collect(),
            loops: rules.filter(|(_, rule)| leads_to_itself(rule)).map(|(at, _)| at).collect(),
        }
    }
}

fn leads_to_itself(rule: &RedirectRule) -> bool {
    rule.is_redirect() && rule.from.literal().as_deref() == rule.fixed_target()
}

/// Warns of rules that redirect the URL of a file which no rule redirected before, or which moves, and of rules for one
/// URL that redirect it to itself now. `served`: the tree after the move without redirect rules. Returns whether
/// visitors do not reach a file.
fn warn_of_hidden(
    plan: &Plan,
    file: &RuleFile,
    before: &RulesBefore,
    after: &FileIndex,
    served: &FileIndex,
) -> bool {
    let rules = after.redirect_rules();
    let is_literal = |at: usize| rules.get(at).is_some_and(|it| it.from.literal().is_some());
    let mut hidden: FxHashMap<usize, Vec<String>> = FxHashMap::default();
    for (old, &was_hidden) in plan.corpus.files().zip(&before.hides) {
        let new = plan.new_path(old);
        if was_hidden && new == old {
            continue;
        }
        let path = path_in_url(new);
        let is_index = plan.new_index_files.has(new);
        let folder = new.parent().filter(|_| is_index).map(path_in_url);
        let short = served.short_paths(&path);
        let folders = folder.map(|it| match &*it {
            "" => vec![it],
            _ => vec![format!("{it}/"), it],
        });
        let all = folders.into_iter().flatten().chain(short);
        let mut urls: Vec<String> = all.chain([path.clone()]).collect();
        urls.sort_unstable();
        urls.dedup();
        for url in urls {
            // A rule may lead to another URL of the same file, which no rule redirects.
            let sent = || after.find(&url, "").and_then(|it| it.file());
            let is_reached = || sent() == Some(path.as_str()) && !after.is_redirect_loop(&url);
            if let Some((rule, _)) = after.rule_at(&url)
                && (is_literal(rule) || !was_hidden)
                && !is_reached()
            {
                hidden.entry(rule).or_default().push(url);
            }
        }
    }
    let mut wrong: Vec<usize> = (0..rules.len())
        .filter(|&at| {
            let is_new_loop =
                || rules.get(at).is_some_and(leads_to_itself) && !before.loops.contains(&at);
            is_literal(at) && (hidden.contains_key(&at) || is_new_loop())
        })
        .collect();
    wrong.sort_unstable();
    let places: Vec<&RulePlace> =
        wrong.iter().filter_map(|&at| Some(&rules.get(at)?.place)).collect();
    // Servers that look for a file first send it in spite of the rule.
    let is_hidden = wrong.iter().any(|at| hidden.contains_key(at));
    let say =
        |text: String| if is_hidden { terminal::error(text) } else { terminal::warning(text) };
    match (&*places, wrong.first().and_then(|&at| rules.get(at))) {
        ([place], Some(rule)) => {
            let path = rule.from.literal().unwrap_or_default();
            say(format!(
                "{place}: this rule redirects /{path}, but a file moved to that path, and visitors may not reach it; \
                 remove the rule"
            ));
        }
        ([_, _, ..], _) => say(format!(
            "{}: {} redirect paths that files moved to, and visitors may not reach these files; remove the rules in \
             {}",
            file.name,
            counted(places.len(), "rule"),
            lines(&places),
        )),
        _ => {}
    }
    let mut wide: Vec<_> = hidden
        .iter()
        .filter(|(at, _)| !is_literal(**at))
        .filter_map(|(at, files)| Some((rules.get(*at)?, files)))
        .collect();
    wide.sort_by_key(|(rule, _)| rule.place.line);
    for (rule, urls) in wide {
        let (place, first) = (&rule.place, urls.first().map_or("", String::as_str));
        terminal::error(format!(
            "{place}: this rule redirects {} of moved files, such as /{first}, and visitors may not reach these files; \
             change or remove the rule",
            counted(urls.len(), "URL"),
        ));
    }
    !hidden.is_empty()
}

/// Warns of rules for the path of an earlier rule of the same file, if the two redirect it to different targets, or if
/// servers refuse such a file.
fn warn_of_repeated(file: &RuleFile, rules: &[RedirectRule]) {
    let mut seen: FxHashMap<String, &RedirectRule> = FxHashMap::default();
    let mut repeated: Vec<(&RulePlace, &RulePlace, String)> = Vec::new();
    for rule in rules {
        let Some(from) = rule.from.literal() else {
            continue;
        };
        match seen.entry(from) {
            Entry::Occupied(first) if file.refuses_duplicates || first.get().to != rule.to => {
                repeated.push((&rule.place, &first.get().place, first.key().clone()));
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => {
                free.insert(rule);
            }
        }
    }
    let result = if file.refuses_duplicates {
        "nginx does not start with two"
    } else {
        "servers apply only one"
    };
    match &*repeated {
        [] => {}
        [(place, first, from)] => terminal::warning(format!(
            "{place}: the rule in {first} redirects /{from}, too, and {result}; remove one of them"
        )),
        all => {
            let places: Vec<&RulePlace> = all.iter().map(|(_, first, _)| *first).collect();
            terminal::warning(format!(
                "{}: {} redirect paths that later rules redirect, too, and {result}; keep either these rules, in {}, or \
                 the later ones",
                file.name,
                counted(places.len(), "rule"),
                lines(&places),
            ));
        }
    }
}

/// The lines of `places`, which are sorted: `line 2`, `lines 2-5, 8`.
pub(super) fn lines(places: &[&RulePlace]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for place in places {
        match ranges.last_mut() {
            Some((_, last)) if place.line <= *last + 1 => *last = (*last).max(place.line),
            _ => ranges.push((place.line, place.line)),
        }
    }
    // All of them: whoever removes these lines is done.
    let shown = ranges.iter().map(|(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    let text = shown.collect::<Vec<_>>().join(", ");
    let word = if ranges.len() == 1 && ranges.iter().all(|(first, last)| first == last) {
        "line"
    } else {
        "lines"
    };
    format!("{word} {text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_ranges() {
        for (given, expected) in [
            (&[2][..], "line 2"),
            (&[2, 2], "line 2"),
            (&[2, 3], "lines 2-3"),
            (&[2, 3, 4, 8], "lines 2-4, 8"),
            (&[1, 3, 5, 7, 9, 11, 13, 15, 17, 19], "lines 1, 3, 5, 7, 9, 11, 13, 15, 17, 19"),
        ] {
            let place = |&line: &usize| RulePlace { line, ..RulePlace::default() };
            let places: Vec<RulePlace> = given.iter().map(place).collect();
            assert_eq!(lines(&places.iter().collect::<Vec<_>>()), expected);
        }
    }
}
