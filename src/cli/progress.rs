//! Output during a run: progress on stderr, changed files on stdout.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::{style, terminal};
use rehref_corpus::run::plan::{Change, Observer};
use rehref_site::diagnostic::escaped;
use rehref_site::plural::counted;

static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows no progress bar in this process.
pub(super) fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// The output on stdout for each changed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listing {
    Nothing,
    Names,
    Diffs,
}

/// A progress bar on stderr and a listing on stdout.
pub(super) struct Progress {
    bar: ProgressBar,
    listing: Listing,
}

impl Progress {
    pub(super) fn new(listing: Listing) -> Progress {
        // A listing on the same terminal would run through the bar.
        let is_visible = !terminal::is_quiet()
            && !HIDDEN.load(Ordering::Relaxed)
            && !style::is_dumb_terminal()
            && io::stderr().is_terminal()
            && (listing == Listing::Nothing || !io::stdout().is_terminal());
        let bar = if is_visible { ProgressBar::new(0) } else { ProgressBar::hidden() };
        if let Ok(template) = ProgressStyle::with_template("{bar:40} {pos}/{len} files {left}") {
            bar.set_style(template.with_key("left", left));
        }
        Progress { bar, listing }
    }

    /// Shows the progress of `work` until its end.
    pub(super) fn during<T>(listing: Listing, work: impl FnOnce(&Progress) -> T) -> T {
        let progress = Progress::new(listing);
        let done = work(&progress);
        progress.finish();
        done
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Writes the estimate of the time that is left. The first files say little about it.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.elapsed() >= Duration::from_secs(1) {
        // The bar has no way to report that a line of it cannot be formatted.
        let _ = write!(out, "{:#} left", HumanDuration(state.eta()));
    }
}

impl Observer for Progress {
    fn start(&self, files: usize) {
        self.bar.set_length(u64::try_from(files).unwrap_or(u64::MAX));
    }

    fn progress(&self) {
        self.bar.inc(1);
    }

    fn changed(&self, change: &Change<'_>) -> io::Result<()> {
        match self.listing {
            Listing::Nothing => Ok(()),
            Listing::Names => terminal::write_stdout(line(change).as_bytes()),
            Listing::Diffs => terminal::write_stdout(&terminal::colored_diff(change.diff)),
        }
    }
}

/// One line for a changed file: `PATH -> NEW: 3 links`.
fn line(change: &Change<'_>) -> String {
    let path = escaped(change.path);
    let references = counted(change.references, "link");
    match (change.moved_to, change.references) {
        (None, _) => format!("{path}: {references}\n"),
        (Some(new), 0) => format!("{path} -> {}\n", escaped(new)),
        (Some(new), _) => format!("{path} -> {}: {references}\n", escaped(new)),
    }
}
