//! The command line of this process, for messages and reports that repeat it, and for options that exclude others.

use std::ffi::{OsStr, OsString};
use std::sync::{OnceLock, RwLock};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// The command line, as given: the name of the program, then its arguments.
pub(super) static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// The name of the command.
static COMMAND: OnceLock<String> = OnceLock::new();

/// The names of the options of the site that is read that do not have their default value.
static GIVEN: RwLock<Vec<String>> = RwLock::new(Vec::new());

/// Returns `word`, quoted for a shell if it needs that.
pub(super) fn quoted(word: impl ToString) -> String {
    let word = word.to_string();
    let is_special = |c: char| c.is_whitespace() || "'\"$*&;\\?()<>|`".contains(c);
    if word.contains(is_special) || word.is_empty() || word.starts_with(['#', '~']) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word
    }
}

/// Returns the arguments, quoted for a shell where they need it.
pub(super) fn quoted_arguments() -> impl Iterator<Item = String> {
    let words = WORDS.get().into_iter().flatten().skip(1);
    words.map(move |word| quoted(word.to_string_lossy().into_owned()))
}

/// Returns the argument after the `option`, as given.
pub(super) fn value_of(option: &str) -> Option<String> {
    let mut words = WORDS.get()?.iter().skip_while(|it| *it != option);
    words.nth(1).map(|it| it.to_string_lossy().into_owned())
}

/// Returns the argument before `word`, as given.
pub(super) fn value_before(word: &OsStr) -> Option<String> {
    let words = WORDS.get()?;
    let at = words.iter().position(|it| it == word)?;
    Some(words.get(at.checked_sub(1)?)?.to_string_lossy().into_owned())
}

/// Returns the options for the output of this command line, as given, with a space before each: for a command in a message.
/// Without them, it is that of a program which moves files: in place.
pub(super) fn typed_output() -> String {
    let words: Vec<String> = quoted_arguments().collect();
    let mut typed = String::new();
    for (word, next) in words.iter().zip(words.iter().skip(1).map(Some).chain([None])) {
        let is_out = matches!(&**word, "-o" | "--out");
        if is_out || word == "--in-place" || word.starts_with("--out=") || DRY.contains(&&**word) {
            typed.extend([" ", word]);
            typed.extend(next.filter(|_| is_out).into_iter().flat_map(|it| [" ", it]));
        }
    }
    if typed.is_empty() { " --in-place".to_owned() } else { typed }
}

/// The options that keep a run from writing.
const DRY: [&str; 6] = ["-n", "--dry-run", "--preview", "--diff", "--patch", "--check"];

/// Returns the command line of this dry run with `instead` in place of the option that keeps it from writing; `None`
/// if that is not an argument of its own.
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

/// The options of a command line that do not have their default value.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenOptions(Vec<String>);

impl GivenOptions {
    /// Returns the options that `matches` has. `all` is the whole command line. Keeps its command, too.
    pub(super) fn of(all: &Command, matches: &ArgMatches) -> GivenOptions {
        let Some((name, matches)) = matches.subcommand() else { return GivenOptions::default() };
        let is_given = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
            let values = matches.get_raw(id).into_iter().flatten();
            is_typed && !values.eq(arg.get_default_values().iter().map(|it| it.as_os_str()))
        };
        let arguments = all.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
        let options =
            arguments.filter(is_given).filter_map(|arg| arg.get_long().map(str::to_owned));
        let _ = COMMAND.set(name.to_owned());
        GivenOptions(options.collect())
    }

    /// Makes them those of [`is_given`].
    pub(super) fn keep(&self) {
        if let Ok(mut given) = GIVEN.write() {
            given.clone_from(&self.0);
        }
    }
}

/// Returns the name of the command that runs.
pub(super) fn command_name() -> &'static str {
    COMMAND.get().map_or("", |name| name)
}

/// Returns true if `option` is given for the site that is read, by the user or by rehref.toml, with another value than its
/// default.
pub(super) fn is_given(option: &str) -> bool {
    GIVEN.read().is_ok_and(|options| options.iter().any(|it| it == option))
}
