//! The end of a run in words.

use std::fmt::Write;

use super::{style, terminal};
use crate::rewrite::Report;
use crate::rewrite::plan::Mode;
use crate::rewrite::report::Problem;
use crate::rewrite::tree::KEPT_AS_IT_IS;

/// How many problems are shown; the report has them all.
const SHOWN: usize = 20;

/// What each reason for leaving a reference alone is called.
const REASONS: &[(&str, &str)] = &[
    ("not-hierarchical", "not hierarchical (mailto:, data:, ...)"),
    ("template-markup", "template markup"),
    ("empty", "empty, which is no URL there"),
    ("same-document", "fragments local to the document"),
    ("relative-only", "names that cannot be absolute"),
    ("bad-url", "not a URL"),
    ("unreadable", "in text that cannot be read"),
    ("opaque-base", "without a usable base URL"),
    ("signed", "in signed parts of messages"),
    ("inexpressible", "not expressible where they stand"),
];

/// Prints problems and errors to stderr; with `quiet` only what makes the run fail.
pub(super) fn print_problems(report: &Report, quiet: bool) {
    let (kept, others): (Vec<&Problem>, Vec<&Problem>) = report
        .problems
        .iter()
        .partition(|problem| problem.id == KEPT_AS_IT_IS);
    if !quiet {
        for unused in &report.unused_globs {
            let line = format!("{} {} matched nothing", unused.option, unused.glob);
            terminal::say(&style::note("note:"), &line);
        }
        let compressed = match report.compressed_left {
            0 => None,
            1 => Some("1 compressed page was left as it is; --compressed rewrites it".to_owned()),
            count => Some(format!(
                "{count} compressed pages were left as they are; --compressed rewrites them"
            )),
        };
        if let Some(line) = compressed {
            terminal::say(&style::note("note:"), &line);
        }
        let warning = style::warning("warning:");
        for problem in others.iter().take(SHOWN) {
            let left = match problem.reference {
                Some(_) => " (left as it is)",
                None => "",
            };
            let line = format!("{}: {}{left}", place(problem), problem.message);
            terminal::say(&warning, &line);
        }
        if let Some(more) = others.len().checked_sub(SHOWN).filter(|&n| n > 0) {
            let line = format!("{more} more like these; --report json lists all");
            terminal::say(&warning, &line);
        }
    }
    let error = style::error("error:");
    for problem in kept {
        let line = format!("{}: {}; kept as it is", place(problem), problem.message);
        terminal::say(&error, &line);
    }
    for failure in &report.errors {
        terminal::say(&error, &format!("{}: {}", failure.path, failure.message));
    }
}

fn place(problem: &Problem) -> String {
    let mut place = problem.path.clone();
    if let (Some(line), Some(column)) = (problem.line, problem.column) {
        let _ = write!(place, ":{line}:{column}");
    }
    if !problem.place.is_empty() {
        let _ = write!(place, ": {}", problem.place);
    }
    if let Some(reference) = &problem.reference {
        let _ = write!(place, " `{}`", shortened(reference));
    }
    place
}

fn shortened(reference: &str) -> String {
    const LENGTH: usize = 80;
    let shown: String = reference.chars().take(LENGTH).collect();
    let shown = shown
        .escape_debug()
        .to_string()
        .replace("\\'", "'")
        .replace("\\\"", "\"");
    if reference.chars().nth(LENGTH).is_some() {
        shown + "..."
    } else {
        shown
    }
}

/// The summary.
pub(super) fn summary(report: &Report, mode: &Mode, kept: &str) -> String {
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
        documents.rewritten,
        counted(documents.seen, "document"),
        report.seconds
    );
    if !report.moved.is_empty() {
        let moved = counted(report.moved.len(), "file");
        let _ = writeln!(text, "{moved} {would}moved");
    }
    if documents.kept_as_they_are > 0 {
        let _ = writeln!(
            text,
            "{} {would}kept as they are (see the errors)",
            counted(documents.kept_as_they_are, "document"),
        );
    }
    let archives = &report.archives;
    if archives.seen > 0 {
        let _ = writeln!(
            text,
            "among them those in {} with {}",
            counted(archives.seen, "archive"),
            counted(archives.records, "record"),
        );
    }
    let mut row = |indent: usize, count: usize, name: &str| {
        let _ = writeln!(text, "{count:>9} {:indent$}{name}", "");
    };
    row(0, references.seen, "references");
    row(2, references.rewritten, "rewritten");
    row(2, references.kept, kept);
    row(2, references.left_alone.values().sum(), "left alone");
    for (id, name) in REASONS {
        if let Some(&count) = references.left_alone.get(id) {
            row(4, count, name);
        }
    }
    if let Mode::Copy(_) = mode {
        let copied = &report.copied;
        let _ = writeln!(
            text,
            "copied {}, {}, {}",
            counted(copied.files, "other file"),
            counted(copied.symlinks, "symbolic link"),
            counted(copied.directories, "folder"),
        );
    }
    if !report.errors.is_empty() {
        let _ = writeln!(text, "{}", counted(report.errors.len(), "error"));
    }
    text
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
