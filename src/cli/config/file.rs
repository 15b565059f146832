//! Finds and reads `rehref.toml`.

use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Command;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::audit::level::level_problem;
use crate::cli::exit::{CliError, usage_error};
use crate::cli::files;
use crate::cli::habits::OPTIONS;
use crate::cli::options::{Row, ValueKind, settings};
use crate::cli::terminal;
use rehref_corpus::files::Globs;
use rehref_site::nearest::nearest;
use rehref_site::{REPOSITORIES, SiteUrl, canonical};

/// The name of the file.
pub(super) const NAME: &str = "rehref.toml";

/// A name that users expect to work, as it does for other tools.
const HIDDEN_NAME: &str = ".rehref.toml";

/// The largest file that is read, in bytes.
const LARGEST: usize = 1 << 20;

/// A setting in a file.
pub(super) struct Setting {
    pub(super) row: &'static Row,
    /// `FILE:LINE:COLUMN` of the value.
    pub(super) place: String,
    /// The values, as the option takes them.
    pub(super) values: Vec<OsString>,
}

impl Setting {
    /// The words that say the same on the command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        let option = self.row.option();
        if self.row.value == ValueKind::Flag {
            return vec![format!("--{option}").into()];
        }
        let word = |value: &OsString| {
            let mut word = OsString::from(format!("--{option}="));
            word.push(value);
            word
        };
        self.values.iter().map(word).collect()
    }
}

/// The files that the search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The file to read.
    pub(super) file: Option<PathBuf>,
    /// A file that is not read, since it is in SITE.
    pub(super) in_site: Option<PathBuf>,
    /// A file that is not read, since it is a symbolic link, a pipe or a device: what it leads to may be endless, or
    /// not the user's.
    pub(super) irregular: Option<PathBuf>,
    /// A file that is not read, since it has the name of a hidden file.
    pub(super) hidden: Option<PathBuf>,
}

impl Found {
    /// Notes on the files that are not read.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let in_site = self.in_site.as_deref().map(in_site);
        let hidden = self.hidden.as_ref().map(|file| {
            let name = file.display();
            format!("rehref does not read {name}; rename it to {NAME}, or add --config {name}")
        });
        let irregular = self.irregular.as_ref().map(|file| {
            let name = file.display();
            format!("{name} is no regular file, so rehref did not read it; to read it, add --config {name}")
        });
        in_site.into_iter().chain(irregular).chain(hidden)
    }
}

/// The note about a file in SITE.
pub(super) fn in_site(file: &Path) -> String {
    let name = file.display();
    format!("{name} is in SITE, so rehref did not read it; to read it, add --config {name}")
}

/// Searches the file from the working directory upwards to the root of its repository; outside a repository,
/// in the working directory alone, since the directories above may be other users'. A file within one of
/// `sites` is passed over: a tree from elsewhere must not make its audit ignore findings.
pub(super) fn search(sites: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let here = std::env::current_dir().and_then(|here| canonical(&here));
    let Ok(here) = here else {
        return found;
    };
    let is_root = |folder: &Path| {
        let mut names = REPOSITORIES.iter();
        names.any(|name| folder.join(name).symlink_metadata().is_ok())
    };
    // As short in messages as the user would write it.
    let short = |file: PathBuf| file.strip_prefix(&here).map_or(file.clone(), Path::to_owned);
    let root = here.ancestors().find(|folder| is_root(folder));
    let root = root.unwrap_or(&here);
    for folder in here.ancestors().take_while(|it| it.starts_with(root)) {
        let file = folder.join(NAME);
        let hidden = folder.join(HIDDEN_NAME);
        let is_in_site = |file: &Path| sites.iter().any(|site| file.starts_with(site));
        if !file.exists() && hidden.is_file() && !is_in_site(&hidden) {
            found.hidden.get_or_insert_with(|| short(hidden));
        }
        // A directory of this name is an error, too.
        if !file.exists() {
            continue;
        }
        let is_regular = |it: fs::Metadata| it.is_file() || it.is_dir();
        if !file.symlink_metadata().is_ok_and(is_regular) {
            found.irregular.get_or_insert_with(|| short(file));
            continue;
        }
        if is_in_site(&file) {
            found.in_site.get_or_insert_with(|| short(file));
            continue;
        }
        found.file = Some(short(file));
        break;
    }
    found
}

/// The nearest file above the working directory that [`search`] does not read, since it is outside the
/// repository.
pub(super) fn above() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut files = here.ancestors().skip(1).map(|folder| folder.join(NAME));
    files.find(|file| file.is_file())
}

/// Reads the settings in `file`. `command` is the whole command line.
pub(super) fn read(file: &Path, command: &Command) -> Result<Vec<Setting>, CliError> {
    let name = file.display().to_string();
    let bytes = files::read("--config", file)?;
    if bytes.len() > LARGEST {
        return usage_error(format!("{name}: larger than 1 MB; no settings need that"));
    }
    let text = String::from_utf8(bytes).or_else(|_| {
        usage_error(format!("{name}: not a UTF-8 text file; save the file as UTF-8"))
    })?;
    let reader = Reader {
        name: &name,
        folder: file.parent().unwrap_or(Path::new("")),
        text: &text,
        command,
    };
    reader.settings()
}

/// A setting; `None` for one without a value.
type Read = Result<Option<Setting>, CliError>;

struct Reader<'f> {
    name: &'f str,
    /// The directory of the file.
    folder: &'f Path,
    text: &'f str,
    /// The whole command line.
    command: &'f Command,
}

impl Reader<'_> {
    fn settings(&self) -> Result<Vec<Setting>, CliError> {
        let table = match DeTable::parse(self.text) {
            Ok(table) => table,
            Err(_) if self.text.trim_start().starts_with('{') => {
                return self.error(
                    &(0..0),
                    "this is JSON, but settings are TOML: url = \"https://example.org/docs/\"",
                );
            }
            Err(_) if self.text.lines().next().is_some_and(|it| it.contains("  default  ")) => {
                return self.error(
                    &(0..0),
                    "this is the output of rehref config; write settings like url = \"https://example.org/docs/\"",
                );
            }
            Err(error) => {
                let at = error.span().unwrap_or_default();
                return match self.colon_before(&at) {
                    Some(colon) => self.error(
                        &colon,
                        "this is YAML, but settings are TOML, with `=` after the name: url = \"https://example.org/docs/\"",
                    ),
                    None => self.error(&at, error.message()),
                };
            }
        };
        let mut read = Vec::new();
        self.read_table(table.get_ref(), "", &mut read);
        // The table sorts its keys.
        read.sort_by_key(|(at, _)| *at);
        let (mut settings, mut errors) = (Vec::new(), Vec::new());
        for (_, setting) in read {
            match setting {
                Ok(setting) => settings.extend(setting),
                Err(error) => errors.push(error),
            }
        }
        let Some(last) = errors.pop() else {
            return Ok(settings);
        };
        for error in errors {
            terminal::error(error);
        }
        Err(last)
    }

    /// Reads the settings of `table`, each with the byte at which its key starts.
    fn read_table(&self, table: &DeTable<'_>, prefix: &str, read: &mut Vec<(usize, Read)>) {
        for (name, value) in table.iter() {
            let key = format!("{prefix}{}", name.get_ref());
            let is_group = key == "audit";
            if let (true, DeValue::Table(inner)) = (is_group, value.get_ref()) {
                self.read_table(inner, "audit.", read);
                continue;
            }
            let at = name.span();
            let setting = match settings().find(|row| row.key == key) {
                Some(row) => self.setting(row, value),
                None => self.error(&at, &unknown(&key, self.command)),
            };
            read.push((at.start, setting));
        }
    }

    /// The setting of `row` with this value.
    fn setting(&self, row: &'static Row, value: &Spanned<DeValue<'_>>) -> Read {
        let values = self.values(row, value)?;
        match row.key {
            "url" | "also" => self.check_urls(&values, &value.span())?,
            "include" | "exclude" | "html" | "served-anywhere" | "audit.entry" => {
                self.check_globs(&values, &value.span())?;
            }
            _ => {}
        }
        Ok((!values.is_empty()).then(|| Setting { row, place: self.place(&value.span()), values }))
    }

    /// Refuses what is no URL of a site, as the option does, but with its place.
    fn check_urls(&self, values: &[OsString], at: &Range<usize>) -> Result<(), CliError> {
        let texts = values.iter().filter_map(|value| value.to_str());
        for text in texts.filter(|text| !matches!(*text, "auto" | "file:")) {
            if let Err(error) = SiteUrl::parse(text) {
                return self.error(at, &error.to_string());
            }
        }
        Ok(())
    }

    /// As [`Reader::check_urls`], for globs.
    fn check_globs(&self, values: &[OsString], at: &Range<usize>) -> Result<(), CliError> {
        let texts = values.iter().filter_map(|value| value.to_str());
        for text in texts {
            if let Err(error) = Globs::new(&[text.to_owned()]) {
                return self.error(at, &error.to_string());
            }
        }
        Ok(())
    }

    /// The values of a setting; none for a list without any, and for `false`.
    fn values(&self, row: &Row, value: &Spanned<DeValue<'_>>) -> Result<Vec<OsString>, CliError> {
        let text = |value: &Spanned<DeValue<'_>>, expected: &str| match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            other => self.error(
                &value.span(),
                &format!(
                    "`{}` must be {expected}, but the value is of type {}",
                    row.key,
                    other.type_str()
                ),
            ),
        };
        let path = |text: String| self.folder.join(text).into_os_string();
        Ok(match (row.value, value.get_ref()) {
            (ValueKind::Flag, DeValue::Boolean(is_set)) => {
                is_set.then(|| "true".into()).into_iter().collect()
            }
            (ValueKind::Flag, _) => {
                text(value, "true or false")?;
                return self.error(&value.span(), &format!("`{}` must be true or false", row.key));
            }
            (ValueKind::List | ValueKind::Added, DeValue::Array(items)) => {
                let items = items.iter().map(|item| text(item, "a list of strings"));
                items.map(|item| Ok(item?.into())).collect::<Result<_, CliError>>()?
            }
            (ValueKind::Levels, DeValue::Table(levels)) => {
                let levels = levels.iter().map(|(check, value)| {
                    let level = text(value, "a table of checks with their levels")?;
                    let (name, at) = (check.get_ref(), value.span());
                    match level_problem(name, &level) {
                        Some((true, problem)) => self.error(&check.span(), &problem),
                        Some((false, problem)) => self.error(&at, &problem),
                        None => Ok(format!("{name}={level}").into()),
                    }
                });
                levels.collect::<Result<_, CliError>>()?
            }
            (ValueKind::Levels, _) => {
                let expected = "`audit.level` is a table: broken-fragment = \"warning\"; to show only findings of \
                    a level or above, use min-level, and fail-on for the exit status";
                return self.error(&value.span(), expected);
            }
            (ValueKind::Path, _) => vec![path(text(value, "a path")?)],
            (ValueKind::Text | ValueKind::Typed, _) => vec![text(value, "a string")?.into()],
            (ValueKind::List | ValueKind::Added, _) => {
                vec![text(value, "a list of strings")?.into()]
            }
        })
    }

    /// The colon after the name of a setting in the line of `at`, as in YAML.
    fn colon_before(&self, at: &Range<usize>) -> Option<Range<usize>> {
        let start = self.text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text.get(start..)?.lines().next()?;
        let (name, _) = line.split_once(':')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_. ".contains(c);
        let colon = start + name.len();
        (!name.trim().is_empty() && name.chars().all(is_name)).then_some(colon..colon + 1)
    }

    /// The error `message` about the part `at` of the file.
    fn error<T>(&self, at: &Range<usize>, message: &str) -> Result<T, CliError> {
        usage_error(format!("{}: {message}", self.place(at)))
    }

    /// `FILE:LINE:COLUMN`, from 1, in characters.
    fn place(&self, at: &Range<usize>) -> String {
        let before = self.text.get(..at.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("{}:{line}:{column}", self.name)
    }
}

/// The message about a key that is no setting. `command` is the whole command line.
fn unknown(key: &str, command: &Command) -> String {
    let option = key.rsplit('.').next().unwrap_or(key);
    let mut command = command.clone();
    command.build();
    let mut commands = command.get_subcommands();
    if let Some(row) = settings().find(|row| row.option() == option) {
        return match (key.split_once('.'), row.key.contains('.')) {
            (Some((table, _)), false) => format!(
                "`{option}` is not a key of [{table}]; write {option} at the top of the file, above [{table}]"
            ),
            _ => format!("unknown key `{key}`; use `{}`", row.key),
        };
    }
    if commands.any(|it| it.get_arguments().any(|it| it.get_long() == Some(option))) {
        return format!("`{key}` is not a setting; give --{option} on the command line");
    }
    let typed = format!("--{option}");
    let habit = OPTIONS.iter().find(|(habits, _)| habits.contains(&&*typed));
    if let Some(here) = habit.and_then(|(_, here)| here.first()) {
        let name = here.trim_start_matches("--").split(' ').next();
        return match settings().find(|row| Some(row.option()) == name) {
            Some(row) => format!("unknown key `{key}`; use `{}`", row.key),
            None => format!("`{key}` is not a setting; give {here} on the command line"),
        };
    }
    if command.find_subcommand(key).is_some() {
        return format!(
            "`{key}` is not a setting, but a command; of commands, only audit has a table"
        );
    }
    if ["site", "rehref", "general", "tool"].contains(&key) {
        return format!(
            "unknown key `{key}`; the only table is audit; write url at the top of the file"
        );
    }
    if matches!(option, "base-url" | "baseurl") {
        return format!("unknown key `{key}`; use `url`");
    }
    let lower = key.to_lowercase();
    let keys = settings().map(|row| (row.key.to_owned(), row.key));
    match nearest(keys.chain([("audit".to_owned(), "audit")]), &lower, 1 + lower.len() / 3) {
        Some((_, nearest)) => format!("unknown key `{key}`; did you mean `{nearest}`?"),
        None => format!("unknown key `{key}`; rehref config --help lists the settings"),
    }
}
