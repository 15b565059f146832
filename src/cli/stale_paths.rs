//! Reports strings of scripts and data whose targets do not exist after a run.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::terminal;
use crate::moves::StalePath;
use crate::plural::{counted, number};

/// The number of files that get a line; `--format json` has every string.
const SHOWN: usize = 20;

/// Prints a warning for each file with strings that name the old places of what moved.
pub(super) fn warn(stale: &[StalePath]) {
    warn_of_files(stale, "that contain old paths", |file| {
        let named = match file.targets {
            1 => "a file".to_owned(),
            several => format!("{} files", number(several)),
        };
        format!(
            "{named} by an old path, which rehref does not update; `{}` is now {}",
            file.text, file.target
        )
    });
}

/// Prints a warning for each file with strings that name files by a path from the server's root, although
/// the result is to be read from disk.
pub(super) fn warn_of_root_paths(found: &[StalePath]) {
    warn_of_files(found, "that do not work from disk", |file| {
        format!(
            "{} by a path from the root of the host, which does not work from disk and which rehref does not \
             update; `{}` is {}",
            counted(file.targets, "file"),
            file.text,
            file.target
        )
    });
}

/// The strings of a file.
struct FileStrings<'s> {
    /// The number of files that they name.
    targets: usize,
    /// The first string.
    text: &'s str,
    /// The file that the first string names, or a URL.
    target: &'s str,
}

/// Prints a line for each of the first files with strings in `found`, which `message` ends, and the number
/// of the others, whose strings do `what`.
fn warn_of_files(found: &[StalePath], what: &str, message: impl Fn(FileStrings<'_>) -> String) {
    let files: Vec<&[StalePath]> = found
        .chunk_by(|one, other| one.path == other.path)
        .collect();
    // A template may write the same string into every page.
    let mut groups: Vec<(&[StalePath], usize)> = Vec::new();
    let mut known: HashMap<Vec<(&str, &str)>, usize> = HashMap::new();
    for file in files {
        let strings = file.iter().map(|it| (&*it.text, &*it.target)).collect();
        match known.entry(strings) {
            Entry::Occupied(at) => {
                if let Some((_, others)) = groups.get_mut(*at.get()) {
                    *others += 1;
                }
            }
            Entry::Vacant(entry) => {
                entry.insert(groups.len());
                groups.push((file, 0));
            }
        }
    }
    for (file, others) in groups.iter().take(SHOWN) {
        let Some(first) = file.first() else { continue };
        let (path, position) = (&first.path, first.position);
        let targets: HashSet<&str> = file.iter().map(|it| without_fragment(&it.target)).collect();
        let message = message(FileStrings {
            targets: targets.len(),
            text: &first.text,
            target: &first.target,
        });
        let (line, column) = (position.line, position.column);
        let strings = counted(file.len(), "string");
        let verb = if file.len() == 1 { "names" } else { "name" };
        let others = match others {
            0 => String::new(),
            others => format!(" (the same in {})", counted(*others, "more file")),
        };
        terminal::warning(format!(
            "{path}:{line}:{column}: {strings} {verb} {message}{others}"
        ));
    }
    let more = groups.len().saturating_sub(SHOWN);
    if more > 0 {
        let files = counted(more, "more file");
        terminal::warning(format!(
            "{files} with strings {what}; --format json lists all"
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
        "{} in {} still {verb} files by old paths; rehref does not change scripts and data\n",
        counted(stale.len(), "string"),
        counted(files.len(), "file"),
    )
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}
