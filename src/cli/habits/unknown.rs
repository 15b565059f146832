//! Advice on arguments that a command does not take.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, Error};
use clap::{Arg, ArgAction, Command};

use super::table::HABITS;
use super::{OUT, habit, on_check, on_report, option};
use crate::cli::command_line::quoted;
use crate::cli::likely_site::{configured_by, is_project, likely_site};
use crate::cli::move_slips::{is_of_sed, is_url};
use crate::cli::working_directory::shown;
use rehref_audit::checks::CHECKS;
use rehref_corpus::folder_of;
use rehref_document::{DocumentKind, is_markdown};
use rehref_site::nearest::nearest;

/// Advice on `word`, which `command` does not take.
pub(super) fn on_unknown(
    word: &str,
    all: &Command,
    command: &Command,
    words: &[&str],
) -> Option<String> {
    let name = command.get_name();
    let option = |name: &str| option(command, name);
    let habit = |key: &str, word: &str| habit(command, words, key, word);
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
    if !before.iter().any(|it| all.find_subcommand(it).is_some())
        && name != all.get_name()
        && option(word).is_some()
    {
        return Some(format!("options come after the command: `rehref {name} {word}`"));
    }
    let mut numbered = words.iter().enumerate();
    if let Some((_, path)) = numbered.find(|(at, it)| it.contains(" --") && !is_value(*at)) {
        return Some(format!(
            "`{path}` is one argument: in this shell, a backslash hides the space behind it; write a slash"
        ));
    }
    let url = words.get(at + 1).filter(|it| is_url(it) && matches!(word, "-b" | "-l"));
    if let Some(url) = url.filter(|_| option("--url").is_some()) {
        return Some(format!("use `--url {url}`"));
    }
    let next = words.get(at + 1).map(Path::new).filter(|it| it.is_file());
    if let Some(file) = next.filter(|_| matches!(word, "-f" | "--file" | "--from-file" | "-c")) {
        let folder = folder_of(file).display();
        return match configured_by(file) {
            Some(program) => Some(format!(
                "{program} is read from its configuration: `rehref {name} {}`",
                quoted(folder)
            )),
            None if option("--map").is_some() => Some(format!(
                "use `--map {}`, a file with OLD, a tab and NEW on each line",
                quoted(file.display())
            )),
            None => habit(word, word),
        };
    }
    if word.trim().is_empty() {
        return Some("an argument is empty: remove a space behind the `\\` at the end of a line, or check whether a variable is set".to_owned());
    }
    if let Some(glob) = word.strip_prefix('!').filter(|_| option("--exclude").is_some()) {
        return Some(format!("use `--exclude {}`, with a glob relative to the site", quoted(glob)));
    }
    // Word processors write so.
    let dashes = ['\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];
    if word.starts_with(dashes) {
        let name = word.trim_start_matches(dashes).trim_start_matches('-');
        let hyphens = if name.chars().count() == 1 { "-" } else { "--" };
        return Some(format!("this is a dash, not a hyphen; write `{hyphens}{name}`"));
    }
    if is_of_sed(word) {
        return Some("rehref reads no expressions of sed; to change the URL of a site in all its links, use `rehref move SITE --url OLD --new-url NEW --out OUT`; `absolute` and `relative` need none".to_owned());
    }
    let is_url = is_url(word);
    let of_url = ["--url", "--also"].into_iter().find(|it| !words.contains(it));
    let is_list = |it: &&&str| it.contains("://") && !it.starts_with('-');
    if is_url && words.iter().filter(is_list).count() > 2 && matches!(name, "audit" | "compare") {
        return Some(
            "a list of URLs is one file: `rehref compare urls.txt SITE --url URL`".to_owned(),
        );
    }
    if let Some(advice) = new_url(words).filter(|_| matches!(name, "absolute" | "relative")) {
        return Some(advice);
    }
    if let Some(advice) = habit("<URL>", word).filter(|_| is_url) {
        return Some(advice);
    }
    if let Some(of_url) = of_url.filter(|it| is_url && option(it).is_some()) {
        return Some(format!("for the URL at which the site is published, add `{of_url} {word}`"));
    }
    if !word.starts_with('-') {
        return on_extra_word(word, all, command, words, before);
    }
    let typed = whole.split('=').next().unwrap_or(whole);
    if let Some(advice) = on_rest_of_build(before) {
        return Some(advice.to_owned());
    }
    let formats = option("--format").map(Arg::get_possible_values).unwrap_or_default();
    let is_format = |it: &&PossibleValue| {
        let word = typed.trim_start_matches('-');
        it.get_name() == word || word.len() > 3 && it.get_name().starts_with(word)
    };
    if let Some(format) = formats.iter().find(is_format) {
        let file = words.get(at + 1).filter(|it| it.contains('.') && !Path::new(it).is_dir());
        let file = whole.split_once('=').map(|(_, file)| file).or(file.copied());
        let file = file.map_or(String::new(), |file| format!("={}", quoted(file)));
        return Some(format!("use `--format {}{file}`", format.get_name()));
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
    // Several short options in one argument go together.
    let is_cluster = !whole.starts_with("--") && whole.len() > 2 && !whole.contains('=');
    let of_report = || if OUT.contains(&typed) { on_report(command, words) } else { None };
    of_report()
        .or_else(|| habit(typed, typed))
        .or_else(|| habit(word, if is_cluster { whole } else { word }))
        .or_else(in_other_case)
        .or_else(|| habit("--*", whole))
        .or_else(of_others)
}

/// Advice on two URLs among `words`: the first is to be replaced with the second.
pub(super) fn new_url(words: &[&str]) -> Option<String> {
    let mut urls = words.iter().filter(|it| is_url(it));
    let (old, new) = (urls.next()?, urls.next()?);
    let site = words.iter().find(|it| Path::new(it).is_dir()).unwrap_or(&"SITE");
    let [old, new] = [old, new].map(|it| match it.ends_with("://") {
        true => format!("{it}HOST/"),
        false => it.to_string(),
    });
    Some(format!(
        "if the site itself is at {old}, `rehref move {} --url {old} --new-url {new} --out OUT` replaces this URL in all its links; rehref does not change links to other sites, which `rehref links SITE --only external` lists",
        quoted(site)
    ))
}

/// Advice on `word`, an argument too many, which stands after the words `before`.
fn on_extra_word(
    word: &str,
    all: &Command,
    command: &Command,
    words: &[&str],
    before: &[&str],
) -> Option<String> {
    let name = command.get_name();
    let option = |name: &str| option(command, name);
    let habit = |key: &str, word: &str| habit(command, words, key, word);
    let is_missing = |it: &&&str| !it.starts_with('-') && !Path::new(it).exists();
    if let [.., last, value @ ("moved" | "sure" | "certain")] = before
        && *last == "--fix"
    {
        return Some(format!("did you mean `rehref {name} {} --fix={value}`?", quoted(word)));
    }
    if name == "base" && word.starts_with(['.', '#', '?']) && !Path::new(word).is_file() {
        return Some(format!(
            "to resolve a reference, use `rehref resolve --base URL {}`",
            quoted(word)
        ));
    }
    if name == "compare" && before.iter().filter(|it| it.contains(".log")).count() > 1 {
        return Some(
            "pass several logs as one: `cat access.log.1 access.log | rehref compare - SITE --from-log combined`".to_owned(),
        );
    }
    let missing = before.last().filter(is_missing).filter(|_| Path::new(word).is_dir());
    let is_document = |it: &&&str| {
        DocumentKind::of_built_path(Path::new(it)).is_some() || is_markdown(Path::new(it))
    };
    if let Some(page) = missing.filter(is_document) {
        let option = if option("--to").is_some() { "--to" } else { "--include" };
        return Some(format!(
            "the site comes first: `rehref {name} {} {option} {}`",
            quoted(word),
            quoted(page)
        ));
    }
    if let Some(host) = missing.filter(|it| it.contains('.') && !it.contains("://"))
        && option("--url").is_some()
    {
        let host = host.trim_end_matches('/');
        return Some(format!(
            "did you mean `rehref {name} {} --url https://{host}/`?",
            quoted(word)
        ));
    }
    // A glob that the shell has expanded.
    let is_value = match before {
        [.., last, _] => option(last).is_some_and(|it| it.get_action().takes_values()),
        _ => false,
    };
    if option("--include").is_some()
        && !is_value
        && let [.., first] = before
        && *first != word
        && [*first, word].iter().all(|it| Path::new(it).exists())
        && Path::new(first).parent() == Path::new(word).parent()
        && let Some(site) = likely_site(Path::new(word))
        && let Ok(below) = Path::new(word).strip_prefix(site)
        && let Some(folder) = below.parent().filter(|it| !it.as_os_str().is_empty())
    {
        let extension =
            |it: &str| Path::new(it).extension().and_then(OsStr::to_str).map(str::to_owned);
        let end = extension(word).filter(|it| extension(first).as_ref() == Some(it));
        let end = end.map_or(String::new(), |it| format!(".{it}"));
        return Some(format!(
            "pass the site, and select its documents with a glob: `rehref {name} {} --include '{}/*{end}'`",
            quoted(shown(site).display()),
            folder.display()
        ));
    }
    if let Some(advice) = on_rest_of_build(before) {
        return Some(advice.to_owned());
    }
    if before.contains(&"--build") {
        return Some("--build builds one project; pass only its directory as the site".to_owned());
    }
    // The value of an option that takes a value only after `=`: `--fix moved`; a second value: `--include news visit`.
    match before {
        // The name of a command was taken for SITE.
        [_, .., last] if all.find_subcommand(last).is_some() && !Path::new(last).exists() => {
            Some(format!("did you mean `rehref {last} {}`?", quoted(word)))
        }
        [.., last]
            if option(last).is_some_and(Arg::is_require_equals_set)
                && option(&format!("--{word}")).is_some() =>
        {
            Some(format!("did you mean `{last} --{word}`?"))
        }
        [.., last]
            if option(last).is_some_and(|it| {
                let values = it.get_possible_values();
                it.is_require_equals_set()
                    && (values.is_empty() || values.iter().any(|it| it.get_name() == word))
            }) =>
        {
            Some(format!("did you mean `{last}={word}`?"))
        }
        [.., "--fix"] if word.contains('=') => Some(format!(
            "for links to a file that has moved, use `rehref move SITE {} --already-moved --in-place`",
            quoted(word)
        )),
        [.., "--fix"] if CHECKS.iter().any(|row| row.id == word) => {
            Some(format!("use `--fix --only {word}`"))
        }
        [.., last] if option(last).is_some() => habit(&format!("{last}~"), word)
            .or_else(|| Some(format!("`{last}` accepts no value; remove `{word}`"))),
        [.., "--format", format] => Some(format!("did you mean `--format {format}={word}`?")),
        [.., "--ignore", value] if CONDITIONS.iter().any(|it| word.starts_with(it)) => {
            Some(format!(
                "the conditions of one rule are one argument: `--ignore {}`",
                quoted(format!("{value} {word}"))
            ))
        }
        [.., "--level", check] if !check.contains('=') => {
            Some(format!("write both as one value: `--level {check}={word}`"))
        }
        [.., last, value]
            if option(last).is_some_and(|it| matches!(it.get_action(), ArgAction::Append))
                && word != *value
                && !Path::new(word).is_dir() =>
        {
            Some(format!(
                "repeat the option for each value: `{last} {} {last} {}`; quote a glob, so that the shell \
                 does not expand it",
                quoted(value),
                quoted(word)
            ))
        }
        _ if words.windows(2).any(|it| matches!(it, ["--out" | "-o", value] if value == &word)) => {
            Some(format!("remove the first `{word}`"))
        }
        // A shell expanded a glob.
        [.., first]
            if [first, word].iter().all(|it| Path::new(it).is_file())
                && Path::new(first).extension() == Path::new(word).extension()
                && option("--include").is_some() =>
        {
            let files = words.iter().map(Path::new).filter(|it| it.is_file());
            let folders: Vec<&Path> = files.map(folder_of).collect();
            let common = folder_of(Path::new(first)).ancestors();
            let mut common =
                common.filter(|it| folders.iter().all(|folder| folder.starts_with(it)));
            let folder = common.next().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
            // Links of sources need the whole project, those of pages the root of the built site.
            let is_source = is_markdown(Path::new(word));
            let project = folder.ancestors().map(shown).find(|it| is_project(it));
            let folder = match project.filter(|_| is_source) {
                Some(project) => project,
                None if is_source => folder,
                None => likely_site(Path::new(first))
                    .filter(|it| folder.starts_with(it))
                    .unwrap_or(folder),
            };
            let files: BTreeSet<&Path> =
                words.iter().map(Path::new).filter(|it| it.is_file()).collect();
            if files.len() == 1 {
                return Some(format!("the file is given twice: `rehref {name} {}`", quoted(word)));
            }
            if files.len() <= FEW {
                let below = files.iter().filter_map(|it| it.strip_prefix(folder).ok().or(Some(it)));
                let included =
                    below.map(|it| format!(" --include {}", quoted(format!("/{}", it.display()))));
                let included: String = included.collect();
                return Some(format!(
                    "{name} accepts one document or site; for these files: `rehref {name} {}{included}`",
                    quoted(shown(folder).display())
                ));
            }
            let end = Path::new(word).extension().unwrap_or_default();
            let all = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            let all = all.filter(|it| Path::new(&it.file_name()).extension() == Some(end)).count();
            if folders.iter().any(|it| *it != folder) || files.len() != all {
                return Some(format!(
                    "{name} accepts one document or site; for these files, pass their list: `COMMAND | rehref {name} {} --files-from -`, without xargs",
                    quoted(folder.display())
                ));
            }
            let slash = if folders.iter().all(|it| *it == folder) { "/" } else { "" };
            let folder = quoted(folder.display());
            let end = Path::new(word).extension().unwrap_or_default().display();
            Some(format!(
                "{name} accepts one document or site; for these files: `rehref {name} {folder} --include '{slash}*.{end}'`"
            ))
        }
        ["explain", .., last] => on_check(&format!("{last} {word}")).or_else(|| habit("*", word)),
        _ => {
            let is_after_file =
                before.last().is_none_or(|it| Path::new(it).is_file() || *it == "-");
            habit("<FILE>*", word)
                .filter(|_| !is_after_file)
                .or_else(|| habit(word, word))
                .or_else(|| habit("*", word))
        }
    }
}

/// Advice on the option in `error`, on which there is no other: the nearest name, or the options of `command` that are
/// about its words.
pub(super) fn on_foreign(error: &Error, command: &Command, words: &[&str]) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let typed = typed.split(['=', ' ']).next().unwrap_or_default();
    let all = options_by_job(command);
    let Some(word) = typed.strip_prefix("--") else { return typed.starts_with('-').then_some(all) };
    let options = || command.get_arguments().filter(|it| !it.is_hide_set());
    let named = options().filter_map(Arg::get_long);
    let free = named.filter(|it| !words.iter().any(|word| word.strip_prefix("--") == Some(it)));
    let limit = 1 + word.chars().count().saturating_sub(3) / 5;
    if let Some((_, name)) = nearest(free.map(|it| (it, it)), word, limit) {
        return Some(format!("did you mean `--{name}`?"));
    }
    let keys = HABITS.iter().flat_map(|(_, keys, _)| keys.split(' '));
    let keys = keys.filter_map(|key| key.strip_prefix("--")).map(|it| (it, it));
    let near = nearest(keys, &word.replace('_', "-"), limit);
    let of_near = near.and_then(|(_, key)| habit(command, words, &format!("--{key}"), typed));
    if of_near.is_some() {
        return of_near;
    }
    // `--skip-links` means `--ignore-link`, and `--disable-external-links` means `--no-external`.
    for dropped in [&WITH[..], &[&WITH[..], &GENERAL[..]].concat()] {
        let meant = meaning(word, dropped);
        let keys = HABITS.iter().flat_map(|(_, keys, _)| keys.split(' '));
        let mut same = keys.filter(|key| {
            let name = key.strip_prefix("--");
            name.is_some_and(|it| !meant.1.is_empty() && meaning(it, dropped) == meant)
        });
        if let Some(advice) = same.find_map(|key| habit(command, words, key, typed)) {
            return Some(advice);
        }
    }
    let typed: Vec<String> = parts(word)
        .into_iter()
        .filter(|it| ![&WITHOUT[..], &WITH[..]].concat().contains(&&**it))
        .collect();
    // A word that only the help has is often about something else.
    let score = |option: &&Arg| {
        let names = parts(option.get_long().unwrap_or_default());
        let values = option.get_possible_values();
        let help = parts(&option.get_help().map(ToString::to_string).unwrap_or_default());
        let points = typed.iter().map(|it| {
            let is_value = values.iter().any(|value| value.get_name() == it);
            let is_in = |words: &[String]| usize::from(words.contains(it));
            4 * usize::from(is_value) + 4 * is_in(&names) + is_in(&help)
        });
        points.sum::<usize>()
    };
    let best = options().map(|it| score(&it)).max().filter(|it| *it >= 4);
    let found = options().filter(|it| it.get_long().is_some() && Some(score(it)) == best).take(3);
    let found = found.map(|it| {
        let help = it.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.split([':', '[', ';']).next().unwrap_or_default().trim_end();
        let values = it.get_possible_values();
        let value = values.iter().find(|it| typed.iter().any(|word| it.get_name() == word));
        let value = value.map(|it| format!(" {}", it.get_name())).unwrap_or_default();
        format!("`--{}{value}` ({help})", it.get_long().unwrap_or_default())
    });
    let found: Vec<String> = found.collect();
    let like = format!("options like it: {}", found.join(", "));
    Some(match best {
        None => all,
        Some(best) if best >= 4 * typed.len() => like,
        Some(_) => format!("{like}\n       {all}"),
    })
}

/// The jobs for which people look for an option, and the options for each. A command without the first has no such job.
#[rustfmt::skip]
const JOBS: &[(&str, &[&str])] = &[
    ("to select documents", &["--include", "--exclude", "--files-from"]),
    ("to select links", &["--broken", "--only", "--to"]),
    ("to select checks", &["--level", "--only", "--min-level", "--fail-on"]),
    ("to ignore findings, as with 'target:/admin/*'", &["--ignore", "--baseline"]),
    ("to fix findings", &["--fix"]),
    ("to move many files", &["--map", "--regex"]),
    ("to change the URL of the site", &["--new-url"]),
    ("to write redirects", &["--write-redirects"]),
    ("to write the result", &["--out", "--in-place", "--dry-run", "--diff"]),
    ("to write a report", &["--format"]),
    ("to say where the site is published", &["--url", "--also"]),
    ("to say what its server does", &["--host", "--index-files", "--try"]),
];

/// The main options of `command`, by their jobs.
fn options_by_job(command: &Command) -> String {
    let name = command.get_name();
    let shown = |typed: &&str| {
        let option = option(command, typed)?;
        let value = option.get_value_names().and_then(|names| names.first());
        let value = value.filter(|_| option.get_num_args().is_some_and(|it| it.min_values() > 0));
        Some(value.map_or((*typed).to_owned(), |value| format!("{typed} {value}")))
    };
    let lines = JOBS.iter().filter_map(|(job, options)| {
        shown(options.first()?)?;
        let options: Vec<String> = options.iter().filter_map(shown).collect();
        Some(format!("\n       {job}: {}", options.join(", ")))
    });
    format!(
        "`rehref {name} --help` explains all options, like these:{}\n       rehref reads files and fetches nothing",
        lines.collect::<String>()
    )
}

/// The parts of the name of an option: `excludeLinks` has `exclude` and `link`.
fn parts(text: &str) -> Vec<String> {
    let text = text.chars().flat_map(|c| {
        let gap = c.is_ascii_uppercase().then_some('-');
        gap.into_iter().chain([c.to_ascii_lowercase()])
    });
    let text: String = text.collect();
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|it| it.len() > 1);
    parts.map(|it| it.trim_end_matches('s').to_owned()).collect()
}

/// The most files that advice names.
const FEW: usize = 4;

/// The starts of the conditions of `--ignore` with a value.
const CONDITIONS: [&str; 4] = ["path:", "target:", "element:", "attribute:"];

/// Words of options that leave something out, those of options that do not, and those that most options are about.
const WITHOUT: [&str; 9] =
    ["no", "not", "skip", "exclude", "ignore", "disable", "without", "omit", "allow"];
const WITH: [&str; 9] = ["check", "include", "only", "enable", "with", "all", "show", "use", "set"];
const GENERAL: [&str; 3] = ["link", "url", "file"];

/// Returns the meaning of the name of an option: true if it leaves something out, and the words of its subject, without those
/// that are `dropped`.
fn meaning(name: &str, dropped: &[&str]) -> (bool, BTreeSet<String>) {
    let (without, about): (Vec<String>, Vec<String>) =
        parts(name).into_iter().partition(|it| WITHOUT.contains(&&**it));
    let about = about.into_iter().filter(|it| !dropped.contains(&&**it));
    (!without.is_empty(), about.collect())
}

/// The advice about a word after a command of `--build` that is not in quotes.
fn on_rest_of_build(before: &[&str]) -> Option<&'static str> {
    let command = before.iter().rposition(|it| *it == "--build").and_then(|at| before.get(at + 1));
    let command = command.filter(|it| !it.contains("{out}") && !it.trim().contains(' '))?;
    Some(if command.starts_with('\'') {
        "the shell of Windows needs double quotes around the command: --build \"mkdocs build -q -d {out}\""
    } else {
        "write the whole command in quotes: --build 'mkdocs build -q -d {out}'"
    })
}
