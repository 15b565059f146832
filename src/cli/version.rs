//! `rehref --version`: which program this is, and with `--verbose` from which commit, for which platform,
//! and what is in it.

use super::terminal;

/// The crates in the program, as the page for readers lists them.
const LICENSES: &str = include_str!("../../docs/reference/licenses.md");
/// The version in one line, for `--version`, after the name of the program; with the commit, where it is known (see
/// build.rs).
pub(super) const LINE: &str = concat!(env!("CARGO_PKG_VERSION"), env!("REHREF_ORIGIN"));

/// Returns all of it, for `--version --verbose`.
pub(super) fn details() -> String {
    let parquet = if cfg!(feature = "parquet") { "yes" } else { "no" };
    let facts = [
        ("commit", env!("REHREF_COMMIT")),
        ("platform", env!("REHREF_TARGET")),
        ("parquet", parquet),
        ("licence", env!("CARGO_PKG_LICENSE")),
    ];
    let facts = facts.map(|(name, value)| format!("{name}: {value}\n"));
    let crates = terminal::columns(&crates());
    format!("rehref {}\n{}\ncrates in it:\n{crates}", LINE, facts.concat())
}

/// The rows of the table of licences: crate, version, licence.
fn crates() -> Vec<Vec<String>> {
    let rows = LICENSES.lines().skip_while(|line| !line.starts_with("|---"));
    let cells =
        |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.skip(1).map(cells).collect()
}
