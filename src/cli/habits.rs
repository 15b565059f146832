//! Words that people type by habit, from other tools, and what rehref calls them.
//!
//! The parser's own suggestions compare letters. They offer `--json-ld` for `--json` and `relative` for
//! `rename`; the tables here come first.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};

/// Options of other tools. The first that the command has is meant.
#[rustfmt::skip]
const OPTIONS: &[(&str, &[&str])] = &[
    ("--json", &["--format json"]),
    ("--jsonl", &["--format jsonl"]),
    ("--csv", &["--format csv"]),
    ("--sarif", &["--format sarif"]),
    ("--junit", &["--format junit"]),
    ("--html-report", &["--format html"]),
    ("--report", &["--format"]),
    ("--output-format", &["--format"]),
    ("--output", &["--out"]),
    ("--output-dir", &["--out"]),
    ("--dest", &["--out"]),
    ("--destination", &["--out"]),
    ("--inplace", &["--in-place"]),
    ("--write", &["--in-place"]),
    ("--overwrite", &["--force"]),
    ("--style", &["--form"]),
    ("--patch", &["--diff"]),
    ("--preview", &["--dry-run"]),
    ("--site-url", &["--url"]),
    ("--root-url", &["--url"]),
    ("--alias", &["--also"]),
    ("--ignore-file", &["--exclude"]),
    ("--filter", &["--include"]),
    ("--glob", &["--include"]),
    ("--explain", &["rehref explain"]),
    ("--list-checks", &["rehref explain"]),
    ("--severity", &["--min-level"]),
    ("--min-severity", &["--min-level"]),
    ("--select", &["--only"]),
    ("--check-only", &["--only"]),
    ("--rule", &["--only"]),
    ("--type", &["--only"]),
    ("--disable", &["--level CHECK=off"]),
    ("--skip", &["--level CHECK=off"]),
    ("--silent", &["--quiet"]),
    ("--parallel", &["--jobs"]),
    ("--workers", &["--jobs"]),
    ("--max-concurrency", &["--jobs"]),
    ("--check-anchors", &["--fragments known"]),
    ("--include-fragments", &["--fragments known"]),
    ("--no-anchors", &["--fragments off"]),
    ("--convert-links", &["--offline"]),
    ("--encoding", &["--charset"]),
    ("--index", &["--directory-links", "--index-files"]),
    ("--redirect", &["--write-redirects", "--redirects"]),
    ("--pattern", &["--regex"]),
    ("--from", &["--map"]),
    ("--moves", &["--map"]),
];

/// How a row of [`OPTIONS`] begins that names a command.
const COMMAND: &str = "rehref ";

/// Commands of other tools and other words for ours.
#[rustfmt::skip]
const COMMANDS: &[(&str, &str)] = &[
    ("rename", "move"), ("ren", "move"), ("relocate", "move"), ("migrate", "move"),
    ("abs", "absolute"), ("absolutize", "absolute"), ("make-links-absolute", "absolute"),
    ("rel", "relative"), ("relativize", "relative"), ("convert", "relative"), ("offline", "relative --offline"),
    ("lint", "audit"), ("test", "audit"), ("validate", "audit"), ("broken", "audit"), ("fix", "audit --fix"),
    ("list", "links"), ("extract", "links"), ("ls", "links"), ("dump", "links"),
    ("diff", "verify"), ("compare", "verify"), ("prove", "verify"),
    ("join", "resolve"), ("urljoin", "resolve"),
    ("completion", "completions"), ("manual", "man"),
];

/// Adds to `error`, which parsing `arguments` gave, what is meant by a word of the tables. `command` is built, so
/// that its subcommands have the options of all.
pub(super) fn explain(mut error: Error, command: &Command, arguments: &[OsString]) -> Error {
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            typed(ContextKind::InvalidSubcommand).and_then(|word| advice_on_command(&word))
        }
        ErrorKind::UnknownArgument => typed(ContextKind::InvalidArg)
            .and_then(|word| advice_on_argument(&word, command, arguments)),
        _ => None,
    };
    if let Some(advice) = advice {
        for kind in [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedCommand,
        ] {
            error.remove(kind);
        }
        let advice = ContextValue::StyledStrs(vec![StyledStr::from(advice)]);
        error.insert(ContextKind::Suggested, advice);
    }
    error
}

fn advice_on_command(word: &str) -> Option<String> {
    let (_, here) = COMMANDS.iter().find(|(typed, _)| *typed == word)?;
    Some(format!("here it is `rehref {here}`"))
}

fn advice_on_argument(word: &str, command: &Command, arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    let command = words.find_map(|word| command.find_subcommand(word))?;
    if !word.starts_with('-') {
        // A value of an option that takes it only after `=`.
        let before = words.take_while(|other| *other != word).last()?;
        let is_value = option(command, before)?.is_require_equals_set();
        return is_value.then(|| format!("did you mean `{before}={word}`?"));
    }
    let typed = word.split('=').next().unwrap_or(word);
    let (_, here) = OPTIONS.iter().find(|(habit, _)| *habit == typed)?;
    let exists = |here: &&&str| here.starts_with(COMMAND) || option(command, here).is_some();
    match here.iter().find(exists) {
        Some(here) => Some(format!("here it is `{here}`")),
        None => {
            let here = here.first()?;
            Some(format!(
                "`{here}` is of other commands; {} has nothing like it",
                command.get_name()
            ))
        }
    }
}

/// The option of `command` with the name at the start of `words`, as `--format json`.
fn option<'c>(command: &'c Command, words: &str) -> Option<&'c Arg> {
    let name = words.strip_prefix("--")?.split(' ').next();
    command.get_arguments().find(|it| it.get_long() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn every_word_stands_for_something_that_exists() {
        let mut command = command();
        command.build();
        for (habit, here) in OPTIONS {
            for here in here.iter().filter(|here| !here.starts_with(COMMAND)) {
                let mut commands = command.get_subcommands();
                assert!(commands.any(|it| option(it, here).is_some()), "{here}");
            }
            let mut commands = command.get_subcommands();
            assert!(commands.any(|it| option(it, habit).is_none()), "{habit}");
        }
        for (habit, here) in COMMANDS {
            assert!(command.find_subcommand(habit).is_none(), "{habit}");
            let name = here.split(' ').next().unwrap();
            assert!(command.find_subcommand(name).is_some(), "{here}");
        }
    }
}
