//! Finds and reads `rehref.toml`.

use crate::cli::working_directory::working_directory;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use clap::{Arg, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::audit::level::level_problem;
use crate::cli::command_line::quoted;
use crate::cli::exit::{CliError, usage_error};
use crate::cli::git::REVISION;
use crate::cli::likely_site::configured_by;
use crate::cli::options::{Row, ValueKind, settings};
use crate::cli::{files, terminal};
use rehref_corpus::files::Globs;
use rehref_corpus::folder_of;
use rehref_site::nearest::nearest;
use rehref_site::{REPOSITORIES, SiteUrl};

/// The name of the file.
pub(super) const NAME: &str = "rehref.toml";

/// A name that users expect to work, as it does for other tools.
const HIDDEN_NAME: &str = ".rehref.toml";

/// The settings of Python projects, and the start of the name of the table where other programs have theirs.
const PYTHON_PROJECT: &str = "pyproject.toml";
const TABLE: &str = "[tool.rehref";

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

/// The settings of a file.
#[derive(Default)]
pub(super) struct Settings {
    /// The settings of every site.
    pub(super) common: Vec<Setting>,
    /// The entries of `[[site]]`.
    pub(super) sites: Vec<SiteSettings>,
}

/// A site in a file: an entry of `[[site]]`.
pub(super) struct SiteSettings {
    /// Its root.
    pub(super) path: PathBuf,
    /// `FILE:LINE:COLUMN` of its path.
    pub(super) place: String,
    /// Its own settings.
    pub(super) settings: Vec<Setting>,
}

impl Setting {
    /// Returns the words that say the same on the command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        let option = self.row.option();
        if self.row.value == Some(ValueKind::Flag) {
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

/// Files of settings that rehref does not read: misspelled ones, and those of other tools.
#[rustfmt::skip]
const FOREIGN: [&str; 13] = [
    "rehref.yml", "rehref.yaml", "rehref.json", ".rehrefrc", ".rehrefrc.json", ".rehrefrc.yml", ".rehrefrc.yaml",
    ".lycheeignore", "lychee.toml", ".htmltest.yml", ".linkcheckerrc", ".rehrefrc.toml", ".rehrefignore",
];

/// The result of the search.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The file to read.
    pub(super) file: Option<PathBuf>,
    /// Notes on files that are not read.
    pub(super) notes: Vec<String>,
}

/// Returns the note about a file in SITE.
pub(super) fn in_site(file: &Path) -> String {
    let name = file.display();
    format!(
        "{name} is in the site, so rehref did not read it\nhelp: to read it, add --config {name}"
    )
}

/// Notes the settings of a project below the working directory that has one of `words`, a directory.
pub(super) fn note_of_project(words: &[OsString]) -> Option<String> {
    let folders = words.iter().map(Path::new).filter(|it| it.is_relative() && it.is_dir());
    let is_below =
        |it: &&Path| !it.as_os_str().is_empty() && !it.ends_with("..") && !it.ends_with(".");
    let mut files =
        folders.flat_map(|it| it.ancestors().skip(1).filter(is_below).map(|it| it.join(NAME)));
    let name = files.find(|it| it.is_file())?.display().to_string();
    Some(format!(
        "rehref does not read {name}, since it is not in the working directory\nhelp: to read it, add --config {name}"
    ))
}

/// Searches the file from the working directory upwards to the root of its repository; outside a repository,
/// in the working directory alone, since the directories above may be other users'. A file within one of
/// `sites` is passed over: a tree from elsewhere must not make its audit ignore findings.
pub(super) fn search(sites: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let Ok(here) = working_directory() else { return found };
    let is_root = |folder: &Path| {
        let mut names = REPOSITORIES.iter();
        names.any(|name| folder.join(name).symlink_metadata().is_ok())
    };
    // As short in messages as the user would write it.
    let short = |file: PathBuf| file.strip_prefix(&here).map_or(file.clone(), Path::to_owned);
    let root = here.ancestors().find(|folder| is_root(folder));
    let root = root.unwrap_or(&here);
    for folder in here.ancestors().take_while(|it| it.starts_with(root)) {
        let (file, hidden) = (folder.join(NAME), folder.join(HIDDEN_NAME));
        let is_in_site = |file: &Path| sites.iter().any(|site| file.starts_with(site));
        // A symbolic link, a pipe or a device may lead to data that is endless, or not the user's. A directory of this
        // name is an error, too.
        let is_regular = |it: fs::Metadata| it.is_file() || it.is_dir();
        if !file.exists() {
            let project = folder.join(PYTHON_PROJECT);
            let has_table = |text: String| text.lines().any(|it| it.trim().starts_with(TABLE));
            if !is_in_site(&project) && fs::read_to_string(&project).is_ok_and(has_table) {
                let name = short(project).display().to_string();
                found.notes.push(format!(
                    "rehref does not read {TABLE}] of {name}\nhelp: write its settings to {NAME}"
                ));
            }
            if hidden.is_file() && !is_in_site(&hidden) {
                let name = short(hidden).display().to_string();
                found.notes.push(format!(
                    "rehref does not read {name}\nhelp: rename it to {NAME}, or add --config {name}"
                ));
            }
        } else if !file.symlink_metadata().is_ok_and(is_regular) {
            let name = short(file).display().to_string();
            found.notes.push(format!(
                "{name} is not a regular file, so rehref did not read it\nhelp: to read it, add --config {name}"
            ));
        } else if is_in_site(&file) {
            found.notes.push(in_site(&short(file)));
        } else {
            found.file = Some(short(file));
            break;
        }
    }
    let folders = here.ancestors().take_while(|it| it.starts_with(root));
    let mut foreign = folders.flat_map(|folder| FOREIGN.iter().map(|name| folder.join(name)));
    if found.file.is_none()
        && let Some(file) = foreign.find(|it| it.is_file())
    {
        found.notes.push(format!(
            "rehref does not read {}\nhelp: write the settings to {NAME}: url = \"https://example.org/docs/\", and below [audit] min-level, ignore = [\"target:GLOB\"] and others",
            short(file).display()
        ));
    }
    found
}

/// Returns the nearest file above the working directory that [`search`] does not read, since it is outside the
/// repository.
pub(super) fn above() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut files = here.ancestors().skip(1).map(|folder| folder.join(NAME));
    files.find(|file| file.is_file())
}

/// Reads the settings in `file`. `command` is the whole command line.
pub(super) fn read(file: &Path, command: &Command) -> Result<Settings, CliError> {
    let name = file.display().to_string();
    if let Some(program) = configured_by(file) {
        return usage_error(format!(
            "{name} configures {program}\nhelp: rehref reads it if SITE has it, as in `rehref audit {}`; --config is for settings of rehref, like rehref.toml",
            quoted(folder_of(file).display())
        ));
    }
    let advice = "\nhelp: pass a file of settings for rehref, like rehref.toml, or remove --config";
    let bytes = files::read_or("--config", file, advice)?;
    if bytes.len() > LARGEST {
        return usage_error(format!("{name} is larger than 1 MB; no settings need that"));
    }
    let text = String::from_utf8(bytes).or_else(|_| {
        usage_error(format!("{name} is not a UTF-8 text file\nhelp: save the file as UTF-8"))
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

/// The key of the list of sites, and that of the root of one.
const SITE: &str = "site";
const PATH: &str = "path";

/// The tables whose names are not keys of settings.
const TABLES: [&str; 4] = ["audit", "compare", SITE, PATH];

/// The settings of a table, with the bytes at which the keys start.
#[derive(Default)]
struct Table {
    settings: Vec<(usize, Setting)>,
    errors: Vec<(usize, CliError)>,
}

impl Table {
    fn add(&mut self, at: usize, read: Read) {
        match read {
            Ok(setting) => self.settings.extend(setting.map(|it| (at, it))),
            Err(error) => self.errors.push((at, error)),
        }
    }

    /// The settings in their order: a table of TOML sorts its keys.
    fn settings(mut self) -> Vec<Setting> {
        self.settings.sort_by_key(|(at, _)| *at);
        self.settings.into_iter().map(|(_, setting)| setting).collect()
    }
}

struct Reader<'f> {
    name: &'f str,
    /// The directory of the file.
    folder: &'f Path,
    text: &'f str,
    /// The whole command line.
    command: &'f Command,
}

impl Reader<'_> {
    fn settings(&self) -> Result<Settings, CliError> {
        let table = DeTable::parse(self.text).or_else(|error| {
            let message = error.message();
            self.error(
                &error.span().unwrap_or_default(),
                &format!(
                    "{message}\nhelp: settings are TOML, like url = \"https://example.org/docs/\""
                ),
            )
        })?;
        let mut common = Table::default();
        self.read_table(table.get_ref(), "", &mut common);
        if let Some((name, _)) = table.get_ref().iter().find(|(name, _)| name.get_ref() == PATH) {
            let message = "`path` is a setting of a site\nhelp: write [[site]] on the line above";
            let error = self.error::<()>(&name.span(), message).err();
            common.errors.extend(error.map(|error| (name.span().start, error)));
        }
        let sites = table.get_ref().iter().find(|(name, _)| name.get_ref() == SITE);
        let sites = sites.map(|(_, value)| self.sites(value, &mut common.errors));
        let mut errors = std::mem::take(&mut common.errors);
        errors.sort_by_key(|(at, _)| *at);
        let Some((_, last)) = errors.pop() else {
            let (common, sites) = (common.settings(), sites.unwrap_or_default());
            return Ok(Settings { common, sites });
        };
        errors.into_iter().for_each(|(_, error)| terminal::error(error));
        Err(last)
    }

    /// The sites in the value of `[[site]]`.
    fn sites(
        &self,
        value: &Spanned<DeValue<'_>>,
        errors: &mut Vec<(usize, CliError)>,
    ) -> Vec<SiteSettings> {
        let mut sites: Vec<SiteSettings> = Vec::new();
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter(),
            _ => [].iter(),
        };
        let mut refuse = |at: &Range<usize>, message: &str| {
            errors.extend(self.error::<()>(at, message).err().map(|error| (at.start, error)));
        };
        if let DeValue::String(path) = value.get_ref() {
            refuse(
                &value.span(),
                &format!(
                    "`site` is a list of tables, each below a line [[site]]\nhelp: write [[site]] at the end of the file, and below it path = {path:?} and the other settings of this site"
                ),
            );
        } else if items.len() == 0 {
            refuse(
                &value.span(),
                "`site` is a list of tables, each below a line [[site]]\nhelp: for one site, write the settings at the top of the file, such as url = \"https://example.org/docs/\"",
            );
        }
        let mut tables = Vec::new();
        for item in items {
            let DeValue::Table(table) = item.get_ref() else {
                refuse(&item.span(), "`site` is a list of tables, each below a line [[site]]");
                continue;
            };
            let path = table.iter().find(|(name, _)| name.get_ref() == PATH);
            let path = path.map(|(_, value)| (value.span(), value.get_ref()));
            let mut of_site = Table::default();
            self.read_table(table, "", &mut of_site);
            tables.push(std::mem::take(&mut of_site.errors));
            let Some((at, DeValue::String(path))) = path else {
                let at = path.map_or_else(|| item.span(), |(at, _)| at);
                refuse(
                    &at,
                    "each [[site]] needs a `path`, the root of the site\nhelp: path = \"public\"",
                );
                continue;
            };
            let path = self.folder.join(&**path);
            if sites.iter().any(|it| it.path == path) {
                refuse(&at, "another [[site]] has the same `path`");
            }
            let (place, settings) = (self.place(&at), of_site.settings());
            sites.push(SiteSettings { path, place, settings });
        }
        errors.extend(tables.into_iter().flatten());
        sites
    }

    /// Reads the settings of `table`, but its sites.
    fn read_table(&self, table: &DeTable<'_>, prefix: &str, read: &mut Table) {
        for (name, value) in table.iter() {
            let key = format!("{prefix}{}", name.get_ref());
            let prefix = format!("{key}.");
            let is_group = settings().any(|row| row.key.starts_with(&prefix));
            if let (true, DeValue::Table(inner)) = (is_group, value.get_ref()) {
                self.read_table(inner, &prefix, read);
                continue;
            }
            let at = name.span();
            let setting = match settings().find(|row| row.key == key) {
                Some(row) => self.setting(row, value),
                None if [SITE, PATH].contains(&&*key) => continue,
                None => self.error(&at, &unknown(&key, self.command)),
            };
            read.add(at.start, setting);
        }
    }

    /// The setting of `row` with this value.
    fn setting(&self, row: &'static Row, value: &Spanned<DeValue<'_>>) -> Read {
        let values = self.values(row, value)?;
        // As the option does, but with the place of the value.
        let problem = |text: &str| match row.key {
            "url" | "also" if !matches!(text, "auto" | "file:") => {
                SiteUrl::parse(text).err().map(|error| error.to_string())
            }
            "include" | "exclude" | "html" | "served-anywhere" | "audit.entry" => {
                Globs::new(&[text.to_owned()]).err().map(|error| error.to_string())
            }
            _ => None,
        };
        if let Some(problem) = values.iter().filter_map(|it| it.to_str()).find_map(problem) {
            return self.error(&value.span(), &problem);
        }
        Ok((!values.is_empty()).then(|| Setting { row, place: self.place(&value.span()), values }))
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
        let one_of_list = |value| Ok(text(value, "a list of strings")?.into());
        match (row.value, value.get_ref()) {
            (Some(ValueKind::Flag), DeValue::Boolean(is_set)) => {
                Ok(is_set.then(|| "true".into()).into_iter().collect())
            }
            (Some(ValueKind::Flag), _) => {
                self.error(&value.span(), &format!("`{}` must be true or false", row.key))
            }
            (Some(ValueKind::List | ValueKind::Added), DeValue::Array(items)) => {
                items.iter().map(one_of_list).collect()
            }
            (Some(ValueKind::List | ValueKind::Added), _) => Ok(vec![one_of_list(value)?]),
            (Some(ValueKind::Levels), DeValue::Table(levels)) => {
                let levels = levels.iter().map(|(check, value)| {
                    let name = check.get_ref();
                    if matches!(value.get_ref(), DeValue::Boolean(_)) {
                        let problem = format!("write a level: {name} = \"off\", or \"error\", \"warning\" or \"note\"");
                        return self.error(&value.span(), &problem);
                    }
                    let level = text(value, "a table of checks with their levels")?;
                    match level_problem(name, &level) {
                        Some((true, problem)) => self.error(&check.span(), &problem),
                        Some((false, problem)) => self.error(&value.span(), &problem),
                        None => Ok(format!("{name}={level}").into()),
                    }
                });
                levels.collect()
            }
            (Some(ValueKind::Levels), _) => self.error(
                &value.span(),
                &format!(
                    "`{}` is a table: broken-fragment = \"warning\"\nhelp: to show only findings of a level or above, use \
                     min-level, and fail-on for the exit status",
                    row.key
                ),
            ),
            (Some(ValueKind::Old), DeValue::String(old)) if old.starts_with(REVISION) => {
                Ok(vec![old.to_string().into()])
            }
            (Some(ValueKind::Path | ValueKind::Old), _) => {
                Ok(vec![self.folder.join(text(value, "a path")?).into_os_string()])
            }
            (Some(ValueKind::Text) | None, _) => Ok(vec![text(value, "a string")?.into()]),
        }
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

/// Keys for the directory of the site in the settings of other programs.
const SITES: &[&str] = &[
    "dir", "root", "path", "site", "source", "src", "input", "site_dir", "siteDir", "site-dir",
    "outDir", "outdir", "publish", "publishDir", "publish_dir", "public", "dist", "destination",
];

/// The message about a key that is not a setting. `command` is the whole command line.
fn unknown(key: &str, command: &Command) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    if SITES.contains(&name) {
        return format!(
            "unknown key `{key}`\nhelp: the site is an argument, as in `rehref audit SITE`; to audit without it, write [[site]] at the end of the file, and below it path = \"DIRECTORY\""
        );
    }
    if key == "overrides" || key == "sites" {
        return format!(
            "unknown key `{key}`\nhelp: for settings of one site, write [[site]], and below it path = \"public\" and url"
        );
    }
    let words = |it: char| if it.is_uppercase() { format!("-{it}") } else { it.to_string() };
    let dashed: String = name.chars().map(words).collect();
    let dashed = dashed.to_lowercase().replace('_', "-");
    let is_same = |it: &str| it.eq_ignore_ascii_case(&dashed);
    let is_named = |arg: &&Arg| {
        arg.get_long().is_some_and(is_same)
            || arg.get_all_aliases().is_some_and(|it| it.into_iter().any(is_same))
    };
    if ["base", "baseurl"].contains(&dashed.replace('-', "").as_str()) {
        return format!(
            "unknown key `{key}`\nhelp: write the whole URL, like url = \"https://example.org/docs/\""
        );
    }
    if let Some(subcommand) = command.find_subcommand(key) {
        let table = subcommand.get_name();
        if settings().any(|row| row.key.split_once('.').is_some_and(|it| it.0 == table)) {
            return format!(
                "unknown key `{key}`\nhelp: write the table as [{table}], or below [[site]] as [site.{table}], for this site alone"
            );
        }
        return format!(
            "unknown key `{key}`\nhelp: write `url` and others that `rehref config --help` lists at the top of the file, without a table; pass the other options of {key} on the command line"
        );
    }
    let mut commands = iter::once(command).chain(command.get_subcommands());
    let option = commands.find_map(|it| it.get_arguments().find(is_named)?.get_long());
    if let Some(option) = option {
        return match settings().find(|row| row.option() == option) {
            Some(row) if key.contains('.') && !row.key.contains('.') => {
                format!(
                    "unknown key `{key}`\nhelp: write `{}` at the top of the file, above the table",
                    row.key
                )
            }
            Some(row) => format!("unknown key `{key}`\nhelp: use `{}`", row.key),
            None => {
                let table = key.split_once('.').and_then(|it| command.find_subcommand(it.0));
                let is_taken =
                    |it: &Command| it.get_arguments().any(|it| it.get_long() == Some(option));
                let help = match table.filter(|it| !is_taken(it)) {
                    Some(table) => format!("remove it: {} has no --{option}", table.get_name()),
                    None => format!("pass --{option} on the command line"),
                };
                format!("`{key}` is not a setting\nhelp: {help}")
            }
        };
    }
    let lower = key.to_lowercase();
    let keys = settings().map(|row| (row.key.to_owned(), row.key));
    let tables = TABLES.into_iter().map(|it| (it.to_owned(), it));
    match nearest(keys.chain(tables), &lower, 1 + lower.len() / 3) {
        Some((_, nearest)) => format!("unknown key `{key}`\nhelp: did you mean `{nearest}`?"),
        None => format!(
            "unknown key `{key}`\nhelp: the tables are [audit], [compare] and [[site]], and rehref config --help lists the settings"
        ),
    }
}
