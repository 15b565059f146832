//! Words that people type by habit, from other tools, and what to type instead.
//!
//! A word that means the same as an option or a command of ours is a hidden alias in its definition. The table has the
//! others; it comes before suggestions that only compare letters.

mod table;
mod unknown;

use std::ffi::OsString;
use std::path::Path;

use clap::builder::{PossibleValue, StyledStr};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};

use super::command_line::quoted;
use super::hosts::host_of;
use super::move_slips::is_url;
use super::place::mirror;
use rehref_audit::checks::CHECKS;
use rehref_site::nearest::nearest;
use table::HABITS;
use unknown::{new_url, on_foreign, on_unknown};

/// Adds to `error`, which parsing `arguments` gave, the advice on its word. `all` is built, so that its subcommands have
/// the options of all.
pub(super) fn explain(mut error: Error, all: &Command, arguments: &[OsString]) -> Error {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let command = words.iter().find_map(|word| all.find_subcommand(word)).unwrap_or(all);
    if error.kind() == ErrorKind::MissingRequiredArgument
        && let Some(advice) = on_report(command, &words)
    {
        let message =
            format!("the directory of --out is for a site that --fix corrects\n\n  tip: {advice}");
        return command.clone().error(ErrorKind::MissingRequiredArgument, message);
    }
    let advice = advice(&error, all, command, &words);
    if error.kind() == ErrorKind::UnknownArgument {
        // The parser's advice, to pass an option after `--`, helps nobody: no value looks like an option.
        error.remove(ContextKind::Suggested);
    }
    let rest = || {
        (error.kind() == ErrorKind::UnknownArgument).then(|| on_foreign(&error, command, &words))?
    };
    if let Some(advice) = advice.or_else(rest) {
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

/// Returns the error of a long option with one dash in `arguments`, which the parser would read as `-o ffline`. `all` is
/// built.
pub(super) fn single_dash(all: &Command, arguments: &[OsString]) -> Option<Error> {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let command = words.iter().find_map(|word| all.find_subcommand(word)).unwrap_or(all);
    let options = words.iter().take_while(|it| **it != "--");
    let (word, tip) = options.filter(|it| may_be_long(it)).find_map(|word| {
        let (name, value) = word.split_at(word.find(['=', ':']).unwrap_or(word.len()));
        let long = format!("-{}", name.to_ascii_lowercase());
        let is_alias = |it: &Arg| {
            it.get_all_aliases().is_some_and(|all| all.contains(&long.trim_matches('-')))
        };
        let is_option = option(command, &long).is_some() || command.get_arguments().any(is_alias);
        let tip = match &*long {
            _ if is_option => format!("did you mean `{long}{value}`?"),
            // Of PowerShell.
            "--path" | "--literalpath" => "pass the directory alone, without an option".to_owned(),
            "--recurse" => "remove it: a directory is read with all that is in it".to_owned(),
            _ => return None,
        };
        Some((word, tip))
    })?;
    let message = format!("unexpected argument '{word}' found\n\n  tip: {tip}");
    Some(command.clone().error(ErrorKind::UnknownArgument, message))
}

/// Returns true if `word` has one dash before several letters.
pub(super) fn may_be_long(word: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    letters.bytes().take_while(u8::is_ascii_alphabetic).count() > 2
}

/// The advice on the word that makes `error`, if there is any. `words` are typed after the name of the program.
fn advice(error: &Error, all: &Command, command: &Command, words: &[&str]) -> Option<String> {
    let text = |kind| match error.get(kind)? {
        ContextValue::String(word) => Some(word.as_str()),
        ContextValue::Strings(words) => words.first().map(String::as_str),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    // Without the names of values: `--out <DIR>`, `--fix[=<WHAT>]`.
    let name = argument.split([' ', '=', '[']).next().unwrap_or_default();
    let row = |key: &str, word: &str| habit(command, words, key, word);
    let is_page =
        |it: &&str| [".mht", ".mhtml", ".html", ".eml"].iter().any(|end| it.ends_with(end));
    if words.contains(&"--extract") && words.iter().any(is_page) {
        return Some("--extract reads WARC and WACZ archives only; a browser opens a page in one file, and saves its files (\"complete page\")".to_owned());
    }
    // Switches of Windows: `/fix`, `/url:https://example.org/`.
    let switch = |word: &&str| {
        let switch = word.strip_prefix('/').filter(|_| !Path::new(word).exists())?;
        let (name, value) = switch.split_once(':').unwrap_or((switch, ""));
        let value = if value.is_empty() { String::new() } else { format!(" {value}") };
        let name = format!("--{name}");
        option(command, &name)?;
        Some(format!("options begin with `--`, not `/`: write `{name}{value}`"))
    };
    if let Some(advice) = words.iter().find_map(switch) {
        return Some(advice);
    }
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let of_urls = new_url(words).filter(|_| !word.starts_with("redirect"));
            let of_paths = || match words {
                [_, site, old, new] if Path::new(site).join(old).exists() => Some(format!(
                    "use `rehref move {} {} --in-place`",
                    quoted(site),
                    quoted(format!("{old}={new}"))
                )),
                _ => None,
            };
            let replaced = if matches!(word, "replace" | "change") { of_paths() } else { None };
            of_urls.or(replaced).or_else(|| row(word, word)).or_else(|| on_command(word, all))
        }
        ErrorKind::MissingSubcommand => {
            words.first().and_then(|word| row(word, word)).or_else(|| row("--*", ""))
        }
        ErrorKind::MissingRequiredArgument
            if name == "<NEW>" && words.iter().any(|it| it.starts_with("--record")) =>
        {
            let site = words.iter().find(|it| Path::new(it).is_dir()).unwrap_or(&"SITE");
            let site = quoted(site);
            Some(format!("for the first record, pass the site as both: `rehref compare {site} {site} --record FILE`"))
        }
        ErrorKind::MissingRequiredArgument => on_taken(command, words).or_else(|| row(name, name)),
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg).unwrap_or_default();
            let other = other.split([' ', '=', '[']).next().unwrap_or_default();
            let key = if other == name { format!("{name}+") } else { format!("{name}!{other}") };
            row(&key, name).or_else(|| row(&format!("{other}!{name}"), name))
        }
        ErrorKind::InvalidValue => match text(ContextKind::InvalidValue).unwrap_or_default() {
            "" => row(&format!("{name}="), name)
                .or_else(|| Some("pass a value, or check whether a variable is set".to_owned())),
            word => row(&format!("{name}={word}"), name).or_else(|| match name {
                "--format" => on_format(word, error),
                "--host" if ["nginx", "conf", "htaccess"].iter().any(|it| word.contains(it)) => Some(format!(
                    "--host is the kind of server; to read its rules, use `--redirects {word}`"
                )),
                "--host" if let Some(host) = host_of(word) => Some(format!("use `--host {host}`")),
                "--host" if word.contains('.') && !words.contains(&"--url") => Some(format!(
                    "--host is the kind of server; for the URL of the site, use `--url {}{}/`",
                    if is_url(word) { "" } else { "https://" },
                    word.trim_end_matches('/')
                )),
                "--fail-on" if CHECKS.iter().any(|row| row.id == word) => Some(format!(
                    "--fail-on is a level; to fail on this check, use `--level {word}=error`; to run only this check, use `--only {word}`; to keep a check from failing the run, use `--level CHECK=note`"
                )),
                "--base-element" if word.starts_with('/') || word.contains("://") => {
                    row("--path-prefix", name)
                }
                "--only" if error.get(ContextKind::SuggestedValue).is_none() => {
                    row(word, word).or_else(|| row("--only=*", word))
                }
                "--only" => row(word, word),
                _ => row(word, word).or_else(|| on_check(word).filter(|_| name.is_empty())),
            }),
        },
        ErrorKind::TooManyValues => row(&format!("{name}="), name),
        ErrorKind::UnknownArgument => on_unknown(argument, all, command, words),
        _ => None,
    }
}

/// The advice of the table on `key`, typed to `command` as `word` among the `typed` words. A row does not count if it
/// names an option that `command` lacks, or one that is typed already.
fn habit(command: &Command, typed: &[&str], key: &str, word: &str) -> Option<String> {
    let name = command.get_name();
    let is_program = name == "rehref";
    let has = |list: &str, word: &str| list.split(' ').any(|it| it == word);
    let is_typed = |option: &str| {
        key.starts_with('-')
            && !key.contains(['=', '+', '~', '!', '*'])
            && typed.iter().any(|it| it.split('=').next() == Some(option))
    };
    let is_meant = |(commands, keys, advice): &&(&str, &str, &str)| {
        let is_of_any = commands.is_empty() && !(is_program && advice.contains("{command}"));
        let mut named = options_in(advice);
        let first = options_in(advice).next();
        (is_of_any || has(commands, name))
            && has(keys, key)
            && (is_program || named.all(|it| option(command, it).is_some()))
            && !first.is_some_and(is_typed)
    };
    let row = HABITS.iter().find(is_meant);
    row.map(|(.., advice)| advice.replace("{word}", word).replace("{command}", name))
}

/// The options that `advice` tells to type: what begins a code.
fn options_in(advice: &str) -> impl Iterator<Item = &str> {
    let codes =
        advice.split('`').skip(1).step_by(2).filter(|it| it.starts_with("--") && it.len() > 2);
    codes.map(|it| it.split(|c: char| c != '-' && !c.is_ascii_lowercase()).next().unwrap_or(it))
}

/// Advice on an argument that is missing because an option has taken it, since a variable before it is empty.
fn on_taken(command: &Command, words: &[&str]) -> Option<String> {
    let is_of_url = |it: &str| ["--url", "--also", "--new-url"].contains(&it);
    let mut pairs = words.windows(2);
    let taken = pairs.find_map(|pair| match pair {
        [option, value] if is_of_url(option) && Path::new(value).is_dir() => Some((option, value)),
        _ => None,
    });
    let (option, value) = taken?;
    let name = command.get_name();
    Some(format!(
        "`{option}` has taken {value} as its value; pass a URL to it, or check whether a variable is set: `rehref {name} {} {option} URL`",
        quoted(value)
    ))
}

/// The names of `--out`.
const OUT: [&str; 6] = ["--out", "-o", "--output", "--output-dir", "--out-dir", "--outdir"];

/// Advice on `--out` for the report of a command.
fn on_report(command: &Command, words: &[&str]) -> Option<String> {
    let at = words.iter().position(|it| OUT.contains(it) || *it == "--dir")?;
    let file = words.get(at + 1)?;
    let is_site = |it: &&str| Path::new(it).is_dir();
    if words.get(at) == Some(&"--dir")
        || is_site(file) && words.iter().filter(|it| is_site(it)).count() == 1
    {
        return Some(format!(
            "pass the directory without an option: `rehref {} {}`",
            command.get_name(),
            quoted(file)
        ));
    }
    if words.iter().any(|it| it.starts_with("--fix")) {
        return None;
    }
    let formats = option(command, "--format")?.get_possible_values();
    let is =
        |name: &str| formats.iter().find(|it| it.get_name() == name).map(PossibleValue::get_name);
    if let Some(format) = is(file) {
        return Some(format!("use `--format {format}`"));
    }
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let format = is(match extension {
        "xml" => "junit",
        "md" => "markdown",
        "txt" | "log" => "text",
        "htm" => "html",
        other => other,
    });
    let typed = words.iter().position(|it| *it == "--format" || *it == "-f");
    let typed = typed.and_then(|at| is(words.get(at + 1)?));
    if let Some(format) = typed.filter(|_| extension.is_empty()) {
        let file = Path::new(file).join("FILE");
        return Some(format!(
            "to write the report to a file, use `--format {format}={}`",
            file.display()
        ));
    }
    let format = typed.or(format)?;
    Some(format!("to write the report to a file, use `--format {format}={file}`"))
}

/// Advice on `word`, which stands where a command should.
fn on_command(word: &str, all: &Command) -> Option<String> {
    if word.contains("://") {
        return Some(format!(
            "rehref fetches nothing; download the site with `{}`, then run `rehref audit DIRECTORY`",
            mirror(word)
        ));
    }
    if Path::new(word).exists() {
        return Some(format!("a command comes first: `rehref audit {}`", quoted(word)));
    }
    let names = all.get_subcommands().flat_map(|it| {
        let name = it.get_name();
        it.get_visible_aliases().chain([name]).map(move |known| (known.to_owned(), name))
    });
    let near = nearest(names, word, 1 + word.chars().count() / 3);
    Some(match near {
        Some((_, name)) => format!("did you mean `rehref {name}`?"),
        None => "`rehref audit SITE` checks a site, `rehref links SITE` lists its links, `rehref move SITE OLD=NEW` moves files, and `absolute` and `relative` rewrite links; `rehref --help` lists all commands".to_owned(),
    })
}

/// Advice on the value `word` of `--format`.
fn on_format(word: &str, error: &Error) -> Option<String> {
    let Some(ContextValue::Strings(formats)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let is_format = |it: &str| formats.iter().any(|format| format == it);
    if let Some((format, file)) = word.split_once(':').filter(|(format, _)| is_format(format)) {
        return Some(format!("write `--format {format}={file}`"));
    }
    if word.split([',', ' ']).all(is_format) {
        return Some(
            "repeat the option for each format, all but one with a file: `--format FORMAT=FILE`"
                .to_owned(),
        );
    }
    let (stem, extension) = word.rsplit_once('.')?;
    let format = [extension, stem].into_iter().find(|it| is_format(it)).unwrap_or("FORMAT");
    Some(format!("to write to a file, also pass the format: `--format {format}={word}`"))
}

/// Advice on the value `word` of CHECK that is a message of a report, or has a name in brackets.
fn on_check(word: &str) -> Option<String> {
    if let Some(row) = CHECKS.iter().find(|row| word.contains(row.id)) {
        return Some(format!("did you mean `rehref explain {}`?", row.id));
    }
    if word.contains([' ', ':', '/', '.']) {
        return Some("pass the name in brackets at the end of the finding: `broken link` is broken-target, and `no anchor` is broken-fragment".to_owned());
    }
    // The parser's suggestion only shares some letters.
    let names = CHECKS.iter().map(|row| (row.id.to_owned(), ()));
    let is_near = nearest(names, word, 1 + word.chars().count() / 4).is_some();
    (!is_near).then(|| "rehref checks links, and what they lead to; `rehref explain` alone says what each check finds".to_owned())
}

/// The option of `command` that is typed as `word`: `--out` or `-o`.
fn option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let word = word.strip_prefix('-')?;
    let is_named = |arg: &&Arg| match word.strip_prefix('-') {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|short| word == short.to_string()),
    };
    command.get_arguments().find(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn every_row_is_about_commands_that_exist() {
        let all = command();
        for (commands, ..) in HABITS {
            for name in commands.split_whitespace().filter(|name| *name != "rehref") {
                assert!(all.get_subcommands().any(|it| it.get_name() == name), "{name}");
            }
        }
    }
}
