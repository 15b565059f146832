//! The levels of findings: `--min-level`, and `--level` for one check.

use std::str::FromStr;

use crate::cli::values::Choice;
use rehref_audit::Check;
use rehref_site::Severity;

/// A severity, or none for "never". The alias hides the `Option` from clap.
pub(super) type Limit = Option<Severity>;

/// `--min-level`.
pub(super) const LEVELS: [Choice<Limit>; 3] = [
    ("error", "", Some(Severity::Error)),
    ("warning", "", Some(Severity::Warning)),
    ("note", "", Some(Severity::Note)),
];

/// A value of `--level`.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct CheckLevel {
    pub(super) check: Check,
    /// `None` for off.
    pub(super) severity: Option<Severity>,
}

impl FromStr for CheckLevel {
    type Err = String;

    fn from_str(given: &str) -> Result<CheckLevel, String> {
        let (check, level) = given.split_once('=').ok_or(
            "pass a check and its level: broken-fragment=warning\nhelp: to show only findings of a level or above, pass --min-level LEVEL",
        )?;
        let severity = level_named(level)?;
        let check = Check::named(check).ok_or_else(|| unknown_check(check))?;
        Ok(CheckLevel { check, severity })
    }
}

/// The severity of findings of the level `name`; `None` for off.
fn level_named(name: &str) -> Result<Option<Severity>, String> {
    if name == "off" {
        return Ok(None);
    }
    let known = LEVELS.iter().find(|(known, ..)| *known == name).map(|(.., severity)| *severity);
    known.ok_or_else(|| format!("`{name}` is not a level\nhelp: pass error, warning, note or off"))
}

/// Returns the reason findings of the check `check` cannot have the level `level`, and whether the check is the
/// reason.
pub(in crate::cli) fn level_problem(check: &str, level: &str) -> Option<(bool, String)> {
    match Check::named(check) {
        None => Some((true, unknown_check(check))),
        Some(_) => level_named(level).err().map(|problem| (false, problem)),
    }
}

/// The message about a check that does not exist.
fn unknown_check(name: &str) -> String {
    match Check::nearest(name) {
        Some(nearest) => format!("`{name}` is not a check\nhelp: did you mean {nearest}?"),
        None => format!("`{name}` is not a check\nhelp: rehref explain lists them"),
    }
}
