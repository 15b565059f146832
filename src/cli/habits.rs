//! Words that people type by habit, from other tools, and what rehref calls them.
//!
//! The parser's own suggestions compare letters. They offer `--json-ld` for `--json` and `relative` for
//! `rename`; the tables here come first.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgAction, Command};

use crate::moves::redirects::FORMATS;
use crate::nearest::nearest;

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
        "rehref fetches nothing; to check external links, pass `rehref links SITE --only external --format urls` to \
         a program that does",
    ),
    (&["-r", "--recursive", "--mirror"], "rehref always reads the whole tree below SITE; omit the option"),
    (&["-y", "--yes", "--no-confirm"], "rehref never asks; omit the option"),
    (&["-a", "--archive"], "rehref always copies permissions and times; omit the option"),
    (&["--watch"], "rehref does not watch files; run the command after each build"),
    (&["--root-dir"], "SITE is the root directory; omit the option"),
    (&["--delete"], "--out writes to a new directory, which holds nothing to delete; omit the option"),
    (&["--amend"], "rehref keeps no history; omit the option"),
    (&["--ignore-case"], "the check wrong-case reports names in the wrong letter case; `--level wrong-case=off` \
        disables the check"),
    (&["--sources"], "the audit reports places in SITE; `--source-url` links these to a code host"),
];

/// Options that a command does not need, and what to type instead.
#[rustfmt::skip]
const OF_COMMANDS: &[(&str, &[&str], &str)] = &[
    ("explain", &["--all", "--list"], "`rehref explain` alone lists all checks"),
    ("config", &["--list", "-l", "--get", "--show", "--all"], "`rehref config` alone prints all settings"),
    ("config", &["--url", "--set", "--only", "--ignore", "--level", "--fail-on"], WRITE_SETTING),
    ("completions", &["--shell"], "SHELL is an argument: `rehref completions bash`"),
    ("completions", &["--install", "-o", "--out", "--output"],
        "the command prints the script: `source <(rehref completions bash)`, or `> FILE` in the shell's \
         directory for completions"),
    ("man", &["-k", "--list"], "`rehref --help` lists the commands; `rehref man links` prints the page of one"),
    ("man", &["-o", "--out", "--output"], "the command prints the page: `rehref man audit > rehref-audit.1`"),
    ("man", &["--format"], "`rehref man audit | man -l -` shows the page"),
    ("audit", &["--output"], "to write a report to a file, add `--format html=FILE`"),
    ("audit", &["--offline"], "audit never fetches anything; omit the option"),
    ("links", &["--offline"], "links never fetches anything; omit the option"),
    ("links", &["--dump", "--list", "--all"], "links prints every link; `--format urls` prints only the URLs"),
    ("links", &["-o", "--out", "--output"], "to write to a file, add `--format csv=FILE`"),
    ("links", DRY, "links changes nothing; omit the option"),
    ("verify", &["-o", "--out", "--output"], "to write a report to a file, add `--format json=FILE`"),
    ("verify", DRY, "verify changes nothing; omit the option"),
    ("base", &["-o", "--out", "--output"], "to write to a file, add `--format json=FILE`"),
    ("base", &["--base"], "use `--url`, the URL of the document"),
    ("resolve", &["-o", "--out", "--output"], "to write to a file, add `--format json=FILE`"),
    ("move", &["-r"], "use `--regex`"),
];

const DRY: &[&str] = &["-n", "--dry-run", "--diff", "--check", "--in-place"];

const WRITE_SETTING: &str = "config only prints settings; to set one, write it to rehref.toml, like \
    url = \"https://example.org/docs/\"";

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
    ("scan", "audit"), ("checklinks", "audit"), ("check-links", "audit"), ("list", "links"), ("extract", "links"), ("ls", "links"), ("dump", "links"),
    ("diff", "verify"), ("compare", "verify"), ("prove", "verify"),
    ("join", "resolve"), ("urljoin", "resolve"),
    ("completion", "completions"), ("manual", "man"), ("version", "--version"),
];

/// Commands of tools that ask or are servers.
#[rustfmt::skip]
const NO_COMMANDS: &[(&[&str], &str)] = &[
    (&["fetch", "mirror", "download", "crawl", "get"],
        "rehref fetches nothing; download the site with `wget --mirror URL`, then run `rehref audit DIRECTORY`"),
    (&["serve", "server", "watch"], "rehref has no server; `rehref audit SITE` checks a site on disk"),
    (&["update", "upgrade", "install"], "rehref does not update itself; install it again as before"),
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
        ErrorKind::ArgumentConflict => match typed(ContextKind::InvalidArg).as_deref() {
            Some("--url <URL>")
                if typed(ContextKind::PriorArg).as_deref() == Some("--url <URL>") =>
            {
                Some("to give another URL of the site, use `--also`".to_owned())
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
    let lower = word.to_lowercase();
    if let Some((_, here)) = COMMANDS.iter().find(|(typed, _)| *typed == lower) {
        return Some(format!("use `rehref {here}`"));
    }
    if Path::new(word).exists() {
        return Some(format!(
            "a command comes first, as in `rehref audit {word}`"
        ));
    }
    let names = all.get_subcommands().map(Command::get_name);
    let names = names.map(|name| (name.to_owned(), name));
    let (_, name) = nearest(names, &lower, 1 + lower.chars().count() / 4)?;
    Some(format!("did you mean `{name}`?"))
}

/// What to give for an argument that is missing, or that belongs to another.
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
            "audit fails by itself if it finds an error (see --fail-on); --check is for --fix"
        }
        "audit" if is_missing("--fix") && is_typed(&["-o", "--out"]) => {
            "to write a report to a file, add `--format html=FILE`; --out is the directory for --fix"
        }
        "audit" if is_missing("--fix") => {
            "audit changes nothing without --fix; add --fix, or omit the option"
        }
        "absolute" | "relative" if is_missing("<SITE>") => {
            "SITE is the root directory of the site; to read one document from stdin, give `-`"
        }
        _ if is_missing("<SITE>") => {
            "SITE is the root directory of the site, as in `rehref audit public`"
        }
        "verify" if is_missing("<AFTER>") => {
            "give two trees: the site before a rewrite, and the site after the rewrite"
        }
        "completions" => "give a shell: bash, elvish, fish, powershell or zsh",
        "base" => "give a document; to read one from stdin, give `-` and --url",
        "resolve" => "give the URL of the document: `--base https://example.org/docs/page.html`",
        _ => return None,
    };
    Some(advice.to_owned())
}

/// What to give for the option `name`, whose value is missing.
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

/// The command that the user typed.
fn typed_command<'c>(all: &'c Command, arguments: &[OsString]) -> Option<&'c Command> {
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    words.find_map(|word| all.find_subcommand(word))
}

fn advice_on_argument(word: &str, all: &Command, arguments: &[OsString]) -> Option<String> {
    let words = || arguments.iter().skip(1).filter_map(|word| word.to_str());
    let Some(command) = typed_command(all, arguments) else {
        return Some("a command comes first, as in `rehref audit SITE`".to_owned());
    };
    let name = command.get_name();
    if name == "move" && word.starts_with("->") {
        return Some("write a move as OLD=NEW, like old.html=new.html".to_owned());
    }
    let mut before = words().take_while(|word| all.find_subcommand(word).is_none());
    if before.any(|it| it == word || it.starts_with(word) && word.len() == 2) {
        return Some(format!(
            "options come after the command: `rehref {name} {word}`"
        ));
    }
    if !word.starts_with('-') {
        return Some(advice_on_value(word, command, words()));
    }
    if words().take_while(|it| *it != word).any(|it| it == "--") {
        return Some(format!(
            "`--` ends the options, so that `{word}` is read as an argument; omit `--`"
        ));
    }
    // `-dry-run`, of which the parser names the first letter.
    let whole = words().find(|it| it.starts_with(word)).unwrap_or(word);
    let long = format!("-{}", whole.split('=').next().unwrap_or(whole));
    if whole.len() > 2 && !whole.starts_with("--") && option(command, &long).is_some() {
        return Some(format!("did you mean `{long}`?"));
    }
    let typed = word.split('=').next().unwrap_or(word);
    let of_command =
        |(of, habits, _): &&(&str, &[&str], &str)| *of == name && habits.contains(&typed);
    if let Some((.., advice)) = OF_COMMANDS.iter().find(of_command) {
        return Some((*advice).to_owned());
    }
    let lower = typed.to_lowercase();
    if lower != typed && option(command, &lower).is_some() {
        return Some(format!("use `{lower}`"));
    }
    let exists = |here: &&&str| here.starts_with(COMMAND) || option(command, here).is_some();
    let habit = OPTIONS.iter().find(|(habit, _)| *habit == typed);
    if let Some(here) = habit.and_then(|(_, here)| here.iter().find(exists)) {
        return Some(format!("use `{here}`"));
    }
    if name == "resolve" {
        return Some(format!(
            "if `{whole}` is a reference, put `--` before it: `rehref resolve --base URL -- {whole}`"
        ));
    }
    if let Some((_, advice)) = NEEDLESS.iter().find(|(habits, _)| habits.contains(&typed)) {
        return Some((*advice).to_owned());
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
    let values = self::option(command, option)?.get_possible_values();
    let names: Vec<&str> = values.iter().map(|it| it.get_name()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// What to do with a word that is neither an option nor a place for which `command` has room.
fn advice_on_value<'w>(
    word: &str,
    command: &Command,
    words: impl Iterator<Item = &'w str>,
) -> String {
    let before: Vec<&str> = words.take_while(|other| *other != word).collect();
    let option = |name: &str| option(command, name).or_else(|| short_option(command, name));
    // The value of an option that takes a value only after `=`: `--fix moved`.
    if let [.., name] = *before
        && let Some(found) = option(name)
    {
        return match found.is_require_equals_set() {
            true => format!("did you mean `{name}={word}`?"),
            false => format!("`{name}` takes no value, so that `{word}` is read as a place"),
        };
    }
    // A second value: `--include news visit`, `--format html report.html`.
    if let [.., name, value] = *before
        && let Some(found) = option(name)
        && word != value
    {
        if found.is_require_equals_set() {
            return format!("did you mean `{name}={value}`?");
        }
        let is_place = !word.contains('.') && Path::new(word).is_dir();
        if name == "--format" && !is_place {
            return format!("did you mean `--format {value}={word}`?");
        }
        if found.get_value_delimiter().is_some() && !is_place {
            return format!("did you mean `{name} {value},{word}`?");
        }
        if matches!(found.get_action(), ArgAction::Append)
            && before.iter().any(|it| Path::new(it).is_dir())
        {
            return format!("repeat the option for each value: `{name} {value} {name} {word}`");
        }
    }
    if word.starts_with(['\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}']) {
        let hyphens = word.replace(['\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}'], "-");
        let hyphens = hyphens.trim_start_matches('-');
        return format!("`{word}` begins with a dash that is not a hyphen; type `--{hyphens}`");
    }
    if let Some(url) = before
        .iter()
        .find(|it| it.starts_with("http://") || it.starts_with("https://"))
        && option("--url").is_some()
        && !before.contains(&"--url")
    {
        return format!(
            "rehref fetches nothing; give the URL at which SITE is published with --url {url}"
        );
    }
    match command.get_name() {
        "absolute" | "relative" => format!("to write to `{word}`, add `--out {word}`"),
        "links" => format!("SITE is one directory; to print the links to one page, add `--to {word}`"),
        "audit" => {
            "SITE is one directory, and audit reads all documents in it; --include GLOB selects some".to_owned()
        }
        "verify" => "give BEFORE, AFTER, then moves, like old.html=new.html".to_owned(),
        "config" => WRITE_SETTING.to_owned(),
        name => format!("{name} takes no further argument; see `rehref {name} --help`"),
    }
}

/// The option of `command` with the letter of `word`, as `-o`.
fn short_option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let letter = word.strip_prefix('-')?.chars().next()?;
    let mut arguments = command.get_arguments();
    arguments.find(|it| it.get_short() == Some(letter))
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
            let is_option = name == "--version";
            assert!(
                is_option || command.find_subcommand(name).is_some(),
                "{here}"
            );
        }
    }
}
