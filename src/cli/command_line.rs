//! The command line of this process, for messages and reports that repeat it, and for options that exclude others.

use std::ffi::OsString;
use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// The command line, as given: the name of the program, then its arguments.
pub(super) static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// The name of the command, and the names of the options that do not have their default value.
static GIVEN: OnceLock<(String, Vec<String>)> = OnceLock::new();

/// The arguments, quoted for a shell where they need it.
pub(super) fn quoted_arguments() -> impl Iterator<Item = String> {
    let quoted = |word: String| {
        if word.contains([' ', '\'', '"', '$', '*', '&', ';', '\\']) {
            format!("'{}'", word.replace('\'', "'\\''"))
        } else {
            word
        }
    };
    let words = WORDS.get().into_iter().flatten().skip(1);
    words.map(move |word| quoted(word.to_string_lossy().into_owned()))
}

/// The options that keep a run from writing.
const DRY: [&str; 6] = ["-n", "--dry-run", "--preview", "--diff", "--patch", "--check"];

/// The command line of this dry run with `instead` in place of the option that keeps it from writing; `None` if that is
/// not an argument of its own.
pub(super) fn writing(instead: &str) -> Option<String> {
    let mut instead = Some(instead);
    let mut command = "rehref".to_owned();
    for word in quoted_arguments() {
        let is_dry = DRY.contains(&&*word);
        let word = if is_dry { instead.take().unwrap_or_default() } else { &word };
        if !word.is_empty() {
            command.extend([" ", word]);
        }
    }
    instead.is_none().then_some(command)
}

/// Keeps which options `matches` has, for [`is_given`]. `all` is the whole command line.
pub(super) fn keep_given(all: &Command, matches: &ArgMatches) {
    let Some((name, matches)) = matches.subcommand() else { return };
    let is_given = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        let values = matches.get_raw(id).into_iter().flatten();
        is_typed && !values.eq(arg.get_default_values().iter().map(|it| it.as_os_str()))
    };
    let arguments = all.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let options = arguments.filter(is_given).filter_map(|arg| arg.get_long().map(str::to_owned));
    let _ = GIVEN.set((name.to_owned(), options.collect()));
}

/// The name of the command that runs.
pub(super) fn command_name() -> &'static str {
    GIVEN.get().map_or("", |(name, _)| name)
}

/// Returns true if `option` is given, by the user or by rehref.toml, with another value than its default.
pub(super) fn is_given(option: &str) -> bool {
    GIVEN.get().is_some_and(|(_, options)| options.iter().any(|it| it == option))
}
