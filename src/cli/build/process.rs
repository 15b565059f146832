//! Runs the command of `--build`.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::cli::exit::CliError;
use crate::cli::interrupt;
use rehref_verify::process::{in_own_group, is_running, kill};
use tempfile::TempDir;

/// The placeholder in the command for the directory to write.
pub(super) const OUT: &str = "{out}";

/// The time between two looks at the process and at the signals.
const TICK: Duration = Duration::from_millis(10);

/// The outcome of a command.
pub(in crate::cli) struct Ran {
    /// How it ended, if not well: `ended with status 1`.
    pub(in crate::cli) failure: Option<String>,
    /// The lines that it printed on stderr, and on stdout.
    stderr: Vec<String>,
    stdout: Vec<String>,
}

impl Ran {
    /// Returns the lines that say that they are warnings or errors.
    pub(in crate::cli) fn warnings(&self) -> Vec<&str> {
        let lines = self.stderr.iter().chain(&self.stdout);
        lines.map(String::as_str).filter(|line| is_warning(line)).collect()
    }

    /// Returns the lines that may belong to warnings: also all of stderr.
    pub(super) fn notable(&self) -> Vec<&str> {
        let stdout = self.stdout.iter().filter(|line| is_warning(line));
        self.stderr.iter().chain(stdout).map(String::as_str).collect()
    }

    /// Removes the path of the copied `project` from the lines, and names the directory `out` as the command does.
    pub(super) fn forget(&mut self, project: &Path, out: &Path) {
        let project = project.join("").display().to_string();
        let out = out.display().to_string();
        for line in self.stderr.iter_mut().chain(&mut self.stdout) {
            *line = line.replace(&project, "").replace(&out, OUT);
        }
    }

    /// Returns the last lines that explain the failure: those of stderr, and the lines of stdout that name an error,
    /// or else all.
    pub(in crate::cli) fn last_lines(&self, count: usize) -> Vec<&str> {
        let mut lines: Vec<&str> = self.notable();
        if lines.is_empty() {
            lines = self.stdout.iter().map(String::as_str).collect();
        }
        lines.split_off(lines.len().saturating_sub(count))
    }
}

/// Returns true if `line` says "warning" or "error", and not as a part of a name (`error-reference/a.md`).
fn is_warning(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    ["warn", "error"].into_iter().any(|word| {
        line.match_indices(word).any(|(at, _)| {
            let is_of_name = |it: char| "-_/.".contains(it);
            let (before, rest) = line.split_at(at);
            let after = rest.trim_start_matches(char::is_alphanumeric);
            // A full stop may end a sentence.
            let is_end =
                after.strip_prefix('.').is_some_and(|it| !it.starts_with(char::is_alphanumeric));
            !before.ends_with(is_of_name) && (is_end || !after.starts_with(is_of_name))
        })
    })
}

/// Runs `command` in the directory `here`, with the path of `out` in place of each `{out}`. A signal to this process ends
/// it, with all that it started.
pub(super) fn run(command: &str, here: &Path, out: &Path) -> Result<Ran, CliError> {
    let interrupted = interrupt::flag()?;
    let error = |error| CliError::io("--build")(error);
    // Programs may print more than a pipe holds.
    let logs = TempDir::with_prefix("rehref-build-").map_err(error)?;
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| logs.path().join(name));
    let command = command.replace(OUT, &quoted(&out.to_string_lossy()));
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = in_own_group(&mut Command::new(shell))
        .args([flag, &command])
        .current_dir(here)
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).map_err(error)?)
        .stderr(File::create(&stderr).map_err(error)?)
        .spawn()
        .map_err(error)?;
    while is_running(&mut child) {
        if interrupted.load(Ordering::Relaxed) {
            kill(&mut child);
            return Err(CliError::Interrupted);
        }
        thread::sleep(TICK);
    }
    let status = child.wait().map_err(error)?;
    // Some generators leave servers behind, which would write to a directory that is gone.
    kill(&mut child);
    let failure = (!status.success()).then(|| match status.code() {
        Some(code) => format!("ended with status {code}"),
        None => format!("was killed ({status})"),
    });
    Ok(Ran {
        failure,
        stderr: lines(&stderr).map_err(error)?,
        stdout: lines(&stdout).map_err(error)?,
    })
}

/// The lines of the file at `path`, without colors and without what a line of progress was overwritten with.
fn lines(path: &Path) -> io::Result<Vec<String>> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let last = |line: &str| line.rsplit('\r').find(|it| !it.is_empty()).map(without_colors);
    let text = text.replace('\t', "  ");
    Ok(text.lines().filter_map(last).filter(|line| !line.trim().is_empty()).collect())
}

/// `line` without the escape sequences of terminals.
fn without_colors(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |at| at + 1);
        line + part.get(end..).unwrap_or_default()
    })
}

/// `path` as a word of a shell. Temporary directories usually need no quotes, and may then stand in the quotes of the
/// command.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/\\:._-+".contains(c);
    if path.chars().all(is_plain) {
        path.to_owned()
    } else if cfg!(windows) {
        format!("\"{path}\"")
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_the_shell() {
        for (path, expected) in
            [("/tmp/a-1/b_2", "/tmp/a-1/b_2"), ("/a b", "'/a b'"), ("/a'$(x)", r"'/a'\''$(x)'")]
        {
            assert_eq!(quoted(path), expected, "{path}");
        }
    }

    #[test]
    fn lines_have_neither_colors_nor_progress() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("log");
        fs::write(&path, "10%\r100%\r\n\n\x1b[33mWARN\x1b[0m a\nb").unwrap();
        assert_eq!(lines(&path).unwrap(), ["100%", "WARN a", "b"]);
    }
}
