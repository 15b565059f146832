//! `rehref verify`: prove that a rewriting kept every link and every other byte.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::arguments::{AliasArguments, ConsoleArguments, ReportFormat, SiteArguments};
use super::common::SitePlace;
use super::exit::{CliError, Exit};
use super::moving::{Requests, plan_moves};
use super::progress::{Listing, Progress};
use super::{interrupt, summary, terminal};
use crate::corpus::Selection;
use crate::document::ParseOptions;
use crate::moves::Moves;
use crate::plural::{counted, number};
use crate::rewrite::Plan;
use crate::site::{self, FileIndex, PLACEHOLDER_URL, SiteUrl, SiteUrlError};
use crate::url::Standard;
use crate::verify::report::FileDifferences;
use crate::verify::site::{Files, SiteMap};
use crate::verify::tree::Side;
use crate::verify::{Difference, DifferenceKind, Report, TreePlan, verify_tree};

/// Prove that a rewriting kept every link and every other byte
///
/// Compares each document of BEFORE with its counterpart in AFTER, reference by reference: it must
/// stand in the same place and lead to the same URL, however it is written. All other bytes must be
/// equal, and so must all other files. Only BASE elements may come, go and change, since what they
/// do shows in the references.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site's root directory as it was, or an archive
    before: PathBuf,
    /// The site's root directory as it is now, or an archive
    after: PathBuf,
    /// What moved: one OLD, a tab and NEW a line, as for move
    #[arg(long, value_name = "FILE")]
    map: Vec<PathBuf>,
    /// Take targets for the same that the same file serves: a/ and a/index.html, a and a.html
    #[arg(long)]
    same_file: bool,
    /// The URL that AFTER is published at [default: that of BEFORE]
    #[arg(long, value_name = "URL", requires = "url")]
    new_url: Option<String>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// What is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArguments {
    /// Show all differences, not only the first 50
    #[arg(long)]
    all: bool,
    /// Print a report on stdout in place of the differences and counts; it has all differences
    #[arg(long, value_name = "FORMAT")]
    report: Option<ReportFormat>,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// How many differences are shown.
const SHOWN: usize = 50;

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let output = &arguments.output;
    output.console.apply();
    let places = [&arguments.before, &arguments.after].map(|site| SitePlace::of(site));
    let [before_place, after_place] = places;
    let (before_place, after_place) = (before_place?, after_place?);
    let file_after = match (&before_place, &after_place) {
        (SitePlace::Directory(_), SitePlace::Directory(_)) => None,
        (SitePlace::Archive(_), SitePlace::Archive(path)) => path.file_name().map(Path::new),
        _ => {
            return Err(CliError::Usage(
                "one is a directory, the other an archive; give two of a kind".to_owned(),
            ));
        }
    };
    let (before, after) = (before_place.root(), after_place.root());
    let site_url = site_url(
        "--url",
        arguments.site.url.as_deref().unwrap_or(PLACEHOLDER_URL),
    )?;
    let new_site_url = match &arguments.new_url {
        Some(url) => self::site_url("--new-url", url)?,
        None => site_url.clone(),
    };
    let mut requests = Requests::default();
    requests.add_maps(&arguments.map)?;
    let requests = requests.all()?;
    let (walk, new_walk) = (before_place.walk(), after_place.walk());
    let moves = plan_moves(&walk, &requests, false)?;
    let selection = arguments.site.selection.selection()?;
    let report = Comparison {
        before: Side {
            root: &before,
            site_url: &site_url,
            walk: &walk,
        },
        after: Side {
            root: &after,
            site_url: &new_site_url,
            walk: &new_walk,
        },
        also: &arguments.aliases.site_urls()?,
        moves: &moves,
        same_file: arguments.same_file || !moves.is_empty(),
        selection: &selection,
        standard: arguments.site.standard,
        options: arguments.site.selection.options(),
        may_be_extra: false,
        limit: match output.report.is_some() || output.all {
            true => usize::MAX,
            false => SHOWN,
        },
        threads: arguments.site.selection.threads(),
        cancel: &*interrupt::flag()?,
        file_after,
    }
    .report()?;
    let text = match output.report {
        Some(ReportFormat::Json) => json(&report)?,
        None => text(&report, terminal::is_quiet()),
    };
    terminal::print(text)?;
    if arguments.site.url.is_none() && leads_elsewhere(&report) {
        terminal::note(
            "no --url: if a tree has absolute links to the site itself, give its URL with --url",
        );
    }
    Ok(if !report.errors.is_empty() {
        Exit::Error
    } else if report.differences > 0 {
        Exit::Findings
    } else {
        Exit::Done
    })
}

/// Verifies the tree at `written`, which `plan` has just been run for; says on stdout what differs.
/// Whether all is well.
pub(super) fn of_run(plan: &Plan, written: &Path, may_be_extra: bool) -> Result<bool, CliError> {
    let walk = site::walk(written);
    let after = Side {
        root: written,
        site_url: &plan.new_site_url,
        walk: &walk,
    };
    let mapping = plan.policy.mapping();
    let comparison = Comparison {
        same_file: !plan.moves.is_empty()
            || mapping.is_some_and(|mapping| !mapping.pretty.is_plain()),
        may_be_extra,
        ..comparison(plan, after)
    };
    tell(&comparison.report()?)
}

/// The same for an archive that was written to the file `written`.
pub(super) fn of_archive(plan: &Plan, written: &Path) -> Result<bool, CliError> {
    let name = Path::new(written.file_name().unwrap_or_default());
    let walk = site::FileTree {
        entries: vec![site::Entry {
            path: name.to_owned(),
            kind: site::EntryKind::File,
        }],
        errors: Vec::new(),
    };
    let after = Side {
        root: written.parent().unwrap_or(written),
        site_url: &plan.site_url,
        walk: &walk,
    };
    let comparison = Comparison {
        file_after: Some(name),
        ..comparison(plan, after)
    };
    tell(&comparison.report()?)
}

/// What `plan` was made for against what it was written to.
fn comparison<'a>(plan: &'a Plan, after: Side<'a>) -> Comparison<'a> {
    let mapping = plan.policy.mapping();
    Comparison {
        before: Side {
            root: &plan.root,
            site_url: &plan.site_url,
            walk: &plan.walk,
        },
        after,
        also: mapping.map_or(&[], |mapping| &mapping.also),
        moves: &plan.moves,
        same_file: false,
        selection: &plan.selection,
        standard: plan.standard,
        options: plan.options,
        may_be_extra: false,
        limit: SHOWN,
        threads: plan.threads,
        cancel: &plan.cancel,
        file_after: None,
    }
}

/// Says what a verification found; whether all is well.
fn tell(report: &Report) -> Result<bool, CliError> {
    if report.differences == 0 && report.errors.is_empty() {
        terminal::summary(&format!(
            "verified in {:.2} s: {} lead where they should, all other bytes are equal\n",
            report.seconds,
            counted(report.references.compared, "reference")
        ));
        return Ok(true);
    }
    terminal::print(text(report, true))?;
    Ok(false)
}

/// Two trees to be compared, and how.
struct Comparison<'c> {
    before: Side<'c>,
    after: Side<'c>,
    /// Further URLs that mean BEFORE.
    also: &'c [SiteUrl],
    moves: &'c Moves,
    /// Whether targets are the same that the same file serves.
    same_file: bool,
    selection: &'c Selection,
    standard: Standard,
    options: ParseOptions,
    /// Whether AFTER may have files that BEFORE has not.
    may_be_extra: bool,
    limit: usize,
    threads: usize,
    cancel: &'c AtomicBool,
    /// What the only file is called in AFTER, where both are single files.
    file_after: Option<&'c Path>,
}

impl Comparison<'_> {
    /// What differs; says what could not be compared.
    fn report(&self) -> Result<Report, CliError> {
        let index = |side: &Side<'_>| FileIndex::new(side.root, &side.walk.entries);
        let site = SiteMap {
            before: self.before.site_url,
            also: self.also,
            after: self.after.site_url,
            files: self
                .same_file
                .then(|| Files::new(index(&self.before), index(&self.after), self.moves)),
        };
        let plan = TreePlan {
            before: self.before,
            after: self.after,
            standard: self.standard,
            options: self.options,
            kind: &|path| self.selection.document_kind(self.before.root, path),
            selection: self.selection,
            counterpart: &|path| match self.file_after {
                Some(name) => name.to_owned(),
                None => self.moves.counterpart(path),
            },
            follow: &|target| site.follow(target),
            same: &|expected, found| site.is_same(expected, found),
            may_be_extra: &|_| self.may_be_extra,
            limit: self.limit,
            threads: self.threads,
            cancel: self.cancel,
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

fn site_url(option: &'static str, url: &str) -> Result<SiteUrl, CliError> {
    let named = |error: SiteUrlError| CliError::Usage(format!("{option}: {error}"));
    let (site_url, note) = SiteUrl::parse(url).map_err(named)?;
    if let Some(note) = note {
        terminal::note(note.to_string().replacen("--url", option, 1));
    }
    Ok(site_url)
}

fn leads_elsewhere(report: &Report) -> bool {
    let differences = report.different.iter().flat_map(|file| &file.differences);
    differences
        .into_iter()
        .any(|difference| difference.kind == DifferenceKind::Target)
}

fn json(report: &Report) -> Result<String, CliError> {
    let json = serde_json::to_string_pretty(report);
    json.map(|json| json + "\n")
        .map_err(|error| CliError::stdout(error.into()))
}

fn text(report: &Report, quiet: bool) -> String {
    let mut text = String::new();
    let mut told = 0;
    for file in &report.different {
        for difference in &file.differences {
            told += 1;
            push_difference(&mut text, file, difference);
        }
    }
    if let Some(more) = report.differences.checked_sub(told).filter(|&n| n > 0) {
        let _ = writeln!(text, "and {} more; --all shows them", number(more));
    }
    if quiet {
        return text;
    }
    let references = &report.references;
    let _ = writeln!(
        text,
        "{} in {:.2} s",
        match report.differences {
            0 => "no differences".to_owned(),
            count => counted(count, "difference"),
        },
        report.seconds
    );
    for (count, indent, name) in [
        (references.compared, 0, "references compared"),
        (references.unchanged, 2, "written as before"),
        (references.respelled, 2, "written in another way"),
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

/// Adds what differs: `path:line:column: place: what`, and the references with their targets.
fn push_difference(text: &mut String, file: &FileDifferences, difference: &Difference) {
    let mut line = file.path.clone();
    if let Some(position) = difference.position {
        let _ = write!(line, ":{}:{}", position.line, position.column);
    } else if let Some(position) = difference.position_before {
        if let Some(before) = &file.path_before {
            line.clone_from(before);
        }
        let _ = write!(line, ":{}:{} (in BEFORE)", position.line, position.column);
    }
    if !difference.place.is_empty() {
        let _ = write!(line, ": {}", difference.place);
    }
    let _ = write!(line, ": {}", difference.message);
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
