//! The comparison of two trees: for `verify`, and for `--verify` after a rewriting.

use std::fmt::Write;
use std::path::Path;

use super::exit::CliError;
use super::progress::{Listing, Progress};
use super::{summary, terminal};
use crate::corpus::{Corpus, SitePlace};
use crate::diagnostic::Diagnostic;
use crate::moves::Moves;
use crate::plural::{counted, number};
use crate::rewrite::Plan;
use crate::site::{self, FileIndex, SiteUrl};
use crate::verify::report::FileDifferences;
use crate::verify::site::{ExpectedTargets, SiteFiles};
use crate::verify::{Difference, Report, TreePlan, verify_tree};

/// How many differences are printed without `--all`.
pub(super) const SHOWN: usize = 50;

/// Two trees, and how to compare them.
pub(super) struct Comparison<'c> {
    /// The old tree, and how to read it.
    pub(super) before: &'c Corpus,
    /// The new tree.
    pub(super) after: &'c Corpus,
    /// Other URLs of BEFORE (`--also`).
    pub(super) also: &'c [SiteUrl],
    pub(super) moves: &'c Moves,
    /// Whether targets are equal if the same file serves them.
    pub(super) same_file: bool,
    /// Whether AFTER may have files without a counterpart in BEFORE.
    pub(super) may_be_extra: bool,
    /// How many differences the report holds; it counts all.
    pub(super) limit: usize,
    /// The name of the file in AFTER, if BEFORE and AFTER are single files.
    pub(super) file_after: Option<&'c Path>,
}

impl Comparison<'_> {
    /// Compares the trees; prints an error for each file that cannot be compared.
    pub(super) fn report(&self) -> Result<Report, CliError> {
        let index = |corpus: &Corpus| FileIndex::new(&corpus.root, &corpus.walk.entries);
        let site = ExpectedTargets {
            before: &self.before.site_url,
            also: self.also,
            after: &self.after.site_url,
            files: self
                .same_file
                .then(|| SiteFiles::new(index(self.before), index(self.after), self.moves)),
        };
        let plan = TreePlan {
            before: self.before,
            after: self.after,
            counterpart: &|path| match self.file_after {
                Some(name) => name.to_owned(),
                None => self.moves.counterpart(path),
            },
            follow: &|target| site.follow(target),
            same: &|expected, found| site.is_same(expected, found),
            may_be_extra: &|_| self.may_be_extra,
            limit: self.limit,
        };
        let progress = Progress::new(Listing::Nothing);
        let report = verify_tree(&plan, &progress);
        progress.finish();
        let report = report?;
        for error in &report.errors {
            terminal::error(summary::line(error));
        }
        Ok(report)
    }
}

/// Verifies the tree at `written`, the output of `plan`, and prints the differences. Returns whether
/// the verification passed.
pub(super) fn verify_run(
    plan: &Plan,
    written: &Path,
    may_be_extra: bool,
) -> Result<bool, CliError> {
    let mapping = plan.policy.mapping();
    let after = plan.corpus.reading(
        written.to_owned(),
        site::walk(written),
        plan.new_site_url.clone(),
    );
    let comparison = Comparison {
        same_file: !plan.moves.is_empty()
            || mapping.is_some_and(|mapping| !mapping.pretty.is_plain()),
        may_be_extra,
        ..with_input(plan, &after)
    };
    print_verification(&comparison.report()?)
}

/// Like [`verify_run`], for the archive at `written`.
pub(super) fn verify_archive(plan: &Plan, written: &Path) -> Result<bool, CliError> {
    let place = SitePlace::Archive(written.to_owned());
    let site_url = plan.corpus.site_url.clone();
    let after = plan.corpus.reading(place.root(), place.walk(), site_url);
    let comparison = Comparison {
        file_after: written.file_name().map(Path::new),
        ..with_input(plan, &after)
    };
    print_verification(&comparison.report()?)
}

/// Compares the input of `plan` with `after`.
fn with_input<'a>(plan: &'a Plan, after: &'a Corpus) -> Comparison<'a> {
    let mapping = plan.policy.mapping();
    Comparison {
        before: &plan.corpus,
        after,
        also: mapping.map_or(&[], |mapping| &mapping.also),
        moves: &plan.moves,
        same_file: false,
        may_be_extra: false,
        limit: SHOWN,
        file_after: None,
    }
}

/// Prints the result of `--verify`. Returns whether the verification passed.
fn print_verification(report: &Report) -> Result<bool, CliError> {
    let passed = report.differences == 0 && report.errors.is_empty();
    if passed {
        terminal::summary(&format!(
            "verified in {:.2} s: the targets of {} are as expected, all other bytes are equal\n",
            report.seconds,
            counted(report.references.compared, "reference")
        ));
    } else {
        terminal::print(differences(report))?;
    }
    Ok(passed)
}

/// The differences that `report` holds, and how many more there are.
pub(super) fn differences(report: &Report) -> String {
    let mut text = String::new();
    let mut shown = 0;
    for file in &report.different {
        for difference in &file.differences {
            shown += 1;
            push_difference(&mut text, file, difference);
        }
    }
    if let Some(more) = report.differences.checked_sub(shown).filter(|&n| n > 0) {
        let _ = writeln!(text, "and {} more; --all shows them", number(more));
    }
    text
}

/// How much was compared.
pub(super) fn counts(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} in {:.2} s",
        match report.differences {
            0 => "no differences".to_owned(),
            count => counted(count, "difference"),
        },
        report.seconds
    );
    let references = &report.references;
    for (count, indent, name) in [
        (references.compared, 0, "references compared"),
        (references.unchanged, 2, "unchanged"),
        (references.respelled, 2, "respelled, with the same target"),
    ] {
        let _ = writeln!(text, "{:>9} {:indent$}{name}", number(count), "");
    }
    let _ = writeln!(
        text,
        "in {}, with {} and {}",
        counted(report.documents, "document"),
        counted(report.files, "other file"),
        counted(report.symlinks, "symbolic link"),
    );
    text
}

/// Appends `path:line:column: place: message`, and both references with their targets.
fn push_difference(text: &mut String, file: &FileDifferences, difference: &Difference) {
    let Diagnostic {
        location, message, ..
    } = &difference.diagnostic;
    let mut line = file.path.clone();
    if let Some(position) = location.position {
        let _ = write!(line, ":{}:{}", position.line, position.column);
    } else if let Some(position) = difference.position_before {
        if let Some(before) = &file.path_before {
            line.clone_from(before);
        }
        let _ = write!(line, ":{}:{} (in BEFORE)", position.line, position.column);
    }
    let place = location.place();
    if !place.is_empty() {
        let _ = write!(line, ": {place}");
    }
    let _ = write!(line, ": {message}");
    let _ = writeln!(text, "{}", terminal::escaped(&line));
    let sides = [
        ("before", &difference.before, &difference.expected_target),
        ("after", &difference.after, &difference.target),
    ];
    for (name, written, target) in sides {
        let Some(written) = written else {
            continue;
        };
        let mut line = format!("  {name:<7}`{written}`");
        if let Some(target) = target {
            let _ = write!(line, " -> {target}");
        }
        let _ = writeln!(text, "{}", terminal::escaped(&line));
    }
}
