//! Colors of the terminal.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

use rehref_site::Severity;

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorChoice {
    /// On a terminal, unless CLICOLOR=0 is set; everywhere with CLICOLOR_FORCE=1; never if NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static STDOUT: AtomicBool = AtomicBool::new(false);
static STDERR: AtomicBool = AtomicBool::new(false);

/// Decides for this process whether stdout and stderr are colored.
pub(super) fn choose(choice: ColorChoice) {
    let wants_color = |is_terminal: bool| match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => by_environment().unwrap_or(is_terminal),
    };
    let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
    STDOUT.store(wants_color(stdout), Ordering::Relaxed);
    STDERR.store(wants_color(stderr), Ordering::Relaxed);
}

/// The choice of colors in the environment, whether or not a stream is a terminal. NO_COLOR comes first:
/// it is what a person sets for all programs, CLICOLOR_FORCE what a script sets.
fn by_environment() -> Option<bool> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return Some(false);
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return Some(true);
    }
    let is_off = set("CLICOLOR").is_some_and(|value| value == "0") || is_dumb_terminal();
    is_off.then_some(false)
}

/// Returns true if the terminal says that it understands no control sequences.
pub(super) fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}

/// `true` if stdout is colored.
pub(super) fn colors_stdout() -> bool {
    STDOUT.load(Ordering::Relaxed)
}

/// Returns the word at the start of a line on stderr, colored where stderr is.
pub(super) fn label(severity: Severity) -> String {
    let color = match severity {
        Severity::Error => 31,
        Severity::Warning => 33,
        Severity::Note => 36,
    };
    colored_label(severity.name(), color)
}

/// Returns the word at the start of a line on stderr that says what to do.
pub(super) fn help_label() -> String {
    colored_label("help", 32)
}

fn colored_label(name: &str, color: u8) -> String {
    if STDERR.load(Ordering::Relaxed) {
        format!("\x1b[1;{color}m{name}:\x1b[0m")
    } else {
        format!("{name}:")
    }
}
