//! `--files-from`: the documents of a run, as other programs list files.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::exit::{CliError, usage_error};
use super::files::{path_below, read_or_stdin};
use rehref_site::plural::counted;

/// The files below `root`, a canonical path, that the list at `path` names, as paths below it. `-` is stdin.
///
/// # Errors
/// When the list cannot be read. Unless it `may_be_empty`, when it has paths, and none of them exists: they count from
/// another directory.
pub(super) fn read(
    path: &Path,
    root: &Path,
    may_be_empty: bool,
) -> Result<Arc<FxHashSet<PathBuf>>, CliError> {
    let list = read_or_stdin("--files-from", path)?;
    if list.starts_with(b"\xFF\xFE") || list.starts_with(b"\xFE\xFF") {
        return usage_error(format!(
            "--files-from {}: the list is in UTF-16; write it in UTF-8 (in PowerShell: Out-File -Encoding utf8)",
            path.display()
        ));
    }
    let list = list.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&list);
    let separator = if list.contains(&0) { 0 } else { b'\n' };
    let names = list.split(|byte| *byte == separator);
    let names = names.map(|name| name.strip_suffix(b"\r").unwrap_or(name));
    let names: Vec<_> = names.filter(|name| !name.is_empty()).map(name_of).collect();
    let exists = |name: &Cow<'_, OsStr>| Path::new(name).symlink_metadata().is_ok();
    if !may_be_empty && !names.is_empty() && !names.iter().any(exists) {
        return usage_error(format!(
            "--files-from {}: none of the {} in the list exists; paths count from the working directory; run the command in \
             the directory from which these count, or add --allow-empty",
            path.display(),
            counted(names.len(), "path")
        ));
    }
    // A name that no longer exists, or that is elsewhere, is none of SITE.
    let files = names.iter().filter_map(|name| path_below(root, Path::new(name)));
    Ok(Arc::new(files.collect()))
}

#[cfg(unix)]
fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn name_of(bytes: &[u8]) -> Cow<'_, OsStr> {
    let name = String::from_utf8_lossy(bytes).into_owned();
    Cow::Owned(name.into())
}
