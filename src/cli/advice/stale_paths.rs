//! Warnings of strings of scripts and data whose targets do not exist after a run.

use std::collections::HashSet;

use super::{Advice, list};
use crate::cli::first_paths::{NAMED, first_paths};
use rehref_corpus::stale_paths::{StalePath, StalePathKind};
use rehref_document::Application;
use rehref_site::plural::counted;

/// Kinds of strings that name old places, in the order of their lines, and what such strings name.
const OLD_PATHS: [(StalePathKind, &str); 5] = [
    (
        StalePathKind::Configuration,
        "documents by old paths (rehref does not change scripts and configuration; update them)",
    ),
    (
        StalePathKind::Script,
        "files by old paths (rehref does not change scripts and data; pages that scripts render may fail, and rehref \
         verify --browser shows which)",
    ),
    (
        StalePathKind::Text,
        "files by old paths (rehref does not change text that is not a link; update it)",
    ),
    (StalePathKind::JsonLd, "files by old paths (with --json-ld, move updates JSON-LD)"),
    (
        StalePathKind::EntryId,
        "files by old paths (rehref keeps ids, since feed readers show an entry with another id as new)",
    ),
];

/// Kinds of strings that name files by paths from the server's root.
const ROOT_PATHS: [(StalePathKind, &str); 2] = [
    (
        StalePathKind::Script,
        "files by paths from the root of the host, which do not work from disk (rehref does not change scripts and data)",
    ),
    (
        StalePathKind::JsonLd,
        "files by paths from the root of the host, which do not work from disk (with --json-ld, relative updates JSON-LD)",
    ),
];

/// A line for each kind of strings in `stale`, which name the old places of what moved. `application`: that of the site.
pub(in crate::cli) fn of_moves(
    stale: &[StalePath],
    application: Option<&Application>,
) -> impl Iterator<Item = Advice> {
    base_paths(stale, application).into_iter().chain(lines(stale, &OLD_PATHS, verb_of_move))
}

/// The line about strings that are the path of the site's URL.
fn base_paths(stale: &[StalePath], application: Option<&Application>) -> Option<Advice> {
    let first = of_kind(stale, StalePathKind::BasePath).next()?;
    let counts = counts(stale, StalePathKind::BasePath)?;
    let files: Vec<&str> =
        firsts(stale, StalePathKind::BasePath).iter().map(|it| &*it.path).collect();
    let path = first.target.split_once("://").map_or(&*first.target, |(_, rest)| {
        rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
    });
    let setting = match application {
        Some(Application { name, setting, .. }) => format!("{name}: `{setting}`"),
        None => "a setting of its generator, such as `base` of Vite".to_owned(),
    };
    Some(Advice::Warning(format!(
        "{counts} the base path of the site, `{}`: {}; rehref does not change scripts, and pages that they render may fail: \
         build the site again with the base path `{path}` ({setting})",
        first.text,
        first_paths(&files),
    )))
}

fn verb_of_move(stale: &StalePath) -> &'static str {
    if stale.has_moved { "is now" } else { "meant" }
}

/// A line for each kind of strings in `found`, which name files by a path from the server's root, although
/// the result is to be read from disk.
pub(in crate::cli) fn of_root_paths(found: &[StalePath]) -> impl Iterator<Item = Advice> {
    lines(found, &ROOT_PATHS, |_| "is")
}

/// `12 strings in 7 files name WHAT: EXAMPLES`, for each of `kinds`.
fn lines(
    found: &[StalePath],
    kinds: &[(StalePathKind, &str)],
    verb: fn(&StalePath) -> &'static str,
) -> impl Iterator<Item = Advice> {
    kinds.iter().filter_map(move |(kind, what)| {
        let counts = counts(found, *kind)?;
        let text = format!("{counts} {what}: {}", examples(found, *kind, verb));
        Some(match kind {
            StalePathKind::EntryId => Advice::Note(text),
            _ => Advice::Warning(text),
        })
    })
}

fn of_kind(found: &[StalePath], kind: StalePathKind) -> impl Iterator<Item = &StalePath> {
    found.iter().filter(move |it| it.kind == kind)
}

/// The first string of `kind` in each file of `found`.
fn firsts(found: &[StalePath], kind: StalePathKind) -> Vec<&StalePath> {
    let mut firsts: Vec<&StalePath> = of_kind(found, kind).collect();
    firsts.dedup_by(|one, other| one.path == other.path);
    firsts
}

/// `12 strings in 7 files name`; `None` if there are none.
fn counts(found: &[StalePath], kind: StalePathKind) -> Option<String> {
    let (noun, preposition) = match kind {
        StalePathKind::Script | StalePathKind::Configuration | StalePathKind::BasePath => {
            ("string", "in")
        }
        StalePathKind::Text => ("string", "of other text in"),
        StalePathKind::JsonLd => ("string", "of JSON-LD in"),
        StalePathKind::EntryId => ("id", "of feed entries in"),
    };
    let (count, files) = (of_kind(found, kind).count(), firsts(found, kind).len());
    let verb = if count == 1 { "names" } else { "name" };
    let (strings, files) = (counted(count, noun), counted(files, "file"));
    (count > 0).then(|| format!("{strings} {preposition} {files} {verb}"))
}

/// The first strings of some files, and where all are.
fn examples(
    found: &[StalePath],
    kind: StalePathKind,
    verb: fn(&StalePath) -> &'static str,
) -> String {
    // A template may write the same string into every page.
    let mut known = HashSet::new();
    let firsts = firsts(found, kind).into_iter();
    let (mut shown, others): (Vec<_>, Vec<_>) = firsts.partition(|it| known.insert(&it.text));
    shown.extend(others);
    let shown: Vec<String> = shown.into_iter().map(|it| example(it, verb)).collect();
    let is_partial = of_kind(found, kind).count() > shown.len().min(NAMED);
    let more = if is_partial { "; --format json lists all" } else { "" };
    first_paths(&shown) + more
}

/// ``PATH:LINE:COLUMN (`TEXT` VERB TARGET)``.
fn example(it: &StalePath, verb: fn(&StalePath) -> &'static str) -> String {
    let StalePath { path, position, text, target, .. } = it;
    let target = if &**target == "." { "the root of the site" } else { target };
    format!("{path}:{}:{} (`{text}` {} {target})", position.line, position.column, verb(it))
}

/// The lines of a summary that list the strings with old paths; empty if there are none.
pub(in crate::cli) fn summary(stale: &[StalePath]) -> String {
    let is_text = |it: &&StalePath| {
        use StalePathKind::{Configuration, Script, Text};
        matches!(it.kind, Configuration | Script | Text)
    };
    let found: Vec<&StalePath> = stale.iter().filter(is_text).collect();
    let files: HashSet<&str> = found.iter().map(|it| &*it.path).collect();
    if found.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = found.iter().map(|it| example(it, verb_of_move)).collect();
    let listed = list(&lines, "; --format json lists all");
    let files = counted(files.len(), "file");
    format!("old paths remain in {files}:\n{listed}")
}
