//! Colors, where the terminal has them.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

/// When to use color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static STDOUT: AtomicBool = AtomicBool::new(false);
static STDERR: AtomicBool = AtomicBool::new(false);

/// Settles on colors for this process.
pub(super) fn choose(choice: ColorChoice) {
    let wanted = |is_terminal: bool| match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    STDOUT.store(wanted(std::io::stdout().is_terminal()), Ordering::Relaxed);
    STDERR.store(wanted(std::io::stderr().is_terminal()), Ordering::Relaxed);
}

/// Whether stdout is colored.
pub(super) fn colors_stdout() -> bool {
    STDOUT.load(Ordering::Relaxed)
}

fn paint(on: &AtomicBool, code: &str, text: &str) -> String {
    if on.load(Ordering::Relaxed) {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

/// A word that announces an error, for stderr.
pub(super) fn error(text: &str) -> String {
    paint(&STDERR, "1;31", text)
}

/// A word that announces a warning, for stderr.
pub(super) fn warning(text: &str) -> String {
    paint(&STDERR, "1;33", text)
}

/// A word that announces a note, for stderr.
pub(super) fn note(text: &str) -> String {
    paint(&STDERR, "1;36", text)
}

/// A unified diff, for stdout: lines colored by what they say.
pub(super) fn diff(diff: &[u8]) -> Vec<u8> {
    if !STDOUT.load(Ordering::Relaxed) {
        return diff.to_vec();
    }
    let mut painted = Vec::with_capacity(diff.len() + 64);
    for line in diff.split_inclusive(|&b| b == b'\n') {
        let code: &[u8] = match line {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => b"\x1b[1m",
            [b'@', ..] => b"\x1b[36m",
            [b'+', ..] => b"\x1b[32m",
            [b'-', ..] => b"\x1b[31m",
            _ => b"",
        };
        painted.extend_from_slice(code);
        painted.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
        if !code.is_empty() {
            painted.extend_from_slice(b"\x1b[0m");
        }
        painted.push(b'\n');
    }
    painted
}
