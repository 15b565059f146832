//! The arguments of `audit`.

use std::path::PathBuf;

use clap::Args;

use super::level::{CheckLevel, LEVELS, Limit};
use crate::cli::exit::{CliError, usage_error};
use crate::cli::explain::selections;
use crate::cli::opened::ReadingArguments;
use crate::cli::output::DestinationArguments;
use crate::cli::place;
use crate::cli::reports::{Requested, formats};
use crate::cli::values::{Choice, PARQUET_HELP, one_of};
use rehref_audit::ignore::IgnoreRule;
use rehref_audit::report::SourceUrl;
use rehref_audit::{Check, Confidence, Finding, FragmentMode};
use rehref_site::Severity;

/// Find broken links and other mistakes in a site
///
/// Reads every document of SITE, and reports links whose target does not exist, fragments that match no id in the
/// target, and other mistakes in links, base URLs and ids. Reads only files on disk, and fetches nothing.
#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[arg(value_name = "SITE", help = place::help(""))]
    pub(in crate::cli) place: PathBuf,
    /// Build the site from its sources in SITE with COMMAND, and audit the result: 'mkdocs build -q -d {out}'
    ///
    /// rehref runs COMMAND in the working directory, as your shell does, with an empty temporary directory in place of
    /// {out}, and reports findings at the lines of SITE. The audit checks the built pages, so it finds more than in the sources alone, and reports only links that are broken in the built site. rehref reads COMMAND only from the command line, never from a file.
    #[arg(long, value_name = "COMMAND", help_heading = "Report")]
    pub(in crate::cli) build: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) report: ReportArguments,
    #[command(flatten)]
    pub(in crate::cli) choice: ChoiceArguments,
    #[command(flatten)]
    pub(in crate::cli) findings: FindingArguments,
    #[command(flatten)]
    pub(in crate::cli) fix: FixArguments,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingArguments,
}

/// Selects what the audit looks for.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Findings")]
pub(in crate::cli) struct ChoiceArguments {
    /// Kinds of fragments (after #) to report if no element in the target has the fragment as its id
    #[arg(long, value_name = "MODE", default_value = "known", value_parser = one_of(FRAGMENTS))]
    pub(in crate::cli) fragments: FragmentMode,
    /// Report files that no chain of links from matching files reaches (check orphan); repeatable
    #[arg(long, value_name = "GLOB")]
    pub(in crate::cli) entry: Vec<String>,
    /// Ignore findings in elements with the attribute NAME (data-rehref-ignore always works); repeatable
    ///
    /// For the marks of other tools, such as data-proofer-ignore. The value of the attribute has no meaning.
    #[arg(long, value_name = "NAME", value_parser = attribute_name)]
    pub(in crate::cli) ignore_attribute: Vec<String>,
}

/// Selects the findings to report, and those of them that fail the run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Findings")]
pub(in crate::cli) struct FindingArguments {
    /// Ignore findings that meet all conditions of RULE, like 'broken-target path:blog/**'; repeatable
    ///
    /// A condition is a check, element:NAME, attribute:NAME, path:GLOB (the document) or target:GLOB (the link or its target, as the report prints them: /imprint, imprint or https://example.org/imprint, with #fragment and ?query or without); separate
    /// conditions with spaces: 'broken-target path:blog/** target:*.pdf'.
    #[arg(long, value_name = "RULE")]
    pub(in crate::cli) ignore: Vec<IgnoreRule>,
    /// Run only these checks, separated by commas; rehref explain lists them
    ///
    /// broken: all links whose target does not exist, whatever the reason (broken-target,broken-fragment). A missing
    /// target that a disabled check would explain (wrong-case, scheme-lookalike) is reported as broken-target.
    #[arg(long, aliases = ["select", "rule", "checks"], value_name = "CHECK", value_delimiter = ',', value_parser = one_of(selections()),
        hide_possible_values = true)]
    only: Vec<&'static [Check]>,
    /// Report the findings of CHECK as LEVEL: error, warning, note, or off to disable the check
    #[arg(long, value_name = "CHECK=LEVEL", value_delimiter = ',')]
    pub(in crate::cli) level: Vec<CheckLevel>,
    /// Report only findings of this level or above
    #[arg(long, aliases = ["severity", "min-severity"], value_name = "LEVEL", default_value = "note", value_parser = one_of(LEVELS))]
    pub(in crate::cli) min_level: Limit,
    /// Ignore findings that FILE lists, even if their lines have moved
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) baseline: Option<PathBuf>,
    /// Write all current findings to the --baseline file; entries for documents and checks that other options exclude stay
    #[arg(long, requires = "baseline", conflicts_with = "only")]
    pub(in crate::cli) update_baseline: bool,
    /// Exit with status 1 if there is a finding of this level or above
    ///
    /// Findings that --min-level hides also count. stale: exit with status 1 also if the baseline lists findings
    /// that no longer exist. Separate several levels with commas: error,stale.
    #[arg(long, value_name = "LEVEL", default_value = "error", value_delimiter = ',',
        value_parser = one_of(FAILURES))]
    pub(in crate::cli) fail_on: Vec<Failure>,
}

/// The format and the grouping of the report.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub(in crate::cli) struct ReportArguments {
    /// Format of the report, on stdout or in FILE; repeatable
    ///
    /// If no report goes to stdout, rehref prints the text report there: --format sarif=audit.sarif writes a file and prints
    /// text.
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(FORMATS))]
    pub(in crate::cli) format: Vec<Requested<Format>>,
    /// List every finding in the text report, instead of grouping findings by cause
    ///
    /// github, markdown and html always group findings; json, jsonl, parquet, sarif, junit and gitlab always list
    /// every finding.
    #[arg(long)]
    pub(in crate::cli) no_group: bool,
    /// Report findings in the source files in DIR, where the source line is unambiguous
    ///
    /// The audit looks for the link of a finding in the Markdown, reStructuredText, AsciiDoc and other text files of
    /// DIR, and compares the file name, the fragment and the text around the link. If the link is in no file or in
    /// several files, the report shows the built page.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) sources: Option<PathBuf>,
    /// Link each place in the HTML report to its source; rehref fills in {path} and {line}
    ///
    /// Example: https://github.com/me/site/blob/main/public/{path}#L{line}. With --sources, {path} is the path of a
    /// file in DIR, relative to the working directory.
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) source_url: Option<SourceUrl>,
    /// The directories of DIR that the site has elsewhere, with their paths there.
    #[arg(skip)]
    pub(in crate::cli) published: Vec<(String, String)>,
}

/// The findings to fix, and the destination of the fixed site.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fixing", mut_group("DestinationArguments", |group| group.requires("fix")))]
pub(in crate::cli) struct FixArguments {
    /// Fix findings that have exactly one correction, then report the rest
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "sure", value_parser = one_of(FIXES))]
    pub(in crate::cli) fix: Option<Confidence>,
    #[command(flatten)]
    pub(in crate::cli) destination: DestinationArguments,
}

/// `--fix`; less certain fixes than the given ones are not applied.
#[rustfmt::skip]
const FIXES: [Choice<Confidence>; 2] = [
    ("sure", "Wrong letter case, missing slashes, and characters that must be escaped, such as spaces", Confidence::Certain),
    ("moved", "Also fix links to a missing file or id, if exactly one other file has the id, or the name and most of the directories", Confidence::Moved),
];

/// `--fragments`.
#[rustfmt::skip]
const FRAGMENTS: [Choice<FragmentMode>; 3] = [
    ("known", "All except fragments that known scripts handle; one note per kind counts the exceptions", FragmentMode::Known),
    ("strict", "All fragments", FragmentMode::Strict),
    ("off", "No fragments", FragmentMode::Off),
];

/// The reasons for a run to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Failure {
    /// Findings of this severity or above; `None` for none.
    Findings(Option<Severity>),
    /// Findings of the baseline that are gone.
    Stale,
}

/// `--fail-on`.
#[rustfmt::skip]
const FAILURES: [Choice<Failure>; 5] = [
    ("error", "", Failure::Findings(Some(Severity::Error))),
    ("warning", "", Failure::Findings(Some(Severity::Warning))),
    ("note", "", Failure::Findings(Some(Severity::Note))),
    ("never", "", Failure::Findings(None)),
    ("stale", "", Failure::Stale),
];

impl FindingArguments {
    /// Refuses values of `--fail-on` that can never fail a run.
    pub(in crate::cli) fn refuse_contradictions(&self) -> Result<(), CliError> {
        let is_never = |it: &Failure| *it == Failure::Findings(None);
        let is_level = |it: &Failure| matches!(it, Failure::Findings(Some(_)));
        if self.fail_on.iter().any(is_never) && self.fail_on.iter().any(is_level) {
            return usage_error(
                "--fail-on never cannot be combined with other levels\nhelp: remove it, or pass only never",
            );
        }
        if self.fails_on_stale() && self.baseline.is_none() {
            usage_error(
                "--fail-on stale needs --baseline FILE: only entries of a baseline can be stale",
            )
        } else {
            Ok(())
        }
    }

    /// Returns the lowest severity that makes the run fail: the last one given, or errors.
    pub(in crate::cli) fn fails_on(&self) -> Option<Severity> {
        let severities = self.fail_on.iter().rev().find_map(|it| match it {
            Failure::Findings(severity) => Some(*severity),
            Failure::Stale => None,
        });
        severities.unwrap_or(Some(Severity::Error))
    }

    /// Returns true if findings of the baseline that are gone make the run fail.
    pub(in crate::cli) fn fails_on_stale(&self) -> bool {
        self.fail_on.contains(&Failure::Stale)
    }

    /// Returns true if only some checks run.
    pub(in crate::cli) fn has_only(&self) -> bool {
        !self.only.is_empty()
    }

    /// Returns true if `check` runs.
    pub(in crate::cli) fn runs(&self, check: Check) -> bool {
        let level = self.level.iter().rev().find(|level| level.check == check);
        (self.only.is_empty() || self.names(check))
            && level.is_none_or(|level| level.severity.is_some())
    }

    /// Returns true if all findings of `check` are ignored.
    pub(in crate::cli) fn ignores(&self, check: Check) -> bool {
        self.ignore.iter().any(|rule| rule.covers_all_of(check))
    }

    /// `finding`, if its check runs. A finding about a missing target is one of broken-target where its own check is
    /// disabled.
    pub(in crate::cli) fn selected(&self, finding: Finding) -> Option<Finding> {
        let runs = |check| self.runs(check) && !self.ignores(check);
        let is_hidden = finding.explains_missing() && !runs(finding.check);
        if is_hidden && runs(Check::BrokenTarget) {
            return Some(finding.as_check(Check::BrokenTarget));
        }
        self.runs(finding.check).then_some(finding)
    }

    /// Returns true if `--only` names `check`.
    pub(in crate::cli) fn names(&self, check: Check) -> bool {
        self.only.iter().any(|it| it.contains(&check))
    }

    /// Returns the severity that `--level` gives the findings of `check`.
    pub(in crate::cli) fn severity(&self, check: Check) -> Option<Severity> {
        let level = self.level.iter().rev().find(|level| level.check == check);
        level.and_then(|level| level.severity)
    }
}

/// A format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Format {
    Text,
    Json,
    JsonLines,
    Parquet,
    Sarif,
    Junit,
    Github,
    Gitlab,
    Markdown,
    Html,
}

/// `--format`; the first is the default.
#[rustfmt::skip]
pub(in crate::cli) const FORMATS: [Choice<Format>; 10] = [
    ("text", "Text, grouped by cause", Format::Text),
    ("json", "One JSON object", Format::Json),
    ("jsonl", "One JSON object per finding, each on a line", Format::JsonLines),
    ("parquet", PARQUET_HELP, Format::Parquet),
    ("sarif", "SARIF 2.1.0, for code scanning", Format::Sarif),
    ("junit", "JUnit XML", Format::Junit),
    ("github", "GitHub Actions annotations", Format::Github),
    ("gitlab", "GitLab code quality report", Format::Gitlab),
    ("markdown", "Markdown, for the summary of a CI step", Format::Markdown),
    ("html", "HTML page for a browser", Format::Html),
];

/// Parses the name of an attribute.
fn attribute_name(name: &str) -> Result<String, String> {
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>/=@[]".contains(&byte));
    if is_name {
        Ok(name.to_owned())
    } else {
        Err("this is not the name of an attribute\nhelp: write it like data-proofer-ignore"
            .to_owned())
    }
}
