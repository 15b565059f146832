//! The working directory, and paths from there, as messages show them.

use std::io;
use std::path::{Path, PathBuf};

use super::command_line::quoted;
use rehref_site::{canonical, with_slashes};

/// Returns the canonical path of the working directory.
pub(super) fn working_directory() -> io::Result<PathBuf> {
    std::env::current_dir().and_then(|here| canonical(&here))
}

/// Returns the path from the working directory to `to`, a canonical path.
pub(super) fn from_here(to: &Path) -> PathBuf {
    path_from(&working_directory().unwrap_or_default(), to)
}

/// Returns the same as an argument of a command in a message.
pub(super) fn argument(to: &Path) -> String {
    quoted(shown(&from_here(to)).display())
}

/// Returns the path from the folder `from` to `to`.
pub(super) fn path_from(from: &Path, to: &Path) -> PathBuf {
    let common = from.ancestors().find(|folder| to.starts_with(folder));
    let common = common.unwrap_or(Path::new(""));
    let rest = |path: &'_ Path| path.strip_prefix(common).map(Path::to_owned);
    let steps = rest(from).map_or(0, |path| path.components().count());
    let mut path: PathBuf = std::iter::repeat_n("..", steps).collect();
    path.extend(rest(to));
    with_slashes(path)
}

/// The name of `folder` in messages.
pub(super) fn shown(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}
