//! Prints to stdout and stderr; no other module does.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::CliError;
use super::style;
use rehref_site::Severity;
use rehref_site::diagnostic::escaped;

static QUIET: AtomicBool = AtomicBool::new(false);
static VERBOSE: AtomicBool = AtomicBool::new(false);

/// The site that notes and warnings are about, if there are several.
static SUBJECT: RwLock<String> = RwLock::new(String::new());

/// Names the site of several that the following messages are about; empty for none.
pub(super) fn set_subject(site: &str) {
    if let Ok(mut subject) = SUBJECT.write() {
        site.clone_into(&mut subject);
    }
}

/// Silences notes, warnings, progress and summaries of this process, or prints them again.
pub(super) fn set_quiet(is_quiet: bool) {
    QUIET.store(is_quiet, Ordering::Relaxed);
}

/// Prints details of this process too.
pub(super) fn set_verbose(is_verbose: bool) {
    VERBOSE.store(is_verbose, Ordering::Relaxed);
}

/// `true` if details are printed too.
pub(super) fn is_verbose() -> bool {
    VERBOSE.load(Ordering::Relaxed)
}

/// `true` if only results and errors are printed.
pub(super) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints an error to stderr.
pub(super) fn error(text: impl Display) {
    say(Severity::Error, text);
}

/// Prints a warning to stderr.
pub(super) fn warning(text: impl Display) {
    say(Severity::Warning, text);
}

/// Prints a note to stderr.
pub(super) fn note(text: impl Display) {
    say(Severity::Note, text);
}

/// Prints a note to stderr, with `--verbose`.
pub(super) fn detail(text: impl Display) {
    if is_verbose() {
        note(text);
    }
}

/// The start of the line below a text that says what to do.
pub(super) const HELP: &str = "\nhelp: ";

/// Returns true if stdout is a file, as after `>` in a shell.
pub(super) fn is_file() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
        stdout.and_then(|it| it.metadata()).is_ok_and(|it| it.is_file())
    }
    #[cfg(not(unix))]
    {
        false
    }
}

/// Prints one line to stderr, and one for each remedy in `text`, which begins with [`HELP`]; with `--quiet` only an
/// error. Escapes control characters, which file names may hold.
fn say(severity: Severity, text: impl Display) {
    if severity == Severity::Error || !is_quiet() {
        let mut text = text.to_string();
        if let Ok(subject) = SUBJECT.read()
            && !subject.is_empty()
            && !text.starts_with(&**subject)
        {
            text = format!("{subject}: {text}");
        }
        let lines: Vec<_> = text.split(HELP).map(escaped).collect();
        let help = format!("\n{} ", style::help_label());
        write_stderr(&format!("{} {}\n", style::label(severity), lines.join(&help)));
    }
}

/// Prints the lines of a summary to stderr.
pub(super) fn summary(text: &str) {
    if !is_quiet() {
        write_stderr(text);
    }
}

/// Writes to stderr. A closed or full stderr loses the text and does not end the run.
fn write_stderr(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Prints a result to stdout.
pub(super) fn print(result: impl AsRef<[u8]>) -> Result<(), CliError> {
    write_stdout(result.as_ref()).map_err(CliError::stdout)
}

/// Prints the rest of `file` to stdout.
pub(super) fn print_file(file: &mut File) -> Result<(), CliError> {
    let mut bytes = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut bytes).map_err(CliError::stdout)?;
        match bytes.get(..count) {
            Some([]) | None => return Ok(()),
            Some(bytes) => print(bytes)?,
        }
    }
}

/// Returns the width of each column of `rows`, in characters.
pub(super) fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

/// Formats `rows` as lines of padded cells.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let widths = widths(rows);
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let padded: Vec<String> = cells
            .map(|(cell, width)| {
                // Not `{cell:width$}`, which panics above a width of 65,535.
                let padding = width.saturating_sub(cell.chars().count());
                format!("{cell}{}", " ".repeat(padding))
            })
            .collect();
        padded.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// Writes `result` to stdout and flushes it: an error while a buffer is dropped would go unseen.
/// A closed pipe is not an error, since its reader (`head`) needs nothing more.
pub(super) fn write_stdout(result: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(result).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Colors the lines of a unified diff, where stdout is colored. There and on a terminal, escapes the invisible characters
/// in them: no program applies such a diff, and a page must not steer the terminal.
pub(super) fn colored_diff(diff: &[u8]) -> Vec<u8> {
    let is_colored = style::colors_stdout();
    if !is_colored && !io::stdout().is_terminal() {
        return diff.to_vec();
    }
    let mut painted = Vec::with_capacity(diff.len() + 64);
    for line in diff.split_inclusive(|&b| b == b'\n') {
        let code: &[u8] = match line {
            _ if !is_colored => b"",
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => b"\x1b[1m",
            [b'@', ..] => b"\x1b[36m",
            [b'+', ..] => b"\x1b[32m",
            [b'-', ..] => b"\x1b[31m",
            _ => b"",
        };
        painted.extend_from_slice(code);
        let end =
            line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
        for chunk in end.utf8_chunks() {
            for (number, text) in chunk.valid().split('\t').enumerate() {
                painted.extend_from_slice(if number == 0 { b"" } else { b"\t" });
                painted.extend_from_slice(escaped(text).as_bytes());
            }
            for byte in chunk.invalid() {
                painted.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
            }
        }
        if !code.is_empty() {
            painted.extend_from_slice(b"\x1b[0m");
        }
        painted.push(b'\n');
    }
    painted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_padded_whatever_their_width() {
        let rows = [[String::from("ä"), String::from("b")], ["x".repeat(70_000), String::new()]];
        let lines = columns(&rows.map(Vec::from));
        assert_eq!(lines, format!("ä{}  b\n{}\n", " ".repeat(69_999), "x".repeat(70_000)));
    }

    #[test]
    fn control_characters_are_escaped() {
        for (text, expected) in [
            ("grüße aus.html", "grüße aus.html"),
            ("a\nb\t\x1b[31mc\u{9b}", "a\\nb\\t\\u{1b}[31mc\\u{9b}"),
            ("a\\n", "a\\n"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }
}
