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
    ("--json", &["--format json", "--format jsonl"]),
    ("--jsonl", &["--format jsonl", "--format json"]),
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
    ("--summary", &["--format json"]),
    ("--github", &["--format github"]),
    ("--html-file", &["--format html"]),
    ("--checks", &["--only"]),
    ("--strict", &["--fail-on warning"]),
    ("--errors-only", &["--min-level error"]),
    ("--exit-zero", &["--fail-on never"]),
    ("--no-fail", &["--fail-on never"]),
    ("--allow", &["--level CHECK=off"]),
    ("--allow-hash-href", &["--level empty-reference=off"]),
    ("--ext", &["--html GLOB"]),
    ("--extensions", &["--html GLOB"]),
    ("-e", &["--html GLOB"]),
    ("-g", &["--include"]),
    ("-i", &["--in-place"]),
    ("--backup", &["--out"]),
    ("--dir", &["--out"]),
    ("-f", &["--force"]),
    ("-k", &["--offline"]),
    ("--domain", &["--url"]),
    ("--prefix", &["--url"]),
    ("--host", &["--url"]),
    ("--root", &["--url"]),
    ("--base", &["--url"]),
    ("--url", &["--base"]),
    ("-u", &["--url"]),
    ("-b", &["--url"]),
    ("--swap-urls", &["--also"]),
    ("--debug", &["--verbose"]),
    ("--log-level", &["--verbose"]),
];

/// Options of tools that ask servers, or that ask before they write: what to know instead.
#[rustfmt::skip]
const NEEDLESS: &[(&[&str], &str)] = &[
    (
        &["--accept", "--timeout", "--external", "--disable-external", "--check-external", "--cache", "--follow",
          "--max-retries", "--retry", "--user-agent", "--header", "--insecure", "--method", "--remap"],
        "rehref fetches nothing; external links are counted, and `rehref links SITE --format urls --only external` \
         lists them for a tool that does",
    ),
    (&["-r", "--recursive", "--mirror"], "the whole tree below SITE is always read"),
    (&["-y", "--yes", "--no-confirm"], "rehref never asks; leave it out"),
    (&["--watch"], "there is none: run rehref again after each build"),
    (&["--root-dir"], "SITE is the root directory"),
    (&["--delete"], "OUT is a new directory, so that nothing in it needs to be deleted"),
    (&["--sources"], "findings are told at their places in SITE; `--source-url` links them to a code host"),
];

/// Options that a command needs not, and what to type instead.
#[rustfmt::skip]
const OF_COMMANDS: &[(&str, &[&str], &str)] = &[
    ("explain", &["--all", "--list"], "`rehref explain` alone lists all checks"),
    ("config", &["--list", "-l", "--get", "--show", "--all"], "`rehref config` alone prints all settings"),
    ("completions", &["--shell"], "the shell stands alone: `rehref completions bash`"),
    ("completions", &["--install", "-o", "--out", "--output"],
        "the script is printed: `source <(rehref completions bash)`, or `> FILE` in your shell's folder of completions"),
    ("man", &["-k", "--list"], "`rehref man` lists the commands, and `rehref man links` is the page of one"),
    ("man", &["-o", "--out", "--output"], "the page is printed: `rehref man audit > rehref-audit.1`"),
    ("links", &["--dump", "--list", "--all"], "links prints every link; `--format urls` prints the URLs alone"),
    ("base", &["--base"], "use `--url`, the URL of the document"),
];

/// Words for values of ours, where the parser's nearest name is another.
#[rustfmt::skip]
const VALUES: &[(&str, &str)] = &[
    ("broken-link", "broken-target"), ("broken-links", "broken-target"), ("dead-links", "broken-target"),
    ("dead-link", "broken-target"), ("missing-file", "broken-target"), ("404", "broken-target"),
    ("missing-id", "broken-fragment"), ("broken-anchor", "broken-fragment"), ("broken-anchors", "broken-fragment"),
    ("none", "never"), ("broken", "--broken"),
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
    ("scan", "audit"), ("crawl", "audit"), ("list", "links"), ("extract", "links"), ("ls", "links"), ("dump", "links"),
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
        ErrorKind::InvalidValue => {
            typed(ContextKind::InvalidValue).and_then(|word| advice_on_given_value(&word, &error))
        }
        _ => None,
    };
    if error.kind() == ErrorKind::UnknownArgument {
        // The parser's advice, to pass an option after `--`, helps nobody: no value looks like an option.
        error.remove(ContextKind::Suggested);
    }
    if let Some(advice) = advice {
        for kind in [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedCommand,
            ContextKind::SuggestedValue,
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
    Some(format!("use `rehref {here}`"))
}

/// What is meant by the value `word` of an option or an argument, if it has that value.
fn advice_on_given_value(word: &str, error: &Error) -> Option<String> {
    let Some(ContextValue::Strings(valid)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let (_, here) = VALUES.iter().find(|(habit, _)| *habit == word)?;
    let exists = here.starts_with('-') && valid.iter().any(|it| it == "internal")
        || valid.iter().any(|it| it == here);
    exists.then(|| format!("use `{here}`"))
}

fn advice_on_argument(word: &str, all: &Command, arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    let Some(command) = words.find_map(|word| all.find_subcommand(word)) else {
        return Some("a command comes first, as in `rehref audit SITE`".to_owned());
    };
    if !word.starts_with('-') {
        return Some(advice_on_value(word, command, words));
    }
    let typed = word.split('=').next().unwrap_or(word);
    let of_command = |(name, habits, _): &&(&str, &[&str], &str)| {
        *name == command.get_name() && habits.contains(&typed)
    };
    if let Some((.., advice)) = OF_COMMANDS.iter().find(of_command) {
        return Some((*advice).to_owned());
    }
    if let Some((_, advice)) = NEEDLESS.iter().find(|(habits, _)| habits.contains(&typed)) {
        return Some((*advice).to_owned());
    }
    let Some((_, here)) = OPTIONS.iter().find(|(habit, _)| *habit == typed) else {
        return owners(typed, all).map(|owners| {
            let name = command.get_name();
            format!("`{typed}` is an option of {owners}; {name} has nothing like it")
        });
    };
    let exists = |here: &&&str| here.starts_with(COMMAND) || option(command, here).is_some();
    match here.iter().find(exists) {
        Some(here) => Some(format!("use `{here}`")),
        None => {
            let here = here.first()?;
            let name = command.get_name();
            let option = here.split(' ').next().unwrap_or(here);
            let owners = owners(option, all)?;
            Some(format!(
                "`{here}` is an option of {owners}; {name} has nothing like it"
            ))
        }
    }
}

/// What to do with a word that is neither an option nor a place for which `command` has room.
fn advice_on_value<'w>(
    word: &str,
    command: &Command,
    words: impl Iterator<Item = &'w str>,
) -> String {
    // A value of an option that takes it only after `=`, or that takes one value at a time.
    let before = words.take_while(|other| *other != word).last();
    let of_option = |before: &str| {
        let option = option(command, before)?;
        Some(match option.is_require_equals_set() {
            true => format!("did you mean `{before}={word}`?"),
            false => format!("after `{before}` comes no value; `{word}` is read as a place"),
        })
    };
    if let Some(advice) = before.and_then(of_option) {
        return advice;
    }
    if word.starts_with(['\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}']) {
        return format!("`{word}` begins with a dash that is no hyphen; options begin with `--`");
    }
    match command.get_name() {
        "absolute" | "relative" => format!("to write to `{word}`, add `--out {word}`"),
        "audit" | "links" => "SITE is one directory, and its documents are all read; `--include GLOB`, \
            repeated for each, chooses some; a value of an option that is a list is separated by commas"
            .to_owned(),
        "verify" => "BEFORE and AFTER come first, then moves, written like old.html=new.html".to_owned(),
        name => format!("{name} takes no more than this; see `rehref {name} --help`"),
    }
}

/// The commands that have the option `name`, as words; `None` if none has it.
fn owners(name: &str, all: &Command) -> Option<String> {
    let commands = all.get_subcommands();
    let owners = commands.filter(|it| option(it, name).is_some_and(|it| !it.is_hide_set()));
    let names: Vec<&str> = owners.map(Command::get_name).collect();
    let (last, others) = names.split_last()?;
    Some(match others {
        [] => (*last).to_owned(),
        others => format!("{} and {last}", others.join(", ")),
    })
}

/// The option of `command` with the name at the start of `words`, as `--format json`, if it has that value.
fn option<'c>(command: &'c Command, words: &str) -> Option<&'c Arg> {
    let mut words = words.strip_prefix("--")?.split(' ');
    let name = words.next();
    let option = command.get_arguments().find(|it| it.get_long() == name)?;
    let values = option.get_possible_values();
    let has_value = |value: &str| {
        values.is_empty() || value.contains('=') || values.iter().any(|it| it.matches(value, false))
    };
    words.next().is_none_or(has_value).then_some(option)
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
