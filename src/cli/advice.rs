//! Advice on a run: pure functions of its plan or report, its arguments and the files of SITE. Only [`print`] prints.

pub(super) mod audit;
pub(super) mod audited_root;
pub(super) mod build;
pub(super) mod code_hosts;
pub(super) mod corpus;
pub(super) mod moves;
pub(super) mod redirects;
pub(super) mod rewriting;
pub(super) mod rules;
pub(super) mod site_root;
pub(super) mod stale_paths;
pub(super) mod symlinks;
pub(super) mod verify;

use std::path::Path;

use super::terminal;
use rehref_document::DocumentKind;
use rehref_site::diagnostic::escaped;
use rehref_site::plural::number;

/// A text for the user.
#[derive(Debug)]
pub(super) enum Advice {
    Note(String),
    Warning(String),
    Error(String),
    /// Lines that belong to the text before them, and what follows the number of those that are not printed.
    List(Vec<String>, &'static str),
}

/// The number of lines of a list that are printed.
const LISTED: usize = 20;

/// Prints `advice`, in its order.
pub(super) fn print(advice: impl IntoIterator<Item = Advice>) {
    for advice in advice {
        match advice {
            Advice::Note(text) => terminal::note(text),
            Advice::Warning(text) => terminal::warning(text),
            Advice::Error(text) => terminal::error(text),
            Advice::List(lines, all) => terminal::summary(&list(&lines, all)),
        }
    }
}

/// Returns the first of `lines`, indented, and the number of the others; `all` says where those are.
pub(super) fn list(lines: &[impl AsRef<str>], all: &str) -> String {
    let shown = lines.iter().take(LISTED).map(|line| format!("  {}\n", escaped(line.as_ref())));
    let shown: String = shown.collect();
    match lines.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown}  and {} more{all}\n", number(more)),
    }
}

/// Returns true if the file at `path` is a page, by its name.
pub(super) fn is_page(path: &Path) -> bool {
    matches!(DocumentKind::of_built_path(path), Some(DocumentKind::Html | DocumentKind::Xhtml))
}
