//! The argument SITE: its help, and refusals of options that do not fit it.

use std::path::Path;
use std::{fs, io};

use super::exit::{CliError, usage_error};
use crate::corpus::{SitePlace, SitePlaceError, container_format, container_suffixes, folder_of};
use crate::nearest::nearest;
use crate::site::{FileKind, file_kind};

/// Help for SITE; `more` is what it may be besides a directory and an archive.
pub(super) fn help(more: &str) -> String {
    let or = if more.is_empty() { " or" } else { "" };
    let suffixes = container_suffixes();
    format!("Root directory of the site,{or} an archive ({suffixes}){more}")
}

/// The text of the error of a SITE that cannot be read, and what to do about it.
pub(super) fn explained(error: &SitePlaceError) -> String {
    let (path, source) = match error {
        SitePlaceError::Read { path, source } => (path, source),
        SitePlaceError::NotASite(file) => {
            return not_a_site(file, error);
        }
    };
    let name = path.display();
    if path == Path::new("-") {
        return "-: this command reads a site on disk; only absolute, relative and base read a document from \
            stdin"
            .to_owned();
    }
    if source.kind() != io::ErrorKind::NotFound {
        return error.to_string();
    }
    let text = path.to_string_lossy();
    if ["http://", "https://", "ftp://"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
    {
        return format!(
            "{name}: rehref reads sites on disk and fetches nothing; download it first, with `wget --mirror {name}`"
        );
    }
    if text.contains('=') {
        return format!("{name}: no such directory; give directories before moves (OLD=NEW)");
    }
    if let Some(path) = text.strip_prefix("file://") {
        return format!("{name}: give the path of the directory, not its URL: {path}");
    }
    if std::env::current_dir().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return format!("{name}: the working directory no longer exists; change to another one");
    }
    if path.symlink_metadata().is_ok() {
        return format!("{name}: this symbolic link leads to a file that does not exist");
    }
    if let Some((folder, glob)) = text.rsplit_once('/')
        && glob.contains(['*', '?'])
        && !glob.trim_matches('*').is_empty()
        && Path::new(folder).is_dir()
    {
        return format!(
            "{name}: no such file or directory; give the directory {folder}; --include '/{glob}' selects documents in it"
        );
    }
    if let Some(folder) = text.strip_suffix("/*").or(text.strip_suffix("/**")) {
        return format!("{name}: no such file or directory; give the directory: {folder}");
    }
    if text == "help" {
        return "help: no such file or directory; --help prints the help".to_owned();
    }
    if is_like_host(&text) {
        return format!(
            "{name}: no such file or directory; rehref reads sites on disk and fetches nothing"
        );
    }
    match nearest_name(path) {
        Some(nearest) => format!("{name}: no such file or directory; did you mean {nearest}?"),
        None => format!("{name}: no such file or directory"),
    }
}

/// The text of the error about the file `file`, which is not a site.
fn not_a_site(file: &Path, error: &SitePlaceError) -> String {
    let file_name = file.file_name().unwrap_or_default();
    let (path, name) = (file.display(), file_name.to_string_lossy());
    let is_packed = [".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar"];
    if is_packed.iter().any(|suffix| name.ends_with(suffix)) {
        return format!("{path}: not a directory; unpack it, and give the directory");
    }
    if container_format(file_name).is_some() {
        return format!(
            "{path}: move does not rewrite archives; give the root directory of a site"
        );
    }
    if name.ends_with(".arc") || name.ends_with(".arc.gz") {
        return format!("{path}: rehref does not read ARC archives; convert it to WARC");
    }
    match file_kind(file_name) {
        FileKind::Document(_) => format!(
            "{error}; to select this file alone, give the directory {} and --include /{name}",
            folder_of(file).display()
        ),
        _ => format!("{error}; this file is neither; give the root directory of the site"),
    }
}

/// The error about a SITE for a command that also rewrites one document from stdin: how to do that.
pub(super) fn document_error(
    error: SitePlaceError,
    command: &str,
    url: Option<&str>,
    out: Option<&Path>,
) -> CliError {
    let SitePlaceError::NotASite(file) = &error else {
        return error.into();
    };
    let name = file.file_name().unwrap_or_default();
    if !matches!(file_kind(name), FileKind::Document(_)) || container_format(name).is_some() {
        return error.into();
    }
    let url = match url {
        Some(url) if url.ends_with('/') => format!("{url}{}", name.to_string_lossy()),
        Some(url) => url.to_owned(),
        None => "URL".to_owned(),
    };
    let out = out.unwrap_or(Path::new("OUT")).display();
    let file = file.display();
    CliError::Usage(format!(
        "{file}: this is a file, but SITE is a directory; for one document, with its URL: rehref {command} - --url \
         {url} < {file} > {out}"
    ))
}

/// Whether `text` is more likely the name of a host than of a file.
fn is_like_host(text: &str) -> bool {
    let endings = [".com", ".org", ".net", ".io", ".dev"];
    !text.contains('/')
        && (text.starts_with("www.") || endings.iter().any(|ending| text.ends_with(ending)))
}

/// The path beside a missing one whose name is the most similar.
pub(super) fn nearest_name(missing: &Path) -> Option<String> {
    let wanted = missing.file_name()?.to_str()?;
    let entries = fs::read_dir(folder_of(missing)).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let limit = 1 + wanted.chars().count() / 4;
    let (_, name) = nearest(names.map(|name| (name.clone(), name)), wanted, limit)?;
    Some(missing.with_file_name(name).display().to_string())
}

/// Refuses options that have no meaning for an archive.
pub(super) fn refuse_for_archive(
    place: &SitePlace,
    options: &[(&str, bool)],
) -> Result<(), CliError> {
    let reason = "SITE is an archive, whose records have URLs of their own";
    match place {
        SitePlace::Directory(_) => Ok(()),
        SitePlace::Archive(_) => refuse(options, reason),
    }
}

/// Refuses options that have no meaning for a single document.
pub(super) fn refuse_for_filter(options: &[(&str, bool)]) -> Result<(), CliError> {
    refuse(
        options,
        "SITE is -, one document that is read from stdin and written to stdout",
    )
}

/// Returns an error for the first option that is given, instead of ignoring it.
fn refuse(options: &[(&str, bool)], reason: &str) -> Result<(), CliError> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => usage_error(format!("{name} does not apply: {reason}; omit {name}")),
        None => Ok(()),
    }
}
