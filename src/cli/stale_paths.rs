//! Says which scripts and data still name the old places of what moved.

use std::collections::HashSet;

use super::terminal;
use crate::moves::StalePath;
use crate::plural::{counted, number};

/// The number of files that get a line; `--report json` has every string.
const SHOWN: usize = 20;

/// Prints a warning for each file with such strings.
pub(super) fn warn(stale: &[StalePath]) {
    let files: Vec<&[StalePath]> = stale
        .chunk_by(|one, other| one.path == other.path)
        .collect();
    for file in files.iter().take(SHOWN) {
        let Some(first) = file.first() else { continue };
        let (path, position) = (&first.path, first.position);
        let targets: HashSet<&str> = file.iter().map(|it| without_fragment(&it.target)).collect();
        let verb = if file.len() == 1 { "names" } else { "name" };
        terminal::warning(format!(
            "{path}:{}:{}: {} {verb} the old place of {} that moved: not changed (the first, `{}`, is now {})",
            position.line,
            position.column,
            counted(file.len(), "string"),
            match targets.len() {
                1 => "a file".to_owned(),
                several => format!("{} files", number(several)),
            },
            first.text,
            first.target,
        ));
    }
    let more = files.len().saturating_sub(SHOWN);
    if more > 0 {
        let files = counted(more, "more file");
        terminal::warning(format!(
            "{files} with strings that name old places; --report json lists all"
        ));
    }
}

/// The line of a summary that counts the strings; empty if there are none.
pub(super) fn summary(stale: &[StalePath]) -> String {
    if stale.is_empty() {
        return String::new();
    }
    let files: HashSet<&str> = stale.iter().map(|it| &*it.path).collect();
    let verb = if stale.len() == 1 { "names" } else { "name" };
    format!(
        "{} in {} still {verb} old places of what moved: scripts and data are not changed\n",
        counted(stale.len(), "string"),
        counted(files.len(), "file"),
    )
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}
