//! Warnings of strings of scripts and data whose targets do not exist after a run.

use std::collections::HashSet;

use super::{Advice, LISTED};
use crate::cli::first_paths::first_paths;
use rehref_corpus::stale_paths::{StalePath, StalePathKind};
use rehref_document::Application;
use rehref_site::plural::counted;

/// Kinds of strings that name old places, in the order of their lines, and what such strings name.
const OLD_PATHS: [(StalePathKind, &str); 5] = [
    (
        StalePathKind::Configuration,
        "documents by old paths; rehref does not change scripts and configuration, so update them",
    ),
    (
        StalePathKind::Script,
        "files by old paths; rehref does not change scripts and data, so update them; rehref verify --browser shows the \
         pages that fail",
    ),
    (
        StalePathKind::Text,
        "files by old paths; rehref does not change text that is not a link; update it if it means these files",
    ),
    (StalePathKind::JsonLd, "files by old paths; move --json-ld updates them"),
    (
        StalePathKind::EntryId,
        "files by old paths; rehref does not change ids, since feed readers show an entry with another id as new",
    ),
];

/// Kinds of strings that name files by paths from the server's root.
const ROOT_PATHS: [(StalePathKind, &str); 2] = [
    (
        StalePathKind::Script,
        "files by paths from the root of the host, which do not work from disk; rehref does not change scripts and data, \
         so update them",
    ),
    (
        StalePathKind::JsonLd,
        "files by paths from the root of the host, which do not work from disk; relative --json-ld updates them",
    ),
];

/// Returns a line for each kind of strings in `stale`, which name the old places of what moved, and the list of these
/// strings. `application`: that of the site.
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
        "{counts} the base path of the site, `{}`: {}; rehref does not change scripts, and pages that they render may fail\nhelp: build the site again with the base path `{path}` ({setting})",
        first.text,
        first_paths(&files),
    )))
}

fn verb_of_move(stale: &StalePath) -> &'static str {
    if stale.has_moved { "is now" } else { "meant" }
}

/// Returns a line for each kind of strings in `found`, which name files by a path from the server's root, although the
/// result is to be read from disk, and the list of these strings.
pub(in crate::cli) fn of_root_paths(found: &[StalePath]) -> impl Iterator<Item = Advice> {
    lines(found, &ROOT_PATHS, |_| "is")
}

/// `12 strings in 7 files name WHAT:`, for each of `kinds`, and the list of the strings.
fn lines(
    found: &[StalePath],
    kinds: &[(StalePathKind, &str)],
    verb: fn(&StalePath) -> &'static str,
) -> impl Iterator<Item = Advice> {
    let of_kind = kinds.iter().filter_map(move |(kind, what)| {
        let text = format!("{} {what}:", counts(found, *kind)?);
        let advice = match kind {
            StalePathKind::EntryId => Advice::Note(text),
            _ => Advice::Warning(text),
        };
        Some([advice, Advice::List(examples(found, *kind, verb), "; --format json lists all")])
    });
    of_kind.flatten()
}

fn of_kind(found: &[StalePath], kind: StalePathKind) -> impl Iterator<Item = &StalePath> + Clone {
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

/// The strings of `kind` in `found`. Of many, the first with each text come first: a template may write the same string
/// into every page.
fn examples(
    found: &[StalePath],
    kind: StalePathKind,
    verb: fn(&StalePath) -> &'static str,
) -> Vec<String> {
    let mut known = HashSet::new();
    let strings = of_kind(found, kind);
    let (mut shown, others): (Vec<_>, Vec<_>) = match strings.clone().nth(LISTED) {
        Some(_) => strings.partition(|it| known.insert(&it.text)),
        None => (strings.collect(), Vec::new()),
    };
    shown.extend(others);
    shown.into_iter().map(|it| example(it, verb)).collect()
}

/// ``PATH:LINE:COLUMN (`TEXT` VERB TARGET)``.
fn example(it: &StalePath, verb: fn(&StalePath) -> &'static str) -> String {
    let StalePath { path, position, text, target, .. } = it;
    let target = if &**target == "." { "the root of the site" } else { target };
    format!("{path}:{}:{} (`{text}` {} {target})", position.line, position.column, verb(it))
}
