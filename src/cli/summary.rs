//! Diagnostics and summary of a rewriting run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::first_paths::first_paths;
use super::site_url::without_placeholder;
use super::{stale_paths, terminal};
use rehref_corpus::run::plan::Mode;
use rehref_corpus::run::report::Moved;
use rehref_corpus::run::{DISK_FULL, Report};
use rehref_document::{Position, SkipReason};
use rehref_rewrite::KEPT_BASE;
use rehref_site::plural::{counted, number, plural};
use rehref_site::{Diagnostic, Severity};

/// The number of warnings that are printed; `--format json` has all.
const SHOWN: usize = 20;

/// Prints diagnostics of a run in this mode to stderr; with `--quiet` only those that make the run fail.
pub(super) fn print_diagnostics(report: &Report, mode: &Mode) {
    let compressed = &report.compressed_skipped;
    if !compressed.is_empty() {
        terminal::note(format!(
            "{} skipped: {}; to include compressed pages, add --compressed",
            counted(compressed.len(), "compressed page"),
            first_paths(compressed.iter().map(String::as_str)),
        ));
    }
    let diagnostics = &report.diagnostics;
    note_kept_bases(diagnostics.iter().filter(|it| it.code == KEPT_BASE));
    note_index_pages(&report.index_pages_linking_to_themselves);
    let warnings = GroupedWarnings::of(diagnostics.iter().filter(|it| is_warning(it)));
    for (warning, others) in &warnings.shown {
        let is_skipped = warning.reference.is_some() && SkipReason::is_code(warning.code);
        let skipped = if is_skipped { "; skipped" } else { "" };
        let others = match others {
            0 => String::new(),
            others => format!(" (the same in {})", counted(*others, "more place")),
        };
        terminal::warning(line(warning) + skipped + &others);
    }
    if warnings.more > 0 {
        let warnings = counted(warnings.more, "more warning");
        terminal::warning(format!("{warnings} not shown; --format json lists all"));
    }
    stale_paths::warn(&report.stale_paths);
    stale_paths::warn_of_root_paths(&report.offline.root_paths);
    for (limit, files) in &report.offline.limits {
        terminal::warning(format!(
            "browsers block {limit} in pages opened from disk: {}; to use them, serve the site over HTTP",
            first_paths(files.iter().map(String::as_str)),
        ));
    }
    for error in diagnostics.iter().filter(|it| is_error(it)) {
        terminal::error(line(&error) + "; skipped");
    }
    let (full, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        report.errors.iter().partition(|error| error.code == DISK_FULL);
    for error in others.iter().chain(full.first()) {
        terminal::error(line(error));
    }
    if let [_, more @ ..] = full.as_slice() {
        let files = match more.len() {
            0 => String::new(),
            more => format!("{} also not written: ", counted(more, "more file")),
        };
        let force = match mode {
            Mode::Copy(_) | Mode::File(_) => " (with --force, since the output has files)",
            _ => "",
        };
        terminal::error(format!(
            "{files}the disk is full; free some space, and run the command again{force}"
        ));
    }
}

fn is_warning(diagnostic: &Diagnostic) -> bool {
    diagnostic.code != KEPT_BASE && diagnostic.severity != Severity::Error
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.code != KEPT_BASE && diagnostic.severity == Severity::Error
}

/// Warnings, grouped by reference and attribute: a template may be in every page.
#[derive(Default)]
struct GroupedWarnings<'d> {
    /// The first warning of each of the first groups, with the number of others in the group.
    shown: Vec<(Cow<'d, Diagnostic>, usize)>,
    /// The number of further groups.
    more: usize,
}

impl<'d> GroupedWarnings<'d> {
    fn of(warnings: impl Iterator<Item = Cow<'d, Diagnostic>>) -> GroupedWarnings<'d> {
        let mut groups = GroupedWarnings::default();
        // A run may have a million of them, so the texts are not kept.
        let mut known: HashMap<u64, Option<usize>> = HashMap::new();
        for warning in warnings {
            let key = warning.reference.as_ref().map(|reference| {
                let mut hash = DefaultHasher::new();
                (warning.code, reference, warning.location.place()).hash(&mut hash);
                hash.finish()
            });
            if let Some(&group) = key.and_then(|key| known.get(&key)) {
                if let Some((_, others)) = group.and_then(|at| groups.shown.get_mut(at)) {
                    *others += 1;
                }
                continue;
            }
            let group = (groups.shown.len() < SHOWN).then_some(groups.shown.len());
            known.extend(key.map(|key| (key, group)));
            match group {
                Some(_) => groups.shown.push((warning, 0)),
                None => groups.more += 1,
            }
        }
        groups
    }
}

/// Prints which index pages lead from their file name to their directory's URL.
fn note_index_pages(pages: &[String]) {
    if pages.is_empty() {
        return;
    }
    terminal::note(format!(
        "in-page links such as #top in {} ({}) become links to the URL of the directory, such as DIR/#top; for visitors \
         of DIR/index.html, a click on one loads DIR/; if visitors open the pages as index.html, add --no-index-files",
        counted(pages.len(), "index file"),
        first_paths(pages.iter().map(String::as_str)),
    ));
}

/// Prints which documents keep their `base` element because of scripts.
fn note_kept_bases<'d>(kept: impl Iterator<Item = Cow<'d, Diagnostic>>) {
    let mut paths: Vec<Arc<str>> = kept.map(|it| it.location.path.clone()).collect();
    // A message, or a document in a document, may keep several.
    paths.dedup();
    if paths.is_empty() {
        return;
    }
    let count = paths.len();
    let documents = counted(count, "document");
    let (keep, their) = match count {
        1 => ("keeps", "its"),
        _ => ("keep", "their"),
    };
    let named = first_paths(paths.iter().map(|path| &**path));
    terminal::note(format!(
        "{documents} {keep} {their} base element, since scripts may create links that resolve against it: \
         {named}; to remove the element, add --base-element drop"
    ));
}

/// Formats a diagnostic as one line: `PATH:LINE:COLUMN: PLACE `REFERENCE`: MESSAGE`.
pub(super) fn line(diagnostic: &Diagnostic) -> String {
    let location = &diagnostic.location;
    let mut line = heading(&location.path, location.position, "", &location.place());
    if let Some(reference) = &diagnostic.reference {
        let _ = write!(line, " `{}`", shortened(reference));
    }
    let _ = write!(line, ": {}", without_placeholder(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        let _ = write!(line, ": {help}");
    }
    line
}

/// `PATH:LINE:COLUMN`, `note`, and `: PLACE`.
pub(super) fn heading(path: &str, position: Option<Position>, note: &str, place: &str) -> String {
    let mut heading = path.to_owned();
    if let Some(position) = position {
        let _ = write!(heading, ":{}:{}{note}", position.line, position.column);
    }
    if !place.is_empty() {
        let _ = write!(heading, ": {place}");
    }
    heading
}

/// The first 80 characters of `reference`, without control characters.
fn shortened(reference: &str) -> String {
    const LENGTH: usize = 80;
    let shown: String = reference.chars().take(LENGTH).collect();
    let shown = shown.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"");
    if reference.chars().nth(LENGTH).is_some() { shown + "..." } else { shown }
}

/// Formats the summary of a run in `mode`. `already_correct` labels the references that the policy
/// accepts without a change.
pub(super) fn summary(report: &Report, mode: &Mode, already_correct: &str) -> String {
    let documents = &report.documents;
    let references = &report.references;
    let would = match mode {
        Mode::Copy(_) | Mode::File(_) | Mode::InPlace | Mode::Exchange(_) => "",
        Mode::DryRun | Mode::Diff => "would be ",
    };
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} of {} {would}rewritten in {:.2} s",
        number(documents.rewritten),
        counted(documents.seen, "document"),
        report.seconds
    );
    if !report.moved.is_empty() {
        let moved = counted(report.moved.len(), "file");
        let _ = writeln!(text, "{moved} {would}moved");
        text += &moves(&report.moved);
    }
    if documents.skipped > 0 {
        let _ = writeln!(
            text,
            "{} {would}skipped (see the errors)",
            counted(documents.skipped, "document"),
        );
    }
    if report.digests > 0 {
        let digests = counted(report.digests, "digest");
        let _ = writeln!(text, "{digests} {would}updated (integrity, Content-Security-Policy)");
    }
    if report.offline.fetch_options_removed > 0 {
        let attributes = counted(report.offline.fetch_options_removed, "attribute");
        let _ = writeln!(text, "{attributes} {would}removed (integrity, crossorigin)");
    }
    let archives = &report.archives;
    if archives.seen > 0 {
        let _ = writeln!(
            text,
            "including the documents in {} with {}",
            counted(archives.seen, "archive"),
            counted(archives.records, "record"),
        );
    }
    if archives.revisits > 0 {
        let digests = counted(archives.revisits, "digest");
        let records = match archives.revisits {
            1 => "a revisit record",
            _ => "revisit records",
        };
        let _ = writeln!(text, "{digests} of {records} {would}updated");
    }
    text += &row(0, references.seen, &format!("link{}", plural(references.seen)));
    text += &row(2, references.rewritten, &format!("{would}rewritten"));
    text += &row(2, references.already_correct, already_correct);
    text += &row(2, references.skipped.values().sum(), "skipped");
    for (reason, &count) in &references.skipped {
        text += &row(4, count, reason.label());
    }
    if let Mode::Copy(_) = mode {
        let copied = &report.copied;
        let _ = writeln!(
            text,
            "copied {}, {}, {}",
            counted(copied.files, "other file"),
            counted(copied.symlinks, "symbolic link"),
            counted(copied.directories, "directory"),
        );
        if copied.linked > 0 {
            let files = counted(copied.linked, "unchanged file");
            let _ = writeln!(text, "{files} written as hard links to the files of SITE");
        }
        if copied.leftovers_removed > 0 {
            let files = counted(copied.leftovers_removed, "temporary file");
            let _ = writeln!(text, "{files} of an interrupted run removed from the output");
        }
        if copied.equal > 0 {
            let files = counted(copied.equal, "file");
            let _ = writeln!(text, "{files} not written: the output already has the same bytes");
        }
    }
    if !report.errors.is_empty() {
        let _ = writeln!(text, "{}", counted(report.errors.len(), "error"));
    }
    text
}

/// A line for each directory or file that moved, the first ones, with the number of its files.
fn moves(moved: &[Moved]) -> String {
    const NAMED: usize = 5;
    let mut groups: Vec<(&Moved, usize)> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    for it in moved {
        let at = known.entry(directories(it)).or_insert(groups.len());
        match groups.get_mut(*at) {
            Some((_, count)) => *count += 1,
            None => groups.push((it, 1)),
        }
    }
    let (named, others) = groups.split_at(groups.len().min(NAMED));
    let mut text = String::new();
    for (first, count) in named {
        let (from, to) = match count {
            1 => (&*first.from, &*first.to),
            _ => directories(first),
        };
        let [from, to] = [from, to].map(|path| if path.is_empty() { "the root" } else { path });
        text += &row(2, *count, &format!("{from} to {to}"));
    }
    if !others.is_empty() {
        text += &row(2, others.iter().map(|(_, count)| count).sum(), "others");
    }
    text
}

/// The directories that moved with a file: its paths without the names that both end in, as `a/` and `b/` of
/// `a/x/p` and `b/x/p`. A directory that moved into another one has its name in both.
fn directories(moved: &Moved) -> (&str, &str) {
    let parent = |path: &str| path.trim_end_matches('/').rfind('/').map_or(0, |slash| slash + 1);
    let (mut from, mut to) = (&*moved.from, &*moved.to);
    loop {
        let (from_name, to_name) = (parent(from), parent(to));
        let is_first = from.len() == moved.from.len();
        if from.get(from_name..) != to.get(to_name..) || !is_first && from_name.min(to_name) == 0 {
            return (from, to);
        }
        from = from.get(..from_name).unwrap_or_default();
        to = to.get(..to_name).unwrap_or_default();
        if from.is_empty() || to.is_empty() {
            return (from, to);
        }
    }
}

/// A line of a summary: `count` and its name, indented below the name of what it is a part of.
pub(super) fn row(indent: usize, count: usize, name: &str) -> String {
    format!("{:>9} {:indent$}{name}\n", number(count), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_listed_by_directory() {
        for (moved, expected) in [
            (&[("a.html", "b.html")][..], "1   a.html to b.html"),
            (&[("news/a", "a")], "1   news/a to a"),
            (&[("news/a", "a"), ("news/b", "b")], "2   news/ to the root"),
            (&[("news/a", "blog/a"), ("news/x/b", "blog/x/b")], "2   news/ to blog/"),
            (
                &[("history/a", "museum/history/a"), ("history/b", "museum/history/b")],
                "2   history/ to museum/history/",
            ),
            (&[("a/x/p", "b/y/p"), ("a/x/q", "b/y/q"), ("c", "d")], "2   a/x/ to b/y/\n1   c to d"),
            (
                &[
                    ("1", "a"),
                    ("2", "b"),
                    ("3", "c"),
                    ("4", "d"),
                    ("5", "e"),
                    ("6", "f"),
                    ("7", "g"),
                ],
                "1   1 to a\n1   2 to b\n1   3 to c\n1   4 to d\n1   5 to e\n2   others",
            ),
        ] {
            let moved = moved
                .iter()
                .map(|(from, to)| Moved { from: (*from).to_owned(), to: (*to).to_owned() });
            let text = moves(&moved.collect::<Vec<_>>());
            let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
            assert_eq!(lines.join("\n"), expected);
        }
    }
}
