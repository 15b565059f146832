//! Words that people type by habit, from other tools, and what rehref calls them.
//!
//! The parser's own suggestions compare letters. They offer `--json-ld` for `--json` and `relative` for
//! `rename`; the tables here come first.

mod options;
mod places;
mod tables;

use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use options::option;
use places::advice_on_value;
use rehref_site::nearest::nearest;
use rehref_site::redirects::FORMATS;
pub(super) use tables::OPTIONS;
use tables::{COMMAND, COMMANDS, CONVERT_LINKS, FORMAT_OWNERS, NEEDLESS, NO_COMMANDS, VALUES};

/// Adds to `error`, which parsing `arguments` gave, what is meant by a word of the tables. `command` is built, so
/// that its subcommands have the options of all.
pub(super) fn explain(mut error: Error, command: &Command, arguments: &[OsString]) -> Error {
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            typed(ContextKind::InvalidSubcommand).and_then(|word| advice_on_command(&word, command))
        }
        ErrorKind::UnknownArgument => typed(ContextKind::InvalidArg)
            .and_then(|word| advice_on_argument(&word, command, arguments)),
        ErrorKind::InvalidValue => match typed(ContextKind::InvalidValue).as_deref() {
            Some("") | None => {
                typed(ContextKind::InvalidArg).and_then(|it| advice_on_missing_value(&it))
            }
            Some(word) => advice_on_given_value(word, &error),
        },
        ErrorKind::MissingSubcommand => {
            let mut words = arguments.iter().skip(1);
            Some(match words.any(|word| word == "-v") {
                true => "`rehref -V` prints the version; otherwise a command comes first, as in `rehref audit SITE`",
                false => "a command comes first, as in `rehref audit SITE`",
            }
            .to_owned())
        }
        ErrorKind::ArgumentConflict => match typed(ContextKind::InvalidArg).as_deref() {
            Some("--url <URL>")
                if typed(ContextKind::PriorArg).as_deref() == Some("--url <URL>") =>
            {
                let aliases = ["--base-url", "--baseurl"];
                let is_alias = value_of(&aliases, arguments).is_some();
                Some(match is_alias {
                    true => "--base-url is another name of --url; for a base element in every document, use \
                        `rehref absolute SITE --base-element URL`",
                    false => "to give another URL of the site, use `--also`",
                }
                .to_owned())
            }
            _ => None,
        },
        ErrorKind::MissingRequiredArgument => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => typed_command(command, arguments)
                .and_then(|command| advice_on_missing(missing, command, arguments)),
            _ => None,
        },
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
            // The parser's usage line names the option that it suggests.
            ContextKind::Usage,
        ] {
            error.remove(kind);
        }
        let advice = ContextValue::StyledStrs(vec![StyledStr::from(advice)]);
        error.insert(ContextKind::Suggested, advice);
    }
    error
}

fn advice_on_command(word: &str, all: &Command) -> Option<String> {
    if let Some((_, advice)) = NO_COMMANDS.iter().find(|(words, _)| words.contains(&word)) {
        return Some((*advice).to_owned());
    }
    if word.starts_with('-') {
        return Some("`rehref COMMAND --help` prints all options of a command".to_owned());
    }
    let lower = word.to_lowercase();
    if let Some((_, here)) = COMMANDS.iter().find(|(typed, _)| typed.contains(&&*lower)) {
        return Some(format!("use `rehref {here}`"));
    }
    if Path::new(word).exists() {
        return Some(format!("a command comes first, as in `rehref audit {word}`"));
    }
    let commands = all.get_subcommands();
    let names = commands.flat_map(|it| it.get_visible_aliases().chain([it.get_name()]));
    let names = names.map(|name| (name.to_owned(), name));
    let (_, name) = nearest(names, &lower, 1 + lower.chars().count() / 4)?;
    Some(format!("did you mean `{name}`?"))
}

/// Advice on an argument that is missing, or that is in the place of another.
fn advice_on_missing(
    missing: &[String],
    command: &Command,
    arguments: &[OsString],
) -> Option<String> {
    let is_typed = |names: &[&str]| {
        let mut words = arguments.iter().filter_map(|word| word.to_str());
        words.any(|word| names.contains(&word.split('=').next().unwrap_or(word)))
    };
    let is_missing = |name: &str| missing.iter().any(|it| it.starts_with(name));
    let advice = match command.get_name() {
        "audit" if is_missing("--fix") && is_typed(&["--check"]) => {
            "audit already fails if it finds an error (see --fail-on); --check is for --fix"
        }
        "audit" if is_missing("--fix") && is_typed(&["-o", "--out"]) => {
            let file = value_of(&["-o", "--out"], arguments);
            let format = file.and_then(|it| Some((file_format(it.rsplit_once('.')?.1), it)));
            if let Some((format, file)) = format {
                return Some(format!(
                    "to write the report to {file}, use `--format {format}={file}`; --out is the directory for --fix"
                ));
            }
            "to write a report to a file, add `--format html=FILE`; --out is the directory for --fix"
        }
        "audit" if is_missing("--fix") => {
            "audit changes nothing without --fix; add --fix, or omit the option"
        }
        _ if is_missing("<SITE>")
            && value_of(&["--url"], arguments).is_some_and(|it| Path::new(it).is_dir()) =>
        {
            let url = value_of(&["--url"], arguments).unwrap_or_default();
            return Some(format!("--url takes `{url}` as its value; write --url URL {url}"));
        }
        "absolute" | "relative" if is_missing("<SITE>") => {
            "SITE is the root directory of the site; to read one document from stdin, give `-`"
        }
        name if is_missing("<SITE>") => {
            let moves = if name == "move" { " old.html=new.html" } else { "" };
            return Some(format!(
                "SITE is the root directory of the site, as in `rehref {name} public{moves}`"
            ));
        }
        "verify" if is_missing("<AFTER>") => {
            "give two trees: the site before a rewrite, and the site after the rewrite"
        }
        "resolve" if is_missing("--relativize") => {
            "--form is the spelling of the references that --relativize prints; add --relativize"
        }
        "completions" => "give a shell: bash, elvish, fish, powershell or zsh",
        "base" => "give a document; to read one from stdin, give `-` and --url",
        "resolve" => {
            let mut texts = arguments.iter().filter_map(|it| it.to_str());
            let base = texts.find(|it| it.contains("://"));
            let base = base.unwrap_or("https://example.org/docs/page.html");
            return Some(format!("give the URL of the document: `--base {base}`"));
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

/// Advice on the option `name`, whose value is missing.
fn advice_on_missing_value(name: &str) -> Option<String> {
    let option = name.split([' ', '=', '[']).next()?;
    Some(match option {
        "--html" => "for a report, use `--format html=FILE`".to_owned(),
        "--write-redirects" => {
            let formats: Vec<&str> = FORMATS.iter().map(|row| row.name).collect();
            format!("give a format: {}", formats.join(", "))
        }
        _ => return None,
    })
}

/// The meaning of the value `word` of an option or an argument, if it has that value.
fn advice_on_given_value(word: &str, error: &Error) -> Option<String> {
    let Some(ContextValue::Strings(valid)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let is_valid = |it: &str| valid.iter().any(|name| name == it);
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option.split(' ').next().unwrap_or_default(),
        _ => "",
    };
    if option == "--format"
        && let Some(advice) = advice_on_format(word, is_valid)
    {
        return Some(advice);
    }
    let words: Vec<&str> = word.split_whitespace().collect();
    if words.len() > 1 && words.iter().all(|it| is_valid(it)) {
        return Some(format!("separate the values with commas: `{}`", words.join(",")));
    }
    let advice = match option {
        "--base-element" if word.contains("://") => {
            "to write a URL to every document, use `rehref absolute SITE --base-element URL`"
        }
        "--only" if word.contains(['*', '.', '/']) => {
            return Some(format!("to select documents, use `--include '{word}'`"));
        }
        "--form" if word == "absolute" => {
            "use `rehref absolute` to make the links of a site absolute; `rehref resolve` without --relativize prints \
             absolute URLs"
        }
        _ => "",
    };
    if !advice.is_empty() {
        return Some(advice.to_owned());
    }
    let (_, here) = VALUES.iter().find(|(habit, here)| {
        let is_option = match *here {
            "--broken" => is_valid("internal"),
            _ if here.starts_with("--min-level") => is_valid("broken-target"),
            _ => is_valid(here),
        };
        *habit == word && is_option
    })?;
    Some(format!("use `{here}`"))
}

/// The meaning of the value `word` of `--format`; `is_valid` knows the names of formats.
fn advice_on_format(word: &str, is_valid: impl Fn(&str) -> bool) -> Option<String> {
    if let Some((_, advice)) = FORMAT_OWNERS.iter().find(|(format, _)| *format == word) {
        return Some((*advice).to_owned());
    }
    let list: Vec<&str> = word.split([',', ' ']).collect();
    if let [first, rest @ ..] = list.as_slice()
        && !rest.is_empty()
        && list.iter().all(|it| is_valid(it))
    {
        // GitHub reads from stdout, where only one report can go.
        let printed = list.iter().find(|it| **it == "github").unwrap_or(first);
        let files = list.iter().filter(|it| *it != printed);
        let files: String = files.map(|it| format!(" --format {it}=FILE")).collect();
        return Some(format!("repeat the option for each format: `--format {printed}{files}`"));
    }
    if let Some((format, file)) = word.split_once(':')
        && is_valid(format)
    {
        return Some(format!("write `--format {format}={file}`"));
    }
    let (_, extension) = word.rsplit_once('.')?;
    let format = file_format(extension);
    let format = if is_valid(format) { format } else { "FORMAT" };
    Some(format!("to write to a file, also give the format: `--format {format}={word}`"))
}

/// The format of reports in files with this extension.
fn file_format(extension: &str) -> &str {
    match extension {
        "xml" => "junit",
        "txt" | "log" => "text",
        "md" => "markdown",
        other => other,
    }
}

/// The value that one of the options `names` has in `arguments`.
fn value_of<'a>(names: &[&str], arguments: &'a [OsString]) -> Option<&'a str> {
    let words = || arguments.iter().filter_map(|word| word.to_str());
    let of_next = words().zip(words().skip(1)).find(|(word, _)| names.contains(word));
    let mut of_equals = words().filter_map(|word| word.split_once('='));
    let of_equals = of_equals.find(|(name, _)| names.contains(name));
    of_next.or(of_equals).map(|(_, value)| value)
}

/// The command that the user typed.
fn typed_command<'c>(all: &'c Command, arguments: &[OsString]) -> Option<&'c Command> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    words.find_map(|word| all.find_subcommand(word))
}

fn advice_on_argument(word: &str, all: &Command, arguments: &[OsString]) -> Option<String> {
    let words = || arguments.iter().skip(1).filter_map(|word| word.to_str());
    let Some(command) = typed_command(all, arguments) else {
        return Some(match word {
            "-k" | "--convert-links" => CONVERT_LINKS.to_owned(),
            _ => "a command comes first, as in `rehref audit SITE`".to_owned(),
        });
    };
    let name = command.get_name();
    if name == "move" && word.starts_with("->") {
        return Some("write a move as OLD=NEW, like old.html=new.html".to_owned());
    }
    if word == "-" {
        return Some(format!("`{name}` already has a SITE; omit `-`, which means stdin"));
    }
    // `"--url https://example.org/"`, in quotes together.
    if let Some((first, value)) = word.split_once(' ')
        && option(command, first).is_some()
    {
        return Some(format!(
            "the quotes join the option and its value into one argument; write `{first} '{value}'`"
        ));
    }
    let mut before = words().take_while(|word| all.find_subcommand(word).is_none());
    if before.any(|it| it == word || it.starts_with(word) && word.len() == 2) {
        return Some(format!("options come after the command: `rehref {name} {word}`"));
    }
    if !word.starts_with('-') {
        return Some(advice_on_value(word, command, words()));
    }
    if words().take_while(|it| *it != word).any(|it| it == "--") {
        return Some(format!(
            "after `--`, rehref reads `{word}` as an argument, not as an option; omit `--`"
        ));
    }
    // `-dry-run`, of which the parser names the first letter.
    let whole = words().find(|it| it.starts_with(word)).unwrap_or(word);
    let long = format!("-{}", whole.split('=').next().unwrap_or(whole));
    if whole.len() > 2 && !whole.starts_with("--") && option(command, &long).is_some() {
        return Some(format!("did you mean `{long}`?"));
    }
    let typed = word.split('=').next().unwrap_or(word);
    let needless = |command: &str| {
        let mut rows = NEEDLESS.iter();
        let row = rows.find(|(of, habits, _)| {
            of.split(' ').any(|it| it == command) && habits.contains(&typed)
        });
        row.map(|(.., advice)| (*advice).to_owned())
    };
    if let Some(advice) = needless(name) {
        return Some(advice);
    }
    let lower = typed.to_lowercase();
    if lower != typed && option(command, &lower).is_some() {
        return Some(format!("use `{lower}`"));
    }
    let exists = |here: &&&str| here.starts_with(COMMAND) || option(command, here).is_some();
    let habit = OPTIONS.iter().find(|(habits, _)| habits.contains(&typed));
    if let Some(here) = habit.and_then(|(_, here)| here.iter().find(exists)) {
        return Some(format!("use `{here}`"));
    }
    if name == "resolve" {
        return Some(format!(
            "if `{whole}` is a reference, put `--` before it: `rehref resolve --base URL -- {whole}`"
        ));
    }
    if let Some(advice) = needless("") {
        return Some(advice);
    }
    let here = habit.and_then(|(_, here)| here.first().copied());
    let here = here.unwrap_or(typed);
    let owners = owners(here, all)?;
    let has = match here.split_once(' ') {
        Some((option, _)) => values(command, option),
        None => None,
    };
    Some(match has {
        Some(values) => {
            format!("`{here}` is an option of {owners}; {name} has the formats {values}")
        }
        None => format!("`{here}` is an option of {owners}; {name} has no such option"),
    })
}

/// The values of `option` of `command`, as words; `None` if any value is possible.
fn values(command: &Command, option: &str) -> Option<String> {
    let values = options::option(command, option)?.get_possible_values();
    let names: Vec<&str> = values.iter().map(|it| it.get_name()).collect();
    (!names.is_empty()).then(|| names.join(", "))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn every_word_stands_for_something_that_exists() {
        let mut command = command();
        command.build();
        for (habits, here) in OPTIONS {
            for here in here.iter().filter(|here| !here.starts_with(COMMAND)) {
                let mut commands = command.get_subcommands();
                assert!(commands.any(|it| option(it, here).is_some()), "{here}");
            }
            for habit in *habits {
                let mut commands = command.get_subcommands();
                assert!(commands.any(|it| option(it, habit).is_none()), "{habit}");
            }
        }
        for (habits, here) in COMMANDS {
            for habit in *habits {
                assert!(command.find_subcommand(habit).is_none(), "{habit}");
            }
            let name = here.split(' ').next().unwrap();
            let is_option = name == "--version";
            assert!(is_option || command.find_subcommand(name).is_some(), "{here}");
        }
    }
}
