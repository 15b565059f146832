//! Warnings of redirect rules that a move makes wrong: rules of earlier moves, and rules for URLs that get files.

use std::collections::hash_map::Entry;
use std::fs;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Advice;
use crate::cli::exit::CliError;
use crate::cli::moved_corpus::{FileChange, MovedCorpus};
use crate::cli::redirect_destination::RedirectPlace;
use crate::cli::redirect_rules::with_rules;
use crate::server_rules::rule_files;
use rehref_corpus::files::with_file_bytes;
use rehref_corpus::run::{Plan, changed_document};
use rehref_document::redirects::RedirectSyntax;
use rehref_rewrite::SiteMapping;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::RedirectFormat;
use rehref_site::{FileIndex, RedirectRule, RulePlace, SiteUrl, path_from_url, path_in_url};

/// A file of rules before and after a move.
struct RuleFile {
    /// The name after the move, for messages.
    name: String,
    syntax: RedirectSyntax,
    before: Vec<u8>,
    after: Vec<u8>,
    refuses_duplicates: bool,
}

/// The changes of a move in the file of rules at a place, besides the URLs that it updates.
pub(in crate::cli) type AddedRules<'a> = (&'a RedirectPlace<'a>, &'a FileChange<'a>);

/// Warnings of the rules in the files of `plan`, and in the file that `added` are for; an error if visitors do not reach a
/// moved file because of a rule.
///
/// # Errors
/// Returns an error if a file of rules cannot be read.
pub(in crate::cli) fn of_files(
    plan: &Plan,
    moved: &MovedCorpus<'_>,
    added: Option<AddedRules<'_>>,
) -> Result<Vec<Advice>, CliError> {
    if plan.moves.is_empty() {
        return Ok(Vec::new());
    }
    let corpus = &plan.corpus;
    let SiteMapping { files: index, moved, .. } = &*moved.mapping;
    let with_rules = |index: &FileIndex, url: &SiteUrl, file: &RuleFile, content: &[u8]| {
        let text = String::from_utf8_lossy(content);
        with_rules(index, &corpus.server, url, (&file.name, file.syntax, &text))
    };
    let mut advice = Vec::from_iter(made_twice(plan, moved.after(index)));
    advice.extend(one_page(plan, [index, moved.after(index)]));
    for file in rule_files_of(plan, added)? {
        let before = with_rules(index, &corpus.site_url, &file, &file.before);
        let before = RulesBefore::of(plan, before);
        let after = with_rules(moved.after(index), plan.new_site_url(), &file, &file.after);
        advice.extend(hidden(plan, &file, &before, &after, moved.after(index)));
        advice.extend(repeated(&file, after.redirect_rules()));
    }
    Ok(advice)
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
        if let Some((RedirectPlace::InTree(file), change)) = added
            && file == new_path
        {
            before = change.without_removed(&before);
            after = change.in_file(&after);
        }
        let format = RedirectFormat::of_syntax(syntax);
        files.push(RuleFile {
            name: display_path(new_path),
            syntax,
            before,
            after,
            refuses_duplicates: format.is_some_and(|it| it.refuses_duplicates),
        });
    }
    // A file that does not exist, or is not a document of the site, has no rules of the site.
    if let Some((RedirectPlace::Elsewhere(file), change)) = added
        && let Ok(existing) = fs::read(file)
    {
        let after = change.in_file(&existing);
        files.push(RuleFile {
            name: file.display().to_string(),
            syntax: RedirectSyntax::of_content(&String::from_utf8_lossy(&after)),
            before: change.without_removed(&existing),
            after,
            refuses_duplicates: change.format.refuses_duplicates,
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

/// An error if the configuration of the generator redirects the new URL of a page, or makes something else there. `after`: the
/// tree after the move.
fn made_twice(plan: &Plan, after: &FileIndex) -> Option<Advice> {
    let moved = plan.corpus.files().map(|old| (old, plan.new_path(old)));
    let moved = moved.filter(|(old, new)| old != new).map(|(_, new)| new);
    let hidden: Vec<String> =
        moved.filter(|it| after.is_page_made_twice(&path_in_url(it))).map(display_path).collect();
    let first = hidden.first()?;
    Some(Advice::Error(format!(
        "{first}: the configuration redirects the new URL of this page, or the generator makes a page of its own there, so \
         visitors may not reach {}\nhelp: remove the redirect from the configuration, or choose another name",
        counted(hidden.len(), "moved page")
    )))
}

/// An error if the generator makes the same page of a moved document and of another one. `trees`: before and after the move.
fn one_page(plan: &Plan, trees: [&FileIndex; 2]) -> Option<Advice> {
    let [before, after] = trees.map(FileIndex::documents_of_one_page);
    let new_path = |old: &str| path_in_url(plan.new_path(&path_from_url(old).unwrap_or_default()));
    let known: FxHashSet<[String; 2]> =
        before.into_iter().map(|(one, other)| [new_path(one), new_path(other)]).collect();
    let is_known = |(one, other): &(&str, &str)| {
        let pairs = [[*one, *other], [*other, *one]].map(|it| it.map(str::to_owned));
        pairs.iter().any(|it| known.contains(it))
    };
    let found: Vec<(&str, &str)> = after.into_iter().filter(|it| !is_known(it)).collect();
    let (one, other) = found.first()?;
    let more = match found.len() - 1 {
        0 => String::new(),
        count => format!(", and {} more", counted(count, "pair")),
    };
    Some(Advice::Error(format!(
        "{one} and {other} have the same URL at their new paths{more}, so the generator makes a page of only one of them\nhelp: choose another name for one of them"
    )))
}

/// Warns of rules that redirect the URL of a file which no rule redirected before, or which moves, and of rules for one
/// URL that redirect it to itself now. `served`: the tree after the move without redirect rules.
fn hidden(
    plan: &Plan,
    file: &RuleFile,
    before: &RulesBefore,
    after: &FileIndex,
    served: &FileIndex,
) -> Vec<Advice> {
    let rules = after.redirect_rules();
    let is_literal = |at: usize| rules.get(at).is_some_and(|it| it.from.literal().is_some());
    let mut hidden: FxHashMap<usize, Vec<String>> = FxHashMap::default();
    for (old, &was_hidden) in plan.corpus.files().zip(&before.hides) {
        let new = plan.new_path(old);
        if was_hidden && new == old {
            continue;
        }
        let path = path_in_url(new);
        let mut urls: Vec<String> = served.short_paths(&path).collect();
        urls.push(path.clone());
        if let Some(folder) = new.parent().filter(|_| plan.new_index_files.has(new)) {
            let folder = path_in_url(folder);
            urls.extend((!folder.is_empty()).then(|| format!("{folder}/")));
            urls.push(folder);
        }
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
    let is_wrong = |(at, rule): &(usize, &RedirectRule)| {
        let is_new_loop = || leads_to_itself(rule) && !before.loops.contains(at);
        is_literal(*at) && (hidden.contains_key(at) || is_new_loop())
    };
    let wrong: Vec<(usize, &RedirectRule)> = rules.iter().enumerate().filter(is_wrong).collect();
    let mut advice = Vec::new();
    if let Some((_, first)) = wrong.first() {
        let places: Vec<&RulePlace> = wrong.iter().map(|(_, rule)| &rule.place).collect();
        let text = format!(
            "{}: some rules redirect the new paths of moved files, such as /{}, so visitors may not reach these files\nhelp: remove these rules: {}",
            file.name,
            first.from.literal().unwrap_or_default(),
            lines(&places)
        );
        // Servers that look for a file first send it in spite of the rule.
        let is_hidden = wrong.iter().any(|(at, _)| hidden.contains_key(at));
        advice.push(if is_hidden { Advice::Error(text) } else { Advice::Warning(text) });
    }
    let wide = hidden.iter().filter(|(at, _)| !is_literal(**at));
    let mut wide: Vec<_> = wide.filter_map(|(at, urls)| Some((rules.get(*at)?, urls))).collect();
    wide.sort_by_key(|(rule, _)| rule.place.line);
    advice.extend(wide.into_iter().map(|(rule, urls)| {
        Advice::Error(format!(
            "{}: this rule redirects {} of moved files, such as /{}, so visitors may not reach these files\nhelp: change or remove the rule",
            rule.place,
            counted(urls.len(), "URL"),
            urls.first().map_or("", String::as_str)
        ))
    }));
    advice
}

/// Warns of rules for the path of an earlier rule of the same file, if the two redirect it to different targets, or if
/// servers refuse such a file.
fn repeated(file: &RuleFile, rules: &[RedirectRule]) -> Option<Advice> {
    let mut seen: FxHashMap<String, &RedirectRule> = FxHashMap::default();
    let mut repeated: Vec<(&RulePlace, String)> = Vec::new();
    for rule in rules {
        let Some(from) = rule.from.literal() else { continue };
        match seen.entry(from) {
            Entry::Occupied(first) if file.refuses_duplicates || first.get().to != rule.to => {
                repeated.push((&first.get().place, first.key().clone()));
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => {
                free.insert(rule);
            }
        }
    }
    let (_, from) = repeated.first()?;
    let result = if file.refuses_duplicates {
        "nginx does not start with two"
    } else {
        "servers apply only one"
    };
    let places: Vec<&RulePlace> = repeated.iter().map(|(place, _)| *place).collect();
    Some(Advice::Warning(format!(
        "{}: rules redirect paths that later rules redirect, too, such as /{from}, and {result}\nhelp: keep either these rules, in {}, or the later ones",
        file.name,
        lines(&places)
    )))
}

/// Returns the lines of `places`, which are sorted: `lines 2-5, 8`.
pub(super) fn lines(places: &[&RulePlace]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for place in places {
        match ranges.last_mut() {
            Some((_, last)) if place.line <= *last + 1 => *last = (*last).max(place.line),
            _ => ranges.push((place.line, place.line)),
        }
    }
    // All of them: whoever removes these lines is done.
    let shown = ranges.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    format!("{} {shown}", if shown.contains([',', '-']) { "lines" } else { "line" })
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
