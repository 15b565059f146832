//! Advice on a run: pure functions of its plan or report, its arguments and the files of SITE. Only [`print`] prints.

pub(super) mod audit;
pub(super) mod build;
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

/// A text for the user.
#[derive(Debug)]
pub(super) enum Advice {
    Note(String),
    Warning(String),
    Error(String),
}

/// Prints `advice`, in its order.
pub(super) fn print(advice: impl IntoIterator<Item = Advice>) {
    for advice in advice {
        match advice {
            Advice::Note(text) => terminal::note(text),
            Advice::Warning(text) => terminal::warning(text),
            Advice::Error(text) => terminal::error(text),
        }
    }
}

/// Whether the file at `path` is a page, by its name.
pub(super) fn is_page(path: &Path) -> bool {
    matches!(DocumentKind::of_path(path), Some(DocumentKind::Html | DocumentKind::Xhtml))
}
