//! Advice after a run, from what it found and the files of SITE. Only [`print`] prints.

pub(super) mod audit;
pub(super) mod rewriting;
pub(super) mod site_root;

use super::terminal;

/// A text for the user, after a run.
pub(super) enum Advice {
    Note(String),
    Warning(String),
}

/// Prints `advice`, in its order.
pub(super) fn print(advice: impl IntoIterator<Item = Advice>) {
    for advice in advice {
        match advice {
            Advice::Note(text) => terminal::note(text),
            Advice::Warning(text) => terminal::warning(text),
        }
    }
}
