//! `rehref verify`: prove that a rewriting kept every link and every other byte.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::common::{self, ReportFormat, SelectionArguments};
use super::moving::{Requests, plan_moves};
use super::{CliError, Exit, interrupt, style, terminal};
use crate::rewrite::Plan;
use crate::rewrite::verify::report::FileDifferences;
use crate::rewrite::verify::site::{Files, SiteMap};
use crate::rewrite::verify::tree::{Observer, Side};
use crate::rewrite::verify::{Difference, DifferenceKind, Report, TreePlan, verify_tree};
use crate::site::{self, FileIndex, Location, LocationError, PLACEHOLDER};
use crate::url::Standard;

/// Prove that a rewriting kept every link and every other byte
///
/// Compares each document of BEFORE with its counterpart in AFTER, reference by reference: it must
/// stand in the same place and lead to the same URL, however it is written. All other bytes must be
/// equal, and so must all other files. Only BASE elements may come, go and change, since what they
/// do shows in the references.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site's root directory as it was
    before: PathBuf,
    /// The site's root directory as it is now
    after: PathBuf,
    /// What moved: one OLD, a tab and NEW a line, as for move
    #[arg(long, value_name = "FILE")]
    map: Vec<PathBuf>,
    /// Take targets for the same that the same file serves: a/ and a/index.html, a and a.html
    #[arg(long)]
    same_file: bool,
    /// The URL that BEFORE is published at [default: one that stands for both directories]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The URL that AFTER is published at [default: that of BEFORE]
    #[arg(long, value_name = "URL", requires = "url")]
    new_url: Option<String>,
    /// A URL that means the site too: links below it lead to the same file
    #[arg(long, value_name = "URL")]
    also: Vec<String>,
    #[arg(long, value_name = "NAME", default_value_t, value_parser = common::standard(), help = common::STANDARD_HELP)]
    standard: Standard,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    selection: SelectionArguments,
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
    /// Print no progress, notes and counts, only differences and errors
    #[arg(short, long)]
    quiet: bool,
    /// When to use color
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: style::ColorChoice,
}

/// How many differences are shown.
const SHOWN: usize = 50;

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let output = &arguments.output;
    style::choose(output.color);
    let before = common::site_root(&arguments.before)?;
    let after = common::site_root(&arguments.after)?;
    let location = location(
        "--url",
        arguments.url.as_deref().unwrap_or(PLACEHOLDER),
        output.quiet,
    )?;
    let new_location = match &arguments.new_url {
        Some(url) => self::location("--new-url", url, output.quiet)?,
        None => location.clone(),
    };
    let walk = site::walk(&before);
    let mut requests = Requests::default();
    requests.add_maps(&arguments.map)?;
    let requests = requests.all()?;
    let moves = plan_moves(&walk, &requests, false)?;
    let also = common::also(&arguments.also)?;
    let compares_files = arguments.same_file || !moves.is_empty();
    let site = SiteMap {
        before: &location,
        also: &also,
        after: &new_location,
        files: compares_files.then(|| {
            let new = site::walk(&after);
            Files::new(
                FileIndex::new(&before, &walk.entries),
                FileIndex::new(&after, &new.entries),
                &moves,
            )
        }),
    };
    let selection = arguments.selection.selection()?;
    let cancel = interrupt::flag()?;
    let plan = TreePlan {
        before: Side {
            root: &before,
            location: &location,
        },
        after: Side {
            root: &after,
            location: &new_location,
        },
        standard: arguments.standard,
        options: arguments.selection.options(),
        kind: &|path| selection.document_kind(&before, path),
        counterpart: &|path| moves.counterpart(path),
        follow: &|target| site.follow(target),
        same: &|expected, found| site.is_same(expected, found),
        may_be_extra: &|_| false,
        limit: match output.report.is_some() || output.all {
            true => usize::MAX,
            false => SHOWN,
        },
        threads: arguments.selection.threads(),
        cancel: &cancel,
    };
    let progress = Bar::new(output.quiet);
    let report = verify_tree(&plan, &progress);
    progress.0.finish_and_clear();
    let report = report?;
    for error in &report.errors {
        let line = format!("{}: {}", error.path, error.message);
        terminal::say(&style::error("error:"), &line);
    }
    let text = match output.report {
        Some(ReportFormat::Json) => json(&report)?,
        None => text(&report, output.quiet),
    };
    terminal::print(text.as_bytes()).map_err(terminal::stdout_error)?;
    if arguments.url.is_none() && !output.quiet && leads_elsewhere(&report) {
        terminal::say(
            &style::note("note:"),
            "no --url given; where one of the trees has absolute links to the site, give its URL",
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
pub(super) fn of_run(
    plan: &Plan,
    written: &std::path::Path,
    quiet: bool,
    may_be_extra: bool,
) -> Result<bool, CliError> {
    let known = plan.policy.targets.site();
    let compares_files =
        !plan.moves.is_empty() || known.is_some_and(|known| !known.pretty.is_plain());
    let site = SiteMap {
        before: &plan.location,
        also: known.map_or(&[], |known| &known.also),
        after: &plan.new_location,
        files: compares_files.then(|| {
            Files::new(
                FileIndex::new(&plan.root, &plan.walk.entries),
                FileIndex::new(written, &site::walk(written).entries),
                &plan.moves,
            )
        }),
    };
    let verification = TreePlan {
        before: Side {
            root: &plan.root,
            location: &plan.location,
        },
        after: Side {
            root: written,
            location: &plan.new_location,
        },
        standard: plan.standard,
        options: plan.options,
        kind: &|path| plan.selection.document_kind(&plan.root, path),
        counterpart: &|path| plan.moves.counterpart(path),
        follow: &|target| site.follow(target),
        same: &|expected, found| site.is_same(expected, found),
        may_be_extra: &|_| may_be_extra,
        limit: SHOWN,
        threads: plan.threads,
        cancel: &plan.cancel,
    };
    let progress = Bar::new(quiet);
    let report = verify_tree(&verification, &progress);
    progress.0.finish_and_clear();
    let report = report?;
    for error in &report.errors {
        let line = format!("{}: {}", error.path, error.message);
        terminal::say(&style::error("error:"), &line);
    }
    if report.differences == 0 && report.errors.is_empty() {
        if !quiet {
            let line = format!(
                "verified in {:.2} s: {} references lead where they should, all other bytes are \
                 equal\n",
                report.seconds, report.references.compared
            );
            terminal::say_as_it_is(&line);
        }
        return Ok(true);
    }
    terminal::print(text(&report, true).as_bytes()).map_err(terminal::stdout_error)?;
    Ok(false)
}

fn location(option: &'static str, url: &str, quiet: bool) -> Result<Location, CliError> {
    let named = |error: LocationError| CliError::Usage(format!("{option}: {error}"));
    let (location, note) = Location::published_at(url).map_err(named)?;
    if let Some(note) = note.filter(|_| !quiet) {
        let text = note.to_string().replacen("--url", option, 1);
        terminal::say(&style::note("note:"), &text);
    }
    Ok(location)
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
        .map_err(|error| terminal::stdout_error(error.into()))
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
        let _ = writeln!(text, "and {more} more; --all shows them");
    }
    if quiet {
        return text;
    }
    let references = &report.references;
    let counted = |count: usize, noun: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {noun}{plural}")
    };
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
        let _ = writeln!(text, "{count:>9} {:indent$}{name}", "");
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

/// A progress bar on stderr.
struct Bar(ProgressBar);

impl Bar {
    fn new(quiet: bool) -> Bar {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        if let Ok(template) = ProgressStyle::with_template("{bar:40} {pos}/{len} files {eta}") {
            bar.set_style(template);
        }
        Bar(bar)
    }
}

impl Observer for Bar {
    fn start(&self, files: usize) {
        self.0.set_length(u64::try_from(files).unwrap_or(u64::MAX));
    }

    fn progress(&self) {
        self.0.inc(1);
    }
}
