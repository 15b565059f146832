//! `rehref.toml`, the settings of a site, and `rehref config`, which prints what holds and whence.
//!
//! Settings are options of the command line: a command runs as if they had been typed before its own. What
//! is typed takes their place, or is added where people mean that (`--ignore`).

mod file;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error};
use serde::Serialize;

use super::exit::{CliError, Exit, usage_error};
use super::options::{SiteKind, settings};
use super::reports::{self, Requested, formats, requested};
use super::terminal;
use super::values::{REPORT_FORMATS, ReportFormat};
use file::{Setting, search};
use rehref_corpus::SitePlace;

/// The file of settings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(super) struct ConfigArguments {
    /// Read settings from FILE [default: rehref.toml in the working directory or a parent directory in the same
    /// repository]
    ///
    /// rehref does not read a rehref.toml in SITE: a downloaded site must not change how rehref treats it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Do not read rehref.toml
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
}

impl ConfigArguments {
    /// Notes that a file in SITE is not read, where the search from the working directory does not note it.
    pub(super) fn note_unread(&self, place: &SitePlace) {
        let has_root = matches!(place, SitePlace::Directory(_) | SitePlace::Document(_));
        if !has_root || self.config.is_some() || self.no_config {
            return;
        }
        let here = std::env::current_dir().and_then(|it| rehref_site::canonical(&it));
        let root = place.root();
        let file = root.join(file::NAME);
        if file.is_file() && !here.is_ok_and(|here| here.starts_with(&root)) {
            terminal::note(file::in_site(&file));
        }
    }
}

/// Print the settings of rehref.toml and the defaults, and where each comes from
///
/// rehref.toml contains the options that a site always needs, by their names: url, also, index-files, try, include,
/// exclude and others; the table [audit] contains the options of audit: ignore, level, baseline and others, and
/// [markdown] contains generated. An
/// option on the command line replaces the setting; --also, --exclude, --html, --template-markup, --ignore and
/// --level add to the setting.
#[derive(Debug, Args)]
#[command(after_long_help = settings_help())]
pub(super) struct Arguments {
    #[command(flatten)]
    config: ConfigArguments,
    /// Format of the result, on stdout or in FILE; repeatable
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(REPORT_FORMATS))]
    format: Vec<Requested<ReportFormat>>,
}

/// The list of all settings.
fn settings_help() -> String {
    let keys: Vec<&str> = settings().map(|row| row.key).collect();
    format!("Settings: {}", keys.join(", "))
}

/// The words of a command line with the settings of a file.
pub(super) struct Configured {
    pub(super) words: Vec<OsString>,
    /// Warnings for the user.
    pub(super) notes: Vec<String>,
    /// The messages of `--verbose`.
    pub(super) details: Vec<String>,
}

/// The arguments that name SITE.
const SITES: [&str; 3] = ["place", "before", "after"];

/// Adds the settings to `words`, which `command` is to parse.
pub(super) fn configured(command: &Command, words: Vec<OsString>) -> Result<Configured, CliError> {
    let mut configured = Configured { words, notes: Vec::new(), details: Vec::new() };
    // Without a file, which is the usual run, the words need no parsing of their own.
    let is_asked = |word: &OsString| word.as_encoded_bytes().starts_with(b"--config");
    let found = search(&[]);
    if found.file.is_none() && found.notes.is_empty() && !configured.words.iter().any(is_asked) {
        return Ok(configured);
    }
    // What is wrong with them is said when they are parsed with the settings.
    let lenient = command.clone().ignore_errors(true).try_get_matches_from(&configured.words);
    let subcommand = lenient.as_ref().ok().and_then(|all| {
        let (name, matches) = all.subcommand()?;
        // Where there were errors, flags have no default.
        let is_off = matches.try_get_one("no_config").is_ok_and(|it| it == Some(&true));
        let subcommand = command.find_subcommand(name).filter(|_| name != "config" && !is_off)?;
        Some((subcommand, matches, matches.try_get_one::<PathBuf>("config").ok()?))
    });
    let Some((subcommand, matches, given)) = subcommand else { return Ok(configured) };
    let sites = SITES.iter().filter_map(|id| matches.try_get_raw(id).ok()??.next());
    let sites: Vec<&Path> = sites.map(Path::new).collect();
    let mut file = given.cloned();
    if file.is_none() {
        let roots = sites.iter().filter_map(|site| match SitePlace::of(site).ok()? {
            SitePlace::Archive(_) => None,
            place => Some(place.root()),
        });
        let found = search(&roots.collect::<Vec<_>>());
        configured.notes.extend(found.notes);
        file = found.file;
    }
    let Some(file) = file else { return Ok(configured) };
    let kind = sites.first().map_or(SiteKind::Directory, |site| match SitePlace::of(site) {
        _ if *site == Path::new("-") => SiteKind::Stdin,
        Ok(place) => SiteKind::of(&place),
        // A document whose kind --kind tells.
        Err(_) if site.is_file() => SiteKind::Document,
        Err(_) => SiteKind::Directory,
    });
    let mut settings = file::read(&file, command)?;
    settings.retain(|setting| applies(setting, kind, subcommand, matches));
    let all: Vec<OsString> = settings.iter().flat_map(Setting::words).collect();
    let words = with(command, &configured.words, &all);
    if command.clone().try_get_matches_from(&words).is_err() {
        refuse_bad_value(command, &configured.words, &settings)?;
    }
    let keys: Vec<&str> = settings.iter().map(|setting| setting.row.key).collect();
    let keys = if keys.is_empty() { "none for this command".to_owned() } else { keys.join(", ") };
    let name = file.display();
    configured.details.push(format!("settings of {name}: {keys}"));
    configured.words = words;
    Ok(configured)
}

/// Returns true if `setting` holds for this run of `command`: it has the option, its SITE has a use for it, and
/// nothing typed takes its place.
fn applies(setting: &Setting, kind: SiteKind, command: &Command, matches: &ArgMatches) -> bool {
    let row = setting.row;
    let is_typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let has = |id: &str| command.get_arguments().any(|it| it.get_id() == id);
    let option = command.get_arguments().find(|it| it.get_long() == Some(row.option()));
    let negated = format!("no_{}", row.option().replace('-', "_"));
    option.is_some_and(|option| {
        let is_replaced = !row.adds() && is_typed(option.get_id().as_str());
        let is_negated = has(&negated) && is_typed(&negated);
        row.is_for(command.get_name()) && row.holds_for(kind) && !is_replaced && !is_negated
    })
}

/// `words` with `more` after the name of the command, before everything that is typed.
fn with(command: &Command, words: &[OsString], more: &[OsString]) -> Vec<OsString> {
    let is_name = |word: &OsString| command.find_subcommand(word).is_some();
    let at = words.iter().skip(1).position(is_name).map_or(words.len(), |at| at + 2);
    let (before, after) = words.split_at(at.min(words.len()));
    [before, more, after].concat()
}

/// Names the setting that makes an error, if one does.
fn refuse_bad_value(
    command: &Command,
    words: &[OsString],
    settings: &[Setting],
) -> Result<(), CliError> {
    let error_of = |words: &[OsString]| -> Option<Error> {
        let error = command.clone().try_get_matches_from(words).err()?;
        let kinds =
            [ErrorKind::InvalidValue, ErrorKind::ValueValidation, ErrorKind::ArgumentConflict];
        kinds.contains(&error.kind()).then_some(error)
    };
    if error_of(words).is_some() {
        return Ok(());
    }
    for setting in settings {
        if let Some(error) = error_of(&with(command, words, &setting.words())) {
            let text = error.to_string();
            let text = text.trim_start_matches("error: ").trim_end();
            let usage = text.find("\n\nUsage:").or_else(|| text.find("\n\nFor more"));
            let text = usage.map_or(text, |end| text.get(..end).unwrap_or(text));
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let text = lines.collect::<Vec<_>>().join("; ");
            return usage_error(format!("{}: {text}", setting.place));
        }
    }
    Ok(())
}

/// A setting that holds.
#[derive(Serialize)]
struct Holding {
    key: &'static str,
    value: Vec<String>,
    /// `FILE:LINE:COLUMN`, or `default`.
    from: String,
}

/// The settings in effect.
#[derive(Serialize)]
struct Settings {
    file: Option<String>,
    settings: Vec<Holding>,
}

/// Prints the settings. `command` is the whole command line, which knows the defaults.
pub(super) fn run(arguments: &Arguments, command: &Command) -> Result<Exit, CliError> {
    let reports = requested(&arguments.format, &REPORT_FORMATS)?;
    let file = match &arguments.config {
        ConfigArguments { no_config: true, .. } => None,
        ConfigArguments { config: Some(file), .. } => Some(file.clone()),
        ConfigArguments { .. } => search(&[]).file,
    };
    let given =
        file.as_deref().map(|file| file::read(file, command)).transpose()?.unwrap_or_default();
    // The audit has all settings: what it refuses does not hold.
    let words = ["rehref", "audit", "SITE"].map(OsString::from);
    refuse_bad_value(command, &words, &given)?;
    let audit = command.find_subcommand("audit");
    let default = |option: &str| -> Vec<String> {
        let mut options = audit.into_iter().flat_map(Command::get_arguments);
        let option = options.find(|it| it.get_long() == Some(option));
        let values = option.map(clap::Arg::get_default_values).unwrap_or_default();
        values.iter().map(|it| it.to_string_lossy().into_owned()).collect()
    };
    let holding = settings().filter_map(|row| {
        let given = given.iter().find(|it| it.row.key == row.key);
        let text = |value: &OsString| OsStr::to_string_lossy(value).into_owned();
        let (value, from) = match given {
            Some(setting) => (setting.values.iter().map(text).collect(), setting.place.clone()),
            None => (default(row.option()), "default".to_owned()),
        };
        let key = row.key;
        let is_set = !value.is_empty() && value != ["false"];
        is_set.then_some(Holding { key, value, from })
    });
    let settings =
        Settings { file: file.map(|file| file.display().to_string()), settings: holding.collect() };
    if settings.file.is_none() {
        let advice = match file::above() {
            Some(file) if !arguments.config.no_config => {
                let file = file.display();
                format!("; {file} is outside the repository\nhelp: to read it, add --config {file}")
            }
            _ => String::new(),
        };
        terminal::note(format!(
            "no rehref.toml found in the working directory or its parent directories in the same \
             repository{advice}"
        ));
    }
    let rows = settings.settings.iter();
    let rows = rows.map(|it| vec![it.key.to_owned(), it.from.clone(), it.value.join(", ")]);
    let text = terminal::columns(&rows.collect::<Vec<_>>());
    reports::write_all(&reports, &text, ("rehref-config", &settings))?;
    Ok(Exit::Done)
}
