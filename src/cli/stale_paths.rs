//! Reports strings of scripts and data whose targets do not exist after a run.

use std::collections::HashSet;

use super::first_paths::{NAMED, first_paths};
use super::terminal;
use rehref_corpus::stale_paths::{StalePath, StalePathKind};
use rehref_site::plural::counted;

/// Prints a line for each kind of strings in `stale`, which name the old places of what moved.
pub(super) fn warn(stale: &[StalePath]) {
    let example = |it: &StalePath| format!("`{}` is now {}", it.text, place(it));
    let line = |kind, what: &str| line(stale, kind, what, example);
    let scripts = "files by old paths (rehref does not change scripts and data; pages that scripts render may fail, and \
                   rehref verify --browser shows which)";
    let configuration =
        "documents by old paths (rehref does not change scripts and configuration; update them)";
    let json_ld = "files by old paths (with --json-ld, move updates JSON-LD)";
    let ids = "files by old paths (rehref keeps ids, since feed readers show an entry with another id as new)";
    let warnings = [
        line(StalePathKind::Configuration, configuration),
        line(StalePathKind::Script, scripts),
        line(StalePathKind::JsonLd, json_ld),
    ];
    warnings.into_iter().flatten().for_each(terminal::warning);
    if let Some(note) = line(StalePathKind::EntryId, ids) {
        terminal::note(note);
    }
}

/// Prints a line for each kind of strings in `found`, which name files by a path from the server's root, although
/// the result is to be read from disk.
pub(super) fn warn_of_root_paths(found: &[StalePath]) {
    let example = |it: &StalePath| format!("`{}` is {}", it.text, place(it));
    for (kind, advice) in [
        (StalePathKind::Script, "rehref does not change scripts and data"),
        (StalePathKind::JsonLd, "with --json-ld, relative updates JSON-LD"),
    ] {
        let what = format!(
            "files by paths from the root of the host, which do not work from disk ({advice})"
        );
        if let Some(warning) = line(found, kind, &what, example) {
            terminal::warning(warning);
        }
    }
}

/// The place of what `string` named, for people.
fn place(string: &StalePath) -> &str {
    match &*string.target {
        "." => "the root of SITE",
        target => target,
    }
}

/// `12 strings in 7 files name WHAT: EXAMPLES`, about the strings of `kind` in `found`; `None` if there are none.
fn line(
    found: &[StalePath],
    kind: StalePathKind,
    what: &str,
    example: impl Fn(&StalePath) -> String,
) -> Option<String> {
    let strings = Strings::of_kind(found, kind)?;
    let (counted, examples) = (strings.counted(kind), strings.examples(example));
    Some(format!("{counted} {what}: {examples}"))
}

/// The strings of one kind.
struct Strings<'s> {
    /// At least one, in the order of their files.
    all: Vec<&'s StalePath>,
}

impl<'s> Strings<'s> {
    /// The strings of `kind` in `found`; `None` if there are none.
    fn of_kind(found: &'s [StalePath], kind: StalePathKind) -> Option<Strings<'s>> {
        let all: Vec<&StalePath> = found.iter().filter(|it| it.kind == kind).collect();
        (!all.is_empty()).then_some(Strings { all })
    }

    /// The first string of each file.
    fn firsts(&self) -> impl Iterator<Item = &'s StalePath> {
        let files = self.all.chunk_by(|one, other| one.path == other.path);
        files.filter_map(|file| file.first().copied())
    }

    /// `12 strings in 7 files name`.
    fn counted(&self, kind: StalePathKind) -> String {
        let (noun, preposition) = match kind {
            StalePathKind::Script | StalePathKind::Configuration => ("string", "in"),
            StalePathKind::JsonLd => ("string", "of JSON-LD in"),
            StalePathKind::EntryId => ("id", "of feed entries in"),
        };
        let verb = if self.all.len() == 1 { "names" } else { "name" };
        let strings = counted(self.all.len(), noun);
        let files = counted(self.firsts().count(), "file");
        format!("{strings} {preposition} {files} {verb}")
    }

    /// The first string of some files, as `example` formats it, and where all are.
    fn examples(&self, example: impl Fn(&StalePath) -> String) -> String {
        // A template may write the same string into every page.
        let mut known = HashSet::new();
        let (new, others): (Vec<&StalePath>, Vec<&StalePath>) =
            self.firsts().partition(|it| known.insert(&it.text));
        let files: Vec<String> = new
            .into_iter()
            .chain(others)
            .map(|it| {
                let (path, position) = (&it.path, it.position);
                let (line, column) = (position.line, position.column);
                format!("{path}:{line}:{column} ({})", example(it))
            })
            .collect();
        let examples = first_paths(files.iter().map(String::as_str));
        if self.all.len() > files.len().min(NAMED) {
            format!("{examples}; --format json lists all")
        } else {
            examples
        }
    }
}

/// The lines of a summary that count the strings of scripts, data and configuration; empty if there are none.
pub(super) fn summary(stale: &[StalePath]) -> String {
    let kinds = [
        (
            StalePathKind::Configuration,
            "documents by old paths; rehref does not change scripts and configuration",
        ),
        (StalePathKind::Script, "files by old paths; rehref does not change scripts and data"),
    ];
    let lines = kinds.into_iter().filter_map(|(kind, what)| {
        let found = Strings::of_kind(stale, kind)?;
        Some(format!("{} {what}\n", found.counted(kind)))
    });
    lines.collect()
}
