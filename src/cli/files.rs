//! Files that options name, and lists of documents (`--files-from`).

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::command_line::{quoted, value_of};
use super::exit::{CliError, usage_error};
use super::{place, terminal};
use rehref_corpus::folder_of;
use rehref_document::DocumentKind;
use rehref_site::plural::counted;
use rehref_site::{canonical, joined, os_string, with_slashes};

/// Reads the file that `option` names.
pub(super) fn read(option: &str, path: &Path) -> Result<Vec<u8>, CliError> {
    read_or(option, path, &format!("\nhelp: correct the path, or remove {option}"))
}

/// As [`read`]; `advice` ends the error about a file that does not exist.
pub(super) fn read_or(option: &str, path: &Path, advice: &str) -> Result<Vec<u8>, CliError> {
    let name = format!("{option} {}", path.display());
    if path.is_dir() {
        return usage_error(format!("{name}: this is a directory\nhelp: pass a file"));
    }
    let read = fs::File::open(path).and_then(read_bounded);
    read.or_else(|error| match error.kind() {
        ErrorKind::NotFound => usage_error(format!("{name}: no such file{advice}")),
        _ => Err(CliError::io(name)(error)),
    })
}

/// The most bytes that are read of a file or a stream that an option names.
const LARGEST: u64 = 256 << 20;

fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if u64::try_from(read).is_ok_and(|read| read <= LARGEST) {
        Ok(bytes)
    } else {
        Err(io::Error::other("the file is larger than 256 MB\nhelp: split it"))
    }
}

/// Refuses a `file` to be written by the option `name` whose directory does not exist, or that is one.
pub(super) fn check_place(name: &str, file: &Path) -> Result<(), CliError> {
    let folder = folder_of(file);
    if !folder.is_dir() {
        return usage_error(format!(
            "{name}: no such directory: {}\nhelp: rehref does not create directories for this file; name one that exists",
            folder.display()
        ));
    }
    if file.is_dir() || file.to_string_lossy().ends_with('/') {
        usage_error(format!("{name}: this is a directory\nhelp: pass a file"))
    } else {
        Ok(())
    }
}

/// Returns the path of `file` below the directory `root`, a canonical path; `None` if it is elsewhere.
pub(super) fn path_below(root: &Path, file: &Path) -> Option<PathBuf> {
    let folder = canonical(folder_of(file)).ok()?;
    let below = folder.strip_prefix(root).ok()?;
    Some(joined(&with_slashes(below.to_owned()), file.file_name()?))
}

/// As [`read`]; `-` is stdin.
pub(super) fn read_or_stdin(option: &str, path: &Path) -> Result<Vec<u8>, CliError> {
    if path != Path::new("-") {
        return read(option, path);
    }
    read_bounded(io::stdin()).map_err(CliError::io("stdin"))
}

/// Returns the files below `root`, a canonical path, that the list at `path` names, as paths below it. `-` is stdin.
///
/// # Errors
/// Returns an error if the list cannot be read. Unless it `may_be_empty`, when it has paths, and none of them exists:
/// they resolve against another directory.
pub(super) fn read_list(
    path: &Path,
    root: &Path,
    may_be_empty: bool,
) -> Result<Arc<FxHashSet<PathBuf>>, CliError> {
    let advice = "\nhelp: the option reads a list of paths: git diff --name-only --relative HEAD~1 | rehref audit SITE --files-from -";
    let list = match path != Path::new("-") {
        true => read_or("--files-from", path, advice)?,
        false => read_or_stdin("--files-from", path)?,
    };
    if list.starts_with(b"\xFF\xFE") || list.starts_with(b"\xFE\xFF") {
        return usage_error(format!(
            "--files-from {}: the list is in UTF-16\nhelp: write it in UTF-8 (in PowerShell: Out-File -Encoding utf8)",
            path.display()
        ));
    }
    let list = list.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&list);
    let separator = if list.contains(&0) { 0 } else { b'\n' };
    let names = list.split(|byte| *byte == separator);
    let names = names.map(|name| name.strip_suffix(b"\r").unwrap_or(name));
    let names = names.filter(|name| !name.is_empty());
    let names: Vec<OsString> = names.filter_map(|name| os_string(name.to_owned())).collect();
    if names.is_empty() {
        terminal::note(format!("--files-from {}: the list is empty", path.display()));
    }
    let is_missing = |name: &&OsString| Path::new(name).symlink_metadata().is_err();
    let missing: Vec<&OsString> = names.iter().filter(is_missing).collect();
    if let Some(quoted) = missing.iter().find(|it| it.to_string_lossy().starts_with('"')) {
        return usage_error(format!(
            "--files-from {}: git writes {} with escapes\nhelp: separate the paths with null bytes: git diff --name-only -z, or git ls-files -z",
            path.display(),
            quoted.to_string_lossy()
        ));
    }
    if let [first, ..] = missing[..]
        && missing.len() < names.len()
    {
        terminal::note(format!(
            "--files-from {}: {} of the list not found, like {}\nhelp: if files were deleted, audit the whole site: the links of other documents to them are not checked here",
            path.display(),
            counted(missing.len(), "path"),
            first.to_string_lossy()
        ));
    }
    if !may_be_empty && !names.is_empty() && missing.len() == names.len() {
        let is_below = names.iter().any(|it| root.join(it).exists());
        let is_document = DocumentKind::of_path(path).is_some();
        // The lines of `git status --short` begin with two letters and a space.
        let has_status = |it: &OsString| {
            let is_path =
                |(start, path): (&str, &str)| start.ends_with(' ') && Path::new(path).exists();
            it.to_string_lossy().split_at_checked(3).is_some_and(is_path)
        };
        let is_of_windows = |it: &OsString| place::with_slashes(&it.to_string_lossy()).is_some();
        let is_diff = |it: &OsString| it.to_string_lossy().starts_with("diff --git ");
        let help = if names.iter().any(has_status) {
            "pass the paths alone: git status --short -uall | cut -c4- | rehref audit SITE --files-from -"
        } else if names.iter().any(is_diff) {
            "pass the paths alone, with git diff --name-only --relative"
        } else if names.iter().any(is_of_windows) {
            &format!("write `/` between directories: tr '\\\\' / < {} > list.txt", path.display())
        } else if is_document && let Some(below) = path_below(root, path) {
            &format!(
                "this file is a document, and no list of paths: to read it alone, write --include {}",
                quoted(format!("/{}", below.display()))
            )
        } else if is_below {
            "the paths are relative to the site: run the command there, with . as the site"
        } else {
            "run the command in the directory to which the paths are relative, one path on each line; if the files are deleted, run it without --files-from, since other documents may link to them"
        };
        return usage_error(format!(
            "--files-from {}: no path of the list ({}) exists, seen from the working directory\nhelp: {help}",
            path.display(),
            counted(names.len(), "path")
        ));
    }
    // A name that no longer exists, or that is elsewhere, is not a file of SITE.
    let files = names.iter().filter_map(|name| path_below(root, Path::new(name)));
    let files: FxHashSet<PathBuf> = files.collect();
    if files.is_empty() && !may_be_empty && !names.is_empty() {
        terminal::warning(format!(
            "--files-from {}: no path of the list ({}) is in the site, so nothing is read\nhelp: {}; if other files may change alone, add --allow-empty",
            path.display(),
            counted(names.len(), "path"),
            match value_of("--build") {
                Some(_) => "to audit a part of the sources, remove --build",
                None => "for the sources of the site, pass their directory as the site",
            }
        ));
    }
    Ok(Arc::new(files))
}

/// Returns true if `first`, the first line of a table of paths or URLs, has only words.
pub(super) fn has_header(first: &str) -> bool {
    !first.contains(['/', '\\'])
        && !first.split([',', ';', '\t']).any(|it| it.trim_matches('"').contains('.'))
}
