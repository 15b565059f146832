//! `rehref explain`: the page on a check, or the list of all.

use std::collections::BTreeMap;
use std::iter;
use std::slice;

use clap::Args;
use serde::Serialize;

use super::exit::{CliError, Exit};
use super::reports::{self, Requested, formats, requested};
use super::values::{Choice, REPORT_FORMATS, ReportFormat, one_of};
use rehref_audit::Check;
use rehref_audit::checks::{CHECKS, NOT_FOUND};

/// Explain what a check of the audit finds and how to fix it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Check to explain [default: list all checks]
    #[arg(value_name = "CHECK", value_parser = one_of(checks()))]
    check: Option<Check>,
    /// Format of the result, on stdout or in FILE; repeatable
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(REPORT_FORMATS))]
    format: Vec<Requested<ReportFormat>>,
}

/// A check, for programs.
#[derive(Serialize)]
struct Explanation {
    check: &'static str,
    /// The level of its findings, without `--level`.
    level: &'static str,
    summary: &'static str,
    /// Whether the check runs without an option that asks for it.
    is_default: bool,
    explanation: &'static str,
}

/// Returns the rows of [`CHECKS`].
pub(super) fn checks() -> impl Iterator<Item = Choice<Check>> {
    CHECKS.iter().map(|row| (row.id, "", row.check))
}

/// Returns the values of `audit --only`: each check, and "broken" for what visitors meet as "not found".
pub(super) fn selections() -> impl Iterator<Item = Choice<&'static [Check]>> {
    let each = CHECKS.iter().map(|row| (row.id, "", slice::from_ref(&row.check)));
    iter::once(("broken", "", NOT_FOUND)).chain(each)
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let reports = requested(&arguments.format, &REPORT_FORMATS)?;
    let (text, json) = (explanation(arguments.check), explanations(arguments.check));
    reports::write_all(&reports, &text, ("rehref-explain", &json))?;
    Ok(Exit::Done)
}

/// `check`, or all checks, for programs.
fn explanations(check: Option<Check>) -> impl Serialize {
    let rows = CHECKS.iter().filter(|row| check.is_none_or(|check| row.check == check));
    let checks = rows.map(|row| Explanation {
        check: row.id,
        level: row.severity.name(),
        summary: row.summary,
        is_default: row.check.is_default(),
        explanation: row.page,
    });
    BTreeMap::from([("checks", checks.collect::<Vec<_>>())])
}

/// The page on `check`, or the list of all checks.
fn explanation(check: Option<Check>) -> String {
    if let Some(check) = check {
        return check.row().page.to_owned();
    }
    let width = CHECKS.iter().map(|row| row.id.len()).max().unwrap_or(0);
    let rows = CHECKS.iter().map(|row| {
        let level = row.severity.name();
        let condition = match row.check {
            check if check.is_default() => "",
            Check::Orphan => " (with --entry)",
            _ => " (in compare)",
        };
        format!("{:width$}  {level:7}  {}{condition}\n", row.id, row.summary)
    });
    rows.collect()
}
