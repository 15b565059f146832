//! `--files-from`: the documents of a run, as other programs list files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::exit::{CliError, usage_error};
use super::files::{path_below, read_or_stdin};

/// The files below `root`, a canonical path, that the list at `path` names, as paths below it. `-` is stdin.
///
/// # Errors
/// When the list cannot be read.
pub(super) fn read(path: &Path, root: &Path) -> Result<Arc<FxHashSet<PathBuf>>, CliError> {
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
    let files = names.filter(|name| !name.is_empty()).filter_map(|name| {
        // A name that no longer exists, or that is elsewhere, is none of SITE.
        path_below(root, Path::new(&*name_of(name)))
    });
    Ok(Arc::new(files.collect()))
}

#[cfg(unix)]
fn name_of(bytes: &[u8]) -> std::borrow::Cow<'_, OsStr> {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn name_of(bytes: &[u8]) -> std::borrow::Cow<'_, OsStr> {
    let name = String::from_utf8_lossy(bytes).into_owned();
    std::borrow::Cow::Owned(name.into())
}
