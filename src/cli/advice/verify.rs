//! Notes on a comparison of two trees: which arguments explain its differences.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::Advice;
use crate::cli::command_line::quoted;
use crate::cli::summary::line;
use crate::cli::verify::arguments::Arguments;
use rehref_corpus::Corpus;
use rehref_site::Moves;
use rehref_site::plural::counted;
use rehref_verify::document::LOST_SCHEME;
use rehref_verify::{Difference, DifferenceKind, Report};

/// Returns the diagnostics of a comparison, besides its differences.
pub(in crate::cli) fn diagnostics(report: &Report) -> impl Iterator<Item = Advice> {
    let warnings = report.warnings.iter().map(|it| Advice::Warning(line(it)));
    let malformed = report.malformed.iter().map(|it| {
        Advice::Warning(
            line(it) + "; the document is unchanged and has the same URL, so its links keep their targets",
        )
    });
    let unproven = report.unproven.iter().map(|it| {
        Advice::Error(
            line(it)
                + "; the document is unchanged, but its URL or its targets may have changed: fix the document, and rewrite the site again",
        )
    });
    let errors = report.errors.iter().map(|it| Advice::Error(line(it)));
    warnings.chain(malformed).chain(unproven).chain(errors)
}

/// Returns a warning for each reference that is not proven, up to the limit.
pub(in crate::cli) fn not_proven(report: &Report) -> impl Iterator<Item = Advice> {
    let warnings = report.not_proven.iter().map(line);
    let more = report.references.not_proven - report.not_proven.len();
    let more = (more > 0).then(|| {
        format!("{} not proven\nhelp: verify --all lists them", counted(more, "more link"))
    });
    warnings.chain(more).map(Advice::Warning)
}

/// Notes moves that go from AFTER to BEFORE.
pub(in crate::cli) fn reversed_moves(arguments: &Arguments) -> Vec<Advice> {
    let Arguments { before, after, list, .. } = arguments;
    let texts = list.moves.iter().filter_map(|request| {
        let request = request.to_string_lossy();
        let (old, new) = request.split_once('=').filter(|(old, new)| !old.is_empty() && !new.is_empty())?;
        let is_reversed =
            !before.join(old).exists() && before.join(new).exists() && after.join(old).exists();
        let (before, after) = (before.display(), after.display());
        let url = arguments.site.url.as_ref();
        let url = url.map_or(String::new(), |url| format!(" --url {url}"));
        is_reversed.then(|| {
            format!(
                "{before} has {new}, and {after} has {old}\nhelp: if {after} is the tree after the move, write {new}={old}\nhelp: if {after} is the tree before the move, swap the trees: rehref verify {} {} {}{url}",
                quoted(&after),
                quoted(&before),
                quoted(&request)
            )
        })
    });
    texts.map(Advice::Note).collect()
}

/// Notes that AFTER has a file at its place before `moves`, and not at the one after.
pub(in crate::cli) fn unmoved(before: &Corpus, after: &Corpus, moves: &Moves) -> Option<Advice> {
    let has = |path: &Path| after.walk.entries.iter().any(|entry| entry.path == path);
    let mut moved = before.files().filter_map(|old| Some((old, moves.new_path(old)?)));
    let (old, new) = moved.next().filter(|(old, new)| has(old) && !has(new))?;
    let (old, new) = (old.display(), new.display());
    Some(Advice::Note(format!(
        "the new tree has {old}, but not {new}\nhelp: if the new tree was written without this move, remove the move; otherwise, pass the moved tree"
    )))
}

/// Notes which arguments explain many differences of `report`. `trees`: BEFORE and AFTER.
pub(in crate::cli) fn of_report(
    arguments: &Arguments,
    report: &Report,
    trees: [&Corpus; 2],
    moves: &Moves,
) -> Vec<Advice> {
    let any = |is: &dyn Fn(&Difference) -> bool| all_differences(report).any(is);
    let has = |kind: DifferenceKind| any(&|it| it.kind == kind);
    // The report may be cut off before these files.
    let [old, new] = trees.map(|tree| tree.files().collect::<FxHashSet<&Path>>());
    let (is_missing, is_extra) = (!old.is_subset(&new), !new.is_subset(&old));
    let has_no_common = is_missing && report.documents == 0;
    let is_renamed =
        !has_no_common && is_missing && is_extra && trees[0].selection.single.is_some();
    let moved: FxHashSet<PathBuf> = old.iter().map(|path| moves.counterpart(path)).collect();
    let has_added = new.iter().any(|path| !moved.contains(*path));
    let accepts_files = arguments.same_file || arguments.offline;
    let notes = [
        (
            has_no_common,
            "the two trees have no document in common\nhelp: check that they are the right directories",
        ),
        (
            is_renamed,
            "the two documents have different names\nhelp: check that they are two versions of the same document",
        ),
        (
            is_missing && is_extra && !has_no_common && !is_renamed && arguments.list.are_none(),
            "some files exist only in the old tree, and others only in the new tree\nhelp: if rehref moved files, add OLD=NEW\nhelp: if a generator built the site again, use `rehref compare BEFORE AFTER`, which reports only what is lost",
        ),
        (
            !moves.is_empty() && arguments.write_redirects.is_none() && has_added,
            "the new tree has files that the old tree does not have\nhelp: if move wrote them for redirects, add the --write-redirects of the move",
        ),
        (
            any(&|it| it.message == LOST_SCHEME),
            "if the second tree is the one before the rewrite, swap the two trees",
        ),
        (
            !accepts_files && any(&is_index_file),
            "the target of some links is a directory in one tree, and its index file in the other\nhelp: if relative --offline wrote the new tree, add --offline, otherwise --same-file\nhelp: if it wrote the first tree, swap the two trees",
        ),
        (
            has(DifferenceKind::Base) && arguments.base_element.is_none(),
            "the new tree has different base URLs\nhelp: if absolute --base-element wrote them, add --base-element URL",
        ),
        (
            trees.iter().all(|tree| tree.site_url.is_placeholder()) && has(DifferenceKind::Target),
            "no --url: links with the site's host name count as external\nhelp: if one of the trees has such links, add --url URL",
        ),
    ];
    let notes = notes.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_owned());
    notes.chain(other_site(arguments, report)).map(Advice::Note).collect()
}

fn all_differences(report: &Report) -> impl Iterator<Item = &Difference> {
    report.different.iter().flat_map(|file| &file.differences)
}

/// Notes that most targets of AFTER begin with another URL than those of BEFORE.
fn other_site(arguments: &Arguments, report: &Report) -> Option<String> {
    let url = arguments.site.url.as_deref().filter(|_| arguments.list.new_url.is_none())?;
    let root = if url.ends_with('/') { url.to_owned() } else { format!("{url}/") };
    let targets = || {
        all_differences(report)
            .filter_map(|it| Some((it.expected_target.as_deref()?, it.target.as_deref()?)))
    };
    if let Some(found) = root_in_place(targets(), &root) {
        return Some(format!(
            "most targets in the new tree begin with {found}, and most targets in the old tree with {root}\nhelp: if the site is published at {found}, use --url {found}\nhelp: if move --new-url wrote the new tree, add --new-url {found}"
        ));
    }
    let found = root_in_place(targets().map(|(expected, found)| (found, expected)), &root)?;
    Some(format!(
        "most targets in the new tree begin with {root}, and most targets in the old tree with {found}\nhelp: if move --new-url wrote the new tree, use --url {found} --new-url {root}"
    ))
}

/// The URL that most of the `targets` in the second place begin with, where those in the first begin with `root`. The host
/// of `root` is no evidence: links from the root of the host have it in both trees.
fn root_in_place<'t>(
    targets: impl Iterator<Item = (&'t str, &'t str)>,
    root: &str,
) -> Option<&'t str> {
    let host = |url: &'_ str| url.split('/').nth(2).map(str::to_owned);
    let mut roots: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut all, mut other) = (0, 0);
    for (one, other_url) in targets {
        all += 1;
        let found = one.strip_prefix(root).and_then(|rest| other_url.strip_suffix(rest));
        if let Some(found) = found.filter(|it| it.ends_with('/') && *it != root) {
            *roots.entry(found).or_default() += 1;
            other += 1;
        }
    }
    let is_other_host = |url: &&str| host(url) != host(root);
    let (found, _) = roots.into_iter().max_by_key(|(url, count)| (is_other_host(url), *count))?;
    (2 * other > all).then_some(found)
}

/// Returns true if one of the targets of `difference` is a directory, and the other one a file in it that is like an
/// index file.
fn is_index_file(difference: &Difference) -> bool {
    let (Some(one), Some(other)) = (&difference.expected_target, &difference.target) else {
        return false;
    };
    let [one, other] = [one, other].map(|url| url.split(['?', '#']).next().unwrap_or_default());
    let is_index = |directory: &str, file: &str| {
        let name = file.strip_prefix(directory);
        directory.ends_with('/') && name.is_some_and(|it| it.starts_with("index."))
    };
    is_index(one, other) || is_index(other, one)
}
