//! `rehref.toml`, the settings of a site, and `rehref config`, which prints what holds and whence.
//!
//! Settings are options of the command line: a command runs as if they had been typed before its own. What
//! is typed takes their place, or is added where people mean that (`--ignore`).

mod file;

use super::working_directory::working_directory;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error};
use serde::Serialize;

use super::exit::{CliError, Exit, usage_error};
use super::options::{COMMANDS, Row, SiteKind, ValueKind, settings};
use super::reports::{self, Requested, formats, requested};
use super::terminal;
use super::values::{REPORT_FORMATS, ReportFormat};
use file::{Setting, Settings, SiteSettings, search};
use rehref_corpus::SitePlace;
use rehref_site::canonical;

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
        let root = place.root();
        let file = root.join(file::NAME);
        if file.is_file() && !working_directory().is_ok_and(|here| here.starts_with(&root)) {
            terminal::note(file::in_site(&file));
        }
    }
}

/// Print the settings of rehref.toml and the defaults, and where each comes from
///
/// rehref.toml contains the options that a site always needs, by their names: url, also, index-files, try, include,
/// exclude and others; the tables [audit] and [compare] contain the options of these commands: ignore, level, baseline and
/// others. Each [[site]] is a site of the repository, with its path and settings of its
/// own: audit and compare without SITE run over all of them, and follow the links between them. An option on the command line replaces the setting; --also, --exclude, --html, --template-markup, --ignore and
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
    /// The words; for several sites of the file, those of a command line for each.
    pub(super) runs: Vec<Vec<OsString>>,
    /// Command lines for the other sites of the file, to which links of the site may lead.
    pub(super) others: Vec<Vec<OsString>>,
    /// Warnings for the user.
    pub(super) notes: Vec<String>,
    /// The messages of `--verbose`.
    pub(super) details: Vec<String>,
}

/// The arguments that name SITE.
const SITES: [&str; 4] = ["place", "before", "after", "new"];

/// The argument that names the OLD of `compare`.
const OLD: &str = "old";

/// Adds the settings to `words`, which `command` is to parse.
pub(super) fn configured(command: &Command, words: Vec<OsString>) -> Result<Configured, CliError> {
    let is_asked = |word: &OsString| word.as_encoded_bytes().starts_with(b"--config");
    let has_config = words.iter().any(is_asked);
    let mut configured = Configured {
        runs: vec![words.clone()],
        others: Vec::new(),
        notes: Vec::new(),
        details: Vec::new(),
    };
    // Without a file, which is the usual run, the words need no parsing of their own.
    let found = search(&[]);
    configured.notes = unread_variables(&words);
    if found.file.is_none() && !has_config {
        configured.notes.extend(file::note_of_project(&words));
    }
    let is_usual = found.notes.is_empty() && configured.notes.is_empty();
    if found.file.is_none() && is_usual && !has_config {
        return Ok(configured);
    }
    // What is wrong with them is said when they are parsed with the settings.
    let lenient = command.clone().ignore_errors(true).try_get_matches_from(&words);
    let subcommand = lenient.as_ref().ok().and_then(|all| {
        let (name, matches) = all.subcommand()?;
        // Where there were errors, flags have no default.
        let is_off = matches.try_get_one("no_config").is_ok_and(|it| it == Some(&true));
        let subcommand = command.find_subcommand(name).filter(|_| name != "config" && !is_off)?;
        Some((subcommand, matches, matches.try_get_one::<PathBuf>("config").ok()?))
    });
    let Some((subcommand, matches, given)) = subcommand else { return Ok(configured) };
    let operand = |id: &str| matches.try_get_raw(id).ok()??.next().map(Path::new);
    let sites: Vec<&Path> = SITES.iter().filter_map(|id| operand(id)).collect();
    let mut file = given.cloned();
    if file.is_none() {
        let roots = sites.iter().filter_map(|site| match SitePlace::of(site).ok()? {
            SitePlace::Archive(_) => None,
            place => Some(place.root()),
        });
        let old = operand(OLD).filter(|it| it.is_dir()).map(Path::to_owned);
        let found = search(&roots.chain(old).collect::<Vec<_>>());
        configured.notes.extend(found.notes);
        file = found.file;
    }
    let Some(file) = file else { return Ok(configured) };
    let settings = file::read(&file, command)?;
    let typed =
        Typed { command: subcommand.get_name(), site: sites.first().copied(), old: operand(OLD) };
    let runs = runs(&settings, &typed)?;
    if let Some(inside) = runs.iter().filter(|_| given.is_none()).find_map(|it| it.holds(&file)) {
        return usage_error(format!(
            "{inside}: this directory contains {0}, and rehref reads no settings in the site\nhelp: to read them, add --config {0}",
            file.display()
        ));
    }
    if runs.len() > 1 && is_typed(matches, "url") {
        return usage_error(format!(
            "--url applies to one site, but {} has several\nhelp: pass SITE, or set `url` in each [[site]]",
            file.display()
        ));
    }
    configured.runs.clear();
    for run in &runs {
        let mut typed = words.clone();
        typed.extend(run.last.iter().cloned());
        if let Some(site) = run.site.filter(|it| run.is_of_file && !it.path.exists()) {
            configured.notes.push(format!(
                "{}: no such directory: {}; `path` is relative to the directory of this file",
                site.place,
                site.path.display()
            ));
        }
        let kind = run.kind(sites.first().copied());
        let settings = run.settings(&settings.common);
        let (words, keys) = run.words(command, (subcommand, matches), &typed, kind, settings)?;
        let of = run.site.map_or(String::new(), |it| format!(" for {}", it.path.display()));
        configured.details.push(format!("settings of {}{of}: {keys}", file.display()));
        configured.runs.push(words);
    }
    let is_one = runs.len() == 1 && subcommand.get_name() == "audit";
    let others = settings.sites.iter().filter(|it| {
        let is_run = |run: &SiteRun<'_>| run.site.is_some_and(|site| std::ptr::eq(site, *it));
        is_one && runs.iter().all(|run| run.site.is_some() && !is_run(run))
    });
    for site in others {
        // What is typed is for the site that is named.
        let run = SiteRun { site: Some(site), ..SiteRun::default() };
        let words: Vec<OsString> =
            vec!["rehref".into(), "audit".into(), site.path.clone().into_os_string()];
        let alone = command
            .clone()
            .try_get_matches_from(&words)
            .map_err(|it| CliError::Usage(it.to_string()))?;
        let Some((_, matches)) = alone.subcommand() else { continue };
        let settings = run.settings(&settings.common);
        let kind = run.kind(None);
        configured
            .others
            .push(run.words(command, (subcommand, matches), &words, kind, settings)?.0);
    }
    Ok(configured)
}

/// Notes of environment variables that are named like settings, unless the option is typed.
fn unread_variables(words: &[OsString]) -> Vec<String> {
    let note = |name: String| {
        let option = name.strip_prefix("REHREF_")?.to_lowercase().replace('_', "-");
        let row = settings().find(|row| row.option() == option);
        let is_typed = |word: &OsString| word.to_string_lossy().starts_with(&format!("--{option}"));
        let in_file = row.map(|row| format!(", or write `{}` to rehref.toml", row.key));
        let is_option = in_file.is_some() || option == "config";
        (is_option && !words.iter().any(is_typed)).then(|| {
            let in_file = in_file.unwrap_or_default();
            format!("rehref does not read the variable {name}\nhelp: use --{option}{in_file}")
        })
    };
    std::env::vars_os().filter_map(|(name, _)| note(name.into_string().ok()?)).collect()
}

/// The command and the operands that are typed.
struct Typed<'t> {
    command: &'t str,
    site: Option<&'t Path>,
    old: Option<&'t Path>,
}

/// A run of the command.
#[derive(Default)]
struct SiteRun<'s> {
    /// The entry of its site.
    site: Option<&'s SiteSettings>,
    /// The operands to add before what is typed, and after it.
    first: Vec<OsString>,
    last: Vec<OsString>,
    /// Whether the file alone names the site.
    is_of_file: bool,
}

/// The runs of the command: one for what is typed, or one for each site of the file if no SITE is.
fn runs<'s>(settings: &'s Settings, typed: &Typed<'_>) -> Result<Vec<SiteRun<'s>>, CliError> {
    let of_path = |path: &Path| settings.sites.iter().find(|it| is_same(&it.path, path));
    let old_of = |site: Option<&'s SiteSettings>| {
        let own = site.into_iter().flat_map(|it| &it.settings);
        let old = own.chain(&settings.common).find(|it| it.row.value == Some(ValueKind::Old));
        old.and_then(|it| it.values.first().cloned())
    };
    let one = |run: SiteRun<'s>| Ok(vec![run]);
    let each = |run: &dyn Fn(&'s SiteSettings) -> Result<SiteRun<'s>, CliError>| {
        let runs = settings
            .sites
            .iter()
            .map(|site| Ok(SiteRun { site: Some(site), is_of_file: true, ..run(site)? }));
        runs.collect::<Result<Vec<_>, CliError>>()
    };
    let path = |site: &SiteSettings| site.path.clone().into_os_string();
    match (typed.command, typed.old, typed.site) {
        ("audit", _, None) if !settings.sites.is_empty() => {
            each(&|site| Ok(SiteRun { first: vec![path(site)], ..SiteRun::default() }))
        }
        ("compare", None, _) if !settings.sites.is_empty() => {
            each(&|site| match old_of(Some(site)) {
                Some(old) => Ok(SiteRun { first: vec![old, path(site)], ..SiteRun::default() }),
                None => usage_error(format!(
                    "{}: this site has no `old` in [site.compare], the state to compare it with\nhelp: set it, or type OLD: rehref compare git:main",
                    site.place
                )),
            })
        }
        // What is typed is OLD, or NEW if the file names OLD.
        ("compare", Some(typed), None) => match (of_path(typed), old_of(of_path(typed))) {
            (site, Some(old)) if site.is_some() || settings.sites.is_empty() => {
                one(SiteRun { site, first: vec![old], ..SiteRun::default() })
            }
            _ if typed.is_dir() && settings.sites.len() > 1 => usage_error(format!(
                "OLD is the directory {}, but rehref.toml has several sites\nhelp: name NEW, or type git:REVISION or a list of \
                 URLs, which may be OLD for all",
                typed.display()
            )),
            _ if settings.sites.is_empty() => one(SiteRun::default()),
            _ => each(&|site| Ok(SiteRun { last: vec![path(site)], ..SiteRun::default() })),
        },
        (_, _, site) => one(SiteRun { site: site.and_then(of_path), ..SiteRun::default() }),
    }
}

impl SiteRun<'_> {
    /// The place of the path of the site if the file alone names it, and it holds `file`.
    fn holds(&self, file: &Path) -> Option<&str> {
        let site = self.site.filter(|_| self.is_of_file)?;
        let (root, file) = (canonical(&site.path).ok()?, canonical(file).ok()?);
        file.starts_with(root).then_some(&site.place)
    }

    /// The kind of its site; `typed` is SITE on the command line.
    fn kind(&self, typed: Option<&Path>) -> SiteKind {
        let site = self.site.map(|it| it.path.as_path()).or(typed);
        site.map_or(SiteKind::Directory, |site| match SitePlace::of(site) {
            _ if site == Path::new("-") => SiteKind::Stdin,
            Ok(place) => SiteKind::of(&place),
            // A document whose kind --kind tells.
            Err(_) if site.is_file() => SiteKind::Document,
            Err(_) => SiteKind::Directory,
        })
    }

    /// The words of the command line with those of `settings` that hold, and their keys. `typed`: what is typed.
    fn words(
        &self,
        all: &Command,
        (command, matches): (&Command, &ArgMatches),
        typed: &[OsString],
        kind: SiteKind,
        mut settings: Vec<&Setting>,
    ) -> Result<(Vec<OsString>, String), CliError> {
        settings.retain(|setting| applies(setting, kind, command, matches));
        let options = settings.iter().flat_map(|it| it.words());
        let added: Vec<OsString> = self.first.iter().cloned().chain(options).collect();
        let words = with(all, typed, &added);
        if all.clone().try_get_matches_from(&words).is_err() {
            refuse_bad_value(all, &with(all, typed, &self.first), &settings)?;
        }
        let keys: Vec<&str> = settings.iter().map(|setting| setting.row.key).collect();
        let keys =
            if keys.is_empty() { "none for this command".to_owned() } else { keys.join(", ") };
        Ok((words, keys))
    }

    /// The settings of its site. They take the place of those of `common`, or are added.
    fn settings<'a>(&'a self, common: &'a [Setting]) -> Vec<&'a Setting> {
        let own = self.site.map_or(&[][..], |it| &it.settings);
        let is_replaced = |row: &Row| !row.adds() && own.iter().any(|it| std::ptr::eq(it.row, row));
        common.iter().filter(|it| !is_replaced(it.row)).chain(own).collect()
    }
}

/// Returns true if the argument `id` is typed.
fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.ids().any(|it| it == id) && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns true if two paths name the same directory or file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((canonical(one), canonical(other)), (Ok(one), Ok(other)) if one == other)
}

/// Returns true if `setting` holds for this run of `command`: it has the option, its SITE has a use for it, and
/// nothing typed takes its place.
fn applies(setting: &Setting, kind: SiteKind, command: &Command, matches: &ArgMatches) -> bool {
    let row = setting.row;
    let is_typed = |id: &str| is_typed(matches, id);
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
    settings: &[&Setting],
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
struct HoldingSettings {
    file: Option<String>,
    settings: Vec<Holding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sites: Vec<HoldingSite>,
}

/// A site of the file, and its own settings.
#[derive(Serialize)]
struct HoldingSite {
    path: String,
    from: String,
    settings: Vec<Holding>,
}

impl From<&Setting> for Holding {
    fn from(setting: &Setting) -> Holding {
        let text = |value: &OsString| OsStr::to_string_lossy(value).into_owned();
        let value = setting.values.iter().map(text).collect();
        Holding { key: setting.row.key, value, from: setting.place.clone() }
    }
}

/// Refuses a setting in `file` that its command refuses.
fn refuse_wrong(command: &Command, settings: &Settings) -> Result<(), CliError> {
    for name in COMMANDS {
        let words = ["rehref", name, "SITE", "SITE"].map(OsString::from);
        let words = words.get(..if name == "compare" { 4 } else { 3 }).unwrap_or(&words);
        let of_command =
            |it: &&Setting| it.row.is_for(name) && it.row.value != Some(ValueKind::Old);
        let of_sites = settings.sites.iter().flat_map(|it| &it.settings);
        for setting in settings.common.iter().chain(of_sites).filter(of_command) {
            refuse_bad_value(command, words, &[setting])?;
        }
    }
    Ok(())
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
    refuse_wrong(command, &given)?;
    let default = |row: &Row| -> Vec<String> {
        let command = command.find_subcommand(row.command().unwrap_or("audit"));
        let mut options = command.into_iter().flat_map(Command::get_arguments);
        let option = options.find(|it| it.get_long() == Some(row.option()));
        let values = option.map(clap::Arg::get_default_values).unwrap_or_default();
        values.iter().map(|it| it.to_string_lossy().into_owned()).collect()
    };
    let holding = settings().filter_map(|row| {
        let given = given.common.iter().find(|it| it.row.key == row.key);
        let holding = given.map(Holding::from).unwrap_or_else(|| Holding {
            key: row.key,
            value: default(row),
            from: "default".to_owned(),
        });
        let is_set = !holding.value.is_empty() && holding.value != ["false"];
        is_set.then_some(holding)
    });
    let sites = given.sites.iter().map(|site| HoldingSite {
        path: site.path.display().to_string(),
        from: site.place.clone(),
        settings: site.settings.iter().map(Holding::from).collect(),
    });
    let settings = HoldingSettings {
        file: file.map(|file| file.display().to_string()),
        settings: holding.collect(),
        sites: sites.collect(),
    };
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
    let row = |it: &Holding| vec![it.key.to_owned(), it.from.clone(), it.value.join(", ")];
    let mut rows: Vec<Vec<String>> = settings.settings.iter().map(row).collect();
    for site in &settings.sites {
        rows.push(vec!["[[site]] path".to_owned(), site.from.clone(), site.path.clone()]);
        rows.extend(site.settings.iter().map(row));
    }
    let text = terminal::columns(&rows);
    reports::write_all(&reports, &text, ("rehref-config", &settings))?;
    Ok(Exit::Done)
}
