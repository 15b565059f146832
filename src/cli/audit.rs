//! `rehref audit`: what is broken in a site.

use std::cell::RefCell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::common::{self, OutputArguments, SelectionArguments, SitePlace};
use super::opened::{Opened, Said, archive_trouble, complain, with_archive};
use super::progress::{Listing, Progress};
use super::server::ServerArguments;
use super::site::{plan, rewrite};
use super::{CliError, Exit, engine, style, terminal};
use crate::audit::archive::audit_archive;
use crate::audit::checks::CHECKS;
use crate::audit::ignore::IgnoreRule;
use crate::audit::report::{self, Painter, Summary, TextOptions};
use crate::audit::tree::Tree;
use crate::audit::{
    Audit, Baseline, Check, Confidence, Finding, Fix, FragmentMode, Level, audit, explain,
};
use crate::document::encoding::sniff_charset;
use crate::output::replace_file;
use crate::rewrite::plan::Observer;
use crate::rewrite::{Mendings, Policy};
use crate::site::{Globs, SiteUrl};
use crate::url::Standard;

/// Find what is broken in a site
///
/// Reads every document of the tree at SITE and tells which references lead nowhere, which fragments
/// no element has, and what else is wrong with references, base URLs and ids. All of it is found on
/// disk: nothing is ever fetched.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site's root directory, or an archive (.warc, .warc.gz)
    #[arg(required_unless_present = "explain")]
    site: Option<PathBuf>,
    /// The URL that SITE is published at: absolute URLs into it are looked up, too [default: the
    /// root of a server whose name is not known]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// A further URL that means this site: another scheme, with or without www., an old host
    #[arg(long, value_name = "URL")]
    also: Vec<String>,
    #[arg(long, value_name = "NAME", default_value_t, value_parser = common::standard(), help = common::STANDARD_HELP)]
    standard: Standard,
    /// Say what CHECK means and how to mend what it finds, or list all checks; nothing else is done
    #[arg(long, value_name = "CHECK", num_args = 0..=1, value_parser = check(), conflicts_with = "site")]
    explain: Option<Option<Check>>,
    /// Say how much of SITE each HTML engine reads, and why; nothing else is done
    #[arg(long, hide = true)]
    explain_engine: bool,
    #[command(flatten)]
    findings: FindingArguments,
    #[command(flatten)]
    server: ServerArguments,
    #[command(flatten)]
    selection: SelectionArguments,
    #[command(flatten)]
    fix: FixArguments,
    #[command(flatten)]
    report: ReportArguments,
    /// Print no progress and notes, only errors and the report
    #[arg(short, long)]
    quiet: bool,
}

/// What is looked for, and what is let through.
#[derive(Debug, Args)]
#[command(next_help_heading = "Findings")]
struct FindingArguments {
    /// Which fragments (the part behind #) are broken where nothing in the target has that id
    #[arg(long, value_name = "MODE", default_value = "known")]
    fragments: Fragments,
    /// Report files that readers who enter at the files that match GLOB cannot get to by links (the
    /// check orphan); several may be given
    #[arg(long, value_name = "GLOB")]
    entry: Vec<String>,
    /// Leave out findings that meet all conditions of RULE: a check, path:GLOB for the document,
    /// target:GLOB, with spaces between, as in 'broken-target path:blog/** target:*.pdf'; several
    /// rules may be given
    #[arg(long, value_name = "RULE")]
    ignore: Vec<IgnoreRule>,
    /// Leave out findings below this level
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    level: LevelArgument,
    /// Leave out the findings that FILE accepts, even where their lines have moved since
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Make FILE, or write it anew, so that it accepts all findings there are now
    #[arg(long, requires = "baseline")]
    update_baseline: bool,
    /// End with status 1 where a finding of this level or above is reported
    #[arg(long, value_name = "LEVEL", default_value = "error")]
    fail_on: FailOn,
}

/// How findings are told.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
struct ReportArguments {
    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Show each finding by itself in the text report, not those of one cause together
    #[arg(long)]
    no_group: bool,
    /// When to use color
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: style::ColorChoice,
}

/// What is mended, and where the result goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fixing")]
struct FixArguments {
    /// Mend what has one possible answer, then report what is left: names in the wrong case and
    /// missing slashes; with =moved also targets that are there once under the same name elsewhere
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "sure")]
    fix: Option<FixChoice>,
    /// Write the whole tree to this directory: documents mended, everything else copied
    #[arg(short, long, value_name = "DIR", requires = "fix", conflicts_with_all = ["in_place", "dry_run", "diff"])]
    out: Option<PathBuf>,
    /// Write into an output directory that is not empty (files of the same name are replaced)
    #[arg(long, requires = "out")]
    force: bool,
    /// Mend SITE itself: documents that change are replaced, each in one step
    #[arg(long, requires = "fix", conflicts_with_all = ["dry_run", "diff"])]
    in_place: bool,
    /// Write nothing; list the documents that would change, in place of the report
    #[arg(long, requires = "fix", conflicts_with = "diff")]
    dry_run: bool,
    /// Write nothing; print a unified diff of what would change, in place of the report
    #[arg(long, requires = "fix")]
    diff: bool,
}

/// `--fix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FixChoice {
    /// Names in the wrong case, missing slashes
    Sure,
    /// The same, and what is there once under the same name elsewhere
    Moved,
}

/// `--fragments`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fragments {
    /// All but those that scripts are known to serve, which are counted in a note
    Known,
    /// All, whatever a script may make of them
    Strict,
    /// None: fragments are not looked at
    Off,
}

/// `--level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelArgument {
    Error,
    Warning,
    Note,
}

/// `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, by cause
    Text,
    /// One JSON object
    Json,
    /// A JSON object a finding, each on a line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML
    Junit,
    /// Annotations of GitHub Actions
    Github,
    /// A page for a browser
    Html,
}

/// Parses the id of a check; help lists them all.
fn check() -> impl TypedValueParser<Value = Check> {
    let ids = CHECKS.iter().map(|row| row.id);
    PossibleValuesParser::new(ids).try_map(|id| Check::named(&id).ok_or("no such check"))
}

impl From<Fragments> for FragmentMode {
    fn from(fragments: Fragments) -> FragmentMode {
        match fragments {
            Fragments::Known => FragmentMode::Known,
            Fragments::Strict => FragmentMode::Strict,
            Fragments::Off => FragmentMode::Off,
        }
    }
}

impl From<LevelArgument> for Level {
    fn from(level: LevelArgument) -> Level {
        match level {
            LevelArgument::Error => Level::Error,
            LevelArgument::Warning => Level::Warning,
            LevelArgument::Note => Level::Note,
        }
    }
}

impl FailOn {
    fn level(self) -> Option<Level> {
        match self {
            FailOn::Error => Some(Level::Error),
            FailOn::Warning => Some(Level::Warning),
            FailOn::Note => Some(Level::Note),
            FailOn::Never => None,
        }
    }
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    style::choose(arguments.report.color);
    if let Some(check) = arguments.explain {
        terminal::print(explanation(check).as_bytes()).map_err(terminal::stdout_error)?;
        return Ok(Exit::Done);
    }
    // clap asks for SITE.
    let site = arguments.site.clone().unwrap_or_default();
    if arguments.explain_engine {
        return engine::explain(&opening(&arguments, &site, true).open()?, arguments.quiet);
    }
    let Some(choice) = arguments.fix.fix else {
        return report(&arguments, look(&arguments, &site, arguments.quiet)?);
    };
    if arguments.selection.compressed {
        return Err(CliError::Usage(
            "--fix mends no compressed pages; leave out --compressed, and compress the pages anew"
                .to_owned(),
        ));
    }
    let output = output(&arguments);
    // Nothing is looked at where the result has no place.
    let place = SitePlace::of(&site)?;
    place.refuse(&[("--fix", true)])?;
    let mode = output.mode(&place)?;
    let written = arguments.fix.out.clone().unwrap_or_else(|| site.clone());
    let found = look(&arguments, &site, arguments.quiet)?;
    let plan = plan(
        (found.tree.root, found.tree.walk),
        found.site_url,
        mode,
        Policy::mend(mendings(choice, &found.findings)),
        arguments.standard,
        &arguments.selection,
    )?;
    let exit = rewrite(plan, &output, "as they were")?;
    if exit == Exit::Interrupted || output.dry_run || output.diff {
        return Ok(exit);
    }
    // The notes have been said.
    let left = report(&arguments, look(&arguments, &written, true)?)?;
    Ok(if exit == Exit::Error { exit } else { left })
}

/// What was found, and what it was found in.
struct Looked {
    tree: Tree,
    site_url: SiteUrl,
    findings: Vec<(Finding, Option<(String, Fix)>)>,
    summary: Summary,
    failed: bool,
    /// The baseline is to be written to this file.
    accepting: Option<PathBuf>,
}

fn opening<'a>(arguments: &'a Arguments, site: &'a Path, quiet: bool) -> Said<'a> {
    Said {
        site,
        url: arguments.url.as_deref(),
        also: &arguments.also,
        server: &arguments.server,
        selection: &arguments.selection,
        quiet,
    }
}

/// Audits `site`, and leaves out what is not wanted.
fn look(arguments: &Arguments, site: &Path, quiet: bool) -> Result<Looked, CliError> {
    let started = Instant::now();
    let opened = opening(arguments, site, quiet).open()?;
    let archives = opened.archives();
    let Opened {
        tree,
        index,
        mut failed,
    } = opened;
    let baseline = baseline(&arguments.findings)?;
    let entries = entries(&arguments.findings.entry, &tree)?;
    let progress = Progress::new(quiet, Listing::Nothing);
    progress.start(tree.len());
    let plan = Audit {
        tree: &tree,
        site: &index,
        is_published: arguments.url.is_some(),
        standard: arguments.standard,
        fragments: arguments.findings.fragments.into(),
        entries,
    };
    let audited = audit(&plan, || progress.progress());
    let mut audited = audited?;
    for path in archives {
        let found = with_archive(&tree, &path, arguments.standard, |source| {
            audit_archive(source, arguments.findings.fragments.into(), || {})
        });
        match found {
            Ok(found) => audited.add(found),
            Err(error) => {
                failed = true;
                archive_trouble(&path, error)?;
            }
        }
    }
    progress.finish();
    for (path, message) in &audited.failures {
        complain(path, message);
    }
    failed |= !audited.failures.is_empty();
    let (ignored, findings): (Vec<_>, Vec<_>) =
        audited.findings.into_iter().partition(|(finding, _)| {
            let mut rules = arguments.findings.ignore.iter();
            rules.any(|rule| rule.covers(finding))
        });
    let mut summary = Summary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        site: match SitePlace::of(site)? {
            SitePlace::Directory(_) => site.to_string_lossy().into_owned(),
            // The archive is among its documents' names.
            SitePlace::Archive(_) => match site.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => {
                    folder.to_string_lossy().into_owned()
                }
                _ => ".".to_owned(),
            },
        },
        url: arguments.url.clone(),
        documents: audited.documents,
        references: audited.references,
        external: audited.external,
        ignored: audited.ignored + ignored.len(),
        ..Summary::default()
    };
    let mut accepting = None;
    let findings = match baseline {
        None => findings,
        Some(Accepting::Now(path)) => {
            accepting = Some(path);
            findings
        }
        Some(Accepting::Already(baseline)) => {
            let all = findings.len();
            let new = baseline.new_ones(findings, |(finding, _)| finding);
            summary.baselined = all - new.len();
            new
        }
    };
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(Looked {
        tree,
        site_url: index.site_url,
        findings,
        summary,
        failed,
        accepting,
    })
}

/// Tells what was found.
fn report(arguments: &Arguments, looked: Looked) -> Result<Exit, CliError> {
    let findings = looked.findings.into_iter();
    let mut findings: Vec<Finding> = findings.map(|(finding, _)| finding).collect();
    let mut summary = looked.summary;
    if let Some(path) = &looked.accepting {
        write_baseline(path, &findings, arguments.quiet)?;
        summary.baselined = findings.len();
        findings.clear();
    }
    let least = Level::from(arguments.findings.level);
    findings.retain(|finding| finding.level >= least);
    let said = said(&arguments.report, &looked.tree.root, &summary, &findings);
    terminal::print(&said).map_err(terminal::stdout_error)?;
    let worst = findings.iter().map(|finding| finding.level).max();
    Ok(if looked.failed {
        Exit::Error
    } else if let (Some(worst), Some(limit)) = (worst, arguments.findings.fail_on.level())
        && worst >= limit
    {
        Exit::Findings
    } else {
        Exit::Done
    })
}

fn output(arguments: &Arguments) -> OutputArguments {
    let fix = &arguments.fix;
    OutputArguments {
        out: fix.out.clone(),
        force: fix.force,
        in_place: fix.in_place,
        dry_run: fix.dry_run,
        diff: fix.diff,
        verify: false,
        report: None,
        quiet: arguments.quiet,
        color: arguments.report.color,
    }
}

/// What the user wants mended of what can be.
fn mendings(choice: FixChoice, findings: &[(Finding, Option<(String, Fix)>)]) -> Mendings {
    let fixes = findings.iter().filter_map(|(_, fix)| fix.as_ref());
    let wanted = fixes.filter(|(_, fix)| match fix.repair {
        Confidence::Certain => true,
        Confidence::Moved => choice == FixChoice::Moved,
        Confidence::Guess => false,
    });
    Mendings::new(wanted.map(|(document, fix)| (document.clone(), fix.at, fix.mending.clone())))
}

/// The files that readers enter the site by, if they were named.
fn entries(globs: &[String], tree: &Tree) -> Result<Option<Globs>, CliError> {
    if globs.is_empty() {
        return Ok(None);
    }
    let entries = Globs::new(globs);
    let entries = entries.map_err(|error| CliError::Usage(format!("--entry {error}")))?;
    // All files would be orphans.
    if !tree.files().any(|path| entries.is_match(path)) {
        let message = format!("--entry {}: no file of SITE matches", globs.join(", "));
        return Err(CliError::Usage(message));
    }
    Ok(Some(entries))
}

/// A baseline, and what is done with it.
enum Accepting {
    /// It is to be written to this file.
    Now(PathBuf),
    /// It was written before.
    Already(Baseline),
}

fn baseline(arguments: &FindingArguments) -> Result<Option<Accepting>, CliError> {
    let Some(path) = &arguments.baseline else {
        return Ok(None);
    };
    if arguments.update_baseline {
        return Ok(Some(Accepting::Now(path.clone())));
    }
    let what = format!("--baseline {}", path.display());
    let json = fs::read(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => CliError::Usage(format!(
            "{what}: no such file; make it with --update-baseline"
        )),
        _ => CliError::Io {
            what: what.clone(),
            source,
        },
    })?;
    let baseline = Baseline::parse(&json);
    baseline
        .map(|baseline| Some(Accepting::Already(baseline)))
        .map_err(|error| CliError::Usage(format!("{what}: {error}")))
}

fn write_baseline(path: &Path, findings: &[Finding], quiet: bool) -> Result<(), CliError> {
    // Made with the permissions that the user's files have, then replaced in one step.
    let made = fs::OpenOptions::new().create(true).append(true).open(path);
    made.map_err(|source| CliError::Io {
        what: path.display().to_string(),
        source,
    })?;
    replace_file(path, &Baseline::of(findings).to_json()).map_err(CliError::Write)?;
    if !quiet {
        let line = format!("{} accepted in {}", findings.len(), path.display());
        terminal::say(&style::note("note:"), &line);
    }
    Ok(())
}

/// How wide lines are where there is no terminal.
const WIDE: usize = 160;

fn said(
    arguments: &ReportArguments,
    root: &Path,
    summary: &Summary,
    findings: &[Finding],
) -> Vec<u8> {
    match arguments.format {
        Format::Json => report::json(summary, findings),
        Format::Jsonl => report::jsonl(findings),
        Format::Sarif => report::sarif(summary, findings, &|check| Some(explain(check).to_owned())),
        Format::Junit => report::junit(summary, findings),
        Format::Github => report::github(summary, findings),
        Format::Html => report::html(summary, findings),
        Format::Text => {
            let sources = Sources {
                root,
                latest: RefCell::default(),
            };
            let width = match io::stdout().is_terminal() {
                true => terminal_size::terminal_size().map(|(width, _)| width.0.into()),
                false => None,
            };
            let options = TextOptions {
                group: !arguments.no_group,
                painter: match style::colors_stdout() {
                    true => Painter::Ansi,
                    false => Painter::Plain,
                },
                width: width.unwrap_or(WIDE),
                source: &|document, line| sources.line(document, line),
            };
            report::text(summary, findings, &options)
        }
    }
}

/// Lines of documents; the latest document is kept.
struct Sources<'r> {
    root: &'r Path,
    latest: RefCell<(String, Vec<String>)>,
}

impl Sources<'_> {
    fn line(&self, document: &str, line: usize) -> Option<String> {
        let mut latest = self.latest.borrow_mut();
        if latest.0 != document {
            let bytes = fs::read(self.root.join(document)).ok()?;
            let charset = sniff_charset(&bytes, None);
            let (text, _, _) = charset.encoding.decode(&bytes);
            let lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
            *latest = (document.to_owned(), lines.map(str::to_owned).collect());
        }
        latest.1.get(line.checked_sub(1)?).cloned()
    }
}

/// The page on a check, or the list of all.
fn explanation(check: Option<Check>) -> String {
    if let Some(check) = check {
        return explain(check).to_owned();
    }
    let width = CHECKS.iter().map(|row| row.id.len()).max().unwrap_or(0);
    let rows = CHECKS.iter().map(|row| {
        let level = match row.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        let how = match row.by_default {
            true => "",
            false => " (with --entry)",
        };
        format!("{:width$}  {level:7}  {}{how}\n", row.id, row.summary)
    });
    rows.collect()
}
