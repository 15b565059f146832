//! Diagnostics and summary of a rewriting run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::advice::{Advice, stale_paths};
use super::first_paths::first_paths;
use super::site_url::without_placeholder;
use super::terminal;
use rehref_corpus::InsertedFragment;
use rehref_corpus::run::plan::Mode;
use rehref_corpus::run::report::Moved;
use rehref_corpus::run::{DISK_FULL, Report};
use rehref_document::{NAMELESS, Position, SkipReason};
use rehref_rewrite::{CONTAINS_MARKUP, KEPT_BASE, KEPT_ROOT, KEPT_SOURCE};
use rehref_site::plural::{counted, number, plural};
use rehref_site::{Diagnostic, Severity};

/// The number of warnings that are printed; `--format json` has all.
const SHOWN: usize = 20;

/// Returns the diagnostics of a run in this mode; the errors make the run fail.
pub(super) fn diagnostics(report: &Report, mode: &Mode) -> Vec<Advice> {
    let mut advice = Vec::new();
    let compressed = &report.compressed_skipped;
    if !compressed.is_empty() {
        let text = format!(
            "{} skipped: {}\nhelp: to include compressed pages, add --compressed",
            counted(compressed.len(), "compressed page"),
            first_paths(compressed),
        );
        // Their links may lead to what moved.
        let is_move = !report.moved.is_empty();
        advice.push(if is_move { Advice::Warning(text) } else { Advice::Note(text) });
    }
    // A run may have a million diagnostics, which are packed.
    let is_error = |it: &Diagnostic| it.severity == Severity::Error;
    let is_kept = |it: &Diagnostic| KEPT.iter().any(|(code, ..)| it.code == *code);
    let others = || report.diagnostics.iter().filter(|it| !is_kept(it));
    advice.extend(KEPT.iter().filter_map(|(code, what, why, help)| {
        kept(report.diagnostics.iter().filter(|it| it.code == *code), [what, why, help])
    }));
    advice.extend(index_pages(&report.index_pages_linking_to_themselves));
    let (shown, more) = grouped(others().filter(|it| !is_error(it)));
    for (warning, others) in &shown {
        let is_skipped = warning.reference.is_some() && SkipReason::is_code(warning.code);
        let skipped = if is_skipped { "; skipped" } else { "" };
        let others = match others {
            0 => String::new(),
            others if is_only_markup(warning) => {
                format!(", like {} with template markup", counted(*others, "more link"))
            }
            others => format!(" (the same in {})", counted(*others, "more place")),
        };
        advice.push(Advice::Warning(line(warning) + skipped + &others));
    }
    if more > 0 {
        let warnings = counted(more, "more warning");
        advice.push(Advice::Warning(format!("{warnings} not shown; --format json lists all")));
    }
    advice.extend(inserted_fragments(&report.inserted_fragments));
    advice.extend((!report.scripts_selecting_links.is_empty()).then(|| {
        Advice::Warning(format!(
            "scripts select or compare links by their URLs, so they may treat rewritten links differently: {}",
            first_paths(&report.scripts_selecting_links),
        ))
    }));
    advice.extend(stale_paths::of_moves(&report.stale_paths, report.application));
    advice.extend(stale_paths::of_root_paths(&report.offline.root_paths));
    advice.extend(report.offline.limits.iter().map(|(limit, files)| {
        let files = first_paths(files);
        Advice::Warning(match *limit {
            NAMELESS => format!(
                "browsers show these files as text when they are opened from disk, since their names do not end with .html or .css: {files}\nhelp: rename them, as wget --adjust-extension does, or serve the site over HTTP"
            ),
            limit => format!(
                "browsers block {limit} in pages opened from disk: {files}\nhelp: to use them, serve the site over HTTP"
            ),
        })
    }));
    let online = report.offline.online_links;
    advice.extend((online > 0).then(|| {
        Advice::Note(format!(
            "links that need the network, since their targets are not on disk: {}\nhelp: rehref audit of the site, not of the copy, lists these targets",
            number(online)
        ))
    }));
    let errors = others().filter(|it| is_error(it));
    advice.extend(errors.map(|error| Advice::Error(line(&error) + "; skipped")));
    let (full, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        report.errors.iter().partition(|error| error.code == DISK_FULL);
    advice.extend(others.iter().chain(full.first()).map(|error| Advice::Error(line(error))));
    if let [_, more @ ..] = full.as_slice() {
        let force = match mode {
            Mode::Copy(_) | Mode::File(_) => " (with --force, since the output has files)",
            _ => "",
        };
        let more = match more.len() {
            0 => String::new(),
            more => format!("more files not written: {}; ", number(more)),
        };
        advice.push(Advice::Error(format!(
            "{more}the disk is full\nhelp: free some space, and run the command again{force}"
        )));
    }
    advice
}

/// Returns true if the only reason for `warning` is template markup: a theme has hundreds of such links.
fn is_only_markup(warning: &Diagnostic) -> bool {
    warning.message == CONTAINS_MARKUP
}

/// Groups `warnings` by reference and attribute, since a template may be in every page, and links with template markup in
/// one group. Returns the first warning of each of the first groups, with the number of others in the group, and the number
/// of further groups.
fn grouped<'d>(
    warnings: impl Iterator<Item = Cow<'d, Diagnostic>>,
) -> (Vec<(Cow<'d, Diagnostic>, usize)>, usize) {
    let (mut shown, mut more) = (Vec::new(), 0);
    // The texts of a million warnings are not kept.
    let mut known: HashMap<u64, Option<usize>> = HashMap::new();
    for warning in warnings {
        let key = warning.reference.as_ref().map(|reference| {
            let mut hash = DefaultHasher::new();
            let own = (!is_only_markup(&warning)).then(|| (reference, warning.location.place()));
            (warning.code, own).hash(&mut hash);
            hash.finish()
        });
        if let Some(&group) = key.and_then(|key| known.get(&key)) {
            if let Some((_, others)) = group.and_then(|at| shown.get_mut(at)) {
                *others += 1;
            }
            continue;
        }
        let group = (shown.len() < SHOWN).then_some(shown.len());
        known.extend(key.map(|key| (key, group)));
        match group {
            Some(_) => shown.push((warning, 0)),
            None => more += 1,
        }
    }
    (shown, more)
}

/// Warns of pieces of pages that scripts insert into pages.
fn inserted_fragments(fragments: &[InsertedFragment]) -> Option<Advice> {
    let shown = |it: &InsertedFragment| format!("{} ({})", it.path, it.inserted_by);
    let shown: Vec<String> = fragments.iter().map(shown).collect();
    let first = fragments.first()?;
    Some(Advice::Warning(format!(
        "scripts insert {} without doctype, html, head and title into pages, where links resolve against the URL of the page: {}\nhelp: to keep links from the root of the host, add --served-anywhere '{}'",
        counted(fragments.len(), "document"),
        first_paths(&shown),
        first.path,
    )))
}

/// Notes which index pages lead from their file name to their directory's URL.
fn index_pages(pages: &[String]) -> Option<Advice> {
    (!pages.is_empty()).then(|| {
        Advice::Note(format!(
            "in-page links such as #top in {} ({}) become links to the URL of the directory, such as DIR/#top; for visitors of DIR/index.html, a click on one loads DIR/\nhelp: if visitors open the pages as index.html, add --no-index-files",
            counted(pages.len(), "index file"),
            first_paths(pages),
        ))
    })
}

/// The notes on what stays in documents because of scripts: the code, what stays, why, and what the user may do.
const KEPT: [(&str, &str, &str, &str); 3] = [
    (
        KEPT_BASE,
        "base elements stay",
        "since scripts may create links that resolve against them",
        "\nhelp: to remove them, add --base-element drop",
    ),
    (
        KEPT_ROOT,
        "links from the root of the host stay as written",
        "since scripts replace a part of the page and change its URL, so that a relative link would have another target",
        "",
    ),
    (
        KEPT_SOURCE,
        "links to scripts and style sheets stay as written",
        "since a script compares them with paths",
        "",
    ),
];

/// Notes what stays in documents because of scripts.
fn kept<'d>(
    kept: impl Iterator<Item = Cow<'d, Diagnostic>>,
    [what, why, help]: [&str; 3],
) -> Option<Advice> {
    let mut paths: Vec<Arc<str>> = kept.map(|it| it.location.path.clone()).collect();
    // A message, or a document in a document, may keep several.
    paths.dedup();
    (!paths.is_empty()).then(|| {
        let documents = counted(paths.len(), "document");
        Advice::Note(format!("{what} in {documents}, {why}: {}{help}", first_paths(&paths)))
    })
}

/// Formats a diagnostic: `PATH:LINE:COLUMN: PLACE `REFERENCE`: MESSAGE`, and below it what to do.
pub(super) fn line(diagnostic: &Diagnostic) -> String {
    let location = &diagnostic.location;
    let mut line = heading(&location.path, location.position, "", &location.in_words());
    if let Some(reference) = &diagnostic.reference {
        let _ = write!(line, " `{}`", shortened(reference));
    }
    let _ = write!(line, ": {}", without_placeholder(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        let _ = write!(line, "\nhelp: {help}");
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
    let line = |count, noun, what: &str| counted_line(count, noun, &format!("{would}{what}"));
    let mut text = format!(
        "{} of {} {would}rewritten in {:.2} s\n",
        number(documents.rewritten),
        counted(documents.seen, "document"),
        report.seconds
    );
    text += &line(report.moved.len(), "file", "moved");
    text += &moves(&report.moved);
    text += &line(documents.skipped, "document", "skipped (see the errors)");
    text += &line(report.digests, "value", "updated (integrity, Content-Security-Policy)");
    let removed = report.offline.fetch_options_removed;
    text += &line(removed, "attribute", "removed (integrity, crossorigin)");
    let archives = &report.archives;
    if archives.seen > 0 {
        let (seen, records) =
            (counted(archives.seen, "archive"), counted(archives.records, "record"));
        text += &format!("read {seen} ({records})\n");
    }
    text += &line(archives.revisits, "digest", "updated in revisit records");
    text += &row(0, references.seen, &format!("link{}", plural(references.seen)));
    text += &row(2, references.rewritten, &format!("{would}rewritten"));
    let skipped = references.skipped.values().sum();
    for (count, label) in [(references.already_correct, already_correct), (skipped, "skipped")] {
        if count > 0 {
            text += &row(2, count, label);
        }
    }
    for (reason, &count) in references.skipped.iter().filter(|_| terminal::is_verbose()) {
        text += &row(4, count, reason.label());
    }
    if let Mode::Copy(_) = mode {
        let copied = &report.copied;
        let kinds = [
            (copied.files, "other file"),
            (copied.symlinks, "symbolic link"),
            (copied.directories, "directory"),
        ];
        let some = kinds.iter().filter(|(count, _)| *count > 0);
        let some: Vec<String> = some.map(|(count, noun)| counted(*count, noun)).collect();
        if !some.is_empty() {
            text += &format!("copied {}\n", some.join(", "));
        }
        for (count, noun, what) in [
            (copied.linked, "unchanged file", "written as hard links to the files of the site"),
            (
                copied.leftovers_removed,
                "temporary file",
                "of an interrupted run removed from the output",
            ),
            (copied.equal, "file", "not written: the output already has the same bytes"),
        ] {
            text += &counted_line(count, noun, what);
        }
    }
    text + &counted_line(report.errors.len(), "error", "")
}

/// Returns a line of a summary: `12 files moved`; empty if there are none.
pub(super) fn counted_line(count: usize, noun: &str, what: &str) -> String {
    let counted = counted(count, noun);
    if count == 0 {
        String::new()
    } else {
        format!("{counted} {what}").trim_end().to_owned() + "\n"
    }
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
/// `a/x/p` and `b/x/p`. A directory that moved into one beside it has its name in both: its own directory did not move.
fn directories(moved: &Moved) -> (&str, &str) {
    let parent = |path: &str| path.trim_end_matches('/').rfind('/').map_or(0, |slash| slash + 1);
    let (mut from, mut to) = (&*moved.from, &*moved.to);
    loop {
        let (from_name, to_name) = (parent(from), parent(to));
        let is_first = from.len() == moved.from.len();
        let from_parent = from.get(..from_name).unwrap_or_default();
        let to_parent = to.get(..to_name).unwrap_or_default();
        let is_inside = from_parent.starts_with(to_parent) || to_parent.starts_with(from_parent);
        if from.get(from_name..) != to.get(to_name..) || !is_first && is_inside {
            return (from, to);
        }
        from = from_parent;
        to = to_parent;
        if from.is_empty() || to.is_empty() {
            return (from, to);
        }
    }
}

/// Returns a line of a summary: `count` and its name, indented below the name of what it is a part of.
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
            (
                &[
                    ("docs/setup/a", "docs/guide/setup/a"),
                    ("docs/setup/x/b", "docs/guide/setup/x/b"),
                ],
                "2   docs/setup/ to docs/guide/setup/",
            ),
            (&[("a/b/c/p", "a/c/p"), ("a/b/c/q", "a/c/q")], "2   a/b/c/ to a/c/"),
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
