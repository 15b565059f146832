//! `--format FORMAT[=FILE]`: the reports of a run, each on stdout or in a file.
//!
//! One run can print for people and write files for programs. In every command, reports without a file go to
//! stdout, where there is room for one; the text report is printed if no other is.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};
use serde::Serialize;

use super::exit::{CliError, usage_error};
use super::values::{Choice, ReportFormat};
use super::{files, terminal};
use crate::table;
use rehref_corpus::output::{Original, replace_stream};
use rehref_corpus::{container_format, folder_of};
use rehref_document::DocumentKind;
use rehref_site::canonical;
use rehref_site::diagnostic::escape_json;

/// A report that a run is to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requested<F> {
    pub(super) format: F,
    /// The name of the format.
    pub(super) name: &'static str,
    /// The file to write it to; `None` for stdout.
    pub(super) file: Option<PathBuf>,
}

/// Parses `FORMAT` or `FORMAT=FILE`; help lists the formats.
#[derive(Clone)]
pub(super) struct FormatParser<F>(Vec<Choice<F>>);

/// Returns a parser for the formats `choices`.
pub(super) fn formats<F: Copy>(choices: impl IntoIterator<Item = Choice<F>>) -> FormatParser<F> {
    FormatParser(choices.into_iter().collect())
}

impl<F> FormatParser<F> {
    fn names(&self) -> impl Iterator<Item = PossibleValue> {
        let rows = self.0.iter();
        rows.map(|&(name, help, _)| PossibleValue::new(name).help(help))
    }
}

impl<F: Copy + Send + Sync + 'static> TypedValueParser for FormatParser<F> {
    type Value = Requested<F>;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Requested<F>, Error> {
        let text = value.to_str();
        let (name, file) = match text.and_then(|text| text.split_once('=')) {
            Some((name, file)) => (OsStr::new(name), Some(file)),
            None => (value, None),
        };
        // Its error lists the formats, and suggests the nearest.
        let names = PossibleValuesParser::new(self.names().collect::<Vec<_>>());
        let name = names.parse_ref(command, argument, name)?;
        let row = self.0.iter().find(|(row, ..)| *row == name);
        let Some(&(name, _, format)) = row else {
            return Err(Error::new(clap::error::ErrorKind::InvalidValue));
        };
        if file == Some("") {
            let message = format!(
                "--format {name}= has no file\nhelp: write {name}=FILE, or {name} for stdout\n"
            );
            return Err(Error::raw(clap::error::ErrorKind::InvalidValue, message));
        }
        Ok(Requested { format, name, file: file.filter(|file| *file != "-").map(PathBuf::from) })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names()))
    }
}

/// Returns the reports to write: those `given`, and the first of `formats` on stdout if no other goes there. Refuses
/// two reports for one place, and files that cannot be written, before the run takes its time.
pub(super) fn requested<F: Copy + PartialEq>(
    given: &[Requested<F>],
    formats: &[Choice<F>],
) -> Result<Vec<Requested<F>>, CliError> {
    let mut reports = given.to_vec();
    if let Some(&(name, _, text)) = formats.first()
        && given.iter().all(|it| it.file.is_some() && it.format != text)
    {
        reports.push(Requested { format: text, name, file: None });
    }
    refuse_conflicts(&reports)?;
    Ok(reports)
}

/// Refuses two reports for one place, and files in directories that do not exist.
pub(super) fn refuse_conflicts<F>(reports: &[Requested<F>]) -> Result<(), CliError> {
    for (at, report) in reports.iter().enumerate() {
        let before = reports.iter().take(at);
        if let Some(other) = before.into_iter().find(|it| it.file == report.file) {
            let (one, two) = (other.name, report.name);
            return usage_error(match &report.file {
                Some(file) => format!(
                    "--format {one} and --format {two} both write {}\nhelp: pass two files",
                    file.display()
                ),
                None => format!(
                    "--format {one} and --format {two} both print to stdout\nhelp: write one to a file: --format {}=FILE",
                    if two == "github" { one } else { two }
                ),
            });
        }
        let Some(file) = &report.file else { continue };
        files::check_place(&format!("--format {}={}", report.name, file.display()), file)?;
    }
    Ok(())
}

/// Refuses a report of the format `parquet` if this build has none, or if its bytes would go to a terminal.
pub(super) fn check_parquet<F: Copy + PartialEq>(
    reports: &[Requested<F>],
    parquet: F,
) -> Result<(), CliError> {
    let reports = || reports.iter().filter(|it| it.format == parquet);
    if reports().next().is_some() && !table::IS_AVAILABLE {
        return usage_error(table::NOT_BUILT);
    }
    if reports().any(|it| it.file.is_none()) && io::stdout().is_terminal() {
        return usage_error(
            "--format parquet: stdout is a terminal, and Parquet is not text\nhelp: write a file: --format parquet=FILE",
        );
    }
    Ok(())
}

/// Refuses reports that would replace a file of SITE, or a document beside SITE if that is a document itself; warns of
/// those that would become a part of SITE.
pub(super) fn refuse_files_of<F>(site: &Path, reports: &[Requested<F>]) -> Result<(), CliError> {
    let Ok(site) = canonical(site) else { return Ok(()) };
    let is_archive = site.file_name().and_then(container_format).is_some();
    let is_one_file = site.is_file();
    let root = if is_one_file { folder_of(&site) } else { &site };
    for Requested { name, file, .. } in reports {
        let Some(file) = file else { continue };
        let name = format!("--format {name}={}", file.display());
        if is_one_file && canonical(file).is_ok_and(|file| file == site) {
            return usage_error(format!(
                "{name} would overwrite the site\nhelp: pass another file"
            ));
        }
        let is_beside = canonical(folder_of(file)).is_ok_and(|folder| folder.starts_with(root));
        // An archive has nothing to do with what is beside it.
        let is_other = is_one_file && (is_archive || DocumentKind::of_built_path(file).is_none());
        if !is_beside || is_other {
            continue;
        }
        if file.exists() {
            return usage_error(format!(
                "{name} would overwrite {}",
                if is_one_file {
                    "a document in the directory of the site\nhelp: pass another file"
                } else {
                    "a file of the site\nhelp: pass a file outside the site"
                }
            ));
        }
        if !is_one_file {
            terminal::warning(format!(
                "{name} is in the site, so the next run reads this file as part of the site\nhelp: to avoid this, write to a file outside the site"
            ));
        }
    }
    Ok(())
}

/// Writes `reports` of one result: `text`, or `json` as [`json()`] formats it.
pub(super) fn write_all(
    reports: &[Requested<ReportFormat>],
    text: &str,
    (format, json): (&'static str, &impl Serialize),
) -> Result<(), CliError> {
    for report in reports {
        let file = report.file.as_deref();
        match report.format {
            ReportFormat::Text => write(file, text)?,
            ReportFormat::Json => write(file, self::json(format, json)?)?,
        }
    }
    Ok(())
}

/// Writes a report to `file`, or to stdout.
pub(super) fn write(file: Option<&Path>, report: impl AsRef<[u8]>) -> Result<(), CliError> {
    match file {
        None => terminal::print(report),
        Some(file) => write_file(file, report.as_ref()),
    }
}

/// Writes `file` anew in one step, with the user's default permissions if it does not exist.
pub(super) fn write_file(file: &Path, contents: &[u8]) -> Result<(), CliError> {
    write_stream(file, &mut |out| out.write_all(contents))
}

/// As [`write_file`], with the contents that `write` writes.
pub(super) fn write_stream(
    file: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CliError> {
    let error = || CliError::io(file.display());
    let is_new = !file.exists();
    let created = OpenOptions::new().create(true).append(true).open(file);
    let metadata = created.and_then(|it| it.metadata()).map_err(error())?;
    if !metadata.is_file() {
        // A device or a pipe, such as /dev/stderr, cannot be replaced.
        let written = File::create(file).and_then(|mut device| write(&mut device));
        return written.map_err(error());
    }
    let path = canonical(file).map_err(error())?;
    let old = Original { path: &path, metadata: &metadata };
    let written = replace_stream(old, &mut |out| write(out).map(|()| true));
    if is_new && written.is_err() {
        // No report rather than an empty one. The error of writing says more than one of removing.
        let _ = fs::remove_file(&path);
    }
    written?;
    Ok(())
}

/// A report of JSON with a head that says what it is.
#[derive(Serialize)]
struct Headed<'r, R> {
    format: &'static str,
    version: u32,
    tool: Tool,
    #[serde(flatten)]
    report: &'r R,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// `report` as indented JSON of the format `rehref-NAME`, whose version is 1: members may be added within a
/// version, but are never removed and never change their meaning.
pub(super) fn json(format: &'static str, report: &impl Serialize) -> Result<Vec<u8>, CliError> {
    let headed = Headed {
        format,
        version: 1,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        report,
    };
    let mut text =
        serde_json::to_vec_pretty(&headed).map_err(|error| CliError::stdout(error.into()))?;
    escape_json(&mut text, 0);
    text.push(b'\n');
    Ok(text)
}
