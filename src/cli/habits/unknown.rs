//! Advice on arguments that a command does not take.

use std::path::Path;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command};

use super::{habit, option};
use rehref_corpus::folder_of;

/// Advice on `word`, which `command` does not take.
pub(super) fn on_unknown(
    word: &str,
    all: &Command,
    command: &Command,
    words: &[&str],
) -> Option<String> {
    let name = command.get_name();
    let option = |name: &str| option(command, name);
    // Of `-dry-run`, the parser names the first letter, and of `-out DIR` the value.
    let is_long = |word: &&&str| word.len() > 2 && option(&format!("-{word}")).is_some();
    if let Some(long) = words.iter().find(is_long) {
        return Some(format!("did you mean `-{long}`?"));
    }
    let is_value = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| option(words.get(before)?));
        before.is_some_and(|it| it.get_action().takes_values() && !it.is_require_equals_set())
    };
    let is_word = |(at, it): &(usize, &&str)| it.starts_with(word) && !is_value(*at);
    let at = words.iter().enumerate().rev().find(is_word).map_or(words.len(), |(at, _)| at);
    let (before, whole) = (words.get(..at)?, words.get(at).copied().unwrap_or(word));
    if before.contains(&"--") {
        return Some(format!(
            "after `--`, rehref reads `{word}` as an argument, not as an option; remove `--`"
        ));
    }
    if !before.iter().any(|it| all.find_subcommand(it).is_some()) && name != all.get_name() {
        return Some(format!("options come after the command: `rehref {name} {word}`"));
    }
    // Word processors write so.
    let dashes = ['\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];
    if word.starts_with(dashes) {
        let name = word.trim_start_matches(dashes).trim_start_matches('-');
        let hyphens = if name.chars().count() == 1 { "-" } else { "--" };
        return Some(format!("this is a dash, not a hyphen; write `{hyphens}{name}`"));
    }
    let is_url = word.starts_with("http://") || word.starts_with("https://");
    let of_url = ["--url", "--also"].into_iter().find(|it| !words.contains(it));
    if let Some(advice) = habit(name, "<URL>", word).filter(|_| is_url) {
        return Some(advice);
    }
    if let Some(of_url) = of_url.filter(|it| is_url && option(it).is_some()) {
        return Some(format!("for the URL at which the site is published, add `{of_url} {word}`"));
    }
    if !word.starts_with('-') {
        let is_missing = |it: &&&str| !it.starts_with('-') && !Path::new(it).exists();
        if let Some(host) =
            before.last().filter(is_missing).filter(|it| it.contains('.') && !it.contains("://"))
            && Path::new(word).is_dir()
            && option("--url").is_some()
        {
            let host = host.trim_end_matches('/');
            return Some(format!("did you mean `rehref {name} {word} --url https://{host}/`?"));
        }
        let command =
            before.iter().rposition(|it| *it == "--build").and_then(|at| before.get(at + 1));
        if let Some(command) = command.filter(|it| !it.contains("{out}")) {
            return Some(if command.starts_with('\'') {
                "the shell of Windows needs double quotes around the command: --build \"mkdocs build -q -d {out}\"".to_owned()
            } else {
                "write the whole command in quotes: --build 'mkdocs build -q -d {out}'".to_owned()
            });
        }
        // The value of an option that takes a value only after `=`: `--fix moved`; a second value: `--include news visit`.
        match before {
            // The name of a command was taken for SITE.
            [_, .., last] if all.find_subcommand(last).is_some() && !Path::new(last).exists() => {
                return Some(format!("did you mean `rehref {last} {word}`?"));
            }
            [.., last]
                if option(last).is_some_and(Arg::is_require_equals_set)
                    && option(&format!("--{word}")).is_some() =>
            {
                return Some(format!("did you mean `{last} --{word}`?"));
            }
            [.., last] if option(last).is_some_and(Arg::is_require_equals_set) => {
                return Some(format!("did you mean `{last}={word}`?"));
            }
            [.., last] if option(last).is_some() => {
                return Some(format!("`{last}` accepts no value; remove `{word}`"));
            }
            [.., "--format", format] => {
                return Some(format!("did you mean `--format {format}={word}`?"));
            }
            [.., last, value]
                if option(last).is_some_and(|it| matches!(it.get_action(), ArgAction::Append))
                    && word != *value
                    && !Path::new(word).is_dir() =>
            {
                return Some(format!(
                    "repeat the option for each value: `{last} {value} {last} {word}`; quote a glob, so that the shell \
                     does not expand it"
                ));
            }
            _ if words
                .windows(2)
                .any(|it| matches!(it, ["--out" | "-o", value] if value == &word)) =>
            {
                return Some(format!("remove the first `{word}`"));
            }
            // A shell expanded a glob.
            [.., first]
                if [first, word].iter().all(|it| Path::new(it).is_file())
                    && Path::new(first).parent() == Path::new(word).parent()
                    && Path::new(first).extension() == Path::new(word).extension()
                    && option("--include").is_some() =>
            {
                let folder = folder_of(Path::new(word)).display();
                let end = Path::new(word).extension().unwrap_or_default().display();
                return Some(format!(
                    "{name} accepts one document or site; for these files: `rehref {name} {folder} --include '/*.{end}'`"
                ));
            }
            _ => {
                let is_after_file =
                    before.last().is_none_or(|it| Path::new(it).is_file() || *it == "-");
                return habit(name, "<FILE>*", word)
                    .filter(|_| !is_after_file)
                    .or_else(|| habit(name, word, word))
                    .or_else(|| habit(name, "*", word));
            }
        }
    }
    let typed = whole.split('=').next().unwrap_or(whole);
    let formats = option("--format").map(Arg::get_possible_values).unwrap_or_default();
    let is_format = |it: &&PossibleValue| {
        let word = typed.trim_start_matches('-');
        it.get_name() == word || word.len() > 3 && it.get_name().starts_with(word)
    };
    if let Some(format) = formats.iter().find(is_format) {
        return Some(format!("use `--format {}`", format.get_name()));
    }
    let of_others = || {
        let owners = all.get_subcommands().filter(|it| super::option(it, typed).is_some());
        let owners: Vec<&str> = owners.map(Command::get_name).collect();
        let names = owners.join(", ");
        (!owners.is_empty())
            .then(|| format!("`{typed}` is an option of {names}; {name} has no such option"))
    };
    let is_same = |it: &str| it.eq_ignore_ascii_case(typed.trim_start_matches('-'));
    let in_other_case = || {
        let is_named = |arg: &&Arg| {
            arg.get_long_and_visible_aliases().into_iter().flatten().any(is_same)
                || arg.get_all_aliases().into_iter().flatten().any(is_same)
        };
        let long = command.get_arguments().find(is_named)?.get_long()?;
        Some(format!("use `--{long}`"))
    };
    habit(name, typed, typed)
        .or_else(|| habit(name, word, word))
        .or_else(in_other_case)
        .or_else(|| habit(name, "--*", whole))
        .or_else(of_others)
}
