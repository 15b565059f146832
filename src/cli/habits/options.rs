//! Finds an option of a command by a word that names it.

use clap::{Arg, Command};

/// The option of `command` with the name at the start of `words`, as `--format json`, if it has that value.
pub(super) fn option<'c>(command: &'c Command, words: &str) -> Option<&'c Arg> {
    let mut words = words.strip_prefix("--")?.split(' ');
    let name = words.next();
    let option = command.get_arguments().find(|it| it.get_long() == name)?;
    let values = option.get_possible_values();
    let has_value = |value: &str| {
        values.is_empty() || value.contains('=') || values.iter().any(|it| it.matches(value, false))
    };
    words.next().is_none_or(has_value).then_some(option)
}

/// The option of `command` with the letter of `word`, as `-o`.
pub(super) fn short_option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let letter = word.strip_prefix('-')?.chars().next()?;
    let mut arguments = command.get_arguments();
    arguments.find(|it| it.get_short() == Some(letter))
}
