//! `rehref explain`: the page on a check, or the list of all.

use clap::Args;

use super::arguments::{Choice, one_of};
use super::exit::{CliError, Exit};
use super::terminal;
use crate::audit::Check;
use crate::audit::checks::CHECKS;

/// Explain what a check of the audit finds and how to fix it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The check; without it, all checks are listed
    #[arg(value_name = "CHECK", value_parser = one_of(checks()))]
    check: Option<Check>,
}

/// The rows of [`CHECKS`].
pub(super) fn checks() -> impl Iterator<Item = Choice<Check>> {
    CHECKS.iter().map(|row| (row.id, "", row.check))
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    terminal::print(explanation(arguments.check))?;
    Ok(Exit::Done)
}

/// The page on `check`, or the list of all checks.
fn explanation(check: Option<Check>) -> String {
    if let Some(check) = check {
        return check.row().page.to_owned();
    }
    let width = CHECKS.iter().map(|row| row.id.len()).max().unwrap_or(0);
    let rows = CHECKS.iter().map(|row| {
        let level = row.severity.name();
        let condition = match row.check.is_default() {
            true => "",
            false => " (with --entry)",
        };
        format!("{:width$}  {level:7}  {}{condition}\n", row.id, row.summary)
    });
    rows.collect()
}
