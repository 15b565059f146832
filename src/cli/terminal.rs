//! All printing goes through here.

use std::borrow::Cow;
use std::io::{self, Write};

use super::CliError;

/// Prints a line to stderr, behind a word that announces it. A stderr that is gone costs the line
/// and nothing else. Control characters, which names of files may hold, are escaped.
pub(super) fn say(announcement: &str, text: &str) {
    say_as_it_is(&format!("{announcement} {}\n", escaped(text)));
}

/// Prints text of our own to stderr.
pub(super) fn say_as_it_is(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Prints a result to stdout, all of it at once, since what is left in a buffer fails unseen. A
/// reader who went away has seen enough; that is no error.
pub(super) fn print(result: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(result).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// For `map_err`: the error of [`print`].
pub(super) fn stdout_error(source: io::Error) -> CliError {
    CliError::Io {
        what: "stdout".to_owned(),
        source,
    }
}

/// The text without control characters, so that the name of a file cannot forge a line or steer
/// the terminal.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    text.chars()
        .flat_map(|c| {
            let escape = c.is_control().then(|| c.escape_default());
            let plain = (!c.is_control()).then_some(c);
            escape.into_iter().flatten().chain(plain)
        })
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

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
