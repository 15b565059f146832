//! The comparison of two trees: for `verify`, and for `--verify` after a rewriting.

use std::fmt::Write;
use std::path::Path;

use super::exit::{CliError, Exit};
use super::progress::{Listing, Progress};
use super::site_url::without_placeholder;
use super::summary::{counted_line, heading, row};
use super::{advice, no_documents, terminal};
use rehref_corpus::run::Plan;
use rehref_corpus::{Corpus, SitePlace};
use rehref_generators::markdown::MarkdownDialect;
use rehref_site::Moves;
use rehref_site::diagnostic::escaped;
use rehref_site::plural::{counted, number, plural};
use rehref_verify::browser::{BrowserOptions, verify_pages};
use rehref_verify::report::{ComparedReferences, FileDifferences};
use rehref_verify::{Difference, Report, TreePlan, verify_tree};

/// The number of differences that are printed without `--all`.
pub(super) const SHOWN: usize = 50;

/// Returns the plan to compare `before` with `after`, its counterpart after `moves`. With `same_file`, targets are
/// equal if the same file serves them.
pub(super) fn tree_plan<'p>(
    before: &'p Corpus,
    after: &'p Corpus,
    moves: &'p Moves,
    same_file: bool,
) -> TreePlan<'p> {
    TreePlan { limit: SHOWN, ..TreePlan::new(before, after, moves, same_file) }
}

/// Compares two trees, and their pages in a browser if there are options for it; prints an error for
/// each file that cannot be compared.
pub(super) fn compare(
    plan: &TreePlan<'_>,
    browser: Option<&BrowserOptions>,
) -> Result<Report, CliError> {
    let mut report = Progress::during(Listing::Nothing, |progress| verify_tree(plan, progress))?;
    if let Some(options) = browser {
        Progress::during(Listing::Nothing, |it| verify_pages(plan, options, it, &mut report))?;
    }
    advice::print(advice::verify::diagnostics(&report));
    // Only what is read shows whether an archive holds documents.
    let is_archive = plan.file_after.is_some();
    if is_archive && report.errors.is_empty() && report.differences == 0 {
        let documents = report.documents + report.malformed.len() + report.unproven.len();
        no_documents::refuse_after(plan.before, "the old tree", documents)?;
    }
    Ok(report)
}

/// Verifies the output of `plan` at `place`, a directory or an archive, and prints the differences.
/// `may_be_extra`: the output may have files that the input does not have.
pub(super) fn verify_output(
    plan: &Plan,
    place: &SitePlace,
    may_be_extra: bool,
    browser: Option<BrowserOptions>,
) -> Result<Exit, CliError> {
    let site_url = plan.new_site_url().clone();
    let counterpart = |path: &Path| plan.moves.counterpart(path);
    let after = plan.corpus.reading(place, site_url, counterpart);
    let mapping = plan.policy.mapping();
    let is_pretty = mapping.is_some_and(|mapping| !mapping.pretty.is_plain());
    let same_file = !plan.moves.is_empty() || is_pretty;
    let browser = browser.map(|options| BrowserOptions {
        from_disk: mapping.is_some_and(|mapping| mapping.pretty.offline),
        ..options
    });
    let tree_plan = TreePlan {
        file_after: place.file_name(),
        offline: mapping.is_some_and(|mapping| mapping.pretty.offline),
        may_be_extra,
        base: plan.policy.base_url(),
        repository: plan.policy.repository(),
        ..tree_plan(&plan.corpus, &after, &plan.moves, same_file)
    };
    let report = compare(&tree_plan, browser.as_ref())?;
    let exit = exit(&report);
    if exit == Exit::Done {
        let ComparedReferences { compared, not_proven, template_markup, .. } = report.references;
        let removed =
            if tree_plan.offline { ", except the attributes that --offline removes" } else { "" };
        advice::print(advice::verify::not_proven(&report));
        let mut but = match not_proven {
            0 => String::new(),
            count => format!("; {} not proven (see the warnings)", counted(count, "link")),
        };
        if template_markup > 0 {
            let links = counted(template_markup, "link");
            let _ = write!(but, "; not read: {links} with template markup, unchanged");
        }
        terminal::summary(&format!(
            "verified in {:.2} s{}: {} with the expected target, all other bytes equal{removed}{but}\n",
            report.seconds,
            whose_rules(&plan.corpus),
            counted(compared - not_proven - template_markup, "link")
        ));
        // The run itself has told of the strings that still name old places.
        terminal::summary(&pages(&report));
    } else {
        terminal::print(differences(&report, SHOWN))?;
    }
    Ok(exit)
}

/// By whose rules the links of `corpus` were read, if its documents are sources: `, as rehref reads MkDocs`.
fn whose_rules(corpus: &Corpus) -> String {
    let projects = corpus.selection.projects.iter().copied();
    let read = corpus.selection.markdown.into_iter().chain(projects);
    let read = read.map(|it| if it.row().is_read { it } else { MarkdownDialect::GITHUB });
    let mut programs: Vec<&str> = read.map(|it| it.row().program).collect();
    programs.dedup();
    // A dialect of a program says more than the program.
    let all = programs.clone();
    programs.retain(|it| all.iter().all(|other| other == it || !other.starts_with(it)));
    if programs.is_empty() {
        String::new()
    } else {
        format!(", as rehref reads {}", programs.join(" and "))
    }
}

/// Returns the exit status for differences, and for what could not be compared.
pub(super) fn exit(report: &Report) -> Exit {
    let is_incomplete = !report.errors.is_empty() || !report.unproven.is_empty();
    Exit::of(is_incomplete, report.differences > 0)
}

/// Formats the first `limit` differences that `report` holds, and the number of all others.
pub(super) fn differences(report: &Report, limit: usize) -> String {
    let files = report.different.iter();
    let all = files.flat_map(|file| file.differences.iter().map(move |it| (file, it)));
    let shown: Vec<String> = all.take(limit).map(|(file, it)| lines_of(file, it)).collect();
    let more = report.differences.saturating_sub(shown.len());
    shown.concat() + &counted_line(more, "more difference", "not shown; verify --all prints all")
}

/// Formats the numbers of compared references and files of `corpus`.
pub(super) fn counts(report: &Report, corpus: &Corpus) -> String {
    let mut differences = match report.differences {
        0 if !report.errors.is_empty() => "no differences in the readable files".to_owned(),
        0 => "no differences".to_owned(),
        count => counted(count, "difference"),
    };
    if !report.unproven.is_empty() {
        let documents = counted(report.unproven.len(), "document");
        let _ = write!(differences, ", {documents} not proven (see above),");
    }
    let references = &report.references;
    let if_any = |count, name| if count > 0 { row(2, count, name) } else { String::new() };
    [
        format!("{differences} in {:.2} s{}\n", report.seconds, whose_rules(corpus)),
        row(0, references.compared, &format!("link{} compared", plural(references.compared))),
        row(2, references.unchanged, "unchanged"),
        row(2, references.respelled, "respelled, with the same target"),
        if_any(references.different, "different (see above)"),
        if_any(
            references.not_proven,
            "not proven: the target is unknown, and the base URL changed",
        ),
        if_any(references.template_markup, "with template markup, whose target is not known"),
        format!(
            "in {}, with {} and {}\n",
            counted(report.documents, "document"),
            counted(report.files, "other file"),
            counted(report.symlinks, "symbolic link"),
        ),
        pages(report),
    ]
    .concat()
}

/// Formats the number of pages that a browser compared.
fn pages(report: &Report) -> String {
    let Some(run) = &report.browser else { return String::new() };
    let different = number(run.different);
    let repaired = match run.repaired {
        0 => String::new(),
        count => format!("; repaired: {}", number(count)),
    };
    let more = if run.opened < run.of { " (--pages all opens every page)" } else { "" };
    let sandbox = if run.sandbox { "" } else { ", without its sandbox" };
    let (opened, of) = (number(run.opened), counted(run.of, "page"));
    format!(
        "{opened} of {of} opened in {}{more}{sandbox}; different: {different}{repaired}\n",
        run.browser
    )
}

/// `path:line:column: place: message`, both references with their targets, and the script or
/// document that asks for a file or fails.
fn lines_of(file: &FileDifferences, difference: &Difference) -> String {
    let Difference { place, message, .. } = difference;
    let heading = match (difference.position, difference.position_before) {
        (None, Some(position)) => {
            let path = file.path_before.as_ref().unwrap_or(&file.path);
            heading(path, Some(position), " (in the old tree)", place)
        }
        (position, _) => heading(&file.path, position, "", place),
    };
    let sides = [
        ("before", &difference.before, &difference.expected_target),
        ("after", &difference.after, &difference.target),
    ];
    let sides = sides.into_iter().filter_map(|(name, written, target)| {
        let written = written.as_ref()?;
        let target = target.as_ref().map(|target| format!(" -> {}", without_placeholder(target)));
        Some(format!("  {name:<7}`{written}`{}", target.unwrap_or_default()))
    });
    let source = difference.sources.first().map(|source| format!("  by     {source}"));
    let lines = std::iter::once(format!("{heading}: {message}")).chain(sides).chain(source);
    lines.map(|line| escaped(&line).into_owned() + "\n").collect()
}
